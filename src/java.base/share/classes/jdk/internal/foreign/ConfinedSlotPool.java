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
import jdk.internal.vm.annotation.Contended;
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
 * <li>A slot has at most one owner: a pool or an arena. It is in the pool while {@link Slot#claimed} is 0. Only the
 *     pool's thread claims own slots, and only virtual threads mounted on it claim shared ones. So a virtual thread that
 *     has not left its carrier since it saw that a slot was in the pool, see {@link #departures}, owns the slot when it
 *     has stored a 1. If it has left, it does not own the slot, and the slot may be lost. Slots that are
 *     {@link Slot#uncleared} belong to the pool, too.</li>
 * <li>All bytes of a slot in a pool are zero, and its {@link Slot#used} is 0. So nothing written through one arena
 *     can be read through another, and an arena need not clear what it hands out.</li>
 * <li>A pool creates at most {@link ConfinedPoolProperties#DEPTH} own slots, whether or not they come back. There are
 *     at most as many shared slots for each carrier, counting those of carriers that have ended.</li>
 * <li>When the pool's thread ends, its slots are freed, except those that arenas hold. A slot held by a virtual
 *     thread's arena is freed after it was returned, see {@link #sweep}. A slot held by an arena that the ending
 *     thread did not close is never freed, like all memory of such an arena.</li>
 * <li>No failure makes two owners of one, or lets anybody see what is not cleared. A stack overflow does not lose a
 *     slot either, since nothing is called between claiming a slot and noting it in the arena, and nothing when it is
 *     handed back uncleared. An asynchronous exception at such a point may lose the slot: nobody uses it again. If it
 *     is an own slot, it is freed when the pool's thread ends: it is one that is claimed although its {@code used}
 *     is 0.</li>
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

    /** The bytes that a slot takes, without what it takes to align it: a multiple of {@link #ALIGNMENT}. */
    static final int CAPACITY = (Math.max(SIZE, GRAIN) + ConfinedSlotVerifier.GUARD_SIZE + ALIGNMENT - 1) & -ALIGNMENT;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final JavaLangAccess JLA = SharedSecrets.getJavaLangAccess();

    /** The own slots, linked by {@link Slot#next}, the newest first: it is the one most likely to be free. */
    private Slot own;

    /** The shared slots, linked in the same way. */
    private Slot shared;

    /** How often a virtual thread has left the pool's thread. Written only by the pool's thread. */
    private int departures;

    /** Whether this pool is counted in {@link #carriers}. */
    private boolean sharing;

    /** True when the pool's thread has ended. */
    private boolean closed;

    private ConfinedSlotPool() {}

    private static ConfinedSlotPool create(Thread thread) {
        ConfinedSlotPool pool = new ConfinedSlotPool();
        JLA.setConfinedSlotPool(thread, pool);
        return pool;
    }

    /**
     * {@return true if the thread is a virtual thread that is mounted on carriers}
     *
     * @param thread the current thread
     */
    @ForceInline
    static boolean needsShared(Thread thread) {
        return ContinuationSupport.isSupported() && thread.isVirtual();
    }

    // Own slots. All of this is for the pool's thread only.

    /**
     * {@return an own slot of the current thread, which the caller now owns, or null if there is none to be had}
     * Costs five dependent loads and two stores if the thread's newest slot is free. What is stored does not depend on
     * what was stored before, so the next arena need not wait for this one.
     *
     * @param thread the current thread, which is not mounted on another
     */
    @ForceInline
    static Slot claimOwn(Thread thread) {
        ConfinedSlotPool pool = JLA.confinedSlotPool(thread);
        Slot slot = pool == null ? null : pool.own;
        while (slot != null && slot.claimed != 0) {
            slot = slot.next;
        }
        if (slot == null) {
            slot = replenish(pool, thread);
        }
        if (slot != null) {
            slot.claimed = 1;
            slot.used = 0; // It is, but now C2 knows.
        }
        return slot;
    }

    /** {@return an own slot that is in the pool now, or null if there may be no more, or no memory is left} */
    @DontInline
    private static Slot replenish(ConfinedSlotPool pool, Thread thread) {
        if (pool == null) {
            pool = create(thread);
        }
        if (pool.closed) {
            return null;
        }
        Slot slot = Slot.firstUncleared(pool.own);
        if (slot == null && Slot.count(pool.own) < ConfinedPoolProperties.DEPTH) {
            slot = Slot.create(pool.own);
            if (slot != null) {
                pool.own = slot;
            }
        }
        if (slot != null) {
            slot.reclaim();
        }
        return slot;
    }

    // Shared slots.

    /**
     * {@return a shared slot of the carrier, which the caller now owns, or null if there is none to be had}
     */
    @ForceInline
    static Slot claimShared() {
        Slot slot = tryClaimShared();
        return slot == null && replenishShared() ? tryClaimShared() : slot;
    }

    /**
     * {@return a shared slot of the carrier, which the caller now owns, or null if none was found}
     * Costs eight loads and two stores if the carrier's newest shared slot is free. The virtual thread may leave its
     * carrier between any two steps: before the first load of {@code departures} the comparison of the carriers would
     * show it, and after that the second load would.
     */
    @ForceInline
    private static Slot tryClaimShared() {
        Thread carrier = JLA.currentCarrierThread();
        ConfinedSlotPool pool = JLA.confinedSlotPool(carrier);
        if (pool == null) {
            return null;
        }
        int departures = pool.departures;
        if (JLA.currentCarrierThread() != carrier) {
            return null;
        }
        Slot slot = pool.shared;
        while (slot != null && slot.claimed != 0) {
            slot = slot.next;
        }
        if (slot == null) {
            return null;
        }
        // Whoever returned the slot, on whatever carrier, has cleared it before.
        UNSAFE.loadFence();
        // No call from here on: a stack overflow there would lose the slot.
        slot.claimed = 1;
        if (pool.departures != departures) {
            return null;
        }
        slot.used = 0; // It is, but now C2 knows.
        return slot;
    }

    /**
     * Notes that the current virtual thread leaves the pool's thread, its carrier.
     */
    public void depart() {
        departures++;
    }

    /** {@return true if a shared slot of the carrier was in the pool a moment ago} */
    @DontInline
    private static boolean replenishShared() {
        // Pinned, so that no other virtual thread creates a pool for the carrier, or slots for its pool.
        Continuation.pin();
        try {
            Thread carrier = JLA.currentCarrierThread();
            ConfinedSlotPool pool = JLA.confinedSlotPool(carrier);
            if (pool == null) {
                pool = create(carrier);
            }
            synchronized (SHARING_LOCK) {
                Slot slot = Slot.firstUncleared(pool.shared);
                if (slot == null) {
                    slot = pool.createShared();
                }
                if (slot != null) {
                    slot.reclaim();
                }
                return slot != null;
            }
        } finally {
            Continuation.unpin();
        }
    }

    /** {@return a shared slot that is uncleared, or null if there may be no more, or no memory is left} */
    private Slot createShared() {
        sweep();
        if (!sharing) {
            sharing = true;
            carriers++;
        }
        // Orphans count, too, so there may be fewer left for this pool.
        if (Slot.count(shared) == ConfinedPoolProperties.DEPTH
                || sharedSlots >= carriers * ConfinedPoolProperties.DEPTH) {
            return null;
        }
        Slot slot = Slot.create(shared);
        if (slot != null) {
            sharedSlots++; // first, so that a failure makes them too few and not too many
            shared = slot;
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
        Slot slot = own;
        own = null;
        for (; slot != null; slot = slot.next) {
            // With used 0, it is in the pool, uncleared, or lost.
            if (slot.used == 0) {
                slot.free();
            }
        }
        if (sharing) {
            synchronized (SHARING_LOCK) {
                carriers--;
                for (slot = shared; slot != null; ) {
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
            // One that is in a pool stays there: virtual threads that still know it are not on its carrier.
            if (slot.claimed != 0 && !slot.uncleared) {
                held = slot;
                continue;
            }
            UNSAFE.loadFence();
            // Out of the list before it is freed: a stack overflow must not leave it there.
            if (held == null) {
                orphans = slot.next;
            } else {
                held.next = slot.next;
            }
            sharedSlots--;
            slot.free();
        }
    }

    /**
     * A slot: its memory, and how much of it is allocated.
     */
    @Contended // each is written with every arena, and the collector may move those of two threads together
    static final class Slot {

        private final long base;

        /** Where the slot starts: aligned to {@link #ALIGNMENT}. */
        final long address;

        /**
         * 0 while this slot is in a pool, otherwise 1. Of a shared slot, changed to 0 after a fence, as it may be claimed
         * on another carrier's processor next.
         */
        int claimed;

        /**
         * True if this slot, although it is claimed, belongs to the pool: it is new, or the arena that had it could not
         * clear it. Of a shared slot, changed to false only while {@link #SHARING_LOCK} is held.
         */
        volatile boolean uncleared;

        /** The next in the list that this slot is in. */
        private Slot next;

        /** Null unless slots are verified. */
        final ConfinedSlotVerifier verifier;

        /** Bytes allocated so far, padding included. Bytes from here on are zero. Written only by the slot's owner. */
        long used;

        private Slot(Slot next) {
            this.next = next;
            claimed = 1;
            uncleared = true;
            verifier = ConfinedPoolProperties.VERIFY ? new ConfinedSlotVerifier(this) : null;
            base = UNSAFE.allocateMemory(CAPACITY + Math.max(0, ALIGNMENT - SegmentFactories.MAX_MALLOC_ALIGN));
            address = (base + (ALIGNMENT - 1)) & -ALIGNMENT; // not by a call, which may overflow the stack
        }

        /**
         * {@return a new slot that is uncleared, or null if there is no memory for it}
         * It may be found by a race once it is in a list: its final fields see to it that the others are seen, too.
         */
        private static Slot create(Slot next) {
            try {
                return new Slot(next);
            } catch (OutOfMemoryError e) {
                return null;
            }
        }

        private static int count(Slot list) {
            int count = 0;
            for (Slot slot = list; slot != null; slot = slot.next) {
                count++;
            }
            return count;
        }

        private static Slot firstUncleared(Slot list) {
            Slot slot = list;
            while (slot != null && !slot.uncleared) {
                slot = slot.next;
            }
            return slot;
        }

        /** Puts this slot, which is uncleared, into the pool. */
        private void reclaim() {
            clear(CAPACITY);
            UNSAFE.storeFence();
            // No call between these: a stack overflow there would lose the slot.
            uncleared = false;
            claimed = 0;
        }

        private void free() {
            if (ConfinedPoolProperties.VERIFY && claimed == 0) {
                verifier.check();
            }
            UNSAFE.freeMemory(base);
        }

        /**
         * {@return true if an allocation fits a slot that has none yet, wherever the slot's memory is}
         * One of no bytes does not: its address is to be unlike all others, which takes a byte.
         *
         * @param byteSize      size in bytes
         * @param byteAlignment alignment in bytes, a power of two
         */
        @ForceInline
        static boolean fitsEmpty(long byteSize, long byteAlignment) {
            return byteSize > 0 && byteAlignment <= SIZE
                    && byteSize <= SIZE - Math.max(0, byteAlignment - ALIGNMENT);
        }

        /**
         * {@return true if there is room for an allocation}
         *
         * @param byteSize      size in bytes
         * @param byteAlignment alignment in bytes, a power of two
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
         * Clears what was allocated from this slot. Up to 64 bytes take at most eight stores in a straight line, some of
         * which overlap. More take a loop over whole cache lines, which C2 vectorizes: what is before offset 56 is stored
         * apart, so that after the one step that C2 always takes by itself its vectors are aligned and leave no rest.
         * No helper method for the straight line: each call would be inlined, but takes C2's nodes while it decides what
         * else to inline.
         *
         * @param byteCount how much was allocated: a multiple of {@link #GRAIN}
         */
        @ForceInline
        void clear(long byteCount) {
            if (byteCount > 64) {
                clearLines((int) byteCount);
                return;
            }
            long start = address;
            long end = start + byteCount;
            UNSAFE.putLong(null, start, 0L);
            if (byteCount > 8) {
                UNSAFE.putLong(null, start + 8, 0L);
                UNSAFE.putLong(null, end - 8, 0L);
                if (byteCount > 24) {
                    UNSAFE.putLong(null, start + 16, 0L);
                    UNSAFE.putLong(null, start + 24, 0L);
                    UNSAFE.putLong(null, end - 32, 0L);
                    UNSAFE.putLong(null, end - 24, 0L);
                    UNSAFE.putLong(null, end - 16, 0L);
                }
            }
        }

        @ForceInline
        private void clearLines(int byteCount) {
            long start = address;
            UNSAFE.putLong(null, start, 0L);
            UNSAFE.putLong(null, start + 8, 0L);
            UNSAFE.putLong(null, start + 16, 0L);
            UNSAFE.putLong(null, start + 24, 0L);
            UNSAFE.putLong(null, start + 32, 0L);
            UNSAFE.putLong(null, start + 40, 0L);
            UNSAFE.putLong(null, start + 48, 0L);
            // More than 64 bytes are allocated only from slots that are whole cache lines, see CAPACITY.
            int end = (byteCount + 63) & -64;
            for (int offset = 56; offset < end; offset += Long.BYTES) {
                UNSAFE.putLong(null, start + offset, 0L);
            }
        }
    }
}
