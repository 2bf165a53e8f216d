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
