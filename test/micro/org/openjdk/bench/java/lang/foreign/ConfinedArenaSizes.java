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
import org.openjdk.jmh.annotations.Warmup;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * What do confined arenas cost whose sizes differ from those that the thread used just before? Each has one allocation. The
 * time is that of all arenas, one or two for each of the sizes.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaSizes {

    private static final long[] GROWING = {5, 20, 50, 100, 200, 451, 600, 1000, 2000, 4096, 8192};

    /** Bytes of the allocations in their order, which begins again after the last one. */
    @Param({"growing", "shrinking", "5+8192", "100+600"})
    public String sizes;

    private long[] bytes;

    @Setup
    public void parse() {
        bytes = switch (sizes) {
            case "growing" -> GROWING;
            case "shrinking" -> LongStream.of(GROWING).map(size -> -size).sorted().map(size -> -size).toArray();
            default -> Arrays.stream(sizes.split("\\+")).mapToLong(Long::parseLong).toArray();
        };
    }

    /** Arenas one after another. */
    @Benchmark
    public long inTurn() {
        long addresses = 0;
        for (long size : bytes) {
            try (Arena arena = Arena.ofConfined()) {
                addresses += arena.allocate(size).address();
            }
        }
        return addresses;
    }

    /** Nests of two, one after another: the inner arena has the size of the next outer one. */
    @Benchmark
    public long nested() {
        long addresses = 0;
        for (int i = 0; i < bytes.length; i++) {
            try (Arena outer = Arena.ofConfined()) {
                addresses += outer.allocate(bytes[i]).address();
                try (Arena inner = Arena.ofConfined()) {
                    addresses += inner.allocate(bytes[i + 1 == bytes.length ? 0 : i + 1]).address();
                }
            }
        }
        return addresses;
    }
}
