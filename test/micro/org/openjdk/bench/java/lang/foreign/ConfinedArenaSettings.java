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
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What do confined arenas cost where a property makes the pool smaller or larger than by default? The forks get the property,
 * which other JDKs ignore. The time of a nest or a batch is that of all its arenas.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaSettings {

    private static final String SIZE = "-Djdk.foreign.confinedPool.size=";
    private static final String DEPTH = "-Djdk.foreign.confinedPool.depth=";

    /** One arena, a nest by recursion, or arenas that are opened and then closed, the first one first. */
    @Param({"single", "16-nested", "1000-batched"})
    public String arenas;

    /** Bytes of the allocation in each arena. */
    @Param({"5", "100", "600", "2000", "4096", "8192", "16384", "65536"})
    public long size;

    private final Arena[] batch = new Arena[1000];
    private LongSupplier work;

    @Setup
    public void choose() {
        work = switch (arenas) {
            case "single" -> this::single;
            case "16-nested" -> () -> nest(16);
            case "1000-batched" -> this::batched;
            default -> throw new IllegalArgumentException(arenas);
        };
    }

    private long single() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(size).address();
        }
    }

    private long nest(int left) {
        try (Arena arena = Arena.ofConfined()) {
            long address = arena.allocate(size).address();
            return left == 1 ? address : address ^ nest(left - 1);
        }
    }

    private long batched() {
        long addresses = 0;
        for (int i = 0; i < batch.length; i++) {
            Arena arena = Arena.ofConfined();
            batch[i] = arena;
            addresses += arena.allocate(size).address();
        }
        for (Arena arena : batch) {
            arena.close();
        }
        return addresses;
    }

    @Benchmark
    @Fork(jvmArgsPrepend = SIZE + 8)
    public long size8() {
        return work.getAsLong();
    }

    @Benchmark
    @Fork(jvmArgsPrepend = SIZE + 64)
    public long size64() {
        return work.getAsLong();
    }

    @Benchmark
    @Fork(jvmArgsPrepend = SIZE + 65536)
    public long size65536() {
        return work.getAsLong();
    }

    @Benchmark
    @Fork(jvmArgsPrepend = SIZE + 1048576)
    public long size1048576() {
        return work.getAsLong();
    }

    @Benchmark
    @Fork(jvmArgsPrepend = DEPTH + 1)
    public long depth1() {
        return work.getAsLong();
    }

    @Benchmark
    @Fork(jvmArgsPrepend = DEPTH + 16)
    public long depth16() {
        return work.getAsLong();
    }
}
