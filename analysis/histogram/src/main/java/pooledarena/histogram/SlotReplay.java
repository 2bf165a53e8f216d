/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

/**
 * What a pool whose slots have up to so many bytes would have served of an arena's allocations.
 * The rules are those of the pool: it serves what is no larger than a slot can be and not aligned to more; what finds no room
 * in the slot is in further blocks; one of 0 bytes takes one. The recorder takes this along into other JVMs, so it has its own
 * numbers of the pool; tests compare them with the pool's sources.
 */
public final class SlotReplay {

    /** The smallest size of a slot that is looked at. */
    public static final int SMALLEST = 8;

    /** How many sizes are looked at, each twice the one before: 8 bytes to 1 MiB, as the pool's property. */
    public static final int SIZES = 18;

    /** The least alignment, and that from this many bytes on, as malloc has it. */
    static final int SMALL_ALIGNMENT = 8;
    static final int LARGE_ALIGNMENT = 16;

    static final int SLOT_ALIGNMENT = 64;

    private SlotReplay() {}

    public static int size(int index) {
        return SMALLEST << index;
    }

    /** {@return the index of the smallest size that is not less than {@code bytes}, or {@link #SIZES}} */
    public static int index(long bytes) {
        return bytes <= SMALLEST ? 0
                : Math.min(SIZES, Long.numberOfLeadingZeros(SMALLEST - 1) - Long.numberOfLeadingZeros(bytes - 1));
    }

    /**
     * {@return how many bytes slots of each size would have served of an arena}
     *
     * @param bytes of the allocations for which slots of a size are the smallest that serve them, by the {@link #index} of that
     * @param sizes at which indexes there are such allocations: a bit for each
     * @param most  how many bytes have been served at most
     */
    public static long[] served(long[] bytes, int sizes, long most) {
        long[] served = new long[SIZES];
        for (int i = 0; i < SIZES; i++) {
            served[i] = Math.min((i == 0 ? 0 : served[i - 1]) + ((sizes >> i & 1) == 0 ? 0 : bytes[i]), most);
        }
        return served;
    }

    /** {@return how much of a slot is used after an allocation for which there is room, or {@link Long#MAX_VALUE}} */
    public static long usedAfter(long usedBefore, long byteSize, long byteAlignment) {
        if ((byteSize | byteAlignment | usedBefore) > Long.MAX_VALUE / 4) {
            return Long.MAX_VALUE;
        }
        long alignment = Math.max(byteAlignment, byteSize >= LARGE_ALIGNMENT || byteAlignment > SMALL_ALIGNMENT
                ? LARGE_ALIGNMENT : SMALL_ALIGNMENT);
        // Beyond the slot's own alignment, where it lies decides; the worst is assumed.
        long start = alignUp(usedBefore, Math.min(alignment, SLOT_ALIGNMENT)) + Math.max(0, alignment - SLOT_ALIGNMENT);
        return start + Math.max(1, byteSize);
    }

    private static long alignUp(long n, long alignment) {
        return n + alignment - 1 & -alignment;
    }
}
