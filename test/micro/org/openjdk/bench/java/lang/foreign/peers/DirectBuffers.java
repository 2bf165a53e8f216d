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
package org.openjdk.bench.java.lang.foreign.peers;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import io.netty.util.internal.ThreadExecutorMap;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
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
import java.util.concurrent.TimeUnit;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * How long does it take to get some native memory, write and read eight bytes of it, and give it back: from each of
 * Netty's allocators, and from a confined arena? The arena's memory is zeroed, so Netty's is also measured with that.
 * Netty may use {@code Unsafe}, and detects no leaks, as in its own benchmarks.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public abstract class DirectBuffers {

    @Param({"16", "64", "256", "1024", "8192"})
    public int size;

    private final boolean onEventLoop;
    private final ByteBufAllocator adaptive = new AdaptiveByteBufAllocator(true);
    private final ByteBufAllocator pooled = PooledByteBufAllocator.DEFAULT;
    private long number;

    DirectBuffers(boolean onEventLoop) {
        this.onEventLoop = onEventLoop;
    }

    @Setup
    public void setup() {
        if (!PlatformDependent.hasUnsafe()) {
            throw new IllegalStateException("Netty without Unsafe; run this with --sun-misc-unsafe-memory-access=allow");
        }
        if (onEventLoop != (ThreadExecutorMap.currentExecutor() != null)) {
            throw new IllegalStateException("not the executor that this is for; run this in a fork");
        }
    }

    @Benchmark
    public long adaptive() {
        return use(adaptive);
    }

    @Benchmark
    public long pooled() {
        return use(pooled);
    }

    @Benchmark
    public long adaptiveZeroed() {
        return useZeroed(adaptive);
    }

    @Benchmark
    public long arena() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(size);
            segment.set(JAVA_LONG, 0, ++number);
            return segment.get(JAVA_LONG, 0);
        }
    }

    private long use(ByteBufAllocator allocator) {
        ByteBuf buffer = allocator.directBuffer(size);
        try {
            buffer.setLong(0, ++number);
            return buffer.getLong(0);
        } finally {
            buffer.release();
        }
    }

    private long useZeroed(ByteBufAllocator allocator) {
        ByteBuf buffer = allocator.directBuffer(size);
        try {
            buffer.setZero(0, size);
            buffer.setLong(0, ++number);
            return buffer.getLong(0);
        } finally {
            buffer.release();
        }
    }
}
