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
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;

/**
 * What do confined arenas cost that are open at the same time on one thread, each with one
 * allocation? The nests are spelled out, as a loop would keep the arenas in an array, where they
 * can never be scalar-replaced. The time is that of the whole nest.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class ConfinedArenaNested {

    @Param({"5", "100", "451"})
    public long size;

    @Benchmark
    public long two() {
        try (Arena outer = Arena.ofConfined()) {
            long address = outer.allocate(size).address();
            try (Arena inner = Arena.ofConfined()) {
                return address ^ inner.allocate(size).address();
            }
        }
    }

    // Too large to be inlined into a caller, which JMH would do all the same, and then C2, which clones the head of the
    // measuring loop and this with it, has more nodes than it allows for inlining (NodeCountInliningCutoff).
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public long eight() {
        try (Arena a = Arena.ofConfined();
             Arena b = Arena.ofConfined();
             Arena c = Arena.ofConfined();
             Arena d = Arena.ofConfined();
             Arena e = Arena.ofConfined();
             Arena f = Arena.ofConfined();
             Arena g = Arena.ofConfined();
             Arena h = Arena.ofConfined()) {
            return a.allocate(size).address()
                    ^ b.allocate(size).address()
                    ^ c.allocate(size).address()
                    ^ d.allocate(size).address()
                    ^ e.allocate(size).address()
                    ^ f.allocate(size).address()
                    ^ g.allocate(size).address()
                    ^ h.allocate(size).address();
        }
    }
}
