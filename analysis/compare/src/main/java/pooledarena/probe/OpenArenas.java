/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.probe;

import module java.base;

/**
 * Prints what each of the arenas takes that are open at once, each with so many allocations of so many bytes: {@code whole}, in
 * bytes of native memory and live objects, and the {@code native} memory of it. One {@code platform} thread has all of them, or
 * each is of a {@code virtual} thread of its own that is parked. What threads take that do the same without an arena is not
 * counted. The heap must have been touched before, or its growth counts as native.
 */
public final class OpenArenas {

    private OpenArenas() {}

    /** By how many bytes they grew. */
    private record Growth(long resident, long live) {}

    /** @param args {@code platform} or {@code virtual}, how many arenas, allocations in each, and bytes of each of these */
    public static void main(String[] args) throws InterruptedException, IOException {
        int count = Integer.parseInt(args[1]);
        int allocations = Integer.parseInt(args[2]);
        long byteSize = Long.parseLong(args[3]);
        boolean virtual = args[0].equals("virtual");
        grow(virtual, 10, allocations, byteSize); // what the first use in a process takes
        Growth without = grow(virtual, count, 0, 0);
        Growth with = grow(virtual, count, allocations, byteSize);
        long nativeBytes = Math.max(0, with.resident - without.resident);
        long heap = Math.max(0, with.live - without.live);
        System.out.println("whole " + (double) (nativeBytes + heap) / count);
        System.out.println("native " + (double) nativeBytes / count);
    }

    /** {@return by how much memory grows when the threads, which are there, open the arenas; none if there are no allocations} */
    private static Growth grow(boolean virtual, int count, int allocations, long byteSize)
            throws InterruptedException, IOException {
        Arena[] arenas = new Arena[count];
        int threads = virtual ? count : 1;
        ParkedThreads parked = new ParkedThreads(virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon(), threads, first -> {
            for (int i = first; i < count && allocations > 0; i += threads) {
                arenas[i] = Arena.ofConfined();
                for (int j = 0; j < allocations; j++) {
                    arenas[i].allocate(byteSize);
                }
            }
        });
        Memory.liveBytes();
        Memory.residentBytes();
        long live = Memory.liveBytes();
        long resident = Memory.residentBytes();
        parked.work();
        long liveGrowth = Memory.liveBytes() - live;
        Growth growth = new Growth(Memory.residentBytes() - resident, liveGrowth);
        parked.end();
        return growth;
    }
}
