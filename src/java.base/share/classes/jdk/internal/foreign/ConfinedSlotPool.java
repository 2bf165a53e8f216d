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
 * A slot is a {@linkplain ConfinedBlock block} that arenas use one after the other. An arena takes one when it first allocates
 * {@link #SIZE} bytes or less, and returns it when it is closed. Arenas may be closed in any order. A pool has:
 * <ul>
 * <li>A <em>resident</em> slot, for one arena of the pool's thread. It stays in the pool while the arena has it. Opening and
 *     closing the arena store constants into {@link #claimed}, so that the next arena need not wait for them. It grows to what
 *     its arenas need. If an arena keeps it while {@link #PASSES} others open, then it becomes that arena's, unless
 *     it is much larger than what the arena asked for, and another slot becomes resident.</li>
 * <li>Two <em>stacks</em> of free slots, of small and of large ones, and a <em>spare</em> small slot beside them. Arenas that do
 *     not get the resident slot take one out of them, and return it. Virtual threads use those of their carriers, but no
 *     resident slot: they return a slot to the carrier on which the arena is closed.</li>
 * </ul>
 * A new slot is as large as what is needed then. A thread that has created three slots gets a pool with the next one; those
 * before are freed when their arena is closed.
 * <p>
 * Invariants:
 * <ol>
 * <li>A block belongs to one arena or to one pool, and one thread at a time uses it. So nothing here is synchronized.</li>
 * <li>All bytes of a block below its limit that are not allocated to an open arena are zero, and nothing is allocated above it.
 *     So nothing written through one arena can be read through another, and an arena need not clear what it hands out. A block
 *     of one large allocation is an exception, which no other arena gets.</li>
 * <li>One thread at a time uses a pool: its own thread while no virtual thread is mounted on it, or the mounted virtual
 *     thread. A virtual thread pins itself meanwhile: otherwise another one, mounted then, could take the same slot. It does
 *     not pin itself to store {@link #spare}. An unmount between the test for 0 and the store could lose a slot, but give it
 *     no second owner. None happens, since there is no call between.</li>
 * <li>A pool keeps at most {@code DEPTH} large slots, {@link #MAX_SMALL} small ones, and the resident one.</li>
 * <li>When the pool's thread ends, its free slots are freed. A slot of an arena that the thread did not close is never freed,
 *     as the stock JDK never frees the memory of such an arena.</li>
 * <li>No failure can give a slot two owners or expose uncleared bytes. A stack overflow or another error may lose slots, as the
 *     stock JDK may lose memory, or leave a virtual thread pinned, as in the stock JDK. A resident slot that is lost counts as
 *     an open arena's.</li>
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

    /** The most bytes of a small slot. */
    static final int SMALL = 512;

    /** How many large slots are kept. */
    private static final int DEPTH = ConfinedPoolProperties.DEPTH;

    /** How many small slots are kept, with the spare one: so many for each large one, if these have no more bytes. */
    private static final int SMALL_PER_LARGE = 16;
    private static final int MAX_SMALL = DEPTH * Math.clamp(SIZE / SMALL, 1, SMALL_PER_LARGE);

    /** So many arenas pass an arena that keeps the resident slot, before that becomes its own. */
    private static final int PASSES = 16;

    private static final long[] NONE = {};

    private static final JavaLangAccess JLA = SharedSecrets.getJavaLangAccess();

    /** The resident slot, or 0 if there is none. */
    long resident;

    /** 0 if that is free. Else 1, and 1 more for each arena that has passed since. */
    int claimed = PASSES;

    /** What the arena that has the resident slot allocated first. */
    int asked;

    private long spare;
    private int smallCount;
    private int largeCount;
    private long[] small = NONE;
    private long[] large = NONE;

    // What is not yet added to the process's counters, and how many events there have been.
    private long counts;
    private int events;

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

    // The pool that the current thread may use while it is pinned, or null if its carrier is about to end, or new.
    private static ConfinedSlotPool current() {
        Thread carrier = JLA.currentCarrierThread();
        ConfinedSlotPool pool = of(carrier);
        return pool != null || !JLA.wantsConfinedSlotPool(carrier) ? pool : install(carrier, new ConfinedSlotPool());
    }

    @DontInline // invariant 8
    private static ConfinedSlotPool install(Thread carrier, ConfinedSlotPool created) {
        ConfinedSlotPool pool = of(carrier);
        return pool != null ? pool : JLA.setConfinedSlotPool(carrier, created) ? created : null;
    }

    /** {@return true if the resident slot, which was not free, now is, for an arena that asks for {@code byteSize} bytes} */
    @ForceInline
    boolean pass(int byteSize) {
        return ++claimed > PASSES && replace(byteSize);
    }

    @DontInline
    private boolean replace(int byteSize) {
        if (resident != 0 && !ConfinedBlock.suits(resident, asked)) {
            claimed = Integer.MIN_VALUE; // it stays
            return false;
        }
        resident = takeOther(byteSize, byteSize);
        return true;
    }

    /**
     * {@return a slot, taken out, for an arena of {@code owner} that first allocates {@code byteSize} bytes} The owner is the
     * current thread, whose pool is given, or null. A spare slot costs a load and a store, in virtual threads four loads and a
     * pin more.
     */
    @ForceInline
    static long take(ConfinedSlotPool pool, Thread owner, int byteSize) {
        long slot = 0;
        if (pool != null) {
            slot = byteSize <= SMALL ? pool.popSmall() : 0;
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
        long slot = spare;
        if (slot != 0) {
            spare = 0;
            return slot;
        }
        int count = smallCount - 1;
        if (count < 0) {
            return 0;
        }
        smallCount = count;
        return small[count];
    }

    /** {@return a slot with room for {@code capacity} bytes, taken out, of which {@code byteSize} can be allocated at once} */
    @DontInline
    static long takeOther(int byteSize, int capacity) {
        long slot = 0;
        long counts = 0;
        boolean carried = isCarried(Thread.currentThread());
        if (carried) {
            Continuation.pin();
        }
        try {
            ConfinedSlotPool pool = current();
            slot = pool == null ? 0 : pool.pop(byteSize, capacity);
            counts = pool == null || slot != 0 ? 0 : pool.count(ConfinedPoolCounters.CREATED);
        } catch (StackOverflowError | OutOfMemoryError e) {
            // as if none was free
        }
        if (carried) {
            Continuation.unpin();
        }
        if (slot == 0) {
            ConfinedPoolCounters.add(counts);
            return ConfinedBlock.create(byteSize, capacity);
        }
        if (byteSize > ConfinedBlock.limit(slot)) {
            ConfinedBlock.raise(slot, byteSize);
        }
        return slot;
    }

    // An arena may hold its slot. So it takes none that is much too large, even less so if it asks for more than it needs now.
    private long pop(int byteSize, int capacity) {
        if (capacity <= SMALL) {
            long slot = popSmall();
            boolean found = slot != 0 && ConfinedBlock.capacity(slot) >= capacity;
            spare = found ? spare : slot;
            return found ? slot : 0;
        }
        for (int i = largeCount - 1; i >= 0; i--) {
            long slot = large[i];
            int excess = ConfinedBlock.capacity(slot) - capacity;
            if (excess >= 0 && (byteSize == capacity ? ConfinedBlock.suits(slot, byteSize) : excess < ConfinedBlock.ALIGNMENT)) {
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
        if (!isLarge && spare == 0) {
            spare = slot;
            return 0;
        }
        long[] slots = isLarge ? large : small;
        int count = isLarge ? largeCount : smallCount;
        if (slots.length == 0) {
            return slot;
        }
        long surplus = 0;
        if (count == slots.length) {
            surplus = slots[0];
            setCount(isLarge, --count);
            System.arraycopy(slots, 1, slots, 0, count);
        }
        slots[count] = slot;
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

    /** Makes a slot that is resident its arena's own: a block is about to be linked to it, which is left to {@link #release}. */
    static void leave(Thread owner, long slot) {
        ConfinedSlotPool pool = of(owner);
        if (pool != null && pool.resident == slot) {
            pool.vacate();
        }
    }

    private void vacate() {
        resident = 0;
        claimed = PASSES;
    }

    /** Takes back a cleared small slot, taken out for an arena that its owner has closed, and not linked. */
    @ForceInline
    static void putSmall(ConfinedSlotPool pool, Thread owner, long slot) {
        if (pool == null) {
            pool = of(JLA.currentCarrierThread());
            if (pool != null && pool.spare == 0) {
                pool.spare = slot;
                return;
            }
        } else if (pool.spare == 0) {
            pool.spare = slot;
            return;
        } else {
            int count = pool.smallCount;
            long[] small = pool.small;
            if (count < small.length) {
                small[count] = slot;
                pool.smallCount = count + 1;
                return;
            }
        }
        release(owner, slot, 0);
    }

    /** Takes back the blocks of an arena that its owner has closed. {@code used} bytes of the last one are not cleared. */
    @DontInline
    static void release(Thread owner, long block, int used) {
        boolean carried = isCarried(owner);
        if (carried) {
            Continuation.pin();
        }
        long surplus = 0;
        long counts = 0;
        try {
            ConfinedSlotPool pool = of(JLA.currentCarrierThread());
            surplus = pool == null ? block : pool.putAll(block, used, !carried);
            if (pool != null && surplus != 0) {
                counts = pool.count(ConfinedPoolCounters.FREED * ConfinedBlock.countSlots(surplus));
            }
        } catch (StackOverflowError | OutOfMemoryError e) {
            // these blocks are lost
        }
        if (carried) {
            Continuation.unpin();
        }
        ConfinedPoolCounters.add(counts);
        ConfinedBlock.freeAll(surplus); // not while pinned, since verify mode may block there
    }

    // Returns what is to be freed, linked. That is not cleared, as far as it is known before. If the arena needed more than its
    // slot, which was resident, or small, then one slot as large as all its blocks replaces them.
    private long putAll(long block, int used, boolean isOwn) {
        long first = ConfinedBlock.first(block);
        boolean settles = isOwn && (resident == 0 || resident == first);
        boolean isLinked = ConfinedBlock.link(block) != 0;
        if (settles) {
            vacate();
        } else if (!isLinked && isFullOf(block)) {
            return block;
        }
        int total = ConfinedBlock.total(block, SIZE);
        int others = total - ConfinedBlock.capacity(first);
        boolean grows = isLinked && others > 0 && (settles || !ConfinedBlock.isLarge(first) && others <= SMALL);
        long kept = grows ? ConfinedBlock.lastOrNew(block, settles ? total : Math.min(total, SMALL)) : first;
        if (small == NONE && (isLinked || !settles)) {
            setStacks(new long[MAX_SMALL - 1], new long[DEPTH]);
        }
        long surplus = 0;
        for (long next, current = block; current != 0; current = next) {
            next = ConfinedBlock.unlink(current);
            long other = current;
            if ((current == kept || !grows) && ConfinedBlock.isSlot(current)) {
                // Of an earlier block it is not known how much is allocated.
                ConfinedBlock.clear(current, current == block ? used : ConfinedBlock.limit(current));
                other = keep(current, settles && current == kept);
            }
            surplus = ConfinedBlock.linked(other, surplus);
        }
        if (grows && kept != block && kept != 0) {
            counts += ConfinedPoolCounters.CREATED; // added with what it replaces
            surplus = ConfinedBlock.linked(keep(kept, settles), surplus);
        }
        return surplus;
    }

    // Returns a slot that is too many, or 0.
    private long keep(long slot, boolean settles) {
        if (settles && resident == 0) { // no other one is since an allocation
            resident = slot;
            claimed = 0;
            return 0;
        }
        return push(slot);
    }

    // True if to push the slot would only free another one of its size.
    private boolean isFullOf(long slot) {
        boolean isLarge = ConfinedBlock.isLarge(slot);
        long[] slots = isLarge ? large : small;
        int count = isLarge ? largeCount : smallCount;
        return count == slots.length && count > 0 && (isLarge || spare != 0)
                && ConfinedBlock.capacity(slots[0]) == ConfinedBlock.capacity(slot);
    }

    /** Counts a block larger than a slot. */
    static void countLarger() {
        ConfinedSlotPool pool = of(JLA.currentCarrierThread());
        if (pool != null) {
            ConfinedPoolCounters.add(pool.count(ConfinedPoolCounters.LARGER)); // not pinned: at worst some are not counted
        }
    }

    // Returns what the caller adds to the process's counters once it is not pinned.
    private long count(long event) {
        if (event == 0) {
            return 0;
        }
        counts += event;
        long due = ++events <= 64 || (events & 63) == 0 ? counts : 0;
        counts -= due;
        return due;
    }

    /** Frees the slots of the current platform thread, which is about to end and has no pool any more. */
    public void close() {
        long freed = smallCount + largeCount;
        if (claimed == 0) {
            ConfinedBlock.free(resident);
            freed++;
        }
        if (spare != 0) {
            ConfinedBlock.free(spare);
            freed++;
        }
        while (smallCount > 0) {
            ConfinedBlock.free(small[--smallCount]);
        }
        while (largeCount > 0) {
            ConfinedBlock.free(large[--largeCount]);
        }
        ConfinedPoolCounters.add(counts + ConfinedPoolCounters.FREED * freed);
    }
}
