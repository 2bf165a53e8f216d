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

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/**
 * What do confined arenas cost of which a thread has many open at once? Each has one or two allocations. The time of a nest or a batch
 * is that of all its arenas; that of a ring is the time of one.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaOpen {

    private static final String VIRTUAL = "-Djmh.executor=VIRTUAL";

    private static final long PAGE = 4096;

    /** Arenas that are open at once. */
    @Param({"1", "16", "64", "1000", "10000"})
    public int open;

    /** Bytes of the allocation in each. */
    @Param({"0", "5", "64", "100", "104", "110", "150", "300", "512", "600", "1000", "1500", "2000", "3000", "4096", "8192"})
    public long size;

    private Arena[] arenas;
    private MemorySegment source;

    @Setup
    public void makeRoom() {
        arenas = new Arena[open];
        source = MemorySegment.ofArray(new byte[(int) size]);
    }

    /** Arenas that are open between the operations, too. Another iteration may be on another virtual thread. */
    @State(Scope.Thread)
    public static class Ring {

        private Arena[] arenas;
        private int oldest;

        @Setup(Level.Iteration)
        public void open(ConfinedArenaOpen benchmark) {
            benchmark.openAll();
            arenas = benchmark.arenas;
            oldest = 0;
        }

        @TearDown(Level.Iteration)
        public void close() {
            closeAll(arenas);
        }
    }

    /** Fails a run in which the thread is not virtual, as with another executor or without forks. */
    @State(Scope.Thread)
    public static class OnVirtualThread {

        @Setup(Level.Iteration)
        public void check() {
            if (!Thread.currentThread().isVirtual()) {
                throw new IllegalStateException("not on a virtual thread; run this in a fork with " + VIRTUAL);
            }
        }
    }

    /** Closes the arena first that was opened last. */
    @Benchmark
    public long nested() {
        long addresses = openAll();
        for (int i = arenas.length - 1; i >= 0; i--) {
            arenas[i].close();
        }
        return addresses;
    }

    /** Closes the arena first that was opened first. */
    @Benchmark
    public long batched() {
        long addresses = openAll();
        closeAll(arenas);
        return addresses;
    }

    /** The same, with 8 bytes more in each arena when all are open, as an out-parameter beside a buffer. */
    @Benchmark
    public long pairs() {
        long addresses = openAll();
        for (Arena arena : arenas) {
            addresses += arena.allocate(8).address();
        }
        closeAll(arenas);
        return addresses;
    }

    /** Copies bytes into each arena. The stock JDK does not clear such memory before. */
    @Benchmark
    public long copied() {
        long addresses = 0;
        for (int i = 0; i < arenas.length; i++) {
            addresses += open(i).allocateFrom(JAVA_BYTE, source, JAVA_BYTE, 0, size).address();
        }
        closeAll(arenas);
        return addresses;
    }

    /** Each allocation begins with a page, as for direct input and output. */
    @Benchmark
    public long pages() {
        long addresses = 0;
        for (int i = 0; i < arenas.length; i++) {
            addresses += open(i).allocate(size, PAGE).address();
        }
        closeAll(arenas);
        return addresses;
    }

    /** Closes one arena after each 15 that it opens, and all at the end. */
    @Benchmark
    public long waves() {
        long addresses = 0;
        for (int i = 0; i < arenas.length; i++) {
            addresses += open(i).allocate(size).address();
            if (i % 15 == 14) {
                try (Arena closed = Arena.ofConfined()) {
                    addresses += closed.allocate(size).address();
                }
            }
        }
        closeAll(arenas);
        return addresses;
    }

    /** Closes the oldest arena and opens one in its place. */
    @Benchmark
    public long ring(Ring ring) {
        int i = ring.oldest;
        ring.oldest = i + 1 == ring.arenas.length ? 0 : i + 1;
        ring.arenas[i].close();
        Arena youngest = Arena.ofConfined();
        ring.arenas[i] = youngest;
        return youngest.allocate(size).address();
    }

    @Benchmark
    @Fork(jvmArgsPrepend = VIRTUAL)
    public long nestedOnVirtualThread(OnVirtualThread checked) {
        return nested();
    }

    @Benchmark
    @Fork(jvmArgsPrepend = VIRTUAL)
    public long batchedOnVirtualThread(OnVirtualThread checked) {
        return batched();
    }

    @Benchmark
    @Fork(jvmArgsPrepend = VIRTUAL)
    public long ringOnVirtualThread(Ring ring, OnVirtualThread checked) {
        return ring(ring);
    }

    private Arena open(int i) {
        Arena arena = Arena.ofConfined();
        arenas[i] = arena;
        return arena;
    }

    private long openAll() {
        long addresses = 0;
        for (int i = 0; i < arenas.length; i++) {
            addresses += open(i).allocate(size).address();
        }
        return addresses;
    }

    private static void closeAll(Arena[] arenas) {
        for (Arena arena : arenas) {
            arena.close();
        }
    }
}
