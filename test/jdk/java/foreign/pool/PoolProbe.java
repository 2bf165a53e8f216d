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

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds out the size of slots and how many a thread has, from the addresses of what arenas allocate, and prints
 * {@code size depth}, or {@code off}.
 */
final class PoolProbe {

    private static final int GREATEST_SIZE = 1 << 20;
    private static final int NESTED = 40;

    private PoolProbe() {}

    public static void main(String[] args) {
        System.out.println(probe());
    }

    static String probe() {
        Set<Long> slots = Arrays.stream(Slots.find(NESTED)).boxed().collect(Collectors.toSet());
        if (slots.isEmpty()) {
            return "off";
        }
        // A size that is no power of two is found too.
        int size = 8;
        for (int step = 2 * GREATEST_SIZE; step > 0; step /= 2) {
            if (isServedBy(slots, size + step)) {
                size += step;
            }
        }
        return size + " " + slots.size();
    }

    private static boolean isServedBy(Set<Long> slots, long byteSize) {
        try (Arena arena = Arena.ofConfined()) {
            return slots.contains(arena.allocate(byteSize).address());
        }
    }
}
