/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.probe;

import java.lang.foreign.Arena;
import java.util.concurrent.CountDownLatch;

/** Platform threads that wait, then each use one arena, then wait until the program ends. */
final class ParkedThreads {

    /** What each arena allocates. */
    private final long[] byteSizes;

    private final CountDownLatch started;
    private final CountDownLatch mayUse = new CountDownLatch(1);
    private final CountDownLatch used;
    private final CountDownLatch forever = new CountDownLatch(1);

    private ParkedThreads(int count, long[] byteSizes) {
        this.byteSizes = byteSizes;
        started = new CountDownLatch(count);
        used = new CountDownLatch(count);
    }

    /** {@return {@code count} threads, all of which wait} */
    static ParkedThreads start(int count, long... byteSizes) throws InterruptedException {
        ParkedThreads threads = new ParkedThreads(count, byteSizes);
        threads.useOneArena(); // so that no thread pays for what the first use in a process takes
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(threads::run);
            thread.setDaemon(true);
            thread.start();
        }
        threads.started.await();
        return threads;
    }

    /** Lets each use one arena, and returns when all have. */
    void useArenas() throws InterruptedException {
        mayUse.countDown();
        used.await();
    }

    private void run() {
        try {
            started.countDown();
            mayUse.await();
            useOneArena();
            used.countDown();
            forever.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // nobody interrupts
        }
    }

    private void useOneArena() {
        try (Arena arena = Arena.ofConfined()) {
            for (long byteSize : byteSizes) {
                arena.allocate(byteSize).fill((byte) 1);
            }
        }
    }
}
