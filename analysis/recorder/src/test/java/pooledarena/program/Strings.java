/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import java.lang.foreign.Arena;
import java.util.Random;

/** Arenas with one or two strings, whose lengths are distributed as those of natural texts. */
public final class Strings {

    private Strings() {}

    public static void main(String[] args) {
        int count = Integer.parseInt(args[0]);
        Random random = new Random(20261124);
        String text = "x".repeat(100_000);
        for (int i = 0; i < count; i++) {
            try (Arena arena = Arena.ofConfined()) {
                for (int j = 0; j <= i % 2; j++) {
                    arena.allocateFrom(text.substring(0, (int) Math.min(text.length(), Math.exp(3 + 1.5 * random.nextGaussian()))));
                }
            }
        }
        System.out.println("done");
    }
}
