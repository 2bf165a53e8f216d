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
import org.openjdk.jmh.infra.Blackhole;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * What does an automatic arena gain from a pool, when memory comes back only after the garbage collector has found the
 * arena dead and the cleaner has run? As a pool inside the JDK would be: slots as long as there are some, the regular
 * allocation otherwise.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class AutoArenaPool {

    @Param({"16", "1024", "8192"})
    public long size;

    @Param({"64", "4096", "65536"})
    public int slots;

    /** Bytes on the Java heap that come and go with each arena. */
    @Param({"0", "8192"})
    public int garbage;

    private MemorySegment[] free;
    private int count;
    private long number;

    @Setup
    public void setup() {
        free = new MemorySegment[slots];
        MemorySegment memory = Arena.global().allocate(size * slots, 64);
        for (int i = 0; i < slots; i++) {
            free[count++] = memory.asSlice(i * size, size);
        }
    }

    @Benchmark
    public long auto(Blackhole blackhole) {
        blackhole.consume(new byte[garbage]);
        MemorySegment segment = allocate(Arena.ofAuto());
        segment.set(JAVA_LONG, 0, ++number);
        return segment.get(JAVA_LONG, 0);
    }

    private MemorySegment allocate(Arena arena) {
        MemorySegment slot = take();
        return slot == null ? arena.allocate(size)
                : slot.reinterpret(arena, _ -> giveBack(slot));
    }

    private synchronized MemorySegment take() {
        return count == 0 ? null : free[--count];
    }

    private void giveBack(MemorySegment slot) {
        slot.fill((byte) 0);
        synchronized (this) {
            free[count++] = slot;
        }
    }
}
