/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import java.lang.foreign.Arena;

/** Opens an arena every millisecond, and halts after the seconds that are given. */
public final class Halts {

    private Halts() {}

    public static void main(String[] args) throws InterruptedException {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000;
        while (System.nanoTime() < end) {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(8);
            }
            Thread.sleep(1);
        }
        Runtime.getRuntime().halt(0);
    }
}
