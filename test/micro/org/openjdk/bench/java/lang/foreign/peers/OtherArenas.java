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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * Could a pool of memory be felt in arenas that are not confined? Each is measured empty, with an allocation, and with
 * memory that is there already and only has to be cleared: no pool can be faster than that.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class OtherArenas {

    @Param({"16", "1024", "8192"})
    public long size;

    /** Platform threads that are there and sleep: closing a shared arena asks each of them. */
    @Param({"0", "100"})
    public int idleThreads;

    /** Bytes on the Java heap that come and go with each automatic arena, as in a program that also does something else. */
    @Param({"0", "8192"})
    public int garbage;

    private Thread[] threads;
    private long memory;
    private long number;

    @Setup
    public void setup() {
        memory = Arena.global().allocate(size, 64).address();
        threads = new Thread[idleThreads];
        for (int i = 0; i < idleThreads; i++) {
            threads[i] = Thread.ofPlatform().daemon().start(() -> {
                while (!Thread.interrupted()) {
                    LockSupport.park();
                }
            });
        }
    }

    @TearDown
    public void tearDown() throws InterruptedException {
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join();
        }
    }

    @Benchmark
    public long confined() {
        try (Arena arena = Arena.ofConfined()) {
            return use(arena.allocate(size));
        }
    }

    @Benchmark
    public Arena sharedEmpty() {
        try (Arena arena = Arena.ofShared()) {
            return arena;
        }
    }

    @Benchmark
    public long shared() {
        try (Arena arena = Arena.ofShared()) {
            return use(arena.allocate(size));
        }
    }

    @Benchmark
    public long sharedOnReadyMemory() {
        try (Arena arena = Arena.ofShared()) {
            return use(ready(arena));
        }
    }

    @Benchmark
    public Arena autoEmpty(Blackhole blackhole) {
        blackhole.consume(new byte[garbage]);
        return Arena.ofAuto();
    }

    @Benchmark
    public long auto(Blackhole blackhole) {
        blackhole.consume(new byte[garbage]);
        return use(Arena.ofAuto().allocate(size));
    }

    @Benchmark
    public long autoOnReadyMemory(Blackhole blackhole) {
        blackhole.consume(new byte[garbage]);
        return use(ready(Arena.ofAuto()));
    }

    /** {@return cleared memory that lives as long as {@code arena}, as if from a pool that is never empty} */
    private MemorySegment ready(Arena arena) {
        return MemorySegment.ofAddress(memory).reinterpret(size, arena, null).fill((byte) 0);
    }

    private long use(MemorySegment segment) {
        segment.set(JAVA_LONG, 0, ++number);
        return segment.get(JAVA_LONG, 0);
    }
}
