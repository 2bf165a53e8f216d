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
import jdk.internal.vm.annotation.Contended;
import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * The slots of one platform thread. Confined arenas serve their small allocations from them without {@code malloc} and
 * {@code free}.
 * <p>
 * An arena takes a slot when it first allocates {@link #SIZE} bytes or less, and returns it when it is closed. They may be
 * closed in any order. A pool has:
 * <ul>
 * <li>A <em>place</em> for the slot of one arena of the pool's thread. The slot stays there while the arena has it. Opening and
 *     closing the arena store constants into {@link #claimed}, so that the next arena need not wait for them. If an arena
 *     keeps the slot while many others pass, or allocates more than a slot has, then the slot leaves the place for another one.
 *     So arenas that stay open do not make others slower. Once a large slot has left, the place gets small ones only, until
 *     that is free. So an arena that stays open and needs little holds a small slot at most, but for one of a thread.</li>
 * <li>Two <em>stacks</em> of free slots, of small and of large ones. Arenas that do not get the place take a slot out of them, and
 *     return it. The <em>spare</em> slot is the top of the small ones. Virtual threads use no place, but the stacks of their
 *     carriers: they return a slot to the carrier on which the arena is closed.</li>
 * </ul>
 * A new slot is as large as what the arena allocates first. One that was too small is replaced when the arena is closed.
 * <p>
 * Invariants, after those of {@link ConfinedBlock}:
 * <ol start="3">
 * <li>One thread at a time uses a pool: its own thread while no virtual thread is mounted on it, or the mounted virtual
 *     thread. A virtual thread pins itself meanwhile: otherwise another one, mounted then, could take the same slot. It does
 *     not pin itself to store {@link #spare}. An unmount between the test for 0 and the store could lose a slot, but give it
 *     no second owner. None happens, since there is no call between.</li>
 * <li>A pool keeps at most {@code DEPTH} large slots, {@link #MAX_SMALL} small ones, and that in the place.</li>
 * <li>When the pool's thread ends, its free slots are freed. A slot of an arena that the thread did not close is never freed,
 *     as the stock JDK never frees the memory of such an arena.</li>
 * <li>No failure can give a slot two owners or expose uncleared bytes. A stack overflow or another error may lose slots, or leave
 *     a virtual thread pinned, as in the stock JDK; but not lose the slot in the place while an arena is closed that has no other
 *     block. An asynchronous exception may lose any slot.</li>
 * <li>Arenas are opened early in boot. So nothing here needs {@code java.lang.invoke}.</li>
 * <li>What allocates on the heap may run any code: an agent may be told of the allocation, and open arenas. So no state of a
 *     pool that was read before an allocation is used after it. Compiled code reads it again only in a method that is not
 *     inlined.</li>
 * </ol>
 */
@Contended // written with every arena, and the collector may move the pools of two threads together
public final class ConfinedSlotPool {

    /** The most bytes of a slot: a power of two, or 0 when pooling is off. */
    static final int SIZE = ConfinedPoolProperties.SIZE;

    /** The most bytes of a small slot, which any arena may take. */
    static final int SMALL = 512;

    /** How many large slots are kept. */
    private static final int DEPTH = ConfinedPoolProperties.DEPTH;

    /** How many small slots are kept, with the spare one: so many for each large one, if these have no more bytes. */
    private static final int SMALL_PER_LARGE = 16;
    private static final int MAX_SMALL = DEPTH * Math.clamp(SIZE / SMALL, 1, SMALL_PER_LARGE);

    /** An arena takes a large slot if it allocates 1 / SHARE of it or more. */
    private static final int SHARE = 8;

    /** So many arenas, and one for each 64 bytes of it, pass a slot that is held before it leaves the place. */
    private static final int PASSES = 16;

    /** From this value of {@link #claimed} on no arena has the slot, but it is not cleared, or there is none. */
    static final int UNCLEARED = 1 << 30;

    private static final long[] NONE = {};

    private static final JavaLangAccess JLA = SharedSecrets.getJavaLangAccess();

    /** The slot in the place, or 0 if there is none. */
    long address;

    /** 0 if that is free; 1 if an arena has it, plus 1 for each that passed it; or at least {@link #UNCLEARED}. */
    int claimed = UNCLEARED;

    /** The large slot that left the place, until its arena is closed, or 0. */
    private long held;

    private long spare;
    private int smallCount;
    private int largeCount;
    private long[] small = NONE;
    private long[] large = NONE;

    private ConfinedSlotPool() {}

    /** {@return the pool of a thread, or null if it has none: yet, no more, or because it is carried} */
    @ForceInline
    static ConfinedSlotPool of(Thread thread) {
        return JLA.confinedSlotPool(thread);
    }

    // True for virtual threads, but not on ports without continuations.
    @ForceInline
    private static boolean isCarried(Thread thread) {
        return ContinuationSupport.isSupported() && thread.isVirtual();
    }

    // The pool that the current thread may use while it is pinned, or null if its carrier is about to end.
    private static ConfinedSlotPool current() {
        Thread carrier = JLA.currentCarrierThread();
        ConfinedSlotPool pool = of(carrier);
        return pool != null ? pool : install(carrier, new ConfinedSlotPool());
    }

    @DontInline // invariant 8
    private static ConfinedSlotPool install(Thread carrier, ConfinedSlotPool created) {
        ConfinedSlotPool pool = of(carrier);
        return pool != null ? pool : JLA.setConfinedSlotPool(carrier, created) ? created : null;
    }

    /** {@return true if the place, which had no free slot, has one now for an arena that first allocates {@code byteSize} bytes} */
    @ForceInline
    boolean pass(int byteSize) {
        return ++claimed > PASSES && replace(byteSize);
    }

    @DontInline
    private boolean replace(int byteSize) {
        if (claimed >= UNCLEARED && address != 0) {
            ConfinedBlock.clear(address, ConfinedBlock.limit(address));
        } else if (address != 0 && claimed <= PASSES + (ConfinedBlock.capacity(address) >> 6)) {
            return false;
        } else {
            long leaving = address != 0 && ConfinedBlock.isLarge(address) ? address : held;
            int wanted = leaving == 0 ? byteSize : Math.min(byteSize, SMALL / SHARE);
            address = takeOther(wanted, wanted);
            held = leaving;
        }
        claimed = 0;
        return true;
    }

    /**
     * {@return a slot, taken out, for an arena of {@code owner} that first allocates {@code byteSize} bytes} The owner is the current
     * thread, whose pool is given, or null. A spare slot costs a load and a store, in virtual threads four loads and a pin more.
     */
    @ForceInline
    static long take(ConfinedSlotPool pool, Thread owner, int byteSize) {
        long slot = 0;
        if (pool != null && byteSize <= SMALL) {
            slot = pool.popSmall();
        } else if (byteSize <= SMALL && isCarried(owner)) {
            Continuation.pin();
            try {
                slot = popSmallOfCarrier();
            } catch (StackOverflowError | OutOfMemoryError e) {
                // not in a finally clause: after a stack overflow unpin would overflow there, as the next call does
            }
            Continuation.unpin();
        }
        return slot != 0 ? slot : takeOther(byteSize, byteSize);
    }

    @ForceInline
    private static long popSmallOfCarrier() {
        ConfinedSlotPool pool = of(JLA.currentCarrierThread());
        return pool == null ? 0 : pool.popSmall();
    }

    @ForceInline
    private long popSmall() {
        long slot = spare != 0 || smallCount == 0 ? spare : small[--smallCount];
        spare = 0;
        return slot;
    }

    /** {@return a slot with room for {@code capacity} bytes, taken out, of which {@code byteSize} can be allocated at once} */
    @DontInline
    static long takeOther(int byteSize, int capacity) {
        long slot = 0;
        boolean carried = isCarried(Thread.currentThread());
        if (carried) {
            Continuation.pin();
        }
        try {
            ConfinedSlotPool pool = current();
            slot = pool == null ? 0 : pool.pop(capacity);
        } catch (StackOverflowError | OutOfMemoryError e) {
            // as if none was free
        }
        if (carried) {
            Continuation.unpin();
        }
        if (slot == 0) {
            return ConfinedBlock.create(byteSize, capacity);
        }
        if (byteSize > ConfinedBlock.limit(slot)) {
            ConfinedBlock.raise(slot, byteSize);
        }
        return slot;
    }

    // An arena may hold its slot. So it takes none that is much too large.
    private long pop(int capacity) {
        if (capacity <= SMALL) {
            long slot = popSmall();
            boolean found = slot != 0 && ConfinedBlock.capacity(slot) >= capacity;
            spare = found ? 0 : slot;
            return found ? slot : 0;
        }
        for (int i = largeCount - 1; i >= 0; i--) {
            long slot = large[i];
            int found = ConfinedBlock.capacity(slot);
            if (found >= capacity && found <= SHARE * capacity) {
                large[i] = large[--largeCount];
                return slot;
            }
        }
        return 0;
    }

    // Returns the one that was put there first if there are too many: so the free slots follow the sizes in use. An asynchronous
    // exception may come, so no slot may be there twice for a moment.
    private long push(long slot) {
        boolean isLarge = ConfinedBlock.isLarge(slot);
        long pushed = slot;
        if (!isLarge) {
            pushed = spare;
            spare = slot;
        }
        long[] slots = isLarge ? large : small;
        int count = isLarge ? largeCount : smallCount;
        if (pushed == 0 || slots.length == 0) {
            return pushed;
        }
        long surplus = 0;
        if (count == slots.length) {
            surplus = slots[0];
            setCount(isLarge, --count);
            System.arraycopy(slots, 1, slots, 0, count);
        }
        slots[count] = pushed;
        setCount(isLarge, count + 1);
        return surplus;
    }

    @DontInline // invariant 8
    private void setStacks(long[] newSmall, long[] newLarge) {
        if (small == NONE) {
            small = newSmall;
            large = newLarge;
        }
    }

    private void setCount(boolean isLarge, int count) {
        if (isLarge) {
            largeCount = count;
        } else {
            smallCount = count;
        }
    }

    /** Makes a slot leave the place, if it is there: a block is about to be linked to it, which is left to {@link #release}. */
    static void leave(Thread owner, long slot) {
        ConfinedSlotPool pool = of(owner);
        if (pool != null && pool.address == slot) {
            pool.address = 0;
            pool.claimed = UNCLEARED;
            if (ConfinedBlock.isLarge(slot)) {
                pool.held = slot;
            }
        }
    }

    /** Takes back a cleared small slot, taken out for an arena that its owner has closed, and not linked. */
    @ForceInline
    static void putSmall(Thread owner, long slot) {
        ConfinedSlotPool pool = of(JLA.currentCarrierThread());
        if (pool != null && pool.spare == 0) {
            pool.spare = slot;
        } else if (pool != null && !isCarried(owner) && pool.smallCount < pool.small.length) {
            pool.push(slot);
        } else {
            release(owner, slot, 0);
        }
    }

    /** Takes back the blocks of an arena that its owner has closed. {@code used} bytes of the last one are not cleared. */
    @DontInline
    static void release(Thread owner, long block, int used) {
        ConfinedSlotPool own = of(owner);
        if (own != null && own.address != 0 && own.address != block && own.held != block
                && ConfinedBlock.link(block) == 0 && own.isFullOf(block)) {
            ConfinedBlock.free(block); // so a miss does not clear what it frees
            return;
        }
        long first = ConfinedBlock.first(block);
        boolean inPlace = false;
        if (own != null) {
            inPlace = own.address == first || own.address == 0;
            if (inPlace) {
                own.address = 0; // another slot may take the place, or an error may come before
                own.claimed = UNCLEARED;
            }
            if (own.held == first) {
                own.held = 0;
            }
        }
        long slots = ConfinedBlock.collapse(block, used);
        if (slots == 0) {
            return;
        }
        boolean carried = isCarried(owner);
        if (carried) {
            Continuation.pin();
        }
        long surplus = 0;
        try {
            ConfinedSlotPool pool = current();
            if (pool != null && pool.small == NONE && (!inPlace || own.held != 0)) { // else nothing is pushed
                pool.setStacks(new long[MAX_SMALL - 1], new long[DEPTH]);
            }
            surplus = pool == null ? slots : pool.put(slots, inPlace);
        } catch (StackOverflowError | OutOfMemoryError e) {
            // these slots are lost
        }
        if (carried) {
            Continuation.unpin();
        }
        ConfinedBlock.freeAll(surplus); // not while pinned, since verify mode may block there
    }

    // True if to push the slot would only free another one of its size.
    private boolean isFullOf(long slot) {
        boolean isLarge = ConfinedBlock.isLarge(slot);
        long[] slots = isLarge ? large : small;
        int count = isLarge ? largeCount : smallCount;
        return count == slots.length && count > 0 && (isLarge || spare != 0)
                && ConfinedBlock.capacity(slots[0]) == ConfinedBlock.capacity(slot);
    }

    // Of linked slots a later one is larger: it replaces the one in the place. Returns what is too many.
    private long put(long slots, boolean inPlace) {
        boolean isFree = inPlace && (address == 0 || claimed == 0); // another arena may have taken the place at an allocation
        long surplus = 0;
        for (long next, slot = slots; slot != 0; slot = next) {
            next = ConfinedBlock.link(slot);
            ConfinedBlock.setLink(slot, 0);
            long other;
            if (isFree && (held == 0 || !ConfinedBlock.isLarge(slot))) {
                other = address;
                address = slot;
            } else {
                other = push(slot);
            }
            if (other != 0) {
                ConfinedBlock.setLink(other, surplus);
                surplus = other;
            }
        }
        if (isFree && address != 0) {
            claimed = 0;
        }
        return surplus;
    }

    /** Frees the slots of the current platform thread, which is about to end and has no pool any more. */
    public void close() {
        if (address != 0 && (claimed == 0 || claimed >= UNCLEARED)) {
            ConfinedBlock.free(address);
        }
        if (spare != 0) {
            ConfinedBlock.free(spare);
        }
        while (smallCount > 0) {
            ConfinedBlock.free(small[--smallCount]);
        }
        while (largeCount > 0) {
            ConfinedBlock.free(large[--largeCount]);
        }
    }
}
