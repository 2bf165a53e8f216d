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
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.TimeUnit;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * What do upcalls with a struct by value cost that call back into native code, which calls back again, and so on? At each
 * level the linker has an arena of its own open. The time is that of all levels.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaCallback {

    private static final StructLayout STRUCT = MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG);

    private static final MethodHandle CALL = roundTrip();

    /** How many upcalls are under way at once. */
    @Param({"4", "8", "16"})
    public int depth;

    private MemorySegment struct;

    @Setup
    public void setup() throws Throwable {
        struct = Arena.ofAuto().allocate(STRUCT);
        if (nested() != depth * (depth - 1) / 2) {
            throw new AssertionError("an upcall did not see the argument that was passed");
        }
    }

    @Benchmark
    public long nested() throws Throwable {
        struct.set(JAVA_LONG, 0, depth);
        struct.set(JAVA_LONG, 8, 0);
        return (long) CALL.invokeExact(struct);
    }

    private static long target(MemorySegment argument) {
        long left = argument.get(JAVA_LONG, 0) - 1;
        long sum = argument.get(JAVA_LONG, 8) + left;
        if (left == 0) {
            return sum;
        }
        // The argument is a copy that belongs to this upcall.
        argument.set(JAVA_LONG, 0, left);
        argument.set(JAVA_LONG, 8, sum);
        try {
            return (long) CALL.invokeExact(argument);
        } catch (Throwable e) {
            throw new AssertionError(e); // ends the program, like anything that an upcall throws
        }
    }

    private static MethodHandle roundTrip() {
        try {
            FunctionDescriptor descriptor = FunctionDescriptor.of(JAVA_LONG, STRUCT);
            MethodHandle target = MethodHandles.lookup()
                    .findStatic(ConfinedArenaCallback.class, "target", descriptor.toMethodType());
            MemorySegment stub = Linker.nativeLinker().upcallStub(target, descriptor, Arena.global());
            return Linker.nativeLinker().downcallHandle(stub, descriptor);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
