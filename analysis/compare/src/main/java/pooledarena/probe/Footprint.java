/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import module java.base;

/**
 * Prints how many bytes of live objects and native memory each of many threads takes that have not started, or each of
 * many arenas with one allocation. The heap must have been touched before, or its growth counts as native.
 *
 * @param arenas of each thread
 * @param open   whether the threads keep their arenas open
 */
public record Footprint(Thread.Builder builder, int threads, int arenas, long byteSize, boolean open) {

    private static final MemoryMXBean HEAP = ManagementFactory.getMemoryMXBean();
    private static final int UNSTARTED = 100_000;

    /**
     * @param args {@code platform} or {@code virtual}; for arenas how many threads, arenas of each, bytes of each
     *             allocation; {@code open}, or {@code closed} again
     */
    public static void main(String[] args) throws InterruptedException, IOException {
        Thread.Builder builder = args[0].equals("virtual") ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
        if (args.length == 1) {
            unstarted(builder); // the first use in a process
            System.out.println("bytes " + unstarted(builder));
            return;
        }
        int threads = Integer.parseInt(args[1]);
        int arenas = Integer.parseInt(args[2]);
        long byteSize = Long.parseLong(args[3]);
        boolean open = args[4].equals("open");
        new Footprint(builder, 1, 10, byteSize, open).growth(true); // the first use in a process
        Footprint footprint = new Footprint(builder, threads, arenas, byteSize, open);
        // First with arenas: afterwards there is memory that ended threads have left.
        double growth = footprint.growth(true);
        growth -= footprint.growth(false);
        System.out.println("bytes " + growth / threads / arenas);
    }

    /** {@return the bytes of objects that a thread is} */
    private static long unstarted(Thread.Builder builder) {
        Runnable nothing = () -> { };
        Thread[] threads = new Thread[UNSTARTED];
        long before = liveBytes();
        Arrays.setAll(threads, _ -> builder.unstarted(nothing));
        long growth = liveBytes() - before;
        Reference.reachabilityFence(threads);
        return Math.round((double) growth / UNSTARTED);
    }

    /** {@return by what the process grows when threads, which are there and parked, use the arenas and park again} */
    private long growth(boolean withArenas) throws InterruptedException, IOException {
        Semaphore mayWork = new Semaphore(0);
        Semaphore worked = new Semaphore(0);
        Semaphore mayEnd = new Semaphore(0);
        List<Thread> parked = Stream.generate(() -> builder.start(() -> {
            mayWork.acquireUninterruptibly();
            Arena[] used = new Arena[arenas];
            for (int i = 0; i < arenas && withArenas; i++) {
                used[i] = use(); // no deeper calls: what they touch of the stack would count
            }
            worked.release();
            mayEnd.acquireUninterruptibly();
            Reference.reachabilityFence(used);
        })).limit(threads).toList();
        awaitParked(parked);
        bytes(); // what the first look at the memory takes
        long before = bytes();
        mayWork.release(threads);
        worked.acquire(threads);
        awaitParked(parked);
        long growth = bytes() - before;
        mayEnd.release(threads);
        for (Thread thread : parked) {
            thread.join();
        }
        return growth;
    }

    /** {@return an arena with its allocation, or null in place of one that is closed again} */
    private Arena use() {
        Arena arena = Arena.ofConfined();
        arena.allocate(byteSize);
        if (open) {
            return arena;
        }
        arena.close();
        return null;
    }

    private static void awaitParked(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        }
    }

    /** {@return what all live objects take, after a garbage collection} */
    private static long liveBytes() {
        HEAP.gc();
        return HEAP.getHeapMemoryUsage().getUsed();
    }

    /** Not VmRSS of /proc/self/status, in which the kernel misses up to 64 pages of each thread. */
    private static long bytes() throws IOException {
        long live = liveBytes();
        try (var lines = Files.lines(Path.of("/proc/self/smaps_rollup"))) {
            String line = lines.filter(l -> l.startsWith("Rss:")).findFirst().orElseThrow();
            return live + Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
    }
}
