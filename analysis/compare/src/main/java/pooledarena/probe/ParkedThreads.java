/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.probe;

import module java.base;

/** Threads that are parked, then each work once, then are parked until they may end. */
final class ParkedThreads {

    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch mayWork = new CountDownLatch(1);
    private final CountDownLatch worked;
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    /** Starts {@code count} threads, and returns when all are parked. {@code work} gets the thread's index. */
    ParkedThreads(Thread.Builder builder, int count, IntConsumer work) throws InterruptedException {
        worked = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            int index = i;
            threads.add(builder.start(() -> run(work, index)));
        }
        awaitParked();
    }

    /** Each uses one arena for allocations of these sizes. The first use in the process is over when they are parked. */
    static ParkedThreads withOneArena(int count, long... byteSizes) throws InterruptedException {
        IntConsumer work = _ -> {
            try (Arena arena = Arena.ofConfined()) {
                for (long byteSize : byteSizes) {
                    arena.allocate(byteSize).fill((byte) 1);
                }
            }
        };
        work.accept(0);
        return new ParkedThreads(Thread.ofPlatform().daemon(), count, work);
    }

    /** Lets all work, and returns when they are parked again. */
    void work() throws InterruptedException {
        mayWork.countDown();
        worked.await();
        awaitParked();
    }

    void end() throws InterruptedException {
        mayEnd.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void run(IntConsumer work, int index) {
        try {
            mayWork.await();
            work.accept(index);
            worked.countDown();
            mayEnd.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e); // nobody interrupts
        }
    }

    private void awaitParked() throws InterruptedException {
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        }
    }
}
