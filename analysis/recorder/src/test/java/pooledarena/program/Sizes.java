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

/** Arenas of 1, 2, 3 … bytes, one of each, and as many that are lost without being closed. */
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
        }
        System.out.println("done");
    }

    private static void lose(int count) {
        for (int i = 0; i < count; i++) {
            Arena.ofConfined().allocate(1000);
        }
    }
}
