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
import org.rocksdb.RocksDBException;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * How many blocks of native memory does a request to RocksDB allocate? A process of its own has the library made from
 * {@code countmalloc.c} preloaded, which counts calls of {@code malloc} and its like on the calling thread, those of
 * the virtual machine apart from those of all other code. No sampling: each call counts.
 */
@BenchmarkMode(Mode.SingleShotTime)
@State(Scope.Benchmark)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(1)
public class MallocCount {

    /** Relative: LD_PRELOAD is split at spaces and colons, which the project's path may have. */
    private static final Path LIBRARY = Path.of("build/peers/libcountmalloc.so");

    private static final int WARM_UP = 100_000;
    private static final int REQUESTS = 100_000;

    @Param({"jniArrays", "jniPooledBuffers", "ffmArena"})
    public String path;

    /** What is counted in place of time, by request. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Counter {

        public double mallocsOfTheVirtualMachine;
        public double mallocsOfRocksdb;
    }

    @Benchmark
    public void request(Counter counter) throws IOException, InterruptedException {
        if (!Files.exists(LIBRARY)) {
            throw new IllegalStateException("there is no " + LIBRARY + ", which a C compiler makes");
        }
        List<String> printed = Program.java(Map.of("LD_PRELOAD", LIBRARY.toString()), "--enable-native-access=ALL-UNNAMED",
                MallocCount.class.getName(), path);
        String[] counts = printed.getLast().split(" ");
        counter.mallocsOfTheVirtualMachine = Double.parseDouble(counts[0]);
        counter.mallocsOfRocksdb = Double.parseDouble(counts[1]);
    }

    /**
     * Prints blocks by request allocated by the virtual machine, and by RocksDB, and the sum of all samples.
     *
     * @param args the name of a read path
     */
    public static void main(String[] args) throws Throwable {
        MethodHandle counts = Linker.nativeLinker().downcallHandle(
                SymbolLookup.libraryLookup(LIBRARY, Arena.global()).findOrThrow("countmalloc_counts"),
                FunctionDescriptor.ofVoid(ADDRESS));
        PathTimeKey[] keys = Database.keys("mixed");
        try (ReadPath path = ReadPath.of(args[0]); Arena arena = Arena.ofConfined()) {
            MemorySegment before = arena.allocate(JAVA_LONG, 2);
            MemorySegment after = arena.allocate(JAVA_LONG, 2);
            SplittableRandom random = new SplittableRandom(1);
            long sum = run(path, keys, random, WARM_UP);
            counts.invokeExact(before);
            if (before.getAtIndex(JAVA_LONG, 0) + before.getAtIndex(JAVA_LONG, 1) == 0) {
                throw new IllegalStateException(LIBRARY + " counts nothing, so it is not preloaded");
            }
            sum += run(path, keys, random, REQUESTS);
            counts.invokeExact(after);
            double vm = after.getAtIndex(JAVA_LONG, 0) - before.getAtIndex(JAVA_LONG, 0);
            double rocksDb = after.getAtIndex(JAVA_LONG, 1) - before.getAtIndex(JAVA_LONG, 1);
            System.out.println(vm / REQUESTS + " " + rocksDb / REQUESTS + " " + sum);
        }
    }

    private static long run(ReadPath path, PathTimeKey[] keys, SplittableRandom random, int requests)
            throws RocksDBException {
        long sum = 0;
        for (int i = 0; i < requests; i++) {
            sum += path.read(keys[random.nextInt() & keys.length - 1]).sum();
        }
        return sum;
    }
}
