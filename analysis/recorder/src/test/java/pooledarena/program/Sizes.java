/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import java.lang.foreign.Arena;

/** Arenas of 1, 2, 3 … bytes, one of each, and others that are lost without being closed: as many again when those are gone. */
public final class Sizes {

    private Sizes() {}

    public static void main(String[] args) throws InterruptedException {
        int count = Integer.parseInt(args[0]);
        for (int i = 1; i <= count; i++) {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(i);
            }
        }
        lose(Integer.parseInt(args[1]));
        if (Integer.parseInt(args[1]) > 0) {
            for (int i = 0; i < 5; i++) {
                System.gc();
                Thread.sleep(500);
            }
            lose(Integer.parseInt(args[1]));
        }
        System.out.println("done");
    }

    private static void lose(int count) {
        for (int i = 0; i < count; i++) {
            Arena.ofConfined().allocate(1000);
        }
    }
}
