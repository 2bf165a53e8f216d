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
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Looks at the current thread's pool from outside, through nothing but {@link Arena}.
 * <p>
 * An allocation is told to be pooled by its neighbour: two one-byte allocations of a new arena are at most 8 bytes
 * apart in a slot. From malloc they are further apart, whatever malloc it is, as long as native memory tracking puts a
 * header before and a footer behind each block; so tests that use this class run with it. They also set both pool
 * properties.
 */
final class SlotProbe {

    private SlotProbe() {}

    static final int SIZE = Integer.getInteger("jdk.foreign.confinedPool.size");
    static final int DEPTH = Integer.getInteger("jdk.foreign.confinedPool.depth");

    /** The most that two one-byte allocations in a slot are apart, and so the bytes that a probe takes of a slot. */
    static final int GRAIN = 8;

    /**
     * {@return the slot of a new arena, from which the first two grains are then allocated, or 0 if it has none}
     */
    static long slotOf(Arena arena) {
        long first = arena.allocate(1).address();
        long gap = arena.allocate(1).address() - first;
        return gap > 0 && gap <= GRAIN ? first : 0;
    }

    /** {@return the bytes of a slot, accessible whoever owns it} */
    static MemorySegment raw(long slot) {
        return MemorySegment.ofAddress(slot).reinterpret(SIZE);
    }

    static boolean isZero(MemorySegment segment) {
        long i = 0;
        for (; i + Long.BYTES <= segment.byteSize(); i += Long.BYTES) {
            if (segment.get(ValueLayout.JAVA_LONG_UNALIGNED, i) != 0) {
                return false;
            }
        }
        for (; i < segment.byteSize(); i++) {
            if (segment.get(ValueLayout.JAVA_BYTE, i) != 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Takes every slot that the current thread can have, at once, and checks invariants 1, 2 and 3 on them: they are
     * distinct, all zero, and no more than the depth. Leaves all of them wholly written to and returned.
     *
     * @return the slots, in the order in which they were given out
     */
    static long[] drain() {
        Arena[] arenas = new Arena[DEPTH + 2];
        long[] slots = new long[DEPTH + 2];
        int count = 0;
        try {
            for (int i = 0; i < arenas.length; i++) {
                arenas[i] = Arena.ofConfined();
                long slot = slotOf(arenas[i]);
                if (slot == 0) {
                    continue;
                }
                for (int j = 0; j < count; j++) {
                    Stress.check(Math.abs(slots[j] - slot) >= SIZE,
                            "invariant 1: slots " + Long.toHexString(slot) + " and " + Long.toHexString(slots[j])
                            + " of " + SIZE + " bytes have two owners");
                }
                Stress.check(count < DEPTH, "invariant 3: more than " + DEPTH + " slots");
                Stress.check(isZero(raw(slot)), "invariant 2: slot " + Long.toHexString(slot) + " is not zero");
                MemorySegment rest = SIZE > 2 * GRAIN ? arenas[i].allocate(SIZE - 2 * GRAIN) : null;
                Stress.check(rest == null || rest.address() > slot && rest.address() < slot + SIZE,
                        "a slot has less room than its size");
                raw(slot).fill((byte) (count + 1));
                slots[count++] = slot;
            }
            for (int j = 0; j < count; j++) {
                MemorySegment slot = raw(slots[j]);
                long expected = 0x0101_0101_0101_0101L * (j + 1);
                for (int k = 0; k < SIZE; k += Long.BYTES) {
                    if (slot.get(ValueLayout.JAVA_LONG_UNALIGNED, k) != expected) {
                        throw new AssertionError("invariant 1: another owner wrote to slot " + slot);
                    }
                }
            }
        } finally {
            for (Arena arena : arenas) {
                if (arena != null) {
                    arena.close();
                }
            }
        }
        return java.util.Arrays.copyOf(slots, count);
    }
}
