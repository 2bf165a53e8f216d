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

/**
 * How long does an allocation take in a confined arena that a virtual thread opens for it and closes
 * right after? The fork's executor makes the benchmark threads virtual; a run in which they are not,
 * as with another executor or without forks, fails.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED",
        "-Djmh.executor=VIRTUAL"})
public class ConfinedArenaVirtual {

    @Param({"5", "100", "451"})
    public long size;

    @Setup
    public void setup() {
        if (!Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("not on a virtual thread; run this in a fork with -Djmh.executor=VIRTUAL");
        }
    }

    @Benchmark
    public long allocate() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(size).address();
        }
    }

    /** As if it waited for input: another virtual thread may use the carrier before the arena is closed, perhaps on another one. */
    @Benchmark
    public long allocateAndYield() {
        try (Arena arena = Arena.ofConfined()) {
            long address = arena.allocate(size).address();
            Thread.yield();
            return address;
        }
    }

    /** As an out-parameter and the buffer that it goes with. */
    @Benchmark
    public long allocateAfterSmall() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(8).address() + arena.allocate(size).address();
        }
    }
}
