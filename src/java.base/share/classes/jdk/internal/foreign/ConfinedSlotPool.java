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
import jdk.internal.vm.ContinuationSupport;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The slots of one platform thread, from which confined arenas serve their small allocations without calling
 * {@code malloc} and {@code free}.
 * <p>
 * A slot is a block of {@link #SIZE} bytes of native memory. An arena holds at most one, from its first allocation
 * that fits a slot until it is closed, and bumps its allocations from it. Arenas may be closed in any order. Slots are
 * created one by one, when an arena asks and none is free; an arena that gets none allocates the regular way.
 * <p>
 * The arenas of the pool's thread use its <em>own</em> slots. If that thread is a carrier, then the arenas of the
 * virtual threads that are mounted on it use its <em>shared</em> slots. Between taking a slot and returning it, and
 * between any two steps of that, a virtual thread may move to another carrier.
 * <p>
 * Invariants:
 * <ol>
 * <li>A slot has at most one owner: a pool or an arena. An own slot is in the pool while its bit in {@link #free} is
 *     set. Only the pool's thread uses {@code free}, so it takes and returns own slots with plain loads and stores.
 *     A shared slot is in the pool while {@link Slot#claimed} is 0, and whoever changes that to 1 owns it. Slots that
 *     are yet to be cleared, see {@link #uncleared} and {@link Slot#uncleared}, belong to the pool, too.</li>
 * <li>All bytes of a slot in a pool are zero, and its {@link Slot#used} is 0. So nothing written through one arena
 *     can be read through another, and an arena need not clear what it hands out.</li>
 * <li>A pool creates at most {@link ConfinedPoolProperties#DEPTH} own slots, whether or not they come back. There are
 *     at most as many shared slots for each carrier, counting those of carriers that have ended.</li>
 * <li>When the pool's thread ends, its slots are freed, except those that arenas hold. A slot held by a virtual
 *     thread's arena is freed after it was returned, see {@link #sweep}. A slot held by an arena that the ending
 *     thread did not close is never freed, like all memory of such an arena.</li>
 * <li>No failure makes two owners of one, or lets anybody see what is not cleared. A stack overflow does not lose a
 *     slot either, since nothing is called between taking a slot and noting it in the arena, and nothing when it is
 *     handed back uncleared. An asynchronous exception at such a point may lose the slot: nobody uses it again. If it
 *     is an own slot, it is freed when the pool's thread ends: it is one that is not in the pool although its
 *     {@code used} is 0.</li>
 * </ol>
 */
public final class ConfinedSlotPool {

    /** Bytes in a slot: a power of two, or 0 when pooling is off. */
    static final int SIZE = ConfinedPoolProperties.SIZE;

    /**
     * The least alignment of an allocation: enough for all of Java's primitive types and for pointers, so that a
     * program that allocates by size alone, as if by {@code malloc}, can have them anywhere in what it gets.
     */
    static final int GRAIN = 8;

    /** The alignment of a slot: at most a cache line, so that slots of two threads never share one. */
    static final int ALIGNMENT = Math.clamp(SIZE, GRAIN, 64);

    /** The bytes that a slot takes, without what it takes to align it: a multiple of {@link #GRAIN}. */
    static final int CAPACITY = Math.max(SIZE, GRAIN) + ConfinedSlotVerifier.GUARD_SIZE;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final JavaLangAccess JLA = SharedSecrets.getJavaLangAccess();

    /** The own slots, those created so far first. */
    private final Slot[] slots = new Slot[ConfinedPoolProperties.DEPTH];

    /** How many own slots were created. */
    private int created;

    /** Bit i is set while own slot i is in the pool. */
    int free;

    /** Bit i is set while own slot i belongs to the pool, but is to be cleared before it is in the pool. */
    int uncleared;

    /** True when the pool's thread has ended. */
    private boolean closed;

    /** The shared slots, linked by {@link Slot#next}. Virtual threads try the first one first, so it stays. */
    private Slot shared;

    /** How many shared slots were created. */
    private int createdShared;

    /** Whether this pool is counted in {@link #carriers}. */
    private boolean sharing;

    private ConfinedSlotPool() {}

    private static ConfinedSlotPool create(Thread thread) {
        ConfinedSlotPool pool = new ConfinedSlotPool();
        JLA.setConfinedSlotPool(thread, pool);
        return pool;
    }

    // Own slots. All of this is for the pool's thread only.

    /**
     * {@return the pool of the current thread if it has a free slot or can create one, otherwise null}
     * Costs three loads if there is a free slot.
     *
     * @param thread the current thread, which is not mounted on another
     */
    @ForceInline
    static ConfinedSlotPool withFreeSlot(Thread thread) {
        ConfinedSlotPool pool = JLA.confinedSlotPool(thread);
        return (pool != null && pool.free != 0) ? pool : replenish(pool, thread);
    }

    @DontInline
    private static ConfinedSlotPool replenish(ConfinedSlotPool pool, Thread thread) {
        if (pool == null) {
            pool = create(thread);
        }
        if (pool.closed) {
            return null;
        }
        if (pool.uncleared == 0 && pool.created < pool.slots.length) {
            Slot slot = Slot.create();
            if (slot != null) {
                pool.uncleared = 1 << pool.created;
                pool.slots[pool.created++] = slot;
            }
        }
        if (pool.uncleared == 0) {
            return null;
        }
        int bit = Integer.lowestOneBit(pool.uncleared);
        pool.slots[Integer.numberOfTrailingZeros(bit)].clear(CAPACITY);
        pool.uncleared -= bit;
        pool.free += bit;
        return pool;
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
     * Takes a free slot from this pool.
     *
     * @param bit the slot's bit, from {@link #next}
     */
    @ForceInline
    Slot take(int bit) {
        Slot slot = slots[Integer.numberOfTrailingZeros(bit)];
        // An arena adds the bit when it is closed. C2 sees that the two cancel out.
        free -= bit;
        slot.used = 0; // It is, but now C2 knows.
        return slot;
    }

    // Shared slots.

    /**
     * {@return true if the thread is a virtual thread that is mounted on carriers}
     */
    @ForceInline
    static boolean needsShared(Thread thread) {
        return ContinuationSupport.isSupported() && thread.isVirtual();
    }

    /**
     * Claims a shared slot of the carrier.
     * Costs six dependent loads and an atomic exchange if the carrier's first shared slot is free.
     *
     * @return the slot, which the caller now owns, or null if there is none to be had
     */
    @ForceInline
    static Slot claim() {
        ConfinedSlotPool pool = JLA.confinedSlotPool(JLA.currentCarrierThread());
        if (pool != null) {
            Slot slot = pool.shared;
            if (slot != null && slot.claim()) {
                return slot;
            }
        }
        Slot slot = findShared();
        return slot != null && slot.claim() ? slot : null;
    }

    /** {@return a shared slot of the carrier that was free a moment ago, or null} */
    @DontInline
    private static Slot findShared() {
        // Pinned, so that no other virtual thread creates a pool for the carrier, or slots for its pool.
        Continuation.pin();
        try {
            Thread carrier = JLA.currentCarrierThread();
            ConfinedSlotPool pool = JLA.confinedSlotPool(carrier);
            if (pool == null) {
                pool = create(carrier);
            }
            for (Slot slot = pool.shared; slot != null; slot = slot.next) {
                if (slot.claimed == 0) {
                    return slot;
                }
            }
            synchronized (SHARING_LOCK) {
                return pool.replenishShared();
            }
        } finally {
            Continuation.unpin();
        }
    }

    private Slot replenishShared() {
        Slot slot = shared;
        while (slot != null && !slot.uncleared) {
            slot = slot.next;
        }
        if (slot == null) {
            slot = createShared();
        }
        if (slot != null) {
            slot.clearShared(CAPACITY);
            // No call between these: a stack overflow there would lose the slot.
            slot.uncleared = false;
            slot.claimed = 0;
        }
        return slot;
    }

    /** {@return a shared slot that is yet to be cleared, or null if there may be no more, or no memory is left} */
    private Slot createShared() {
        sweep();
        if (!sharing) {
            sharing = true;
            carriers++;
        }
        // Orphans count, too, so there may be fewer left for this pool.
        if (createdShared == ConfinedPoolProperties.DEPTH || sharedSlots == carriers * ConfinedPoolProperties.DEPTH) {
            return null;
        }
        Slot slot = Slot.create();
        if (slot != null) {
            slot.claimed = 1;
            slot.uncleared = true; // volatile: whoever sees the slot by a race sees that it is claimed
            if (shared == null) {
                shared = slot;
            } else {
                slot.next = shared.next;
                shared.next = slot;
            }
            createdShared++;
            sharedSlots++;
        }
        return slot;
    }

    // The end of the pool's thread.

    /** Guards the fields that follow. */
    private static final Object SHARING_LOCK = new Object();

    /** How many pools of threads that have not ended have shared slots. */
    private static int carriers;

    /** How many shared slots there are, orphans included: at most {@code DEPTH} for each carrier. */
    private static int sharedSlots;

    /** Shared slots whose pool's thread has ended, linked by {@link Slot#next}. */
    private static Slot orphans;

    /**
     * Frees the slots of the current platform thread, which is about to end. Arenas that it uses after this
     * allocate the regular way.
     */
    public void close() {
        closed = true;
        for (int i = 0; i < created; i++) {
            Slot slot = slots[i];
            if ((free & (1 << i)) != 0) {
                slot.freeReturned();
            } else if ((uncleared & (1 << i)) != 0 || slot.used == 0) {
                slot.free(); // with used 0, it was lost
            }
        }
        free = 0;
        if (sharing) {
            synchronized (SHARING_LOCK) {
                carriers--;
                for (Slot slot = shared; slot != null; ) {
                    Slot next = slot.next;
                    slot.next = orphans;
                    orphans = slot;
                    slot = next;
                }
                sweep();
            }
        }
    }

    /**
     * Frees the orphans that were returned. Done when a shared slot is created and when a carrier ends, so that the
     * return of a shared slot need not look whether its pool is still there.
     */
    private static void sweep() {
        Slot held = null; // the last one seen that stays
        for (Slot slot = orphans; slot != null; slot = slot.next) {
            boolean uncleared = slot.uncleared;
            // A claim that succeeds is for good: a virtual thread that still knows this slot cannot take it.
            if (uncleared || slot.claim()) {
                // Out of the list before it is freed: a stack overflow must not leave it there.
                if (held == null) {
                    orphans = slot.next;
                } else {
                    held.next = slot.next;
                }
                sharedSlots--;
                if (uncleared) {
                    slot.free();
                } else {
                    slot.freeReturned();
                }
            } else {
                held = slot;
            }
        }
    }

    /**
     * A slot: its memory, and how much of it is allocated.
     */
    static final class Slot {

        private static final long CLAIMED = UNSAFE.objectFieldOffset(Slot.class, "claimed");

        private final long base;
        final long address;

        /**
         * Of a shared slot: 0 while it is in the pool, otherwise 1. Changed to 1 by an atomic exchange, and to 0 by its
         * owner after a fence.
         */
        int claimed;

        /**
         * Of a shared slot that is claimed: true if it belongs to the pool, but is to be cleared before it is in the
         * pool. Changed to false only while {@link #SHARING_LOCK} is held.
         */
        volatile boolean uncleared;

        /** Of a shared slot: the next in the list that it is in. */
        private Slot next;

        /** Null unless slots are verified. */
        final ConfinedSlotVerifier verifier;

        /**
         * Bytes allocated so far, padding included. Bytes from here on are zero. Written only by the slot's owner.
         */
        long used;

        private Slot() {
            verifier = ConfinedPoolProperties.VERIFY ? new ConfinedSlotVerifier(this) : null;
            base = UNSAFE.allocateMemory(CAPACITY + Math.max(0, ALIGNMENT - SegmentFactories.MAX_MALLOC_ALIGN));
            address = (base + (ALIGNMENT - 1)) & -ALIGNMENT; // not by a call, which may overflow the stack
        }

        /** {@return a new slot that is yet to be cleared, or null if there is no memory for it} */
        private static Slot create() {
            try {
                return new Slot();
            } catch (OutOfMemoryError e) {
                return null;
            }
        }

        private void free() {
            UNSAFE.freeMemory(base);
        }

        /** Frees this slot, which was in a pool. */
        private void freeReturned() {
            if (ConfinedPoolProperties.VERIFY) {
                verifier.check();
            }
            free();
        }

        /** {@return true if the caller now owns this shared slot} */
        @ForceInline
        private boolean claim() {
            return UNSAFE.getAndSetInt(this, CLAIMED, 1) == 0;
        }

        /**
         * {@return true if an allocation fits a slot that has none yet, wherever the slot's memory is}
         * One of no bytes does not: its address is to be unlike all others, which takes a byte.
         */
        @ForceInline
        static boolean fitsEmpty(long byteSize, long byteAlignment) {
            return byteSize > 0 && byteAlignment <= SIZE
                    && byteSize <= SIZE - Math.max(0, byteAlignment - ALIGNMENT);
        }

        /**
         * {@return true if there is room for an allocation}
         */
        @ForceInline
        boolean fits(long byteSize, long byteAlignment) {
            return byteSize > 0 && byteAlignment <= SIZE && byteSize <= SIZE - start(byteAlignment);
        }

        /**
         * {@return the address of a newly allocated, cleared block that {@link #fits}}
         *
         * @param byteSize      size in bytes
         * @param byteAlignment alignment in bytes, a power of two
         */
        @ForceInline
        long allocate(long byteSize, long byteAlignment) {
            long start = start(byteAlignment);
            long end = Utils.alignUp(start + byteSize, GRAIN) + ConfinedSlotVerifier.GUARD_SIZE;
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
         * Clears what was allocated from this slot. Up to 64 bytes take at most eight stores in a straight line, some
         * of which overlap; more take a loop that C2 vectorizes.
         *
         * @param byteCount how much was allocated: a multiple of {@link #GRAIN}, not 0
         */
        @ForceInline
        void clear(long byteCount) {
            if (byteCount > 64) {
                clearLoop((int) byteCount);
                return;
            }
            clearLong(0);
            if (byteCount > 8) {
                clearLong(8);
                clearLong(byteCount - 8);
                if (byteCount > 24) {
                    clearLong(16);
                    clearLong(24);
                    clearLong(byteCount - 32);
                    clearLong(byteCount - 24);
                    clearLong(byteCount - 16);
                }
            }
        }

        /** As {@link #clear}, and whoever then sees that this shared slot is returned sees it cleared. */
        @ForceInline
        void clearShared(long byteCount) {
            clear(byteCount);
            UNSAFE.storeFence();
        }

        @ForceInline
        private void clearLoop(int byteCount) {
            for (int offset = 0; offset < byteCount; offset += Long.BYTES) {
                clearLong(offset);
            }
        }

        @ForceInline
        private void clearLong(long offset) {
            UNSAFE.putLong(null, address + offset, 0L);
        }
    }
}
