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
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * What do confined arenas with several allocations cost, of which a thread has one or many open at once? They are closed in the order
 * of opening. The time is that of all arenas.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaLists {

    /** Arenas that are open at once. */
    @Param({"1", "16", "64", "300", "1000", "3000"})
    public int open;

    /** Bytes of the allocations in each, in this order. */
    @Param({"5+25", "100+100", "100+500", "300+300", "500+500", "900+900", "1500+1500", "4000+4000", "8+100+300", "100+100+100",
            "5+5+5+5", "50+50+50+50", "100+100+100+100",
            "8192+100+8192+100+8192+100", "4200+4200+4200+4200+4200+4200+4200+4200"})
    public String size;

    private Arena[] arenas;
    private long[] sizes;

    @Setup
    public void prepare() {
        arenas = new Arena[open];
        sizes = Arrays.stream(size.split("\\+")).mapToLong(Long::parseLong).toArray();
    }

    @Benchmark
    public long batched() {
        long addresses = 0;
        for (int i = 0; i < arenas.length; i++) {
            Arena arena = Arena.ofConfined();
            arenas[i] = arena;
            for (long bytes : sizes) {
                addresses += arena.allocate(bytes).address();
            }
        }
        for (Arena arena : arenas) {
            arena.close();
        }
        return addresses;
    }

    /** As batched, while another arena is open that has the thread's resident slot. */
    @Benchmark
    public long inAnother() {
        try (Arena outer = Arena.ofConfined()) {
            return outer.allocate(8).address() + batched();
        }
    }
}
