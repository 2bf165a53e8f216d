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
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.lang.foreign.Arena;
import java.util.Arrays;

/**
 * How many nanoseconds does the first arena of a thread take from its opening to its close, in compiled code? With one
 * allocation and one reading of the clock: the median of many platform threads that have allocated objects.
 */
@BenchmarkMode(Mode.SingleShotTime)
@State(Scope.Benchmark)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(value = 5, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"})
public class ConfinedArenaFirst {

    private static final int WARM_UP = 200_000;
    private static final int WARM_UP_THREADS = 16_000; // first arenas run code of their own, which is to be compiled, too
    private static final int THREADS = 4_000;

    /** Keeps what is allocated from being optimized away. */
    private Object sink;
    private long addresses;

    /** Bytes of the allocation. */
    @Param("8")
    public long size;

    /** The figure: the benchmark's time is that of all threads. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Counter {

        public double nanos;
    }

    @Benchmark
    public void ofThread(Counter counter) throws InterruptedException {
        for (int i = 0; i < WARM_UP; i++) {
            first();
        }
        long[] nanos = new long[WARM_UP_THREADS + THREADS];
        for (int i = 0; i < nanos.length; i++) {
            int mine = i;
            Thread thread = new Thread(() -> nanos[mine] = first());
            thread.start();
            thread.join();
        }
        Arrays.sort(nanos, WARM_UP_THREADS, nanos.length);
        counter.nanos = nanos[WARM_UP_THREADS + THREADS / 2];
    }

    private long first() {
        for (int i = 0; i < 16; i++) {
            sink = new byte[64]; // the thread's TLAB is there then, and its first pages are in the caches
        }
        addresses += System.nanoTime(); // the code that reads the clock is in the caches then
        long start = System.nanoTime();
        try (Arena arena = Arena.ofConfined()) {
            addresses += arena.allocate(size).address();
        }
        return System.nanoTime() - start;
    }
}
