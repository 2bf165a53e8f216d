/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
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
