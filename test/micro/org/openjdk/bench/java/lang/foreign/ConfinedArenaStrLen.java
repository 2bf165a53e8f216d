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
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * How near does a confined arena per call come to the cheapest way of passing a string to a C
 * function? The baselines are one segment that every call overwrites, which is the floor, and
 * {@code malloc} and {@code free} around the call, which is what C would do.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaStrLen {

    private static final Linker LINKER = Linker.nativeLinker();

    private static final MethodHandle STRLEN = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("strlen"),
            FunctionDescriptor.of(JAVA_LONG, ADDRESS));

    private static final MethodHandle MALLOC = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("malloc"),
            FunctionDescriptor.of(ADDRESS, JAVA_LONG));

    private static final MethodHandle FREE = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("free"),
            FunctionDescriptor.ofVoid(ADDRESS));

    @Param({"5", "100", "451", "2000"})
    public int length;

    private String text;
    private MemorySegment reused;

    @Setup
    public void setup() throws Throwable {
        text = "s".repeat(length);
        reused = Arena.ofAuto().allocate(length + 1L);
        if (arenaPerCall() != length || reusedSegment() != length || mallocAndFree() != length) {
            throw new AssertionError("strlen does not see the " + length + " characters that were passed");
        }
    }

    @Benchmark
    public long arenaPerCall() throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            return (long) STRLEN.invokeExact(arena.allocateFrom(text));
        }
    }

    @Benchmark
    public long reusedSegment() throws Throwable {
        reused.setString(0, text);
        return (long) STRLEN.invokeExact(reused);
    }

    @Benchmark
    public long mallocAndFree() throws Throwable {
        long byteSize = length + 1L;
        MemorySegment block = ((MemorySegment) MALLOC.invokeExact(byteSize)).reinterpret(byteSize);
        block.setString(0, text);
        long result = (long) STRLEN.invokeExact(block);
        FREE.invokeExact(block);
        return result;
    }
}
