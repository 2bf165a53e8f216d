/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.probe;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Prints what arenas take that are open at once, each with so many allocations of so many bytes: {@code native} memory and
 * live objects on the {@code heap}, in bytes of all together. One {@code platform} thread has all of them, or each is of
 * a {@code virtual} thread of its own that is parked. What threads take that do the same without an arena is not counted.
 * The heap must have been touched before, or its growth counts as native.
 */
public final class OpenArenas {

    private final Arena[] arenas;
    private final int allocations;
    private final long byteSize;

    /** How many threads share the work, each with a part of the arenas. */
    private final int threads;

    private final CountDownLatch started;
    private final CountDownLatch mayOpen = new CountDownLatch(1);
    private final CountDownLatch opened;
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    private OpenArenas(int count, int allocations, long byteSize, int threads) {
        this.arenas = new Arena[count];
        this.allocations = allocations;
        this.byteSize = byteSize;
        this.threads = threads;
        started = new CountDownLatch(threads);
        opened = new CountDownLatch(threads);
    }

    /** @param args {@code platform} or {@code virtual}, how many arenas, allocations in each, and bytes of each of these */
    public static void main(String[] args) throws InterruptedException, IOException {
        int count = Integer.parseInt(args[1]);
        int allocations = Integer.parseInt(args[2]);
        long byteSize = Long.parseLong(args[3]);
        boolean virtual = args[0].equals("virtual");
        new OpenArenas(10, allocations, byteSize, virtual ? 10 : 1).grow(virtual); // what the first use in a process takes
        long[] without = new OpenArenas(count, 0, 0, virtual ? count : 1).grow(virtual);
        long[] with = new OpenArenas(count, allocations, byteSize, virtual ? count : 1).grow(virtual);
        System.out.println("native " + Math.max(0, with[0] - without[0]));
        System.out.println("heap " + Math.max(0, with[1] - without[1]));
    }

    /** {@return by how many bytes native memory and live objects grow when the threads, which are there, open the arenas} */
    private long[] grow(boolean virtual) throws InterruptedException, IOException {
        Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int first = i;
            running.add(builder.start(() -> run(first)));
        }
        started.await();
        awaitParked(running);
        Memory.liveBytes();
        Memory.residentBytes();
        long heap = Memory.liveBytes();
        long resident = Memory.residentBytes();
        mayOpen.countDown();
        opened.await();
        awaitParked(running);
        long[] growth = {0, Memory.liveBytes() - heap};
        growth[0] = Memory.residentBytes() - resident;
        mayEnd.countDown();
        for (Thread thread : running) {
            thread.join();
        }
        return growth;
    }

    private static void awaitParked(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        }
    }

    private void run(int first) {
        try {
            started.countDown();
            mayOpen.await();
            if (allocations > 0) {
                for (int i = first; i < arenas.length; i += threads) {
                    arenas[i] = openArena();
                }
            }
            opened.countDown();
            mayEnd.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // nobody interrupts
        }
    }

    private Arena openArena() {
        Arena arena = Arena.ofConfined();
        for (int i = 0; i < allocations; i++) {
            arena.allocate(byteSize);
        }
        return arena;
    }
}
