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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The slots of one thread's pool, told by their addresses. Tests that use this set the properties below.
 * <p>
 * An allocator that is given memory back at close is likely to hand out the same address soon, so an address that
 * comes again does not show that it was pooled. Therefore whatever was given back is first taken by others.
 */
final class Slots {

    /** Bytes in a slot. */
    static final int SIZE = Math.max(0, Integer.getInteger("jdk.foreign.confinedPool.size", 0));

    /** How many slots a thread may have. */
    static final int DEPTH = Math.max(0, Integer.getInteger("jdk.foreign.confinedPool.depth", 0));

    /** Allocations start at multiples of this. */
    static final int GRAIN = 8;

    private final long[] addresses;

    private Slots(long[] addresses) {
        this.addresses = addresses;
    }

    /**
     * {@return all slots of the current thread, or of its carrier} None may be in use.
     */
    static Slots learn() {
        long[] addresses = find(DEPTH + 4);
        if (addresses.length != DEPTH) {
            throw new AssertionError(addresses.length + " slots, expected " + DEPTH + ": " + hex(addresses));
        }
        for (int i = 1; i < DEPTH; i++) {
            if (addresses[i] - addresses[i - 1] < SIZE) {
                throw new AssertionError("slots overlap: " + hex(addresses));
            }
        }
        return new Slots(addresses);
    }

    /** {@return the sorted addresses that come again and again when so many arenas are nested} */
    static long[] find(int nested) {
        long[] addresses = nest(nested, 8);
        try (Arena takers = Arena.ofShared()) {
            // A slot is larger than its nominal size by up to what aligning it takes.
            for (int byteSize : new int[] {SIZE, SIZE + 48}) {
                for (int i = 0; i < 2 * DEPTH; i++) {
                    takers.allocate(byteSize);
                }
            }
            // Other threads may give memory back meanwhile. A slot comes each time.
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < 2 * nested + 30; i++) {
                    takers.allocate(8);
                }
                long[] again = nest(nested, 8);
                addresses = Arrays.stream(addresses).filter(a -> Arrays.binarySearch(again, a) >= 0).toArray();
            }
        }
        return addresses;
    }

    /** {@return the sorted addresses of what was allocated in each of so many nested arenas} */
    static long[] nest(int depth, long byteSize) {
        long[] addresses = new long[depth];
        List<Arena> arenas = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            Arena arena = Arena.ofConfined();
            arenas.add(arena);
            addresses[i] = arena.allocate(byteSize).address();
        }
        arenas.reversed().forEach(Arena::close);
        Arrays.sort(addresses);
        return addresses;
    }

    /** {@return the position of the slot in which the segment lies wholly, or -1} */
    int indexOf(MemorySegment segment) {
        for (int i = 0; i < addresses.length; i++) {
            long offset = segment.address() - addresses[i];
            if (offset >= 0 && offset < SIZE) {
                if (offset + segment.byteSize() > SIZE) {
                    throw new AssertionError(segment + " sticks out of the slot at " + Long.toHexString(addresses[i]));
                }
                return i;
            }
        }
        return -1;
    }

    boolean contain(MemorySegment segment) {
        return indexOf(segment) >= 0;
    }

    /** {@return how far into its slot the segment starts} */
    long offset(MemorySegment segment) {
        return segment.address() - addresses[indexOf(segment)];
    }

    /** {@return the memory of the slot with the given position, whoever uses it} */
    MemorySegment memory(int index) {
        return raw(addresses[index], SIZE);
    }

    /** {@return the segment's memory, accessible after its arena is closed} */
    static MemorySegment raw(MemorySegment segment) {
        return raw(segment.address(), segment.byteSize());
    }

    static MemorySegment raw(long address, long byteSize) {
        return MemorySegment.ofAddress(address).reinterpret(byteSize);
    }

    /** Checks that each byte of the segment has the given value. */
    static void checkFilled(MemorySegment segment, int value, String message) {
        byte[] expected = new byte[(int) segment.byteSize()];
        Arrays.fill(expected, (byte) value);
        long offset = segment.mismatch(MemorySegment.ofArray(expected));
        if (offset >= 0) {
            throw new AssertionError(message + ": byte " + offset + " of " + segment.byteSize() + " is "
                    + segment.get(ValueLayout.JAVA_BYTE, offset) + ", expected " + value);
        }
    }

    static void checkZero(MemorySegment segment, String message) {
        checkFilled(segment, 0, message);
    }

    /** Checks that the memory of each slot is zero. */
    void checkAllZero() {
        for (int i = 0; i < addresses.length; i++) {
            checkZero(memory(i), "slot " + i);
        }
    }

    /** Checks that none of the slots is in use, nor lost. */
    void checkAllFree() {
        checkAllZero();
        long[] now = nest(DEPTH, 1);
        if (!Arrays.equals(addresses, now)) {
            throw new AssertionError("slots " + hex(addresses) + ", but free are " + hex(now));
        }
    }

    private static String hex(long[] addresses) {
        return Arrays.toString(Arrays.stream(addresses).mapToObj(Long::toHexString).toArray());
    }
}
