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
 * Native memory from which a confined arena makes its small allocations by raising an offset (bump allocation). A block is identified by
 * the address of its first byte that can be allocated. The address is a multiple of {@link #CACHE_LINE} if the block was created to be
 * the resident slot, or if it has more than 192 bytes and is no overflow block. Otherwise it is a multiple of {@link #ALIGNMENT}. The
 * header stands before that byte. With offsets from the block:
 * <pre>
 *     base         -16     -12        -8     0                         limit             capacity
 *     | unused ... | limit | capacity | link | allocated ... | zero ... | not cleared ... |
 * </pre>
 * The block is cleared up to the limit. That is its capacity, but in a block larger than a slot it rises as the block is used. When an
 * arena goes on from a slot in another block, the slot's limit falls, so that close clears little more than what is allocated. All sizes
 * are in bytes.
 * <p>
 * A block of at most {@link ConfinedSlotPool#MAX_CAPACITY} bytes can be a slot, unless it is an overflow block or that of a large
 * allocation. An arena whose slot is full goes on in further blocks, each linked to the one before. When it is closed, those of them
 * that can be slots are kept for later arenas if there is room, unless a larger slot replaces them all. A large allocation gets a block
 * of its own, with limit and capacity 0. An allocation is large if
 * <ul>
 * <li>it has more than {@link ConfinedSlotPool#SIZE} bytes,</li>
 * <li>it need not be zero, and has more than {@code 1 << }{@link ConfinedSlotPool#COPIED_SHIFT} bytes,</li>
 * <li>its alignment exceeds {@link ConfinedSlotPool#MAX_ALIGNMENT}, or</li>
 * <li>its alignment exceeds 16, and size and alignment together exceed {@link ConfinedSlotPool#MAX_CAPACITY}, less two guards in
 *     verify mode.</li>
 * </ul>
 * <p>
 * An overflow block is at most as large as a slot. The pool never keeps it.
 * <p>
 * {@link ConfinedSlotPool} has the invariants.
 */
final class ConfinedBlock {

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** The alignment of each block, that of {@code malloc}. */
    static final int ALIGNMENT = 16;

    /** The alignment of a block whose bytes have cache lines of their own. Otherwise two threads might write to one line with each arena. */
    static final int CACHE_LINE = 64;

    /** The least capacity of a slot. A first allocation of at most so many bytes fits each slot: its limit need not be read. */
    static final int MIN_SLOT = 56;

    /** The least limit of any block but those of large allocations. With its header that is a chunk of 48 bytes in glibc. */
    static final int MIN_LIMIT = 24;

    /**
     * A further block may have more bytes than its allocation needs, but then at most so many. It has half of what the arena's last {@link
     * #MAX_EARLIER} blocks have together, if the allocation needs less. While those have at most half of what the free lists may have,
     * that half is also at most {@link ConfinedSlotPool#SIZE}. Such a block can be a slot, which the pool can keep.
     */
    private static final int MAX_GROWN = 64 << 10;

    /** {@link #extend} looks at so many blocks at most, so that an arena of many large allocations does not walk them all each time. */
    private static final int MAX_EARLIER = 64;

    /**
     * A slot suits an arena if it has at most 1.5 times the first allocation and these bytes more. An open arena with one
     * allocation then takes at most 1.5 times the native memory and heap objects that it takes in the stock JDK.
     */
    private static final int MAX_EXCESS = 88;

    /** The limit rises by at least this. */
    private static final int STEP = 4096;

    /** Up to this many words are cleared with one store each. */
    private static final int MAX_STORES = 24;
    private static final int MAX_STORED = MAX_STORES * Long.BYTES;

    /** The clearing loop starts at this offset: C2 peels its first step, after which the vectors are aligned. */
    private static final int LOOP_START = CACHE_LINE - Long.BYTES;

    /** Up to this size C2 leaves the safepoint poll out of the clearing loop: 100 steps of one cache line. */
    private static final int MAX_SHORT = 100 * CACHE_LINE;

    private static final int HEADER_SIZE = 16;

    // The low 4 bits of the link word. PADDING counts the unused units of 16 bytes before the header. NOT_PLAIN is set in a new
    // slot, in one that the pool has kept and that is not small, and in a tagged one. Close may return the others by putSmall.
    // NO_SLOT is set in a block that the pool never keeps.
    private static final long PADDING = 3;
    private static final long NOT_PLAIN = 4;
    private static final long NO_SLOT = 8;

    private ConfinedBlock() {}

    /**
     * Allocates a block. It is zero if it can be a slot, and else up to {@code byteSize} bytes at least.
     *
     * @param byteSize how many bytes the block must have at least
     * @param capacity how many bytes it should have; if native memory for them is exhausted, {@code byteSize} is used instead
     * @param isResident true if it becomes a resident slot, and so is to have cache lines of its own
     * @return the address of the block
     * @throws OutOfMemoryError if native memory for {@code byteSize} bytes is exhausted
     */
    static long create(int byteSize, int capacity, boolean isResident) {
        int rounded = rounded(capacity);
        boolean isSlot = rounded <= ConfinedSlotPool.MAX_CAPACITY;
        long block;
        try {
            block = allocate(rounded, rounded, isResident || rounded > MAX_STORED ? CACHE_LINE : ALIGNMENT, isSlot);
        } catch (OutOfMemoryError e) {
            if (capacity == byteSize) {
                throw e;
            }
            return create(byteSize, byteSize, isResident);
        }
        return raise(block, isSlot ? rounded : byteSize);
    }

    /**
     * Returns the capacity of a new block for so many bytes. From 57 bytes on it has room for an out-parameter of 8 bytes more. Slots have
     * few capacities, so that free ones suit other arenas: 56, or one cache line and a step. The steps are the multiples of 64 up to 1024,
     * and from there on eight for each power of two. For more than {@link ConfinedSlotPool#SIZE} bytes they are the multiples of 64.
     */
    static int rounded(int byteSize) {
        if (byteSize <= MIN_SLOT) {
            return MIN_SLOT;
        }
        int rest = byteSize + Long.BYTES - CACHE_LINE;
        int step = byteSize > ConfinedSlotPool.SIZE ? CACHE_LINE : Math.max(Integer.highestOneBit(rest - 1) >> 3, CACHE_LINE);
        return (rest + step - 1 & -step) + CACHE_LINE;
    }

    /**
     * Allocates a block that no other arena gets. It is zero. Unless it is roomy, its capacity is {@code byteSize} rounded up to 8 more
     * than a multiple of 16. With its header and that of glibc it then fills a chunk. Up to 104 bytes the chunk goes to glibc's fastest
     * lists.
     *
     * @param byteSize how many bytes the block must have at least
     * @param isRoomy true if it is to have as many bytes as a slot
     * @return the address of the block
     * @throws OutOfMemoryError if native memory is exhausted
     */
    static long createOverflow(int byteSize, boolean isRoomy) {
        int capacity = isRoomy ? rounded(byteSize) : Math.max((byteSize + 7 & -16) + 8, MIN_LIMIT);
        long block = allocate(capacity, capacity, ALIGNMENT, false);
        clearUnaligned(block, capacity);
        setLimit(block, capacity);
        return block;
    }

    // Unsafe rounds the size up to 8, so that whole words can be cleared.
    private static long allocate(long byteSize, int capacity, int alignment, boolean isSlot) {
        long base = UNSAFE.allocateMemory(byteSize + alignment); // malloc aligns to 16
        long block = (base + HEADER_SIZE + alignment - 1) & -alignment;
        setLimit(block, 0);
        UNSAFE.putInt(null, block - 12, capacity);
        UNSAFE.putLong(null, block - 8, (block - HEADER_SIZE - base) >> 4 | (isSlot ? NOT_PLAIN : NO_SLOT));
        return block;
    }

    /**
     * Allocates a block with limit and capacity 0 for one allocation. The allocation starts at the first multiple of
     * {@code alignment} in the block. If {@code last} is not 0, the new block is linked between it and the blocks before it.
     *
     * @param byteSize the size of the allocation, in bytes
     * @param alignment its alignment, in bytes: a power of two
     * @param init true if the allocation must be zero
     * @param last the arena's last block, or 0
     * @return the address of the block, which may be less than that of the allocation
     * @throws OutOfMemoryError if native memory is exhausted, or the size is too large
     */
    @DontInline
    static long createLarge(long byteSize, long alignment, boolean init, long last) {
        ConfinedPoolCounters.larger();
        int blockAlignment = byteSize > MAX_STORED ? CACHE_LINE : ALIGNMENT; // the loop that clears it is faster from a cache line's start
        long large;
        try {
            large = allocate(Math.max(byteSize, 1) + Math.max(alignment - blockAlignment, 0), 0, blockAlignment, false);
        } catch (IllegalArgumentException e) {
            throw new OutOfMemoryError(); // Unsafe accepts no size that large
        }
        if (init) {
            clearUnaligned(Utils.alignUp(large, alignment), byteSize);
        }
        if (last != 0) {
            ConfinedSlotPool.tag(last);
            linked(last, linked(large, link(last)));
        }
        return large;
    }

    /** Clears a block from its limit, which is below {@code end}, up to at least that, and raises the limit. Returns the block. */
    private static long raise(long block, int end) {
        int limit = limit(block);
        int raised = Math.min(capacity(block), (Math.max(end, limit + STEP) + CACHE_LINE - 1) & -CACHE_LINE);
        clearSlow(block + limit, raised - limit);
        setLimit(block, raised);
        return block;
    }

    /** Frees a block that belongs to nobody any more. */
    static void free(long block) {
        if (ConfinedPoolProperties.VERIFY) {
            ConfinedBlockVerifier.freed(block);
        }
        UNSAFE.freeMemory(block - HEADER_SIZE - ((UNSAFE.getLong(null, block - 8) & PADDING) << 4));
    }

    /** {@return up to where the block is cleared} */
    @ForceInline
    static int limit(long block) {
        return UNSAFE.getInt(null, block - 16);
    }

    private static void setLimit(long block, int limit) {
        UNSAFE.putInt(null, block - 16, limit);
    }

    /** {@return true if a slot has room for {@code byteSize} bytes} Separate from fits, so that C2 profiles each. */
    @ForceInline
    static boolean fitsSlot(long slot, int byteSize) {
        return byteSize <= MIN_SLOT || byteSize <= limit(slot);
    }

    /** {@return true if the block has room for an allocation that ends at that offset, without a call of extend} */
    @ForceInline
    static boolean fits(long block, int end) {
        return end <= MIN_LIMIT || end <= limit(block);
    }

    /** {@return how much can be allocated from the block} */
    static int capacity(long block) {
        return UNSAFE.getInt(null, block - 12);
    }

    /** {@return the block that this one is linked to, or 0} */
    static long link(long block) {
        return UNSAFE.getLong(null, block - 8) & -ALIGNMENT;
    }

    /** {@return true if the block can be a slot} */
    static boolean isSlot(long block) {
        return (UNSAFE.getLong(null, block - 8) & NO_SLOT) == 0;
    }

    /**
     * Unlinks a slot, and sets its limit to its capacity. What is not allocated must be zero.
     *
     * @param isPlain true if the arena that has the slot, or the next one that takes it, may return it by
     *         {@link ConfinedSlotPool#putSmall}
     */
    static void unlink(long slot, boolean isPlain) {
        setLimit(slot, capacity(slot)); // extend may have lowered it
        UNSAFE.putLong(null, slot - 8, UNSAFE.getLong(null, slot - 8) & PADDING | (isPlain ? 0 : NOT_PLAIN));
    }

    /** {@return true if the block is not linked, and the pool has kept it as a small slot; false for a new block} */
    @ForceInline
    static boolean isPlain(long block) {
        return (UNSAFE.getLong(null, block - 8) & ~PADDING) == 0;
    }

    /** Links a block to another one, or to none if that is 0. Returns the block. */
    static long linked(long block, long other) {
        UNSAFE.putLong(null, block - 8, UNSAFE.getLong(null, block - 8) & (ALIGNMENT - 1) | other);
        return block;
    }

    /**
     * Returns the block from which the next allocation is made. If {@code block} has room, it is that, with its limit raised to at
     * least {@code end}. Otherwise it is another block, which is linked to {@code block}. If {@code block} is a slot, its limit then falls
     * to {@code used} rounded up to 8, or to {@link #MIN_SLOT} if that is more. So close clears no more of it. In verify mode it stays.
     *
     * @param block the arena's last block
     * @param used how many bytes of it are allocated
     * @param end the offset at which the allocation would end in {@code block}, in bytes
     * @param byteSize the size of the allocation in bytes, with padding as in {@link ConfinedSlotPool#take}
     * @throws OutOfMemoryError if native memory is exhausted
     */
    @DontInline
    static long extend(long block, int used, int end, int byteSize) {
        if (end <= capacity(block)) {
            return raise(block, end);
        }
        int room = ConfinedSlotPool.MAX_LISTED / 2;
        int total = 0;
        int count = 0;
        for (long earlier = block; earlier != 0 && count < MAX_EARLIER && total <= Math.max(2 * MAX_GROWN, room); count++) {
            total += capacity(earlier);
            earlier = link(earlier);
        }
        int most = total <= room ? Math.min(ConfinedSlotPool.SIZE, MAX_GROWN) : MAX_GROWN;
        int wanted = Math.max(byteSize, Math.min(total / 2, most));
        long next;
        if (rounded(wanted) <= ConfinedSlotPool.MAX_CAPACITY) {
            boolean isOverflow = capacity(block) != 0 && capacity(block) <= ConfinedSlotPool.MAX_CAPACITY && !isSlot(block);
            next = isOverflow
                    ? ConfinedSlotPool.overflow(byteSize, wanted, link(block) == 0 && end <= rounded(capacity(block) - Long.BYTES))
                    : ConfinedSlotPool.takeOther(byteSize, wanted, false, 0);
        } else {
            ConfinedPoolCounters.larger();
            next = create(byteSize, wanted, false);
        }
        if (isSlot(block) && !ConfinedPoolProperties.VERIFY) { // verify mode checks what was not allocated, too
            // The block may stay the last one: an exception may come. So this is a multiple of 8 and, as in pushOrReplace, not too large.
            // Nor is it below MIN_SLOT: fits and fitsSlot do not read a limit up to there, and raise would clear what is allocated above.
            setLimit(block, Math.min(Math.max(used + 7 & -8, MIN_SLOT), capacity(block)));
        }
        return linked(next, block);
    }

    /** {@return the largest capacity of a slot that suits an arena which first allocates {@code byteSize} bytes} */
    static int largest(int byteSize) {
        return byteSize + (byteSize >> 1) + MAX_EXCESS;
    }

    /**
     * {@return true if a new block for {@code needed} bytes suits an arena that first allocates {@code byteSize} bytes} A block
     * without cache lines of its own takes 48 bytes less.
     */
    static boolean suitsNew(int needed, int byteSize) {
        int capacity = rounded(needed);
        return (capacity > MAX_STORED ? capacity : capacity - (CACHE_LINE - ALIGNMENT)) <= largest(byteSize);
    }

    /**
     * Clears the first {@code used} bytes. Up to 192 bytes are cleared by one store for each word. Up to 6400 a loop clears from offset 56
     * to the end of the last cache line, and 7 stores clear what is before: either the block must be aligned to {@link #CACHE_LINE}, and
     * have room up to that end, or {@code block + used} must be a multiple of it. More bytes are cleared by {@link #clearLong}. C2 inlines
     * hot methods of at most 325 bytes of bytecode, and this one has fewer. C1 calls it.
     */
    @SuppressWarnings("fallthrough")
    static void clear(long block, int used) {
        int words = (used + 7) >> 3;
        if (words > MAX_STORES) { // in words, so that C2 has one comparison for this and the switch
            clearLines(block, used);
            words = LOOP_START / Long.BYTES;
        }
        switch (words) {
            case 24: zero(block, 184);
            case 23: zero(block, 176);
            case 22: zero(block, 168);
            case 21: zero(block, 160);
            case 20: zero(block, 152);
            case 19: zero(block, 144);
            case 18: zero(block, 136);
            case 17: zero(block, 128);
            case 16: zero(block, 120);
            case 15: zero(block, 112);
            case 14: zero(block, 104);
            case 13: zero(block, 96);
            case 12: zero(block, 88);
            case 11: zero(block, 80);
            case 10: zero(block, 72);
            case 9: zero(block, 64);
            case 8: zero(block, 56);
            case 7: zero(block, 48);
            case 6: zero(block, 40);
            case 5: zero(block, 32);
            case 4: zero(block, 24);
            case 3: zero(block, 16);
            case 2: zero(block, 8);
            case 1: zero(block, 0);
            case 0:
        }
    }

    @ForceInline
    private static void zero(long block, int offset) {
        UNSAFE.putLong(null, block + offset, 0L);
    }

    // C2 vectorizes the loop only if it knows that the offset does not overflow, and only with the mask of the address.
    private static void clearLines(long block, int used) {
        if (used > MAX_SHORT) {
            clearLong(block + LOOP_START, used - LOOP_START);
            return;
        }
        int end = Math.min((used + CACHE_LINE - 1) & -CACHE_LINE, MAX_SHORT); // the minimum is for C2
        for (int offset = LOOP_START; offset < end; offset += Long.BYTES) {
            UNSAFE.putLong(null, (block & -CACHE_LINE) + offset, 0L);
        }
    }

    // Clears memory that need not be aligned to a cache line.
    private static void clearUnaligned(long address, long byteSize) {
        if (byteSize <= MAX_STORED) {
            clear(address, (int) byteSize);
        } else {
            clearLong(address, byteSize);
        }
    }

    /** {@link #clear} for slow paths: a call, so that C2 compiles the stores and the loop once for all of them. */
    @DontInline
    static void clearSlow(long block, int used) {
        clear(block, used);
    }

    /** Clears {@code byteSize} bytes, rounded up to 8. The address may be any multiple of 8. */
    @DontInline
    private static void clearLong(long address, long byteSize) {
        for (long at = 0; at < byteSize; at += Long.BYTES) {
            UNSAFE.putLong(null, address + at, 0L);
        }
    }
}
