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
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationSupport;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The slots of one platform thread. Confined arenas serve their small allocations from them without {@code malloc} and
 * {@code free}.
 * <p>
 * An arena takes a slot when it first allocates {@link #SIZE} bytes or less, and returns it when it is closed. They may be
 * closed in any order. There are three kinds of free slots:
 * <ul>
 * <li>Slots in {@linkplain ConfinedSlot places} are for arenas of the pool's thread. The pool is the first of at most
 *     {@link ConfinedPoolProperties#DEPTH} places. An arena takes the first free slot. If an arena keeps a slot while many
 *     others pass, then the slot leaves its place for good, and another slot takes the place. So arenas that stay open do
 *     not make others slower. Once {@code DEPTH} large slots have left, places get small ones only. So arenas that stay
 *     open and need little hold little.</li>
 * <li>The {@link #spare} slot is for virtual threads that the pool's thread carries. An arena takes it out. It becomes the
 *     spare slot of the carrier on which the arena is closed.</li>
 * <li>The {@link #free} slots are for both, when no place is free or there is no spare slot.</li>
 * </ul>
 * A new slot is small. A slot that was too small for an arena is replaced by a larger one when the arena is closed.
 * <p>
 * Invariants, after those of {@link ConfinedBlock}:
 * <ol start="3">
 * <li>One thread at a time uses a pool: its own thread while no virtual thread is mounted on it, or the mounted virtual
 *     thread. A virtual thread pins itself while it takes a slot: otherwise another one, mounted meanwhile, could take the
 *     same slot. It does not pin itself while it stores {@link #spare}. An unmount between the test for 0 and the store
 *     could lose a slot, but give it no second owner. None happens, since there is no call between.</li>
 * <li>Slots in places and free slots have at most {@code SIZE * (DEPTH + 1)} bytes together and one header, and a carrier has
 *     one spare slot more. Slots that have left the pool do not count.</li>
 * <li>When the pool's thread ends, its free slots are freed. A slot of an arena that the thread did not close is never freed,
 *     as the stock JDK never frees the memory of such an arena.</li>
 * <li>No failure can give a slot two owners or expose uncleared bytes. A stack overflow or another error while
 *     an arena is closed loses no slot that is in a place. It may lose others, as the stock JDK may lose an arena's
 *     memory. An asynchronous exception may lose any slot.</li>
 * <li>Arenas are opened early in boot. Nothing here needs {@code java.lang.invoke}, and no class is initialized before an
 *     arena needs it.</li>
 * </ol>
 */
public final class ConfinedSlotPool extends ConfinedSlot {

    /** The most bytes of a slot: a power of two, or 0 when pooling is off. */
    static final int SIZE = ConfinedPoolProperties.SIZE;

    /** The most bytes of a small slot, which any arena may take. */
    private static final int SMALL = 512;

    /** An arena takes a larger slot if it first allocates 1 / SHARE of it or more. With less it may borrow one. */
    private static final int SHARE = 8;

    /** The place of a slot that an arena borrows. A slot that an arena of a virtual thread owns has none: 0. */
    private static final int BORROWED = 1;

    /** The place of a slot that left its place and is not small. A slot that an arena took without place has none: 0. */
    private static final int LEFT = 1;

    /** The most that {@link #kept} counts: one slot more than the places have, and its header. */
    private static final int MAX_KEPT = SIZE * (ConfinedPoolProperties.DEPTH + 1) + ConfinedBlock.ALIGNMENT;

    private static final JavaLangAccess JLA = SharedSecrets.getJavaLangAccess();

    /** The places, in the order in which arenas look for a free slot, and null for those not there. The first is this pool. */
    private final ConfinedSlot[] places = new ConfinedSlot[ConfinedPoolProperties.DEPTH + 1];

    /** A free slot for the next arena of a virtual thread, or 0. */
    private long spare;

    /** Free slots, linked, the one that was put there last first; or 0. */
    private long free;

    /** How many slots were borrowed here, less those that were returned here: negative where arenas moved to. */
    private int lent;

    /** How many slots that are not small have left their places, less those of them whose arenas are closed. */
    private int left;

    /** The bytes of {@link #free} with headers, and of the slots in places, of which the first counts as {@link #SIZE}. */
    private int kept = SIZE;

    private ConfinedSlotPool() {
        super(0);
        places[0] = this;
    }

    /** {@return the pool of a thread, or null if it has none: yet, no more, or because it is carried} */
    @ForceInline
    static ConfinedSlotPool of(Thread thread) {
        return JLA.confinedSlotPool(thread);
    }

    /** {@return true if the given current thread is a virtual thread that is mounted on carriers} */
    @ForceInline
    static boolean isCarried(Thread thread) {
        return ContinuationSupport.isSupported() && thread.isVirtual();
    }

    /** {@return a new pool for {@code thread}, the current one or its carrier, or null if that is about to end} */
    @DontInline
    static ConfinedSlotPool create(Thread thread) {
        ConfinedSlotPool pool = new ConfinedSlotPool();
        return JLA.setConfinedSlotPool(thread, pool) ? pool : null;
    }

    /**
     * {@return a place whose slot is free, or null if there is none} The first place has no free slot. A nest of two does without
     * a call; more of this in its caller would keep C2 from inlining that.
     *
     * @param pool     the pool of the current platform thread, null if it has none yet
     * @param byteSize how much the arena allocates at first, in bytes
     * @throws OutOfMemoryError if there is no memory for a new slot
     */
    @ForceInline
    static ConfinedSlot nextFree(ConfinedSlotPool pool, int byteSize) {
        if (pool == null) {
            return firstOfNewPool(byteSize);
        }
        ConfinedSlot second = pool.places[1];
        return second != null && second.claimed == 0 && !pool.pass() ? second : pool.findFree(byteSize);
    }

    @DontInline
    private static ConfinedSlot firstOfNewPool(int byteSize) {
        ConfinedSlotPool pool = create(Thread.currentThread());
        return pool == null ? null : pool.replace(pool, byteSize);
    }

    // One more arena passes the slot in the place before the free one. That place gets another slot when it is too many.
    @DontInline
    private ConfinedSlot findFree(int byteSize) {
        ConfinedSlot[] places = this.places;
        int index = 1;
        ConfinedSlot place = places[1];
        while (place != null && place.claimed != 0) {
            place = places[++index];
        }
        if (places[index - 1].pass()) {
            return replace(places[index - 1], byteSize);
        }
        return place != null ? place : index < ConfinedPoolProperties.DEPTH ? add(index, byteSize) : null;
    }

    /** {@return the place, which now has a free slot} */
    @DontInline
    private ConfinedSlot replace(ConfinedSlot place, int byteSize) {
        if (place.claimed >= UNCLEARED && place.address != 0) {
            place.release(ConfinedBlock.limit(place.address));
        } else {
            long slot = take(left < ConfinedPoolProperties.DEPTH ? byteSize : Math.min(byteSize, SMALL / SHARE));
            if (place.address != 0 && place.capacity > SMALL) {
                ConfinedBlock.setPlace(place.address & -ConfinedBlock.ALIGNMENT, LEFT);
                left++;
            }
            keep(place, slot);
        }
        return place;
    }

    @DontInline
    private ConfinedSlot add(int index, int byteSize) {
        ConfinedSlot place = new ConfinedSlot(index);
        places[index] = place;
        return replace(place, byteSize);
    }

    /** Puts a slot into a place. */
    private void keep(ConfinedSlot place, long slot) {
        int growth = place == this ? 0 : ConfinedBlock.capacity(slot) - place.capacity;
        place.place(slot);
        kept += growth;
        while (kept > MAX_KEPT && free != 0) {
            ConfinedBlock.free(pop());
        }
    }

    /** {@return the place of a slot in the pool of its arena's owner, or null if it has none or is {@link #LINKED}} */
    @ForceInline
    static ConfinedSlot placeOf(Thread owner, long slot) {
        ConfinedSlotPool pool = of(owner);
        if (pool == null || slot == pool.address) {
            return pool;
        }
        ConfinedSlot place = pool.places[ConfinedBlock.place(slot)];
        return place != null && place.address == slot ? place : null;
    }

    /**
     * {@return a slot that is in no place, for an arena that first allocates {@code byteSize} bytes}
     *
     * @throws OutOfMemoryError if there is no memory for a new slot
     */
    @DontInline
    static long takeFree(Thread thread, int byteSize) {
        ConfinedSlotPool pool = of(thread);
        return pool == null ? ConfinedBlock.create(byteSize, byteSize) : pool.take(byteSize);
    }

    private long take(int byteSize) {
        return free != 0 && suits(free, byteSize) ? pop() : ConfinedBlock.create(byteSize, byteSize);
    }

    /** {@return a slot for an arena of the current thread that began with what is larger, see {@link #takeFree}} */
    static long takeAny(int byteSize) {
        Thread owner = Thread.currentThread();
        if (isCarried(owner)) {
            return takeCarried(byteSize);
        }
        if (of(owner) == null) {
            create(owner);
        }
        return takeFree(owner, byteSize);
    }

    /** {@return a free slot for at least {@code byteSize} more bytes of an arena of the current thread, or 0} */
    static long takeLarger(int byteSize) {
        boolean carried = isCarried(Thread.currentThread());
        long slot = 0;
        if (carried) {
            Continuation.pin();
        }
        try {
            ConfinedSlotPool pool = of(JLA.currentCarrierThread());
            if (pool == null) {
                // none to take
            } else if (pool.spare != 0 && suitsAll(pool.spare, byteSize)) {
                slot = pool.spare;
                pool.spare = 0;
            } else if (pool.free != 0 && suitsAll(pool.free, byteSize)) {
                slot = pool.pop();
            }
        } catch (VirtualMachineError e) {
            // a stack overflow, which the caller has in the next call
        }
        if (carried) {
            Continuation.unpin();
        }
        return slot;
    }

    private static boolean suitsAll(long slot, int byteSize) {
        return ConfinedBlock.capacity(slot) >= byteSize && suits(slot, byteSize);
    }

    /** Prepares an arena's last block, which belongs to the current thread, for blocks that are linked behind it. */
    static void beforeLink(long block) {
        ConfinedSlot place = placeOf(Thread.currentThread(), block);
        if (place != null) {
            place.address += LINKED;
        }
    }

    private long pop() {
        long slot = free;
        long next = ConfinedBlock.link(slot);
        int size = freeSize(slot);
        ConfinedBlock.setLink(slot, 0);
        free = next;
        kept -= size;
        return slot;
    }

    /** {@return what a free slot counts as, in bytes} */
    private static int freeSize(long slot) {
        return ConfinedBlock.capacity(slot) + ConfinedBlock.ALIGNMENT;
    }

    // A held arena keeps its slot. So an arena that first allocates little takes no large slot. It may borrow one of DEPTH.
    @ForceInline
    private static boolean suits(long slot, int byteSize) {
        int capacity = ConfinedBlock.capacity(slot);
        return capacity <= SMALL || capacity <= SHARE * byteSize;
    }

    /**
     * Keeps linked slots; the next arena gets the last of them. They displace other free slots, down to one of the size of the
     * first of them: so the free slots follow the sizes in use.
     *
     * @return slots that are too many, linked, or 0 if there is none
     */
    private long put(long slots) {
        int size = 0;
        for (long slot = slots; slot != 0; slot = ConfinedBlock.link(slot)) {
            size += freeSize(slot);
        }
        long surplus = 0;
        while (kept + size > MAX_KEPT && free != 0 && freeSize(free) != freeSize(slots)) {
            long other = pop();
            ConfinedBlock.setLink(other, surplus);
            surplus = other;
        }
        for (long next, slot = slots; slot != 0; slot = next) {
            next = ConfinedBlock.link(slot);
            size = freeSize(slot);
            ConfinedBlock.setPlace(slot, 0);
            if (kept + size <= MAX_KEPT) {
                ConfinedBlock.setLink(slot, free);
                free = slot;
                kept += size;
            } else {
                ConfinedBlock.setLink(slot, surplus);
                surplus = slot;
            }
        }
        return surplus;
    }

    /** Takes back the blocks of an arena that its owner has closed. {@code used} bytes of the last one are allocated. */
    @DontInline
    static void release(Thread owner, long block, int used) {
        ConfinedSlotPool pool = of(owner);
        long first = ConfinedBlock.first(block);
        ConfinedSlot place = pool == null ? null : pool.places[ConfinedBlock.place(first)];
        if (place != null && (place.address & -ConfinedBlock.ALIGNMENT) != first) {
            place = null;
        }
        if (place != null) {
            // Its slot may be freed, and an error may come before it has another one.
            place.address = 0;
            place.claimed = UNCLEARED;
        }
        int capacity = ConfinedBlock.capacity(first);
        if (pool != null && place == null && ConfinedBlock.place(first) != 0 && capacity > SMALL && capacity <= SIZE) {
            pool.left--;
        }
        long slots = ConfinedBlock.collapse(block, used);
        // A place gets the largest one, so no arena needs the others. Or it stays empty, and the next arena gets a small one.
        if (place != null && (pool.left < ConfinedPoolProperties.DEPTH || ConfinedBlock.capacity(slots) <= SMALL)) {
            ConfinedBlock.freeAll(ConfinedBlock.link(slots));
            ConfinedBlock.setLink(slots, 0);
            pool.keep(place, slots);
        } else {
            ConfinedBlock.freeAll(pool == null ? slots : pool.put(slots));
        }
    }

    /**
     * {@return what {@link #takeFree} returns, from the carrier's pool} Costs six dependent loads, a store and a pin if the
     * spare slot suits.
     *
     * @throws OutOfMemoryError if there is no memory for a new slot
     */
    @ForceInline
    static long takeCarried(int byteSize) {
        long slot = 0;
        VirtualMachineError failure = null;
        Continuation.pin();
        try {
            slot = takePinned(byteSize);
        } catch (VirtualMachineError e) {
            failure = e; // not in a finally clause: after a stack overflow unpin would overflow there
        }
        Continuation.unpin();
        if (failure != null) {
            throw failure;
        }
        return slot;
    }

    @ForceInline
    private static long takePinned(int byteSize) {
        ConfinedSlotPool pool = of(JLA.currentCarrierThread());
        long slot = pool == null ? 0 : pool.spare;
        if (slot == 0 || !suits(slot, byteSize)) {
            return takeOther(byteSize);
        }
        pool.spare = 0;
        return slot;
    }

    @DontInline
    private static long takeOther(int byteSize) {
        Thread carrier = JLA.currentCarrierThread();
        ConfinedSlotPool pool = of(carrier);
        if (pool == null) {
            pool = create(carrier);
        }
        return pool == null ? ConfinedBlock.create(byteSize, byteSize) : pool.takeOrBorrow(byteSize);
    }

    // The caller found no spare slot that suits. An arena that first asks for little may ask for more later.
    private long takeOrBorrow(int byteSize) {
        long slot = spare != 0 ? spare : free;
        if (slot == 0 || suits(slot, byteSize) || lent >= ConfinedPoolProperties.DEPTH) {
            return take(byteSize);
        }
        if (slot == spare) {
            spare = 0;
        } else {
            pop();
        }
        ConfinedBlock.setPlace(slot, BORROWED);
        lent++;
        return slot;
    }

    /**
     * As {@link #release}, by a virtual thread. Costs six dependent loads and a store if the arena has one block that is
     * not borrowed, and the carrier has no spare slot.
     */
    @ForceInline
    static void releaseCarried(long block, int used) {
        int uncleared = used;
        if (ConfinedBlock.isPlain(block)) {
            ConfinedBlock.clear(block, used);
            uncleared = 0;
            ConfinedSlotPool pool = of(JLA.currentCarrierThread());
            if (pool != null && pool.spare == 0) {
                pool.spare = block;
                return;
            }
        }
        releaseOther(block, uncleared);
    }

    // Nothing is freed while pinned: verify mode may block there.
    @DontInline
    private static void releaseOther(long block, int uncleared) {
        int borrowed = ConfinedBlock.place(ConfinedBlock.first(block));
        long slots = ConfinedBlock.collapse(block, uncleared);
        if (slots == 0) {
            return;
        }
        long surplus = 0;
        Continuation.pin();
        try {
            surplus = putCarried(slots, borrowed);
        } catch (VirtualMachineError e) {
            // these slots are lost
        }
        Continuation.unpin();
        ConfinedBlock.freeAll(surplus);
    }

    // The spare slot becomes the one that was used last, so that what asks for little next finds a small one. What is returned
    // by carriers other than the lender counts for these, up to a bound.
    private static long putCarried(long slots, int borrowed) {
        ConfinedSlotPool pool = of(JLA.currentCarrierThread());
        if (pool == null) {
            return slots;
        }
        pool.lent = Math.max(pool.lent - borrowed, -ConfinedPoolProperties.DEPTH);
        long others = ConfinedBlock.link(slots);
        ConfinedBlock.setLink(slots, 0);
        ConfinedBlock.setPlace(slots, 0);
        long before = pool.spare;
        pool.spare = slots;
        if (before != 0) {
            ConfinedBlock.setLink(before, others);
            others = before;
        }
        return pool.put(others);
    }

    /** Frees the slots of the current platform thread, which is about to end and has no pool any more. */
    public void close() {
        for (ConfinedSlot place : places) {
            if (place != null && place.address != 0 && (place.claimed == 0 || place.claimed >= UNCLEARED)) {
                ConfinedBlock.free(place.address);
            }
        }
        while (free != 0) {
            ConfinedBlock.free(pop());
        }
        if (spare != 0) {
            ConfinedBlock.free(spare);
        }
    }
}
