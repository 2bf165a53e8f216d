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
import java.util.concurrent.TimeUnit;

/**
 * Does a short arena keep its speed while its thread holds other arenas open? An event loop with an arena for each
 * connection has this shape. The baseline is the same with none held.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaHeld {

    /** Bytes of the allocation in the short arena. */
    @Param({"5", "100", "451"})
    public long size;

    /** Arenas that the thread holds open during the whole measurement, each with one allocation. */
    @State(Scope.Thread)
    public static class Held {

        @Param({"0", "8", "64", "10000"})
        public int held;

        private Arena[] arenas;

        @Setup
        public void open(ConfinedArenaHeld benchmark) {
            for (int i = 0; i < 40; i++) { // a thread has its pool with the 33rd
                benchmark.allocate();
            }
            arenas = openMany(held);
        }

        @TearDown
        public void close() {
            closeAll(arenas);
        }
    }

    /** Long-lived arenas that are replaced one after the other. */
    @State(Scope.Thread)
    public static class Ring {

        private Arena[] arenas;
        private int oldest;

        @Setup
        public void open() {
            arenas = openMany(1000);
        }

        @TearDown
        public void close() {
            closeAll(arenas);
        }
    }

    private static Arena[] openMany(int count) {
        Arena[] arenas = new Arena[count];
        for (int i = 0; i < count; i++) {
            arenas[i] = Arena.ofConfined();
            arenas[i].allocate(8);
        }
        return arenas;
    }

    private static void closeAll(Arena[] arenas) {
        for (Arena arena : arenas) {
            arena.close();
        }
    }

    /** One short arena. The arenas held are a parameter only so that they are there. */
    @Benchmark
    public long allocate(Held held) {
        return allocate();
    }

    /**
     * Closes the oldest of the long-lived arenas, opens one in its place that allocates as much, then ten short ones. The time is that
     * of all eleven.
     */
    @Benchmark
    public long replaceOldest(Ring ring) {
        int i = ring.oldest;
        ring.oldest = i + 1 == ring.arenas.length ? 0 : i + 1;
        ring.arenas[i].close();
        Arena longLived = Arena.ofConfined();
        ring.arenas[i] = longLived;
        long addresses = longLived.allocate(size).address();
        for (int j = 0; j < 10; j++) {
            addresses += allocate();
        }
        return addresses;
    }

    private long allocate() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(size).address();
        }
    }
}
