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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.TimeUnit;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * What does a downcall cost that returns a struct in two registers, for which the linker takes a buffer? The call is
 * {@code ldiv} and the caller reuses the segment of the result. The baseline is {@code div}, whose struct fits one
 * register where C's {@code int} has half of its size. Virtual threads make the call with the executor of a fork.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaStructReturn {

    private static final Linker LINKER = Linker.nativeLinker();

    private static final StructLayout TWO_INTS = MemoryLayout.structLayout(JAVA_INT, JAVA_INT);

    private static final StructLayout TWO_LONGS = MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG);

    private static final MethodHandle DIV = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("div"), FunctionDescriptor.of(TWO_INTS, JAVA_INT, JAVA_INT));

    private static final MethodHandle LDIV = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("ldiv"), FunctionDescriptor.of(TWO_LONGS, JAVA_LONG, JAVA_LONG));

    private SegmentAllocator result;
    private int dividend;

    @Setup
    public void setup(BenchmarkParams params) throws Throwable {
        if (params.getBenchmark().endsWith("OnVirtualThread") && !Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("not on a virtual thread; run this in a fork with -Djmh.executor=VIRTUAL");
        }
        result = SegmentAllocator.prefixAllocator(Arena.ofAuto().allocate(TWO_LONGS));
        dividend = 23;
        if (oneRegister() != 4 || twoRegisters() != 4) {
            throw new AssertionError("23 divided by 5 is not 4");
        }
    }

    @Benchmark
    public int oneRegister() throws Throwable {
        MemorySegment quotient = (MemorySegment) DIV.invokeExact(result, dividend, 5);
        return quotient.get(JAVA_INT, 0);
    }

    @Benchmark
    public long twoRegisters() throws Throwable {
        MemorySegment quotient = (MemorySegment) LDIV.invokeExact(result, (long) dividend, 5L);
        return quotient.get(JAVA_LONG, 0);
    }

    @Benchmark
    @Fork(jvmArgsPrepend = "-Djmh.executor=VIRTUAL")
    public long twoRegistersOnVirtualThread() throws Throwable {
        return twoRegisters();
    }
}
