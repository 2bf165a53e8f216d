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
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * What does it cost to learn {@code errno} after a call, when each call opens an arena for the
 * captured state? The baseline keeps one segment for it. The call is {@code strtoll} on a number
 * too large for it, the shortest failure that C defines on every platform.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaErrno {

    private static final int ERANGE = 34;

    private static final Linker LINKER = Linker.nativeLinker();

    private static final StructLayout STATE = Linker.Option.captureStateLayout();

    private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));

    private static final MethodHandle STRTOLL = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("strtoll"),
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, JAVA_INT),
            Linker.Option.captureCallState("errno"));

    private MemorySegment tooLarge;
    private MemorySegment reused;

    @Setup
    public void setup() throws Throwable {
        tooLarge = Arena.ofAuto().allocateFrom("9223372036854775808");
        reused = Arena.ofAuto().allocate(STATE);
        if (arenaPerCall() != ERANGE || reusedSegment() != ERANGE) {
            throw new AssertionError("strtoll did not set errno to ERANGE");
        }
    }

    @Benchmark
    public int arenaPerCall() throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            return errnoOf(arena.allocate(STATE));
        }
    }

    @Benchmark
    public int reusedSegment() throws Throwable {
        return errnoOf(reused);
    }

    private int errnoOf(MemorySegment state) throws Throwable {
        long ignored = (long) STRTOLL.invokeExact(state, tooLarge, MemorySegment.NULL, 10);
        return (int) ERRNO.get(state, 0L);
    }
}
