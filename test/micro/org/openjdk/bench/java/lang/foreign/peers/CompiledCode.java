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

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How many atomic operations does C2 compile into a method of {@link HotPath}? A process of its own prints the code, of which
 * objdump makes instructions, on x64. They are also written to build/peers/hot-path.
 */
@BenchmarkMode(Mode.SingleShotTime)
@State(Scope.Benchmark)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(1)
public class CompiledCode {

    private static final Path LISTINGS = Path.of("build/peers/hot-path");

    @Param({"arena", "arenaOnVirtualThread", "threeAllocations", "twoNested", "nettyAdaptive", "nettyPooled"})
    public String code;

    /** What is counted in place of time. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Counter {

        public double bytes;
        public double calls;
        public double atomicOperations;
        public double fences;
    }

    @Benchmark
    public void instructions(Counter counter) throws IOException, InterruptedException {
        String program = HotPath.class.getName();
        List<String> printed = Program.java(Map.of(), "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED", "-XX:+UnlockDiagnosticVMOptions", "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=dontinline," + program + "::" + code, "-XX:CompileCommand=print," + program + "::" + code,
                program, code);
        CompiledMethod method = CompiledMethod.last(printed, code);
        Path listing = Files.createDirectories(LISTINGS).resolve(
                code + "-" + Path.of(System.getProperty("java.home")).getFileName() + ".txt");
        Files.write(listing, method.bytes());
        List<String> instructions = Program.lines(Map.of(), List.of("objdump", "--disassemble-all", "--target=binary",
                        "--architecture=i386:x86-64", "--no-show-raw-insn", listing.toString())).stream()
                .filter(line -> line.matches("^\\s+[0-9a-f]+:\\s.*")).toList();
        Files.write(listing, instructions);
        counter.bytes = method.bytes().length;
        counter.calls = method.calls();
        counter.atomicOperations = CompiledMethod.count(instructions, CompiledMethod.ATOMIC);
        counter.fences = CompiledMethod.count(instructions, CompiledMethod.FENCE);
    }
}
