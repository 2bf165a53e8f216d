/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */
package org.openjdk.bench.java.lang.foreign;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * How many bytes of live objects and native memory does each of many arenas take, while it is open and all of its allocations
 * are written, or after its close? It is what the process has more with the arenas than with threads that do the same without.
 * Once in a process, as memory that ended threads have left is there afterwards. Interpreted and on a heap that was touched
 * before, so that neither compiler nor heap blur it. The heap should be small: a collection leaves a part of it as garbage.
 */
@BenchmarkMode(Mode.SingleShotTime)
@State(Scope.Benchmark)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(value = 5, jvmArgsAppend = {"-Xint", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch", "-Xms64m", "-Xmx64m"})
public class ConfinedArenaFootprint {

    private static final MemoryMXBean HEAP = ManagementFactory.getMemoryMXBean();

    private static final int ALLOCATIONS = 100_000;
    private static final long BYTES = 200_000_000;

    /** How often each arena allocates. */
    @Param({"1", "4", "10", "100", "1000"})
    public int count;

    /** Bytes of the allocation, or of several ones that stand for it. */
    @Param({"5", "8", "100", "451", "500", "1000", "64+4", "256+4", "1024+8", "4096+8", "8192", "8192+8", "8+8192",
            "8+8192+8+8192", "8192+8192+8192+8", "8+8193"})
    public String size;

    private long[] sizes;
    private long bytesOfArena;
    private int openArenas;

    @Setup
    public void parse() {
        sizes = Arrays.stream(size.split("\\+")).mapToLong(Long::parseLong).toArray();
        bytesOfArena = count * LongStream.of(sizes).sum();
        openArenas = (int) Math.min(ALLOCATIONS / (count * sizes.length), BYTES / bytesOfArena);
    }

    /** The figure, of which the time says nothing. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Counter {

        public double bytes;
    }

    /** Short arenas: a thread opens and closes one before each of the arenas. */
    @State(Scope.Benchmark)
    public static class Beside {

        /** Bytes of the allocation in the short arena. */
        @Param({"500", "8192"})
        public long beside;
    }

    private long beside;

    @Benchmark
    public void openOnPlatformThread(Counter counter) throws Exception {
        counter.bytes = bytesOfEach(Thread.ofPlatform(), 1, openArenas, true);
    }

    @Benchmark
    public void openBesideShortOnPlatformThread(Counter counter, Beside shortArenas) throws Exception {
        beside = shortArenas.beside;
        openOnPlatformThread(counter);
    }

    /** The stack of a parked virtual thread takes 3 KB of heap where its code is interpreted. */
    @Benchmark
    @Fork(jvmArgsAppend = {"-Xint", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch", "-Xms768m", "-Xmx768m"})
    public void openOnVirtualThreads(Counter counter) throws Exception {
        counter.bytes = bytesOfEach(Thread.ofVirtual(), openArenas, 1, true);
    }

    @Benchmark
    @Fork(jvmArgsAppend = {"-Xint", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch", "-Xms768m", "-Xmx768m"})
    public void openBesideShortOnVirtualThreads(Counter counter, Beside shortArenas) throws Exception {
        beside = shortArenas.beside;
        openOnVirtualThreads(counter);
    }

    @Benchmark
    public void closedOnPlatformThreads(Counter counter) throws Exception {
        counter.bytes = bytesOfEach(Thread.ofPlatform(), 10_000, 1, false);
    }

    /** For each thread, which has a pool by then. */
    @Benchmark
    public void fortyClosedOnPlatformThreads(Counter counter) throws Exception {
        counter.bytes = 40 * bytesOfEach(Thread.ofPlatform(), 10_000, 40, false);
    }

    private double bytesOfEach(Thread.Builder builder, int threads, int arenas, boolean open) throws Exception {
        growth(builder, 1, 10, 10, open); // the first use in a process
        double growth = growth(builder, threads, arenas, arenas, open);
        growth -= growth(builder, threads, 0, arenas, open);
        double each = growth / threads / arenas;
        if (open && each < bytesOfArena) {
            throw new IllegalStateException(each + " B, less than was allocated");
        }
        return each;
    }

    /**
     * {@return by what the process grows when threads, which are there and parked, use {@code arenas} and park again}
     *
     * @param most as many as there is room for
     */
    private long growth(Thread.Builder builder, int threads, int arenas, int most, boolean open) throws Exception {
        Semaphore mayWork = new Semaphore(0);
        Semaphore worked = new Semaphore(0);
        Semaphore mayEnd = new Semaphore(0);
        List<Thread> parked = Stream.generate(() -> builder.start(() -> {
            mayWork.acquireUninterruptibly();
            Arena[] used = new Arena[most];
            for (int i = 0; i < arenas; i++) {
                if (beside > 0) {
                    useShort();
                }
                used[i] = use(open); // no deeper calls: what they touch of the stack would count
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

    /** {@return an arena with its allocations, or null in place of one that is closed again} */
    private Arena use(boolean open) {
        Arena arena = Arena.ofConfined();
        for (int i = 0; i < count; i++) {
            for (long size : sizes) {
                arena.allocate(size).fill((byte) 1);
            }
        }
        if (open) {
            return arena;
        }
        arena.close();
        return null;
    }

    private void useShort() {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(beside).fill((byte) 1);
        }
    }

    private static void awaitParked(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        }
    }

    /** Not VmRSS of /proc/self/status, in which the kernel misses up to 64 pages of each thread. */
    private static long bytes() throws IOException {
        HEAP.gc();
        long live = HEAP.getHeapMemoryUsage().getUsed();
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/smaps_rollup"))) {
            String line = lines.filter(l -> l.startsWith("Rss:")).findFirst().orElseThrow();
            return live + Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
    }
}
