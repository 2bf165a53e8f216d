/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import module java.base;

/** Programs that do nothing but open arenas, in eight ways for which an estimate of what the pool saves may be wrong. */
final class Shapes {

    private static final Random RANDOM = new Random(42);

    /** @param args which of them */
    public static void main(String[] args) throws InterruptedException {
        switch (args[0]) {
            case "short-threads" -> shortThreads();
            case "blocked" -> blocked();
            case "nests" -> nests();
            case "large" -> large();
            case "many" -> many();
            case "held" -> held();
            case "random" -> random();
            case "requests" -> requests();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void arena(long... sizes) {
        try (Arena arena = Arena.ofConfined()) {
            for (long size : sizes) {
                arena.allocate(size);
            }
        }
    }

    /** Threads that live for three arenas. */
    private static void shortThreads() throws InterruptedException {
        for (int i = 0; i < 20_000; i++) {
            Thread.ofPlatform().start(() -> {
                arena(50, 175, 300);
                arena(50, 175, 300);
                arena(50, 175, 300);
            }).join();
        }
    }

    /** Virtual threads, 200 at a time, that sleep with an open arena. */
    private static void blocked() throws InterruptedException {
        Semaphore atOnce = new Semaphore(200);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 20_000; i++) {
                atOnce.acquire();
                long size = i % 2 == 0 ? 8 : 1000;
                threads.execute(() -> {
                    try (Arena arena = Arena.ofConfined()) {
                        arena.allocate(size);
                        Thread.sleep(2);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    } finally {
                        atOnce.release();
                    }
                });
            }
        }
    }

    /** Nests of 100, with a small and then a large allocation in each arena. */
    private static void nests() {
        for (int i = 0; i < 200; i++) {
            nest(100);
        }
    }

    private static void nest(int left) {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            arena.allocate(1000);
            if (left > 1) {
                nest(left - 1);
            }
        }
    }

    /** Allocations of 9 to 64 KiB. */
    private static void large() {
        for (int i = 0; i < 200_000; i++) {
            arena(RANDOM.nextInt(9 << 10, (64 << 10) + 1));
        }
    }

    /** Thousands of allocations in one arena. */
    private static void many() {
        for (int i = 0; i < 500; i++) {
            long[] sizes = new long[5000];
            for (int j = 0; j < sizes.length; j++) {
                sizes[j] = RANDOM.nextInt(1, 100);
            }
            arena(sizes);
        }
    }

    /** 2000 arenas that are held, the oldest of which is replaced now and then, beside short ones. */
    private static void held() {
        Deque<Arena> all = new ArrayDeque<>();
        for (int i = 0; i < 200_000; i++) {
            if (i % 20 == 0 || all.size() < 2000) {
                Arena arena = Arena.ofConfined();
                arena.allocate(64);
                all.add(arena);
                if (all.size() > 2000) {
                    all.remove().close();
                }
            }
            arena(8);
        }
        all.forEach(Arena::close);
    }

    /** Any sizes up to 300,000 bytes. */
    private static void random() {
        for (int i = 0; i < 50_000; i++) {
            arena(RANDOM.nextInt(1, 300_001));
        }
    }

    /** A thread for each request, in which ten arenas are nested in one. */
    private static void requests() throws InterruptedException {
        for (int i = 0; i < 2000; i++) {
            List<Thread> threads = new ArrayList<>();
            for (int j = 0; j < 4; j++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    try (Arena arena = Arena.ofConfined()) {
                        arena.allocate(2000);
                        for (int k = 0; k < 10; k++) {
                            arena(40, 100);
                        }
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
