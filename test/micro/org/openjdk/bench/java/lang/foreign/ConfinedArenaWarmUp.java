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

import com.sun.management.OperatingSystemMXBean;

import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.util.function.LongUnaryOperator;

/**
 * How much processor time does a process take until its methods that open arenas are compiled? C2 leaves out branches that were
 * never run. If a method reaches one later, the JVM discards its code, and C2 compiles it again. The figure is the processor time of
 * the whole process, with its compilers.
 */
@BenchmarkMode(Mode.SingleShotTime)
@State(Scope.Benchmark)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(value = 5, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaWarmUp {

    private static final int METHODS = 16;
    private static final int CALLS = 20_000;
    private static final long SMALL = 40;
    private static final long LARGE = 10_000;

    /** In how many ways the methods are called, one after the other. They are called equally often in all. */
    @Param({"1", "5"})
    public int ways;

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final LongUnaryOperator[] methods = new LongUnaryOperator[METHODS];
    private long addresses;

    /** The figure: the benchmark's time has the pauses, too. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Counter {

        public double nanos;
    }

    /** Its bytes become as many classes, so that C2 compiles the method of each for itself. */
    public static final class Caller implements LongUnaryOperator {

        @Override
        public long applyAsLong(long size) {
            try (Arena arena = Arena.ofConfined()) {
                return arena.allocate(size).address() ^ arena.allocate(8).address();
            }
        }
    }

    @Setup
    public void defineMethods() throws Exception {
        byte[] bytes;
        try (InputStream in = Caller.class.getResourceAsStream(Caller.class.getName().replaceFirst(".*\\.", "") + ".class")) {
            bytes = in.readAllBytes();
        }
        for (int i = 0; i < METHODS; i++) {
            methods[i] = (LongUnaryOperator) MethodHandles.lookup().defineHiddenClass(bytes, true).lookupClass()
                    .getDeclaredConstructor().newInstance();
        }
    }

    @Benchmark
    public long processorTime(Counter counter) throws InterruptedException {
        long start = system.getProcessCpuTime();
        for (int way = 0; way < 5; way++) {
            switch (ways == 1 ? 0 : way) {
                case 0 -> call(SMALL);
                case 1 -> Thread.ofPlatform().start(() -> call(SMALL)).join();
                case 2 -> call(LARGE);
                case 3 -> {
                    try (Arena outer = Arena.ofConfined()) {
                        outer.allocate(SMALL);
                        call(SMALL);
                    }
                }
                case 4 -> Thread.ofVirtual().start(() -> call(SMALL)).join();
                default -> throw new AssertionError(way);
            }
            Thread.sleep(1000); // until the compilers have nothing left to do
        }
        counter.nanos = system.getProcessCpuTime() - start;
        return addresses;
    }

    private void call(long size) {
        for (int i = 0; i < CALLS; i++) {
            for (LongUnaryOperator method : methods) {
                addresses += method.applyAsLong(size);
            }
        }
    }
}
