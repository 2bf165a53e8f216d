/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import java.io.IOException;
import java.lang.foreign.Arena;

/** Opens ten arenas and halts at once or, with an argument, after it has read a byte, and as it has no memory. */
public final class Halts {

    private Halts() {}

    public static void main(String[] args) throws IOException {
        for (int i = 0; i < 10; i++) {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(8);
            }
        }
        if (args.length > 0) {
            System.out.println("ready");
            System.in.read();
            System.out.println(new long[Integer.MAX_VALUE / 2].length);
        }
        Runtime.getRuntime().halt(0);
    }
}
