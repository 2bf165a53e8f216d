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

/*
 * @test
 * @summary Billions of arenas beside an open one that has the resident slot
 * @library ..
 * @build Slots
 * @run main/othervm/timeout=900 -Djdk.foreign.confinedPool.size=8192 -Djdk.foreign.confinedPool.depth=8
 *      TestConfinedPoolStressPasses
 */

import java.lang.foreign.Arena;

/**
 * An arena that is open has its slot alone, however many other arenas its thread opens and closes meanwhile: more than an int can
 * count (invariant 1). Its slot is much larger than what it allocated, so it stays resident, and the others pass it.
 */
public class TestConfinedPoolStressPasses {

    private static final int ROUND = 1 << 24;
    private static final int ROUNDS = 1 + (int) ((1L << 31) / ROUND);

    public static void main(String[] args) {
        for (int i = 0; i <= Slots.WITHOUT_POOL; i++) {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(8000);
            }
        }
        try (Arena open = Arena.ofConfined()) {
            long address = open.allocate(8).address();
            for (int i = 0; i < ROUNDS; i++) {
                if (isTaken(address)) {
                    throw new AssertionError("invariant 1: one slot for two arenas, after " + (i + 1L) * ROUND + " others");
                }
            }
        }
    }

    private static boolean isTaken(long address) {
        boolean isTaken = false;
        for (int i = 0; i < ROUND; i++) {
            try (Arena arena = Arena.ofConfined()) {
                isTaken |= arena.allocate(8).address() == address;
            }
        }
        return isTaken;
    }
}
