/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.probe;

import module java.base;

/**
 * Prints how many nanoseconds the {@code first} arena of a thread takes from its opening to its close, with one
 * allocation of 8 bytes, in compiled code, and with one reading of the clock: the median of many platform threads that
 * have allocated objects.
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
        }
        long[] nanos = new long[THREADS];
        for (int i = 0; i < THREADS; i++) {
            int mine = i;
            Thread thread = new Thread(() -> nanos[mine] = first());
            thread.start();
            thread.join();
        }
        Arrays.sort(nanos);
        System.out.println("first " + nanos[THREADS / 2]);
    }

    private static long first() {
        for (int i = 0; i < 16; i++) {
            sink = new byte[64]; // the thread's TLAB is there then, and its first pages are in the caches
        }
        addresses += System.nanoTime(); // the code that reads the clock is in the caches then
        long start = System.nanoTime();
        try (Arena arena = Arena.ofConfined()) {
            addresses += arena.allocate(8).address();
        }
        return System.nanoTime() - start;
    }
}
