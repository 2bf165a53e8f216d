/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import module java.base;

/**
 * Prints by how many bytes a process grows with each arena that threads use: live objects and native memory
 * ({@code whole}), and the {@code native} memory of it. What the same threads take without an arena is not counted. The
 * heap must have been touched before, or its growth counts as native.
 *
 * @param open whether the threads keep their arenas open
 */
public record ArenaFootprint(boolean virtual, int threads, int arenas, int allocations, long byteSize, boolean open) {

    private static final MemoryMXBean HEAP = ManagementFactory.getMemoryMXBean();

    /** Bytes of live objects and of resident memory. */
    private record Memory(long live, long resident) {

        static Memory now() throws IOException {
            return new Memory(liveBytes(), residentBytes());
        }

        Memory minus(Memory other) {
            return new Memory(live - other.live, resident - other.resident);
        }
    }

    /**
     * Measures arenas.
     *
     * @param args {@code platform} or {@code virtual}, how many threads, arenas of each, allocations in each of these,
     *             and bytes of each allocation; {@code open} or {@code closed}
     */
    public static void main(String[] args) throws InterruptedException, IOException {
        boolean virtual = args[0].equals("virtual");
        int threads = Integer.parseInt(args[1]);
        int arenas = Integer.parseInt(args[2]);
        int allocations = Integer.parseInt(args[3]);
        long byteSize = Long.parseLong(args[4]);
        boolean open = args[5].equals("open");
        new ArenaFootprint(virtual, 1, 10, allocations, byteSize, open).growth(); // the first use in a process
        // First with arenas: afterwards there is memory that ended threads have left.
        Memory with = new ArenaFootprint(virtual, threads, arenas, allocations, byteSize, open).growth();
        Memory growth = with.minus(new ArenaFootprint(virtual, threads, arenas, 0, 0, open).growth());
        double all = (double) threads * arenas;
        System.out.println("whole " + (growth.live + growth.resident) / all);
        System.out.println("native " + growth.resident / all);
    }

    /** {@return by what the process grows when threads, which are there and parked, use the arenas and park again} */
    private Memory growth() throws InterruptedException, IOException {
        Semaphore mayWork = new Semaphore(0);
        Semaphore worked = new Semaphore(0);
        Semaphore mayEnd = new Semaphore(0);
        Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
        List<Thread> parked = Stream.generate(() -> builder.start(() -> {
            mayWork.acquireUninterruptibly();
            List<Arena> used = use();
            worked.release();
            mayEnd.acquireUninterruptibly();
            Reference.reachabilityFence(used);
        })).limit(threads).toList();
        awaitParked(parked);
        Memory.now(); // what the first look at the memory takes
        Memory before = Memory.now();
        mayWork.release(threads);
        worked.acquire(threads);
        awaitParked(parked);
        Memory growth = Memory.now().minus(before);
        mayEnd.release(threads);
        for (Thread thread : parked) {
            thread.join();
        }
        return growth;
    }

    /** {@return the arenas, which are none if they have no allocations} */
    private List<Arena> use() {
        List<Arena> used = new ArrayList<>(arenas);
        for (int i = 0; i < arenas && allocations > 0; i++) {
            Arena arena = Arena.ofConfined();
            for (int j = 0; j < allocations; j++) {
                arena.allocate(byteSize);
            }
            if (!open) {
                arena.close();
            }
            used.add(open ? arena : null);
        }
        return used;
    }

    private static void awaitParked(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        }
    }

    /** {@return what all live objects take, after a garbage collection} */
    static long liveBytes() {
        HEAP.gc();
        return HEAP.getHeapMemoryUsage().getUsed();
    }

    /** Not VmRSS of /proc/self/status, in which the kernel misses up to 64 pages of each thread. */
    private static long residentBytes() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/self/smaps_rollup"))) {
            String line = lines.filter(l -> l.startsWith("Rss:")).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
    }
}
