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
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * What do confined arenas of random sizes cost? Each has one allocation, whose number of bits is as random as the bits themselves. The
 * sizes, and the order in which arenas are closed, are the same in each run. They repeat after {@link #LISTS} operations, or in a ring
 * after as many for each of its arenas. The time of a nest or a batch is that of all its arenas; that of a ring is the time of one.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaRandom {

    private static final int LISTS = 16;
    private static final int LEAST_BITS = 3;

    /** The most bytes of an allocation. */
    @Param({"1023", "8191"})
    public int most;

    /** Arenas that are open at once. */
    @Param({"8", "16", "32", "64", "1000"})
    public int open;

    private final int[][] sizes = new int[LISTS][];
    private final int[][] orders = new int[LISTS][];
    private Arena[] arenas;
    private int list;

    @Setup
    public void draw() {
        Random random = new Random(1);
        arenas = new Arena[open];
        int mostBits = Integer.SIZE - Integer.numberOfLeadingZeros(most);
        for (int i = 0; i < LISTS; i++) {
            sizes[i] = random.ints(open, LEAST_BITS, mostBits + 1).map(bits -> random.nextInt(1 << bits - 1, 1 << bits)).toArray();
            orders[i] = random.ints(0, open).distinct().limit(open).toArray();
        }
    }

    /** Arenas that are open between the operations, too. */
    @State(Scope.Thread)
    public static class Ring {

        private Arena[] arenas;
        private int next;

        @Setup(Level.Iteration)
        public void open(ConfinedArenaRandom benchmark) {
            benchmark.openAll(benchmark.sizes[0]);
            arenas = benchmark.arenas;
            next = 0;
        }

        @TearDown(Level.Iteration)
        public void close() {
            for (Arena arena : arenas) {
                arena.close();
            }
        }
    }

    /** Closes the arena first that was opened last. */
    @Benchmark
    public long nested() {
        list = (list + 1) % LISTS;
        long addresses = openAll(sizes[list]);
        for (int i = open - 1; i >= 0; i--) {
            arenas[i].close();
        }
        return addresses;
    }

    /** Closes the arenas in random order. */
    @Benchmark
    public long shuffled() {
        list = (list + 1) % LISTS;
        long addresses = openAll(sizes[list]);
        for (int i : orders[list]) {
            arenas[i].close();
        }
        return addresses;
    }

    /** Closes one of the arenas, and opens another in its place. */
    @Benchmark
    public long ring(Ring ring) {
        int i = ring.next;
        ring.next = i + 1 == open ? 0 : i + 1;
        if (i == 0) {
            list = (list + 1) % LISTS;
        }
        int replaced = orders[list][i];
        ring.arenas[replaced].close();
        Arena youngest = Arena.ofConfined();
        ring.arenas[replaced] = youngest;
        return youngest.allocate(sizes[list][i]).address();
    }

    private long openAll(int[] sizes) {
        long addresses = 0;
        for (int i = 0; i < sizes.length; i++) {
            Arena arena = Arena.ofConfined();
            arenas[i] = arena;
            addresses += arena.allocate(sizes[i]).address();
        }
        return addresses;
    }
}
