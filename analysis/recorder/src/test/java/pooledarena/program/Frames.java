/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import java.lang.foreign.Arena;

/** Has a library open arenas, from two methods. */
public final class Frames {

    private Frames() {}

    /** Opens and closes an arena for its caller. */
    static final class Library {
        static void call() {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(8);
            }
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 300; i++) {
            one();
            if (i % 3 == 0) {
                two();
            }
        }
        System.out.println("done");
    }

    private static void one() {
        Library.call();
    }

    private static void two() {
        Library.call();
    }
}
