/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import java.lang.foreign.Arena;

/** Opens ten arenas for each byte that it reads, in a new thread, says so, and ends when there are no more. */
public final class Stepwise {

    private Stepwise() {}

    public static void main(String[] args) throws Exception {
        Arena kept = Arena.ofConfined();
        kept.allocate(100);
        System.out.println("ready");
        while (System.in.read() >= 0) {
            Thread thread = new Thread(Stepwise::ten);
            thread.start();
            thread.join();
            System.out.println("ten");
        }
        kept.close();
    }

    private static void ten() {
        for (int i = 0; i < 10; i++) {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(8);
            }
        }
    }
}
