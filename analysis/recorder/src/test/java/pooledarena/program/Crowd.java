/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Threads in thousands, of both kinds, that all have an arena open at once. */
public final class Crowd {

    private Crowd() {}

    public static void main(String[] args) throws InterruptedException {
        crowd(Thread.ofPlatform().stackSize(64 << 10), Integer.parseInt(args[0]));
        crowd(Thread.ofVirtual(), Integer.parseInt(args[1]));
        System.out.println("done");
    }

    private static void crowd(Thread.Builder builder, int count) throws InterruptedException {
        CountDownLatch all = new CountDownLatch(count);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(builder.start(() -> {
                try (Arena outer = Arena.ofConfined()) {
                    outer.allocate(8, 8);
                    all.countDown();
                    all.await();
                    for (int j = 0; j < 5; j++) {
                        try (Arena inner = Arena.ofConfined()) {
                            inner.allocate(4, 4);
                            Thread.yield();
                        }
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
