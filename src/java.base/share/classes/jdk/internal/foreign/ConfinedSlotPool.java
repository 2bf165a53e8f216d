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

import jdk.internal.access.JavaLangAccess;
import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.Unsafe;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The slots of one platform thread, from which that thread's confined arenas serve their small allocations
 * without calling {@code malloc} and {@code free}.
 * <p>
 * A slot is a block of {@link #SIZE} bytes of native memory, aligned to {@link #ALIGNMENT}. A pool creates its
 * slots one by one, when an arena asks and none is free, up to {@link ConfinedPoolProperties#DEPTH}. An arena
 * holds at most one slot, from its first allocation that fits until it is closed, and bumps its allocations from
 * it. Arenas may be closed in any order. An arena that finds no free slot allocates the regular way.
 * <p>
 * The arenas of a virtual thread use the pool of the carrier that the thread is mounted on at that moment. So a
 * slot may come back while its arena's owner is mounted on another carrier, see {@link #release}.
 * <p>
 * Invariants, where "the pool's thread" is the platform thread that the pool belongs to:
 * <ol>
 * <li>A slot has at most one owner: the pool, while its bit in {@link #free} or {@link #returned} is set, or one
 *     arena.</li>
 * <li>All bytes of a slot owned by the pool are zero, and {@link Slot#used} of it is 0. So nothing written through
 *     one arena can be read through another, and an arena need not clear what it hands out.</li>
 * <li>A pool has at most {@code DEPTH} slots, counting those held by arenas, open or leaked.</li>
 * <li>{@code free}, {@code created}, {@code lent} and {@code closed} are used only by the pool's thread, or by a
 *     virtual thread that is mounted on it and pinned. Hence they are plain fields; only {@code returned} is
 *     shared.</li>
 * <li>When the pool's thread ends, every slot owned by the pool is freed. A slot then held by an arena that a
 *     virtual thread owns is freed when that arena is closed. A slot held by an arena that the ending thread never
 *     closed is never freed, like all memory of such an arena.</li>
 * <li>A failure between taking a slot and the first allocation from it, or between closing an arena and the
 *     return of its slot, can lose the slot: nobody uses it until the pool's thread ends, and it is freed then
 *     since its {@code used} is 0. (The slot is lost for good if its arena is owned by a virtual thread.)</li>
 * </ol>
 */
public final class ConfinedSlotPool {

    /** Bytes in a slot: a power of two, or 0 when pooling is off. */
    static final int SIZE = ConfinedPoolProperties.SIZE;

    /**
     * The least alignment of an allocation: what {@code malloc} gives on 64-bit platforms. A program that asks for
     * less than it needs works on pooled memory if it works on regular memory.
     */
    static final int GRAIN = 16;

    /** The alignment of a slot: at most a cache line, so that slots of two threads never share one. */
    static final int ALIGNMENT = Math.clamp(SIZE, GRAIN, 64);

    /** The bytes that a slot takes, without what it takes to align it: a multiple of {@link #GRAIN}. */
    static final int CAPACITY = Math.max(SIZE, GRAIN) + ConfinedSlotVerifier.GUARD_SIZE;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final JavaLangAccess JLA = SharedSecrets.getJavaLangAccess();
    private static final long RETURNED = UNSAFE.objectFieldOffset(ConfinedSlotPool.class, "returned");

    /** Set in {@link #returned} for good when the pool's thread has ended; no slot has this bit. */
    private static final int ENDED = 1 << 31;

    private final Slot[] slots = new Slot[ConfinedPoolProperties.DEPTH];

    /** Bit i is set while slot i is in the pool. */
    private int free;

    /** How many slots there are, or were before the pool's thread ended. */
    private int created;

    /** True once a virtual thread's arena took a slot. */
    private boolean lent;

    /** True when the pool's thread has ended. */
    private boolean closed;

    /** Bit i is set while slot i is in the pool, brought back by a thread other than the pool's thread. */
    private volatile int returned;

    private ConfinedSlotPool() {}

    /**
     * {@return a pool with a free slot for the thread, or null if there is none to be had}
     * <p>
     * Call this on the given thread, or pinned to it. Costs three loads if the thread's pool has a free slot.
     *
     * @param thread a platform thread
     */
    @ForceInline
    static ConfinedSlotPool withFreeSlot(Thread thread) {
        ConfinedSlotPool pool = JLA.confinedSlotPool(thread);
        return (pool != null && pool.free != 0) ? pool : replenish(pool, thread);
    }

    /** {@return the platform thread that the current virtual thread is mounted on} */
    @ForceInline
    static Thread carrier() {
        return JLA.currentCarrierThread();
    }

    @DontInline
    private static ConfinedSlotPool replenish(ConfinedSlotPool pool, Thread thread) {
        if (pool == null) {
            pool = new ConfinedSlotPool();
            JLA.setConfinedSlotPool(thread, pool);
        } else if (pool.closed) {
            return null;
        }
        if (pool.returned != 0) {
            pool.free = UNSAFE.getAndSetInt(pool, RETURNED, 0);
        } else if (pool.created < pool.slots.length) {
            pool.create();
        }
        return pool.free != 0 ? pool : null;
    }

    private void create() {
        Slot slot;
        try {
            slot = new Slot();
        } catch (OutOfMemoryError e) {
            return;
        }
        // Count the slot before it is cleared: then a failure from here on only loses it.
        int bit = 1 << created;
        slots[created++] = slot;
        slot.clear(CAPACITY);
        free = bit;
    }

    /**
     * {@return the bit of the slot to be taken next}
     * There must be a free slot.
     */
    @ForceInline
    int next() {
        return Integer.lowestOneBit(free);
    }

    /**
     * Takes a free slot from the pool. The caller owns it from here on.
     *
     * @param bit  the slot's bit, from {@link #next}
     * @param lent true if the caller is a virtual thread
     */
    @ForceInline
    Slot take(int bit, boolean lent) {
        Slot slot = slots[Integer.numberOfTrailingZeros(bit)];
        if (lent) {
            this.lent = true;
        }
        // Subtracting here what release adds lets C2 see that the two cancel out.
        free -= bit;
        slot.used = 0; // It is, but now C2 knows.
        return slot;
    }

    /**
     * Returns a slot, which the caller owned and has cleared. Call this on the pool's thread.
     */
    @ForceInline
    void release(int bit) {
        free += bit;
    }

    /**
     * As {@link #release}, but may be called on any thread.
     */
    void releaseLent(int bit) {
        Continuation.pin();
        try {
            if (JLA.confinedSlotPool(JLA.currentCarrierThread()) == this) {
                release(bit);
                return;
            }
        } finally {
            Continuation.unpin();
        }
        // The volatile update publishes the cleared slot to the pool's thread.
        if ((UNSAFE.getAndBitwiseOrInt(this, RETURNED, bit) & ENDED) != 0) {
            slots[Integer.numberOfTrailingZeros(bit)].freeMemory();
        }
    }

    /**
     * Frees the slots of the current platform thread, which is about to end. Arenas that it uses after this
     * allocate the regular way.
     */
    public void close() {
        closed = true;
        int cached = free | UNSAFE.getAndBitwiseOrInt(this, RETURNED, ENDED);
        free = 0;
        for (int i = 0; i < created; i++) {
            // A slot that nobody allocated from and that is not in the pool was lost. If the pool has lent slots,
            // then it may also be that a virtual thread is just about to return it.
            Slot slot = slots[i];
            boolean isCached = (cached & (1 << i)) != 0;
            if (ConfinedPoolProperties.VERIFY && isCached) {
                slot.verifier.check();
            }
            if (isCached || (!lent && slot.used == 0)) {
                slot.freeMemory();
            }
        }
    }

    /**
     * A slot: its memory, and how much of it is allocated.
     */
    static final class Slot {

        private final long base;
        final long address;

        /** Null unless slots are verified. */
        final ConfinedSlotVerifier verifier;

        /**
         * Bytes allocated so far, padding included. Bytes from here on are zero. Written only by the slot's owner.
         */
        private long used;

        private Slot() {
            verifier = ConfinedPoolProperties.VERIFY ? new ConfinedSlotVerifier(this) : null;
            base = UNSAFE.allocateMemory(CAPACITY + ALIGNMENT - SegmentFactories.MAX_MALLOC_ALIGN);
            address = (base + (ALIGNMENT - 1)) & -ALIGNMENT; // not by a call, which may overflow the stack
        }

        /**
         * {@return true if an allocation fits a slot that has none yet, wherever the slot's memory is}
         */
        @ForceInline
        static boolean fitsEmpty(long byteSize, long byteAlignment) {
            return byteAlignment <= SIZE
                    && Math.max(1, byteSize) <= SIZE - Math.max(0, byteAlignment - ALIGNMENT);
        }

        /**
         * {@return true if there is room for an allocation}
         */
        @ForceInline
        boolean fits(long byteSize, long byteAlignment) {
            return byteAlignment <= SIZE && Math.max(1, byteSize) <= SIZE - start(byteAlignment);
        }

        /**
         * {@return the address of a newly allocated, cleared block that {@link #fits}}
         *
         * @param byteSize      size in bytes, not negative; 0 takes a byte so that addresses are distinct
         * @param byteAlignment alignment in bytes, a power of two
         */
        @ForceInline
        long allocate(long byteSize, long byteAlignment) {
            long start = start(byteAlignment);
            long end = Utils.alignUp(start + Math.max(1, byteSize), GRAIN) + ConfinedSlotVerifier.GUARD_SIZE;
            if (ConfinedPoolProperties.VERIFY) {
                verifier.allocated(used, start, byteSize, end);
            }
            used = end;
            return address + start;
        }

        @ForceInline
        private long start(long byteAlignment) {
            return byteAlignment <= GRAIN ? used : Utils.alignUp(address + used, byteAlignment) - address;
        }

        /**
         * Marks this slot as one from which nothing is allocated, before it is cleared and returned.
         *
         * @return how many bytes are to be cleared
         */
        @ForceInline
        long reset() {
            long allocated = used;
            used = 0;
            return allocated;
        }

        /**
         * Clears the allocated bytes. Up to 64 of them take two to eight stores in a straight line, more take a
         * loop that C2 vectorizes.
         *
         * @param byteCount a multiple of {@link #GRAIN}, not 0
         */
        @ForceInline
        void clear(long byteCount) {
            if (byteCount > 64) {
                clearLoop((int) byteCount);
                return;
            }
            clearGrain(0);
            if (byteCount > 16) {
                clearGrain(16);
                if (byteCount > 32) {
                    clearGrain(32);
                    if (byteCount > 48) {
                        clearGrain(48);
                    }
                }
            }
        }

        @ForceInline
        private void clearLoop(int byteCount) {
            for (int offset = 0; offset < byteCount; offset += Long.BYTES) {
                UNSAFE.putLong(null, address + offset, 0L);
            }
        }

        @ForceInline
        private void clearGrain(int offset) {
            UNSAFE.putLong(null, address + offset, 0L);
            UNSAFE.putLong(null, address + offset + Long.BYTES, 0L);
        }

        private void freeMemory() {
            UNSAFE.freeMemory(base);
        }
    }
}
