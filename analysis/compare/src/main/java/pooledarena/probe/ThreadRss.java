/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.probe;

import module java.base;

/**
 * Prints the resident memory in bytes of each of many threads that used one arena: {@code whole}, and what of it came with the
 * {@code arena}, when all threads had started.
 */
public final class ThreadRss {

    private ThreadRss() {}

    /** @param args how many threads, then the sizes of the arena's allocations */
    public static void main(String[] args) throws InterruptedException, IOException {
        int count = Integer.parseInt(args[0]);
        long[] sizes = Stream.of(args).skip(1).mapToLong(Long::parseLong).toArray();
        ParkedThreads.withOneArena(1, sizes).work(); // what the first thread in a process takes
        Memory.residentBytes();
        long before = Memory.residentBytes();
        ParkedThreads threads = ParkedThreads.withOneArena(count, sizes);
        long started = Memory.residentBytes();
        threads.work();
        long used = Memory.residentBytes();
        System.out.println("whole " + (double) (used - before) / count);
        System.out.println("arena " + (double) (used - started) / count);
    }
}
