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

import java.io.IOException;
import java.lang.foreign.Arena;

/** Opens ten arenas for each byte that it reads, says so, and ends when there are no more. */
public final class Stepwise {

    private Stepwise() {}

    public static void main(String[] args) throws IOException {
        Arena kept = Arena.ofConfined();
        kept.allocate(100);
        System.out.println("ready");
        while (System.in.read() >= 0) {
            for (int i = 0; i < 10; i++) {
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(8);
                }
            }
            System.out.println("ten");
        }
        kept.close();
    }
}
