/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.io;

import module java.base;

/** Tells what a command is doing, two seconds after its start and then every five seconds, until it is closed. */
public final class Progress implements AutoCloseable {

    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
    private volatile String step;

    /** @param out takes a line with the seconds and the step, such as {@code 7 s, a.jar} */
    public Progress(String step, Consumer<String> out) {
        this.step = step;
        long start = System.nanoTime();
        timer.scheduleAtFixedRate(() -> out.accept(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) + " s, " + this.step),
                2, 5, TimeUnit.SECONDS);
    }

    public void at(String next) {
        step = next;
    }

    @Override
    public void close() {
        timer.shutdown();
    }
}
