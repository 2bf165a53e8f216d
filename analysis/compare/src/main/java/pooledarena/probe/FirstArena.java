/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.probe;

import module java.base;

/**
 * Prints how many nanoseconds the {@code first} arena of a thread takes from its opening to its close, with one allocation
 * of 8 bytes, in compiled code: the median of many platform threads that have allocated objects. Two readings of the clock are
 * in it; what these take alone is printed as {@code clock}.
 */
public final class FirstArena {

    private static final int WARM_UP = 200_000;
    private static final int THREADS = 4_000;

    /** Keeps what is allocated from being optimized away. */
    private static Object sink;
    private static long addresses;

    private FirstArena() {}

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < WARM_UP; i++) {
            first();
            clock();
            allocateObjects();
        }
        long[] first = new long[THREADS];
        long[] clock = new long[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int mine = i;
            Thread thread = new Thread(() -> {
                allocateObjects();
                clock();
                clock[mine] = clock();
                first[mine] = first();
            });
            thread.start();
            thread.join();
        }
        System.out.println("first " + median(first));
        System.out.println("clock " + median(clock));
    }

    private static long first() {
        long start = System.nanoTime();
        try (Arena arena = Arena.ofConfined()) {
            addresses += arena.allocate(8).address();
        }
        return System.nanoTime() - start;
    }

    private static long clock() {
        long start = System.nanoTime();
        addresses++;
        return System.nanoTime() - start;
    }

    /** The thread's TLAB is there then, and its first pages are in the caches. */
    private static void allocateObjects() {
        for (int i = 0; i < 16; i++) {
            sink = new byte[64];
        }
    }

    private static long median(long[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
