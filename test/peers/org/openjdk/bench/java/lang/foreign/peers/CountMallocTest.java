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

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.FutureTask;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The counts of the preloaded library are those of the calls that were made. Needs that library. */
class CountMallocTest {

    private static final int CALLS = 10_000;

    /** What else may be allocated on this thread meanwhile, such as a compiler's queue entry. */
    private static final int OTHERS = CALLS / 20;

    private static MethodHandle counts;
    private static MethodHandle malloc;
    private static MethodHandle free;

    @BeforeAll
    static void find() throws Throwable {
        String library = System.getenv("LD_PRELOAD");
        assumeTrue(library != null && library.endsWith("libcountmalloc.so"), "the library is not preloaded");
        Linker linker = Linker.nativeLinker();
        counts = linker.downcallHandle(SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow("countmalloc_counts"),
                FunctionDescriptor.ofVoid(ADDRESS));
        // The library's, which the program's own calls of malloc get.
        malloc = linker.downcallHandle(SymbolLookup.libraryLookup(library, Arena.global()).findOrThrow("malloc"),
                FunctionDescriptor.of(ADDRESS, JAVA_LONG));
        free = linker.downcallHandle(linker.defaultLookup().findOrThrow("free"), FunctionDescriptor.ofVoid(ADDRESS));
        // Once without looking, so that what is loaded and linked first does not count.
        programAllocates();
        machineAllocates();
        difference(() -> { });
    }

    @Test
    void callsOfTheProgramCountAsOthers() throws Throwable {
        long[] calls = difference(CountMallocTest::programAllocates);
        assertTrue(calls[1] >= CALLS && calls[1] <= CALLS + OTHERS, () -> calls[1] + " calls");
        assertTrue(calls[0] <= OTHERS, () -> calls[0] + " calls of the virtual machine");
    }

    @Test
    void callsOfTheVirtualMachineCountAsItsOwn() throws Throwable {
        long[] calls = difference(CountMallocTest::machineAllocates);
        assertTrue(calls[0] >= CALLS && calls[0] <= CALLS + OTHERS, () -> calls[0] + " calls");
        assertTrue(calls[1] <= OTHERS, () -> calls[1] + " calls of others");
    }

    @Test
    void callsOfOtherThreadsDoNotCount() throws Throwable {
        FutureTask<Void> task = new FutureTask<>(() -> {
            assertDoesNotThrow(CountMallocTest::programAllocates);
            return null;
        });
        Thread thread = new Thread(task);
        long[] calls = difference(() -> {
            thread.start();
            thread.join();
        });
        assertTrue(calls[0] + calls[1] <= OTHERS, () -> calls[0] + " and " + calls[1] + " calls");
        task.get();
    }

    private interface Action {
        void run() throws Throwable;
    }

    private static long[] difference(Action action) throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment before = arena.allocate(JAVA_LONG, 2);
            MemorySegment after = arena.allocate(JAVA_LONG, 2);
            counts.invokeExact(before);
            action.run();
            counts.invokeExact(after);
            return new long[] {after.getAtIndex(JAVA_LONG, 0) - before.getAtIndex(JAVA_LONG, 0),
                    after.getAtIndex(JAVA_LONG, 1) - before.getAtIndex(JAVA_LONG, 1)};
        }
    }

    private static void programAllocates() throws Throwable {
        for (int i = 0; i < CALLS; i++) {
            MemorySegment block = (MemorySegment) malloc.invokeExact(16L);
            free.invokeExact(block);
        }
    }

    /** Shared arenas have no pool, whatever JDK this is. */
    private static void machineAllocates() {
        try (Arena arena = Arena.ofShared()) {
            for (int i = 0; i < CALLS; i++) {
                arena.allocate(16);
            }
        }
    }
}
