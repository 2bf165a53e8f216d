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
import java.util.concurrent.TimeUnit;

/**
 * Does a short arena keep its speed in a process whose other arenas have other shapes? All arenas run through the same
 * methods, which have one profile. C2 compiles what that profile has seen, and leaves out the rest. So a benchmark
 * of one shape alone measures code that no program gets which has two. The baseline is the same with no other arenas.
 * The time of several allocations is that of all of them, with their arena.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaMixed {

    /** Larger than a slot. */
    private static final long LARGE = 16384;

    private static final ArithmeticException THROWN = new ArithmeticException();

    /**
     * The shape of the other arenas. The automatic ones are left to the garbage collector, all others are closed before the
     * measurement. {@code all} are those that are named before it. {@code threads} are arenas of short platform threads, each of which
     * takes slots for the first time.
     */
    @Param({"no", "large", "many", "nested", "virtual", "automatic", "shared", "cleanup", "all", "threads"})
    public String others;

    /** Bytes of each allocation. */
    @Param({"5", "100", "2000"})
    public long size;

    private int operations;

    @Setup
    public void useOthers() throws Exception {
        boolean all = others.equals("all");
        for (int i = 0; i < 20_000; i++) {
            if (all || others.equals("large")) {
                large();
            }
            if (all || others.equals("many")) {
                many(i % 100 == 0 ? 10_000 : 10);
            }
            if (all || others.equals("nested")) {
                nested(20);
            }
            if (all || others.equals("virtual")) {
                Thread.ofVirtual().start(ConfinedArenaMixed::large).join();
            }
            if (all || others.equals("automatic")) {
                Arena.ofAuto().allocate(24);
            }
            if (all && i % 100 == 0 || others.equals("shared")) { // closing one stops all threads
                shared();
            }
            if (all || others.equals("cleanup")) {
                cleanedUp();
            }
            if (others.equals("threads") && i % 100 == 0) {
                Thread.ofPlatform().start(() -> many(10, 40)).join();
            }
        }
    }

    private static void large() {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            arena.allocate(LARGE);
        }
    }

    private static void many(int count, int arenas) {
        for (int i = 0; i < arenas; i++) {
            many(count);
        }
    }

    private static void many(int count) {
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < count; i++) {
                arena.allocate(24);
            }
        }
    }

    private static void nested(int depth) {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(24);
            if (depth > 1) {
                nested(depth - 1);
            }
        }
    }

    private static void cleanedUp() {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(24).reinterpret(arena, _ -> {});
        }
    }

    private static void shared() {
        try (Arena arena = Arena.ofShared()) {
            arena.allocate(24);
        }
    }

    @Benchmark
    public long one() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(size).address();
        }
    }

    @Benchmark
    public long three() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(size).address()
                    ^ arena.allocate(size).address()
                    ^ arena.allocate(size).address();
        }
    }

    @Benchmark
    public long ten() {
        return sum(10);
    }

    @Benchmark
    public long hundred() {
        return sum(100);
    }

    private long sum(int count) {
        long addresses = 0;
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < count; i++) {
                addresses += arena.allocate(size).address();
            }
        }
        return addresses;
    }

    /** One of 1024 operations allocates more than a slot has. */
    @Benchmark
    public long seldomLarge() {
        long byteSize = (++operations & 1023) == 0 ? LARGE : size;
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(byteSize).address();
        }
    }

    /** One of 1024 operations throws. */
    @Benchmark
    public long seldomThrows() {
        try {
            return throwing((++operations & 1023) == 0);
        } catch (ArithmeticException e) {
            return 0;
        }
    }

    private long throwing(boolean now) {
        try (Arena arena = Arena.ofConfined()) {
            long address = arena.allocate(size).address();
            if (now) {
                throw THROWN;
            }
            return address;
        }
    }
}
