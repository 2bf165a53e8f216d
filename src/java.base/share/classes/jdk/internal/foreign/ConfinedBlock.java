/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The Pooled Confined Arena
 * authors designate this particular file as subject to the "Classpath"
 * exception as provided in the LICENSE file that accompanied this code.
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


package jdk.internal.foreign;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * Native memory that a confined arena bumps its small allocations from. A block is known by the address of its first
 * byte, a multiple of {@link #ALIGNMENT}. Its header stands before that:
 * <pre>
 *     base         block - 16 - 12       - 8    block                       + limit          + capacity
 *     | unused ... | limit    | capacity | link | allocated ... | zero ...... | not cleared ... |
 * </pre>
 * Memory is cleared from {@code malloc} up to the limit, which rises as the block is used.
 * A <em>slot</em> is a block of at most {@link ConfinedSlotPool#SIZE} bytes that arenas use one after the other. An arena
 * whose slot is full goes on in larger blocks, each linked to the one before. What is larger than a slot gets a block of its
 * own, for which the arena needs no slot. At close the largest block that can be a slot replaces the slot, and the others are
 * kept for later arenas or freed.
 * <p>
 * Invariants:
 * <ol>
 * <li>A block belongs to one arena or to one {@linkplain ConfinedSlotPool pool}, and one thread at a time uses it. So
 *     nothing here is synchronized.</li>
 * <li>All bytes below the limit that are not allocated to an open arena are zero, and nothing is allocated above it. So
 *     nothing written through one arena can be read through another, and an arena need not clear what it hands out. A block
 *     of one large allocation is an exception: it is freed when the arena is closed.</li>
 * </ol>
 * All sizes are in bytes.
 */
final class ConfinedBlock {

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** The alignment of a block: a cache line, so that no two threads write to one because of small arenas. */
    static final int ALIGNMENT = 64;

    /** The least limit. An allocation that ends here or below fits each block: its limit need not be read. */
    static final int MIN_LIMIT = Math.min(ConfinedSlotPool.SIZE, 64);

    /** An arena's blocks double up to this size, or the largest slot's; one of them has exactly the largest slot's size. */
    private static final int MAX_DOUBLED = 64 << 10;

    /** The limit rises by at least this. */
    private static final int STEP = 4096;

    /** Up to this many words are cleared with one store each. */
    private static final int MAX_STORES = 24;

    /** The clearing loop starts at this offset: C2 peels its first step, after which the vectors are aligned. */
    private static final int LOOP_START = ALIGNMENT - Long.BYTES;

    /** Up to this size C2 leaves the safepoint poll out of the clearing loop: 100 steps of one cache line. */
    private static final int MAX_SHORT = 100 * ALIGNMENT;

    private static final int HEADER_SIZE = 16;

    /** The capacity of a large block: more than any slot has. */
    private static final int LARGE = Integer.MAX_VALUE;

    // The bits of the link below ALIGNMENT: block - HEADER_SIZE - base, which is 0, 16, 32 or 48, and the index of the place.
    private static final long PADDING = 48;
    private static final long PLACE = 15;

    /** The index in a large block, so that it is not plain. Each pool's array of places has an element for it. */
    private static final int NO_PLACE = 1;

    private ConfinedBlock() {}

    /**
     * {@return a new block, not linked}
     *
     * @param byteSize what can be allocated from it at once
     * @param capacity what can be allocated from it in all, not less
     * @throws OutOfMemoryError if there is no memory for it
     */
    static long create(int byteSize, int capacity) {
        int rounded = capacity <= MIN_LIMIT ? MIN_LIMIT : (capacity + ALIGNMENT - 1) & -ALIGNMENT;
        long block = allocate(rounded, rounded);
        raise(block, byteSize);
        return block;
    }

    // Unsafe rounds the size up to 8.
    private static long allocate(long byteSize, int capacity) {
        long base = UNSAFE.allocateMemory(byteSize + ALIGNMENT); // malloc aligns to 16
        long block = (base + HEADER_SIZE + ALIGNMENT - 1) & -ALIGNMENT;
        UNSAFE.putInt(null, block - 16, 0);
        UNSAFE.putInt(null, block - 12, capacity);
        UNSAFE.putLong(null, block - 8, block - HEADER_SIZE - base);
        return block;
    }

    /**
     * {@return a new block for one allocation, which starts at the first multiple of {@code alignment}} It is linked behind the
     * arena's last block, which still serves small allocations.
     *
     * @param byteSize  how much is allocated, and cleared if {@code init} is true
     * @param alignment its alignment
     * @param last      the arena's last block, or 0 if this is its first
     * @throws OutOfMemoryError if there is no memory for it
     */
    @DontInline
    static long createLarge(long byteSize, long alignment, boolean init, long last) {
        long large;
        try {
            large = allocate(byteSize + Math.max(alignment - ALIGNMENT, 0), LARGE);
        } catch (IllegalArgumentException e) {
            throw new OutOfMemoryError(); // Unsafe accepts no size that large
        }
        setPlace(large, NO_PLACE);
        long address = Utils.alignUp(large, alignment);
        if (init) {
            clearLong(address, byteSize);
        }
        if (last != 0) {
            ConfinedSlotPool.beforeLink(last);
            setLink(large, link(last));
            setLink(last, large);
        }
        return large;
    }

    /** Clears what is between the limit and the given end at least. */
    private static void raise(long block, int end) {
        int limit = limit(block);
        int raised = Math.min(capacity(block), Math.max((end + ALIGNMENT - 1) & -ALIGNMENT, limit + STEP));
        clear(block + limit, raised - limit);
        UNSAFE.putInt(null, block - 16, raised);
    }

    /** Frees a block that belongs to nobody any more. */
    static void free(long block) {
        if (ConfinedPoolProperties.VERIFY) {
            ConfinedBlockVerifier.freed(block);
        }
        UNSAFE.freeMemory(block - HEADER_SIZE - (UNSAFE.getLong(null, block - 8) & PADDING));
    }

    /** {@return up to where the block is cleared} */
    @ForceInline
    static int limit(long block) {
        return UNSAFE.getInt(null, block - 16);
    }

    /** {@return how much can be allocated from the block} */
    @ForceInline
    static int capacity(long block) {
        return UNSAFE.getInt(null, block - 12);
    }

    /** {@return the index of the place that the block was last put into, or 0} */
    @ForceInline
    static int place(long block) {
        return (int) (UNSAFE.getLong(null, block - 8) & PLACE);
    }

    /** Notes the index, up to 15, of the place that the block is put into. */
    static void setPlace(long block, int index) {
        UNSAFE.putLong(null, block - 8, UNSAFE.getLong(null, block - 8) & ~PLACE | index);
    }

    /** {@return the block that this one is linked to, or 0} */
    static long link(long block) {
        return UNSAFE.getLong(null, block - 8) & -ALIGNMENT;
    }

    /** {@return true if the block has neither link nor place} */
    @ForceInline
    static boolean isPlain(long block) {
        return (UNSAFE.getLong(null, block - 8) & ~PADDING) == 0;
    }

    /** Links a block to the one before it, or to none if that is 0. */
    static void setLink(long block, long next) {
        UNSAFE.putLong(null, block - 8, UNSAFE.getLong(null, block - 8) & (ALIGNMENT - 1) | next);
    }

    /**
     * {@return the block for what is allocated next} It is the arena's last block, whose limit rises; or a new one that is linked
     * to that; or a slot if the arena has none yet.
     *
     * @param end       the end of what is allocated next, if it is allocated in {@code block}
     * @param byteSize  its size
     * @param alignment its alignment
     * @throws OutOfMemoryError if there is no memory for a new block
     */
    @DontInline
    static long extend(long block, int end, int byteSize, int alignment) {
        int capacity = capacity(block);
        int least = byteSize + Math.max(alignment - ALIGNMENT, 0);
        long next;
        if (capacity == LARGE) {
            next = withRoom(ConfinedSlotPool.takeAny(least), least);
        } else if (end <= capacity) {
            raise(block, end);
            return block;
        } else {
            int doubled = Math.min(2 * capacity, capacity < ConfinedSlotPool.SIZE ? ConfinedSlotPool.SIZE
                    : Math.max(ConfinedSlotPool.SIZE, MAX_DOUBLED));
            int wanted = Math.max(least, doubled);
            long slot = wanted <= ConfinedSlotPool.SIZE ? ConfinedSlotPool.takeLarger(wanted) : 0;
            try {
                next = slot != 0 ? withRoom(slot, least) : create(least, wanted);
            } catch (OutOfMemoryError e) {
                next = create(least, least);
            }
        }
        setLink(next, block);
        return next;
    }

    // A free slot, or a block in place of it.
    private static long withRoom(long slot, int byteSize) {
        if (byteSize > capacity(slot)) {
            free(slot);
            return create(byteSize, byteSize);
        }
        if (byteSize > limit(slot)) {
            raise(slot, byteSize);
        }
        return slot;
    }

    /** {@return the slot that an arena took, of whose blocks {@code block} is the last; or a large block if it took none} */
    static long first(long block) {
        long first = block;
        for (long next = link(block); next != 0; next = link(next)) {
            if (capacity(next) != LARGE) {
                first = next;
            }
        }
        return first;
    }

    /**
     * Frees those of an arena's blocks that are larger than a slot, and clears the others.
     *
     * @return these, the largest first, or 0 if there is none
     * @param block the arena's last block, of which {@code used} bytes are allocated
     */
    static long collapse(long block, int used) {
        long slots = 0;
        long last = 0;
        for (long next, current = block; current != 0; current = next) {
            next = link(current);
            if (capacity(current) > ConfinedSlotPool.SIZE) {
                free(current);
                continue;
            }
            clear(current, current == block ? used : limit(current)); // perhaps less, but that is not known
            if (last == 0) {
                slots = current;
            } else {
                setLink(last, current);
            }
            last = current;
        }
        if (last != 0) {
            setLink(last, 0);
        }
        return slots;
    }

    /** Frees all of an arena's blocks, of which {@code block} is the last, or 0 for none. */
    static void freeAll(long block) {
        for (long next, current = block; current != 0; current = next) {
            next = link(current);
            free(current);
        }
    }

    /**
     * Clears the first {@code used} bytes: up to 192 by one store for each word, more by 7 stores and a loop over whole cache
     * lines before those. C2 vectorizes the loop only if it knows that {@code offset} does not overflow.
     */
    @ForceInline
    @SuppressWarnings("fallthrough")
    static void clear(long block, int used) {
        int words = (used + 7) >> 3;
        if (words > MAX_STORES) {
            if (used > MAX_SHORT) {
                clearLong(block, used);
                return;
            }
            int end = Math.min((used + ALIGNMENT - 1) & -ALIGNMENT, MAX_SHORT); // the minimum is for C2
            for (int offset = LOOP_START; offset < end; offset += Long.BYTES) {
                UNSAFE.putLong(null, block + offset, 0L);
            }
            words = LOOP_START / Long.BYTES;
        }
        switch (words) {
            case 24: UNSAFE.putLong(null, block + 184, 0L);
            case 23: UNSAFE.putLong(null, block + 176, 0L);
            case 22: UNSAFE.putLong(null, block + 168, 0L);
            case 21: UNSAFE.putLong(null, block + 160, 0L);
            case 20: UNSAFE.putLong(null, block + 152, 0L);
            case 19: UNSAFE.putLong(null, block + 144, 0L);
            case 18: UNSAFE.putLong(null, block + 136, 0L);
            case 17: UNSAFE.putLong(null, block + 128, 0L);
            case 16: UNSAFE.putLong(null, block + 120, 0L);
            case 15: UNSAFE.putLong(null, block + 112, 0L);
            case 14: UNSAFE.putLong(null, block + 104, 0L);
            case 13: UNSAFE.putLong(null, block + 96, 0L);
            case 12: UNSAFE.putLong(null, block + 88, 0L);
            case 11: UNSAFE.putLong(null, block + 80, 0L);
            case 10: UNSAFE.putLong(null, block + 72, 0L);
            case 9: UNSAFE.putLong(null, block + 64, 0L);
            case 8: UNSAFE.putLong(null, block + 56, 0L);
            case 7: UNSAFE.putLong(null, block + 48, 0L);
            case 6: UNSAFE.putLong(null, block + 40, 0L);
            case 5: UNSAFE.putLong(null, block + 32, 0L);
            case 4: UNSAFE.putLong(null, block + 24, 0L);
            case 3: UNSAFE.putLong(null, block + 16, 0L);
            case 2: UNSAFE.putLong(null, block + 8, 0L);
            case 1: UNSAFE.putLong(null, block, 0L);
            case 0:
        }
    }

    /** As {@link #clear}, of any size. The loop need not have whole cache lines. */
    @DontInline
    private static void clearLong(long address, long byteSize) {
        for (long at = 0; at < byteSize; at += Long.BYTES) {
            UNSAFE.putLong(null, address + at, 0L);
        }
    }
}
