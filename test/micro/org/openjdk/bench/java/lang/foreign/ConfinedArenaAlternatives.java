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
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Does a confined arena still lose to what programs put in its place to avoid its cost? Only the
 * arena and the bespoke pool hand out zeroed memory that is out of use afterwards; the allocators
 * over one reused segment do neither, so they are a floor more than an equal.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaAlternatives {

    private static final long REUSED_BYTES = 4096;

    /** A pool as a library would write it: blocks of one size, as many as were ever in use at once. */
    private static final ThreadLocal<ArrayDeque<MemorySegment>> POOL = ThreadLocal.withInitial(ArrayDeque::new);

    @Param({"100", "2000"})
    public long size;

    private MemorySegment reused;
    private SegmentAllocator prefix;

    @Setup
    public void setup() {
        reused = Arena.ofAuto().allocate(REUSED_BYTES);
        prefix = SegmentAllocator.prefixAllocator(reused);
    }

    @Benchmark
    public long confinedArena() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(size).address();
        }
    }

    @Benchmark
    public long prefixAllocator() {
        return prefix.allocate(size).address();
    }

    @Benchmark
    public long slicingAllocator() {
        return SegmentAllocator.slicingAllocator(reused).allocate(size).address();
    }

    @Benchmark
    public long threadLocalPool() {
        ArrayDeque<MemorySegment> free = POOL.get();
        MemorySegment block = free.pollLast();
        if (block == null) {
            block = Arena.ofAuto().allocate(REUSED_BYTES);
        }
        try {
            return block.asSlice(0, size).address();
        } finally {
            block.asSlice(0, size).fill((byte) 0);
            free.addLast(block);
        }
    }
}
