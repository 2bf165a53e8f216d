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
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.TimeUnit;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * What does it cost to learn {@code errno} through the handles that the JDK adapts for itself, which take the memory for
 * it by each call? The call is {@code strtoll}, once on a number and once on one that is too small for it, which is the
 * shortest call that C defines everywhere to return something negative and set {@code errno}. Virtual threads make the
 * call with the executor of a fork.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED",
        "--add-exports=java.base/jdk.internal.foreign=ALL-UNNAMED"})
public class ConfinedArenaSystemCall {

    private static final int ERANGE = 34;

    private static final MethodHandle STRTOLL = adapted();

    private MemorySegment number;
    private MemorySegment tooSmall;

    @Setup
    public void setup(BenchmarkParams params) throws Throwable {
        if (params.getBenchmark().endsWith("OnVirtualThread") && !Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("not on a virtual thread; run this in a fork with -Djmh.executor=VIRTUAL");
        }
        number = Arena.ofAuto().allocateFrom("9223372036854775807");
        tooSmall = Arena.ofAuto().allocateFrom("-9223372036854775809");
        if (success() != Long.MAX_VALUE || failure() != -ERANGE) {
            throw new AssertionError("strtoll did not return the number, or no ERANGE");
        }
    }

    @Benchmark
    public long success() throws Throwable {
        return (long) STRTOLL.invokeExact(number, MemorySegment.NULL, 10);
    }

    @Benchmark
    @Fork(jvmArgsPrepend = "-Djmh.executor=VIRTUAL")
    public long successOnVirtualThread() throws Throwable {
        return success();
    }

    @Benchmark
    public long failure() throws Throwable {
        return (long) STRTOLL.invokeExact(tooSmall, MemorySegment.NULL, 10);
    }

    /** By reflection, so that the benchmarks compile without a look into java.base. */
    private static MethodHandle adapted() {
        Linker linker = Linker.nativeLinker();
        MethodHandle strtoll = linker.downcallHandle(linker.defaultLookup().findOrThrow("strtoll"),
                FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, JAVA_INT), Linker.Option.captureCallState("errno"));
        try {
            return (MethodHandle) MethodHandles.lookup()
                    .findStatic(Class.forName("jdk.internal.foreign.CaptureStateUtil"), "adaptSystemCall",
                            MethodType.methodType(MethodHandle.class, MethodHandle.class, String.class))
                    .invokeExact(strtoll, "errno");
        } catch (Throwable e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
