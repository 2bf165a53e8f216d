/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.probe;

import java.io.IOException;
import java.util.stream.Stream;

/**
 * Prints the resident memory of its own process in bytes, in three lines: {@code before N} threads were
 * started, when they were {@code started}, and when each had {@code used} one arena.
 */
public final class ThreadRss {

    private ThreadRss() {}

    /** @param args how many threads, then the sizes of the arena's allocations */
    public static void main(String[] args) throws InterruptedException, IOException {
        long[] sizes = Stream.of(args).skip(1).mapToLong(Long::parseLong).toArray();
        ParkedThreads.start(1, sizes).useArenas();
        Memory.residentBytes();
        long before = Memory.residentBytes();
        ParkedThreads threads = ParkedThreads.start(Integer.parseInt(args[0]), sizes);
        long started = Memory.residentBytes();
        threads.useArenas();
        long used = Memory.residentBytes();
        System.out.println("before " + before);
        System.out.println("started " + started);
        System.out.println("used " + used);
    }
}
