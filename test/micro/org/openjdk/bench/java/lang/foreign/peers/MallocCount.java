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

import org.rocksdb.RocksDBException;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.SplittableRandom;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * Prints how many blocks of native memory a request to RocksDB allocates. Runs with the library made from
 * {@code countmalloc.c} preloaded, which counts calls of {@code malloc} and its like on the calling thread, those of
 * the virtual machine apart from those of all other code. No sampling: each call counts.
 */
final class MallocCount {

    private static final int WARM_UP = 100_000;
    private static final int REQUESTS = 100_000;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle COUNTS = LINKER.downcallHandle(
            SymbolLookup.libraryLookup(System.getenv("LD_PRELOAD"), Arena.global()).findOrThrow("countmalloc_counts"),
            FunctionDescriptor.ofVoid(ADDRESS));

    private MallocCount() {}

    /**
     * Prints three lines for each path: blocks allocated by the virtual machine, by RocksDB, and together.
     *
     * @param args the kind of values, then names of read paths
     */
    public static void main(String[] args) throws Throwable {
        PathTimeKey[] keys = Database.keys(args[0]);
        for (int i = 1; i < args.length; i++) {
            try (ReadPath path = ReadPath.of(args[i]); Arena arena = Arena.ofConfined()) {
                MemorySegment before = arena.allocate(JAVA_LONG, 2);
                MemorySegment after = arena.allocate(JAVA_LONG, 2);
                SplittableRandom random = new SplittableRandom(1);
                long sum = run(path, keys, random, WARM_UP);
                COUNTS.invokeExact(before);
                sum += run(path, keys, random, REQUESTS);
                COUNTS.invokeExact(after);
                double vm = after.getAtIndex(JAVA_LONG, 0) - before.getAtIndex(JAVA_LONG, 0);
                double rocksDb = after.getAtIndex(JAVA_LONG, 1) - before.getAtIndex(JAVA_LONG, 1);
                System.out.println(args[i] + "_vm " + vm / REQUESTS);
                System.out.println(args[i] + "_rocksdb " + rocksDb / REQUESTS);
                System.out.println(args[i] + "_together " + (vm + rocksDb) / REQUESTS);
                System.out.println(args[i] + " sum of all samples " + sum);
            }
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
