/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.probe;

import module java.base;

/** Prints how many bytes of objects a {@code platform} and a {@code virtual} thread are that has not started. */
public final class ThreadObjects {

    private static final int THREADS = 100_000;

    private ThreadObjects() {}

    public static void main(String[] args) {
        bytes(Thread.ofPlatform()); // what the first use in a process takes
        bytes(Thread.ofVirtual());
        System.out.println("platform " + bytes(Thread.ofPlatform()));
        System.out.println("virtual " + bytes(Thread.ofVirtual()));
    }

    private static long bytes(Thread.Builder builder) {
        Runnable nothing = () -> { };
        Thread[] threads = new Thread[THREADS];
        long before = ArenaFootprint.liveBytes();
        Arrays.setAll(threads, _ -> builder.unstarted(nothing));
        long growth = ArenaFootprint.liveBytes() - before;
        Reference.reachabilityFence(threads);
        return Math.round((double) growth / THREADS);
    }
}
