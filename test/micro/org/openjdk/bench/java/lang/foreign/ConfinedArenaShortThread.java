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

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * How much processor time does a process take for each platform thread that lives only for a few arenas? It is that of all
 * threads of the process, with the start and the end of the thread: the median of many groups of threads. The threads run one
 * after another, in compiled code.
 */
@BenchmarkMode(Mode.SingleShotTime)
@State(Scope.Benchmark)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(value = 5, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaShortThread {

    private static final int WARM_UP = 20_000;
    private static final int GROUPS = 41;
    private static final int GROUP = 200;
    private static final long STACK_SIZE = 256 << 10;

    /** Counts nanoseconds, also those of threads that have ended. ThreadMXBean leaves these out, other sources count ticks. */
    private static final MethodHandle CLOCK_GETTIME = Linker.nativeLinker().downcallHandle(
            Linker.nativeLinker().defaultLookup().findOrThrow("clock_gettime"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
    private static final int CLOCK_PROCESS_CPUTIME_ID = 2; // on Linux

    /** Arenas of each thread, one after another. */
    @Param({"1", "3", "10", "40", "200"})
    public int arenas;

    /** Bytes of the allocation in each arena, in turn. */
    @Param({"50+175+300", "2000"})
    public String size;

    private final MemorySegment time = Arena.global().allocate(JAVA_LONG, 2);
    private long[] sizes;
    private long addresses;

    /** The figure: the benchmark's time is another one. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Counter {

        public double nanos;
    }

    @Setup
    public void parse() {
        sizes = Arrays.stream(size.split("\\+")).mapToLong(Long::parseLong).toArray();
    }

    @Benchmark
    public long processorTime(Counter counter) throws Throwable {
        runThreads(WARM_UP);
        double[] nanos = new double[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            long start = processorNanos();
            runThreads(GROUP);
            nanos[i] = (processorNanos() - start) / (double) GROUP;
        }
        Arrays.sort(nanos);
        counter.nanos = nanos[GROUPS / 2];
        return addresses;
    }

    private void runThreads(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(null, this::use, "short", STACK_SIZE);
            thread.start();
            thread.join();
        }
    }

    private void use() {
        for (int i = 0; i < arenas; i++) {
            try (Arena arena = Arena.ofConfined()) {
                addresses += arena.allocate(sizes[i % sizes.length]).address();
            }
        }
    }

    private long processorNanos() throws Throwable {
        int status = (int) CLOCK_GETTIME.invokeExact(CLOCK_PROCESS_CPUTIME_ID, time);
        if (status != 0) {
            throw new IllegalStateException("clock_gettime returned " + status);
        }
        return time.get(JAVA_LONG, 0) * 1_000_000_000 + time.get(JAVA_LONG, 8);
    }
}
