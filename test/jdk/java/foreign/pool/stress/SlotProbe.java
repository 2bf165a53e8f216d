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
import java.util.Map;
import java.util.TreeMap;

/**
 * Looks at the current thread's pool from outside, through nothing but {@link Arena}. Tests that use this class set both
 * pool properties.
 */
final class SlotProbe {

    private SlotProbe() {}

    static final int SIZE = Integer.getInteger("jdk.foreign.confinedPool.size");
    static final int DEPTH = Integer.getInteger("jdk.foreign.confinedPool.depth");

    /** How far apart two one-byte allocations in a slot are. */
    static final int GRAIN = 8;

    /** What a block takes of native memory beside its capacity. */
    static final int BLOCK_OVERHEAD = 64;

    /**
     * The most native memory that a pool has while no arena does: its slots in places and its free ones, and the spare one.
     * The smallest slots take twice their capacity.
     */
    static final long POOL_BOUND = 2L * (DEPTH + 1) * SIZE;

    /** {@return whether a new arena, from which two grains are then allocated, is served from a slot} */
    static boolean isPooled(Arena arena) {
        long first = arena.allocate(1).address();
        return arena.allocate(1).address() - first == GRAIN;
    }

    static boolean isZero(MemorySegment segment) {
        return isFilled(segment, 0);
    }

    /** {@return whether each byte of the segment has the given value} */
    static boolean isFilled(MemorySegment segment, int value) {
        long expected = 0x0101_0101_0101_0101L * (value & 0xff);
        long i = 0;
        for (; i + Long.BYTES <= segment.byteSize(); i += Long.BYTES) {
            if (segment.get(ValueLayout.JAVA_LONG_UNALIGNED, i) != expected) {
                return false;
            }
        }
        for (; i < segment.byteSize(); i++) {
            if (segment.get(ValueLayout.JAVA_BYTE, i) != (byte) value) {
                return false;
            }
        }
        return true;
    }

    /**
     * Takes more slots at once than the current thread has places, uses each of them up, and checks invariants 1 and 2 on
     * them: nothing is handed out twice, and all of it is zero.
     */
    static void drain() {
        Arena[] arenas = new Arena[2 * DEPTH + 12];
        TreeMap<Long, MemorySegment> segments = new TreeMap<>();
        TreeMap<Long, Integer> values = new TreeMap<>();
        try {
            for (int i = 0; i < arenas.length; i++) {
                arenas[i] = Arena.ofConfined();
                // What a free slot may be taken for depends on how large it is.
                int first = i % 3 == 0 ? SIZE : Math.max(GRAIN, i % 3 == 1 ? Math.min(64, SIZE) : SIZE / 8);
                // With steps that double, a slot of a power of two is used up before the arena goes on in a block.
                for (int used = 0, step = first; used < SIZE; used += step, step = used) {
                    MemorySegment segment = arenas[i].allocate(step);
                    Stress.check(isZero(segment), "invariant 2: not zero: " + segment);
                    segment.fill((byte) (i + 1));
                    segments.put(segment.address(), segment);
                    values.put(segment.address(), i + 1);
                }
            }
            long end = 0;
            for (Map.Entry<Long, MemorySegment> entry : segments.entrySet()) {
                MemorySegment segment = entry.getValue();
                Stress.check(entry.getKey() >= end, "invariant 1: handed out twice: " + segment);
                end = entry.getKey() + segment.byteSize();
                Stress.check(isFilled(segment, values.get(entry.getKey())),
                        "invariant 1: another owner wrote to " + segment);
            }
        } finally {
            for (Arena arena : arenas) {
                if (arena != null) {
                    arena.close();
                }
            }
        }
    }
}
