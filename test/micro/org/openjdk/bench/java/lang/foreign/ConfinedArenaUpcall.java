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

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.TimeUnit;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * What does an upcall cost whose argument is a struct passed by value, for which the linker opens an
 * arena of its own? The baseline is an upcall with a plain argument. Each upcall stub is called
 * through a downcall handle on its address, so there is no native code in between, and each figure
 * is that of a downcall and an upcall.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaUpcall {

    /** Travels in registers under the usual calling conventions. */
    private static final StructLayout SMALL = MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG);

    /** Too large for registers, so travels in memory. */
    private static final StructLayout LARGE = MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private static final MethodHandle LONG_CALL = roundTrip("target", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
    private static final MethodHandle SMALL_CALL = roundTrip("smallTarget", FunctionDescriptor.of(JAVA_LONG, SMALL));
    private static final MethodHandle LARGE_CALL = roundTrip("largeTarget", FunctionDescriptor.of(JAVA_LONG, LARGE));

    private long value;
    private MemorySegment small;
    private MemorySegment large;

    @Setup
    public void setup() throws Throwable {
        value = 7;
        small = Arena.ofAuto().allocateFrom(JAVA_LONG, 3, 4);
        large = Arena.ofAuto().allocateFrom(JAVA_LONG, 3, 0, 0, 4);
        if (plainArgument() != 7 || smallStruct() != 7 || largeStruct() != 7) {
            throw new AssertionError("an upcall did not see the argument that was passed");
        }
    }

    @Benchmark
    public long plainArgument() throws Throwable {
        return (long) LONG_CALL.invokeExact(value);
    }

    @Benchmark
    public long smallStruct() throws Throwable {
        return (long) SMALL_CALL.invokeExact(small);
    }

    @Benchmark
    public long largeStruct() throws Throwable {
        return (long) LARGE_CALL.invokeExact(large);
    }

    private static long target(long value) {
        return value;
    }

    private static long smallTarget(MemorySegment struct) {
        return struct.get(JAVA_LONG, 0) + struct.get(JAVA_LONG, SMALL.byteSize() - Long.BYTES);
    }

    private static long largeTarget(MemorySegment struct) {
        return struct.get(JAVA_LONG, 0) + struct.get(JAVA_LONG, LARGE.byteSize() - Long.BYTES);
    }

    private static MethodHandle roundTrip(String target, FunctionDescriptor descriptor) {
        try {
            MethodType type = descriptor.toMethodType();
            MethodHandle handle = MethodHandles.lookup().findStatic(ConfinedArenaUpcall.class, target, type);
            MemorySegment stub = Linker.nativeLinker().upcallStub(handle, descriptor, Arena.global());
            return Linker.nativeLinker().downcallHandle(stub, descriptor);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
