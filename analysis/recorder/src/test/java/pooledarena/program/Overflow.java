/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import java.lang.foreign.Arena;

/** Lets the stack overflow in and around arenas, often, and then uses some as if nothing had been. */
public final class Overflow {

    private static int depth;

    private Overflow() {}

    public static void main(String[] args) throws InterruptedException {
        Thread thread = new Thread(null, () -> {
            int overflows = 0;
            for (int i = 0; i < 40; i++) {
                try {
                    descend(i % 50);
                } catch (StackOverflowError e) {
                    overflows++;
                }
            }
            System.out.println("overflows " + overflows);
            for (int i = 0; i < 10; i++) {
                after();
            }
        }, "overflow", 512 << 10);
        thread.start();
        thread.join();
        System.out.println(depth > 0 ? "done" : "never deep");
    }

    private static void descend(int offset) {
        depth++;
        if (offset > 0) {
            descend(offset - 1);
        }
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(8);
            descend(0);
        }
    }

    private static void after() {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(9);
        }
    }
}
