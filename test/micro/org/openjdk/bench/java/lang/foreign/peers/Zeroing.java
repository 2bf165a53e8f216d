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

import jdk.internal.foreign.ArenaImpl;
import jdk.internal.misc.Unsafe;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/**
 * What of an allocation's time is zeroing: of an array on the heap, and of memory from a confined arena? Both have a
 * form inside the JDK that does not zero; the difference is the answer. A pooled arena always clears, at close, so of
 * it both forms take the same time up to 4096 bytes, and the answer is the difference to the smallest size. What need not be
 * zero and has more bytes is no slot's.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED",
        "--add-exports=java.base/jdk.internal.foreign=ALL-UNNAMED", "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"})
public class Zeroing {

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    @Param({"8", "128", "1024", "8192", "65536"})
    public int size;

    @Benchmark
    public byte[] array() {
        byte[] array = new byte[size];
        array[size - 1] = 'a';
        return array;
    }

    @Benchmark
    public Object arrayNotZeroed() {
        byte[] array = (byte[]) UNSAFE.allocateUninitializedArray(byte.class, size);
        array[size - 1] = 'a';
        return array;
    }

    @Benchmark
    public byte arena() {
        try (Arena arena = Arena.ofConfined()) {
            return use(arena.allocate(size));
        }
    }

    @Benchmark
    public byte arenaNotZeroed() {
        try (Arena arena = Arena.ofConfined()) {
            return use(((ArenaImpl) arena).allocateNoInit(size, 1));
        }
    }

    private byte use(MemorySegment segment) {
        segment.set(JAVA_BYTE, size - 1, (byte) 'a');
        return segment.get(JAVA_BYTE, size - 1);
    }
}
