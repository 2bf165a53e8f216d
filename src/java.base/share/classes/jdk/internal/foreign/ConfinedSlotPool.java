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
 * The slots of one platform thread. Confined arenas serve their small allocations from them, without {@code malloc} and
 * {@code free}.
 * <p>
 * A <em>slot</em> is a {@linkplain ConfinedBlock block} of native memory that arenas use one after the other. An arena takes one with its
 * first small allocation, of at most {@link #SIZE} bytes ({@link ConfinedBlock} says which allocations are large). It returns the slot
 * when it is closed. Arenas may be closed in any order.
 * A pool has:
 * <ul>
 * <li>A <em>resident</em> slot, for one arena of the pool's thread at a time. It stays in the pool while the arena has it. An arena
 *     takes and returns it by storing a constant into {@link #claimed}. It compares what the arena before stored there, but computes no
 *     address from it, so it does not wait for that store. When {@link #PASSES} other arenas have asked for a slot while an arena has
 *     it, the slot becomes that arena's own until it is closed, and the pool makes another slot resident. But if the slot is much larger
 *     than the arena's first allocation, it stays resident, and is free again when that arena is closed.</li>
 * <li>A <em>stack</em> of small free slots, and a <em>spare</em> one beside it. The <em>top</em> slot is the spare one or, if there
 *     is none, the one that was pushed last. Arenas that do not get the resident slot take out the top slot. So do arenas of virtual
 *     threads, from the pool of their carrier. They return it to the carrier on which they are closed.</li>
 * <li><em>Free lists</em> of the other free slots, large ones, and small ones that the stack does not take. There is a list for each
 *     <em>size class</em>, whose slots all have the same capacity. Together they are limited in bytes. A returned slot for which there is
 *     no room is freed. It is not cleared before, unless close tried {@link #putSmall} first. A <em>miss</em> is a search that
 *     finds no suitable free slot: a slot is created. If the lists have refused a slot since the last miss, a miss also frees one listed
 *     slot. It takes that from the next size class that has one, so that slots of unused sizes are freed in the end.</li>
 * </ul>
 * From 57 bytes on, a new slot is at least 8 bytes larger than the first allocation. An arena that needs more than its slot
 * continues in further blocks. At close, one new slot may replace all its blocks, so that the next such arena needs only one:
 * <ul>
 * <li>If its first block is the resident slot, or the platform thread that closes the arena has no resident slot, then the new slot
 *     becomes resident. The pool adds up the capacities of all blocks, but stops at {@link #MAX_TOTAL}. The new slot has room for that
 *     sum.</li>
 * <li>Otherwise, if that sum exceeds the first block by at most {@link #SMALL} bytes, then the new slot has at most {@link #SMALL} +
 *     8 bytes, if there is room for it.</li>
 * </ul>
 * Blocks are not replaced if the first of them is as large as the new slot would be.
 * <p>
 * An arena takes the top slot if that has room, however large it is. To keep the stack in order of size would make nested arenas
 * slower. So an arena that allocates little may take a much larger slot, and hold it while it stays open. The pool assumes that this has
 * happened if three things are true: a first allocation of at most {@link #SMALL} bytes finds no slot; no small slot is
 * free; and the arena that last took the spare slot had asked for much less than the present one. For the next {@link #SORTED}
 * slots that {@link #push} keeps, only those of at most {@link ConfinedBlock#CACHE_LINE} bytes then count as small. A larger one
 * goes to the stack only if the free lists have no room for it. Meanwhile blocks are replaced only by a slot that becomes resident.
 * <p>
 * An arena does not take a slot that is too small. If the resident slot is free but too small, the arena takes another slot, and that
 * becomes resident. The pool frees the old resident slot if the other slot is new, or if there is no room for the old one. Otherwise it
 * keeps it. If neither the top slot nor the lists have a slot that suits, the pool creates one. If the new slot is a small one, the pool
 * moves the top slot to the free lists, or frees it if these have no room. Otherwise the top slot would hide the slots below it.
 * <p>
 * A thread may have many more arenas open than the pool keeps slots. An arena that misses then gets an <em>overflow</em> block, which
 * close frees, in place of a new slot. That is so if
 * <ul>
 * <li>the count of misses is at least {@link #MISSES}: each slot that is created for a first allocation adds one, and each call of
 *     {@link #release} reduces a count above {@link #MISSES} to that, and then subtracts one,</li>
 * <li>the free lists have ever refused a slot,</li>
 * <li>the arena is a virtual thread's, or the resident slot is not free, and</li>
 * <li>no small slot is free, not even one that is too small; or the arena asks for more than {@link #SMALL} bytes.</li>
 * </ul>
 * An overflow block has at most 15 bytes more than the first allocation needs, or 24 bytes. If the next allocation finds no room
 * there, but would in a slot, then the next {@link #ROOMY} overflow blocks for first allocations are as large as slots. Further
 * blocks of a slot's size are overflow blocks, too. No slot replaces them, unless a block larger than a slot follows.
 * <p>
 * A thread gets a pool after {@link #SLOTS_BEFORE_POOL} slots. These are freed when their arena is closed, unless the thread has a
 * pool by then. {@link Thread} has the pool in a field, so this class is public.
 * <p>
 * Invariants:
 * <ol>
 * <li>A block belongs to one arena or to one pool, and one thread at a time uses it. So nothing here is synchronized. While
 *     {@link #claimed} is not 0, the resident slot belongs to the arena that has it.</li>
 * <li>A slot that a pool keeps is zero. So are the bytes below the limit of an open arena's block that the arena has not allocated, but
 *     for guards in verify mode. Nothing is allocated above the limit. So nothing written through one arena can be read through
 *     another, and an arena need not clear what it hands out. A block of one large allocation is an exception, which no other arena
 *     gets.</li>
 * <li>One thread at a time uses a pool: its own thread while no virtual thread is mounted on it, or the mounted virtual
 *     thread. A virtual thread is pinned while it uses a pool. Otherwise it could unmount, and another virtual thread could take
 *     the same slot. There are four exceptions, which do no harm without a pin:
 *     <ul>
 *     <li>{@linkplain ConfinedPoolCounters Counters} may lose events or count them twice.</li>
 *     <li>{@link #takeFirst} reads the pool to decide about an overflow block, {@link #release} whether there is a pool, and slow paths
 *         write {@link #misses} and {@link #roomy}. After a migration these are another carrier's. So an arena may get an overflow block
 *         in place of a slot, a slot in place of an overflow block, or more or less room. Blocks that could be kept may be freed.</li>
 *     <li>{@link #tag} looks for a resident slot, which an arena of a virtual thread never has.</li>
 *     <li>{@link #putSmall} stores {@link #spare}. An unmount between the test for 0 and the store could lose a slot, but could not
 *         give a slot two owners. The thread does not unmount there, since it makes no call.</li>
 *     </ul></li>
 * <li>A pool keeps at most the resident slot, {@link #MAX_SMALL} small ones, and in the free lists slots that
 *     together take at most {@link #MAX_LISTED} bytes of native memory.</li>
 * <li>When the pool's thread ends, its free slots are freed, unless an exception stops {@code Thread.exit} before. The slot of an
 *     arena that is never closed is never freed, as the stock JDK never frees the memory of such an arena.</li>
 * <li>No failure can give a slot two owners or expose uncleared bytes. A stack overflow or another error may lose slots, as the
 *     stock JDK may lose memory. A resident slot that is lost counts as an open arena's. A stack overflow or a lack of memory while
 *     a thread is pinned is caught, and the thread is unpinned. The arena then gets a new slot, or its blocks are lost. An
 *     asynchronous exception there, an overflow in {@code unpin}, or a lack of heap for objects that C2 had replaced by scalars, may
 *     leave a virtual thread pinned.</li>
 * <li>Arenas are opened early in boot. So nothing here needs {@code java.lang.invoke}.</li>
 * <li>A heap allocation may run arbitrary code: a JVMTI agent may receive an event for it, and open other arenas. So no state of a
 *     pool that was read before a heap allocation is used after it, except by the decision about an overflow block. Slow paths read
 *     the state again in a method that is not inlined, or after a native call. Fast paths are inlined into code that allocates on
 *     the heap between two arenas, and C2 assumes that an allocation changes no field. C2 also leaves out branches that were never
 *     run. When the program reaches such a branch, the JVM first allocates the objects that C2 had replaced by scalars. The agent
 *     may run there. Then the JVM continues in the interpreter, with the values that the compiled code had read before. So with
 *     {@link ConfinedPoolProperties#AGENTS} the fast paths are in methods that are not inlined, and that create no objects. Without
 *     it, an agent must not open arenas in such a callback. It must never use an arena that the interrupted code uses, or open arenas
 *     on a thread that stands elsewhere in a method of the pool: in a callback for the entry or the exit of methods, or at a
 *     breakpoint there.</li>
 * </ol>
 */
@Contended // written with every arena, and the collector may move the pools of two threads together
public final class ConfinedSlotPool {

    /** The most bytes that an arena allocates from a slot at once: a power of two, or 0 when pooling is off. */
    static final int SIZE = ConfinedPoolProperties.SIZE;

    /** The base-2 logarithm of {@link #SIZE}. */
    static final int SIZE_SHIFT = Integer.numberOfTrailingZeros(SIZE);

    /**
     * The base-2 logarithm of the most bytes that an arena allocates from a slot at once if the caller overwrites them all, as
     * {@code allocateFrom} does. Close clears them, which the stock JDK never does. To clear more than this costs more than {@code malloc}.
     */
    static final int COPIED_SHIFT = Math.min(SIZE_SHIFT, 12);

    /** The most bytes of a slot: {@link #SIZE}, rounded up to a cache line, and a line for an out-parameter, a guard or padding. */
    static final int MAX_CAPACITY = (SIZE + 2 * ConfinedBlock.CACHE_LINE - 1) & -ConfinedBlock.CACHE_LINE;

    /** The largest alignment in a slot. The padding of a larger one may cost more to clear, in a new slot and at close, than {@code malloc}. */
    static final int MAX_ALIGNMENT = 256;

    /** The largest first allocation, in bytes, for which a new slot is small. The slot has 8 bytes more, and so whole cache lines. */
    static final int SMALL = 568;

    // How much an arena's blocks count together at most, for the slot that replaces them: rounded, that is MAX_CAPACITY, or MIN_SLOT if
    // SIZE is less than MIN_SLOT. This also initializes ConfinedBlock, while no thread is pinned: the stack may overflow in that.
    private static final int MAX_TOTAL = ConfinedBlock.rounded(SIZE) - Long.BYTES;

    /** The bytes of the free lists, with headers: {@link ConfinedPoolProperties#DEPTH} slots of {@link #SIZE} bytes, or more smaller ones. */
    static final int MAX_LISTED = ConfinedPoolProperties.DEPTH * (MAX_CAPACITY + ConfinedBlock.CACHE_LINE);

    /** How many small slots are kept besides for each unit of {@link ConfinedPoolProperties#DEPTH}, with the spare one. */
    private static final int SMALL_PER_DEPTH = 16;
    private static final int MAX_SMALL = SMALL_PER_DEPTH * ConfinedPoolProperties.DEPTH;

    /** When so many other arenas have asked for their first slot, an arena keeps the resident one, unless that is much too large. */
    private static final int PASSES = 16;

    /** When so many slots were created for first allocations, overflow blocks may follow: see {@link #misses}. */
    private static final int MISSES = 16;

    /** How many slots a thread's arenas take before it has a pool. */
    public static final int SLOTS_BEFORE_POOL = 32;

    /** For how many slots that {@link #push} keeps, only those of at most one cache line are small: see {@link #isSmall}. */
    private static final int SORTED = 1024;

    /** How many overflow blocks for first allocations are as large as slots after one was too small: see {@link #overflow}. */
    private static final int ROOMY = 1 << 16;

    // Added to the address of the resident slot while a large block is linked to it. Then it equals no block, and close calls release.
    private static final int TAG = 1;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final JavaLangAccess JLA = SharedSecrets.getJavaLangAccess();

    // Loads the class. An agent's transformer may open arenas while a class is loaded. If a pool needed that class then, it would get
    // a ClassCircularityError, and so would each later pool. So no pool is created before.
    private static final ConfinedPoolCounters LOADED = new ConfinedPoolCounters();

    /** What this pool did. */
    final ConfinedPoolCounters counters = new ConfinedPoolCounters();

    // The stack is native memory for MAX_SMALL words. The first is 0, which popSmall finds if the stack is empty. The others, up to the one
    // at stackTop, are addresses of slots; that one was pushed last. The word at stackEnd is the last: pushSmall is not called when stackTop is
    // there. A Java array would cost bounds checks and, with ZGC and Shenandoah, a load barrier. Only popSmall, pushSmall and close use this
    // memory, on the pool's own thread or pinned to it, so never after freeStack.
    private final long stack;
    private final long stackEnd;
    private long stackTop;

    // After the stack, so that what arenas outside a deep nest use is side by side: HotSpot lays out longs in this order, and ints after them.
    private long spare;

    /** The resident slot, or 0 if there is none. {@link #TAG} is added while a large block is linked to it. */
    long resident;

    /**
     * 0 if there is a resident slot and it is free, above {@link #PASSES} if there is none. Otherwise 1, and 1 more for each arena of the
     * thread that asked for its first slot since. If an arena raises it above {@link #PASSES}, the slot of that arena becomes resident.
     * There are three exceptions: the arena gets no memory; it gets an overflow block; or the taken slot is much larger than its arena
     * needs. Then this becomes negative, and the taken slot stays resident. It is a long, since an int could be counted up to 0 while the
     * slot is taken.
     */
    long claimed = PASSES + 1;

    /** What the arena that has the resident slot allocated first. */
    int asked;

    // What was asked for when popSmall last took the spare slot. SMALL at first, and again once it has caused slots to be sorted.
    private int askedOfSpare = SMALL;

    // While not 0, only slots of at most one cache line are small: see SORTED.
    private int sorted;

    // The heads of the free lists, by size class. Each slot is linked to the one that was returned before it.
    private final long[] lists = new long[sizeClass(MAX_CAPACITY) + 1];

    // At least the bytes that all listed slots take, with headers.
    private int listedBytes;

    // 0 until the free lists refuse a slot; 2 if they have refused one since makeRoom last looked for one to free, otherwise 1.
    private int refused;

    // The size class from which makeRoom last freed a slot.
    private int hand;

    // How many slots were created for first allocations. Each call of release subtracts 1, after it has reduced this to MISSES. So the next
    // miss gets a slot, which is free for the one after.
    private int misses;

    // How many of the next overflow blocks for first allocations are as large as slots.
    private int roomy;

    /**
     * Creates a pool without slots.
     *
     * @throws OutOfMemoryError if native memory for the stack is exhausted
     */
    public ConfinedSlotPool() {
        stack = UNSAFE.allocateMemory(MAX_SMALL * Long.BYTES); // after all heap allocations, so that they cannot lose it
        stackEnd = stack + (MAX_SMALL - 1) * Long.BYTES;
        stackTop = stack;
        UNSAFE.putLong(stack, 0L);
    }

    /** Frees the stack, in which there is no slot. The pool must not be used any more. */
    public void freeStack() {
        UNSAFE.freeMemory(stack);
    }

    /**
     * {@return the pool of a thread; null for its first {@link #SLOTS_BEFORE_POOL} slots, after its end, and if it is a virtual thread
     * with a carrier}
     */
    @ForceInline
    static ConfinedSlotPool of(Thread thread) {
        return JLA.confinedSlotPool(thread);
    }

    /** {@return the pool of the current carrier, or null} A virtual thread takes slots out of it only while it is pinned. */
    @ForceInline
    static ConfinedSlotPool ofCarrier() {
        return of(JLA.currentCarrierThread());
    }

    /** {@return the address of the resident slot, tagged or not, or 0} */
    private long residentSlot() {
        return resident & ~TAG;
    }

    // Pins a virtual thread, but not on ports without continuations. Returns true if it did: then the caller must unpin the thread.
    @ForceInline
    private static boolean pin(Thread thread) {
        boolean carried = ContinuationSupport.isSupported() && thread.isVirtual();
        if (carried) {
            Continuation.pin();
        }
        return carried;
    }

    /**
     * Takes a slot out of a pool for an arena whose first allocation has {@code byteSize} bytes, or creates one. If there is a spare
     * slot with room, this costs one load and three stores, and one more load above {@link ConfinedBlock#MIN_SLOT} bytes. A virtual
     * thread pays four more loads and a pin, and one store less.
     *
     * @param pool the pool of {@code owner}, or null if it has none
     * @param owner the current thread, which owns the arena
     * @param byteSize the size in bytes of the first allocation, with padding for its alignment, and in verify mode for its two guards
     * @return the address of the slot, or of an overflow block
     * @throws OutOfMemoryError if no slot is free and native memory is exhausted
     */
    static long take(ConfinedSlotPool pool, Thread owner, int byteSize) {
        long slot = 0;
        if (pool == null || pool.claimed != 0 && ++pool.claimed <= PASSES) {
            boolean carried = pool == null && pin(owner);
            try {
                ConfinedSlotPool current = carried ? ofCarrier() : pool;
                slot = current == null ? 0 : current.popSmall(byteSize);
            } catch (StackOverflowError | OutOfMemoryError e) {
                // not in a finally clause: that would call unpin while the overflow is thrown, and unpin would overflow again
            }
            if (carried) {
                Continuation.unpin();
            }
        }
        return slot != 0 ? slot : takeFirst(pool, byteSize);
    }

    // Takes the top slot if it has room. Inlined, so that take makes no call in C2's code while the thread is pinned. A call could
    // overflow the stack, and so could unpin.
    @ForceInline
    private long popSmall(int byteSize) {
        long slot = spare;
        if (slot != 0) {
            if (!ConfinedBlock.fitsSlot(slot, byteSize)) {
                return 0;
            }
            spare = 0;
            askedOfSpare = byteSize;
            return slot;
        }
        slot = UNSAFE.getLong(stackTop);
        if (slot == 0 || !ConfinedBlock.fitsSlot(slot, byteSize)) {
            return 0;
        }
        stackTop -= Long.BYTES;
        return slot;
    }

    // Pushes a slot on the stack, which is not full.
    @ForceInline
    private void pushSmall(long slot) {
        UNSAFE.putLong(stackTop + Long.BYTES, slot); // first, as an exception may come
        stackTop += Long.BYTES;
    }

    // What take does not: takes a listed slot, creates an overflow block, or takes another slot. That one becomes resident if there is
    // none, if the free one is too small, or if that becomes another arena's own.
    @DontInline
    private static long takeFirst(ConfinedSlotPool pool, int byteSize) {
        if (pool != null && pool.claimed != 0 && pool.claimed <= PASSES) {
            int listed = pool.find(byteSize, byteSize);
            if (listed >= 0) { // as takeOther would, with a call less; the thread is the pool's own, so no pin is needed
                return pool.unlist(listed);
            }
        }
        ConfinedSlotPool current = ofCarrier();
        if (current != null && current.misses >= MISSES && current.refused != 0 && (pool == null || pool.claimed != 0)
                && (byteSize > SMALL || current.spare == 0 && current.stackTop == current.stack)
                && current.find(byteSize, byteSize) < 0) {
            // Not pinned: after a migration another carrier's pool decides and counts.
            current.counters.overflowed();
            boolean isRoomy = current.roomy > 0;
            current.roomy -= isRoomy ? 1 : 0;
            return ConfinedBlock.createOverflow(byteSize, isRoomy);
        }
        if (pool == null) {
            return takeOther(byteSize, byteSize, true, 0);
        }
        long replaced = 0;
        if (pool.claimed == 0) {
            replaced = pool.resident;
            pool.claimed = PASSES + 1; // first, as an exception may come: no slot must seem to be free
            pool.resident = 0;
        } else if (pool.claimed > PASSES && pool.resident != 0
                && ConfinedBlock.capacity(pool.residentSlot()) > ConfinedBlock.largest(pool.asked)) {
            pool.claimed = Long.MIN_VALUE; // it stays
        }
        long slot = takeOther(byteSize, byteSize, true, replaced);
        if (pool.claimed > PASSES) {
            pool.resident = slot;
            pool.asked = byteSize;
            pool.claimed = 1;
        }
        return slot;
    }

    /**
     * Takes a slot out of the current carrier's pool, or creates one.
     *
     * @param byteSize the size in bytes of the next allocation, with padding as in {@link #take}
     * @param capacity how many bytes the slot should have room for; a new slot has room for {@code byteSize} only if native memory for
     *         more is exhausted
     * @param isFirst true if the arena has no other block
     * @param replaced the slot that was resident and free, but too small, or 0. The pool keeps it among its other free slots if it
     *         finds one for the arena, and has room. Otherwise it frees it
     * @return the address of the slot
     * @throws OutOfMemoryError if no slot is free and native memory for {@code byteSize} bytes is exhausted
     */
    @DontInline
    static long takeOther(int byteSize, int capacity, boolean isFirst, long replaced) {
        ConfinedSlotPool pool = null;
        long slot = 0;
        long surplus = 0;
        boolean carried = pin(Thread.currentThread());
        try {
            pool = ofCarrier();
            if (pool == null && LOADED != null) { // null while this class is initialized
                pool = JLA.createConfinedSlotPool();
            }
            if (pool != null) {
                slot = pool.popSmall(capacity);
                if (slot == 0) {
                    int listed = pool.find(byteSize, capacity);
                    if (listed >= 0) {
                        slot = pool.unlist(listed);
                    } else {
                        surplus = pool.makeRoom();
                        surplus = capacity <= SMALL ? pool.dropTop(isFirst ? byteSize : 0, surplus) : surplus;
                    }
                }
                if (replaced != 0 && (slot == 0 || !pool.push(replaced, 0, false))) {
                    surplus = ConfinedBlock.linked(replaced, surplus);
                }
            }
        } catch (StackOverflowError | OutOfMemoryError e) {
            // as if none was free
        }
        if (carried) {
            Continuation.unpin();
        }
        freeAll(pool, surplus);
        if (slot != 0) {
            return slot;
        }
        if (pool != null) {
            pool.misses += isFirst ? 1 : 0;
            pool.counters.created();
        }
        return ConfinedBlock.create(byteSize, capacity, isFirst && !carried && pool != null && pool.claimed > PASSES);
    }

    /**
     * Creates a further overflow block, for an arena whose last block is one.
     *
     * @param byteSize how many bytes it must have at least
     * @param wanted how many it should have; if native memory for them is exhausted, {@code byteSize} is used instead
     * @param isOutgrown true if the arena's first block would have had room if it were as large as a slot
     * @return the address of the block
     * @throws OutOfMemoryError if native memory for {@code byteSize} bytes is exhausted
     */
    static long overflow(int byteSize, int wanted, boolean isOutgrown) {
        ConfinedSlotPool current = ofCarrier(); // not pinned, as in takeFirst
        if (current != null) {
            if (isOutgrown) {
                current.roomy = ROOMY;
            }
            current.counters.overflowed();
        }
        try {
            return ConfinedBlock.createOverflow(wanted, false);
        } catch (OutOfMemoryError e) {
            return ConfinedBlock.createOverflow(byteSize, false);
        }
    }

    // Takes out the top slot, which is too small for an arena, so that it does not hide the others. Lists it, or links it to the slots
    // that the caller must free, and returns these. If there is none, decides whether slots are sorted: byteSize is the first allocation
    // for which a slot is created, or 0.
    private long dropTop(int byteSize, long surplus) {
        int asked = askedOfSpare; // no arena gets this slot
        long top = popSmall(0);
        askedOfSpare = asked;
        if (top == 0) {
            if (!ConfinedBlock.suitsNew(byteSize, asked)) {
                // An arena that asked for much less, and may stay open, has the slot that the present arena needs.
                sorted = SORTED;
                askedOfSpare = SMALL;
            }
        } else if (hasListRoom(ConfinedBlock.capacity(top))) {
            ConfinedBlock.unlink(top, true); // an asynchronous exception may have left its limit lowered, and a list promises its capacity
            list(top, ConfinedBlock.capacity(top));
        } else {
            return ConfinedBlock.linked(top, surplus);
        }
        return surplus;
    }

    /** If the slot is resident, tags it: so {@link #release} returns it, with the large block that the caller links to it. */
    static void tag(long slot) {
        ConfinedSlotPool pool = ofCarrier();
        if (pool != null && pool.resident == slot) {
            ConfinedBlock.unlink(slot, false); // first, as an exception may come: a tagged slot must not be plain
            pool.resident = slot | TAG;
        }
    }

    /** Takes back a small slot that is cleared and not linked, of an arena that its owner has closed. */
    static void putSmall(ConfinedSlotPool pool, long slot) {
        ConfinedSlotPool other = pool == null ? ofCarrier() : pool;
        if (other != null && other.spare == 0) {
            other.spare = slot;
        } else if (pool != null && pool.stackTop != pool.stackEnd) {
            pool.pushSmall(slot);
        } else {
            release(slot, 0);
        }
    }

    /**
     * Takes back the blocks of an arena that the current thread has closed. A virtual thread is pinned while they are kept.
     *
     * @param block the arena's last block, to which the earlier ones are linked
     * @param used how many bytes at the start of {@code block} are allocated
     */
    @DontInline
    static void release(long block, int used) {
        ConfinedSlotPool pool = ofCarrier();
        if (pool != null) {
            pool.misses = Math.max(Math.min(pool.misses, MISSES) - 1, 0);
        }
        // An overflow block is linked to overflow blocks and large ones only, and a large one that is last to large ones. So none is a slot.
        // Not pinned, as in takeFirst.
        if (ConfinedBlock.capacity(block) <= MAX_CAPACITY && !ConfinedBlock.isSlot(block)) {
            freeAll(null, block);
            return;
        }
        long surplus = 0;
        boolean carried = pin(Thread.currentThread());
        try {
            pool = ofCarrier();
            surplus = pool == null ? block : pool.pushAll(block, used, !carried);
        } catch (StackOverflowError | OutOfMemoryError e) {
            // these blocks are lost
        }
        if (carried) {
            Continuation.unpin();
        }
        freeAll(pool, surplus); // not while pinned: the counters and verify mode may wait for a lock there
    }

    // Frees a block and those that it is linked to, or none if that is 0. Counts those that are slots, if there is a pool.
    private static void freeAll(ConfinedSlotPool pool, long last) {
        for (long next, block = last; block != 0; block = next) {
            next = ConfinedBlock.link(block);
            if (pool != null && ConfinedBlock.isSlot(block)) {
                pool.counters.freed();
            }
            ConfinedBlock.free(block);
        }
    }

    // Returns the blocks that the caller must free, linked, or 0.
    private long pushAll(long block, int used, boolean isOwn) {
        if (isOwn && (resident == 0 || residentSlot() == block) || ConfinedBlock.link(block) != 0) {
            return pushOrReplace(block, used, isOwn);
        }
        return push(block, used, false) ? 0 : block;
    }

    // The part of pushAll that seldom runs: in one method with it, C2 would not inline pushAll. If a slot replaces the blocks, as the
    // class comment says, or would if there were room and memory, then this returns them all.
    private long pushOrReplace(long block, int used, boolean isOwn) {
        long first = block; // the earliest that is not of a large allocation
        int total = 0;
        for (long current = block; current != 0; current = ConfinedBlock.link(current)) {
            int capacity = ConfinedBlock.capacity(current);
            first = capacity == 0 ? first : current;
            total = Math.min(total + capacity, MAX_TOTAL);
        }
        boolean becomesResident = isOwn && (resident == 0 || residentSlot() == first); // only large blocks are before a resident slot
        if (becomesResident) {
            claimed = PASSES + 1; // first, as an exception may come; and no memory may be left for the slot that becomes resident
            resident = 0;
        } else {
            total = sorted == 0 && total - ConfinedBlock.capacity(first) <= SMALL ? Math.min(total, SMALL) : 0;
        }
        if (ConfinedBlock.capacity(first) < total) {
            if (becomesResident || spare == 0 || stackTop != stackEnd || hasListRoom(ConfinedBlock.rounded(total))) {
                try {
                    long slot = ConfinedBlock.create(1, total, becomesResident);
                    counters.replaced();
                    // An agent may have opened arenas, so that another slot is resident, or there is no room.
                    return push(slot, 0, becomesResident && resident == 0) ? block : ConfinedBlock.linked(slot, block);
                } catch (OutOfMemoryError e) {
                    // no slot replaces the blocks
                }
            }
            return block;
        }
        long surplus = 0;
        for (long next, current = block; current != 0; current = next) {
            next = ConfinedBlock.link(current);
            int limit = ConfinedBlock.limit(current);
            int dirty = current == block ? Math.min(used, limit) : limit; // after an asynchronous exception used may be too large
            if (!ConfinedBlock.isSlot(current) || !push(current, dirty, becomesResident && current == first)) {
                surplus = ConfinedBlock.linked(current, surplus);
            }
        }
        return surplus;
    }

    // True if the stack is for slots of that capacity. While slots are sorted, it is for larger ones only if the free lists are full.
    private boolean isSmall(int capacity) {
        return capacity <= ConfinedBlock.CACHE_LINE
                || capacity <= SMALL + Long.BYTES && (sorted == 0 || !hasListRoom(capacity));
    }

    // True if the free lists have room for a slot of that capacity. If not, notes that they refused one.
    private boolean hasListRoom(int capacity) {
        boolean hasRoom = listedBytes + capacity + ConfinedBlock.CACHE_LINE <= MAX_LISTED;
        refused = hasRoom ? refused : 2;
        return hasRoom;
    }

    // If the lists refused a slot, takes a listed one out, which the caller must free: of the next size class that has one.
    private long makeRoom() {
        if (refused == 2) {
            refused = 1;
            for (int i = 0; i < lists.length; i++) {
                hand = hand == 0 ? lists.length - 1 : hand - 1;
                if (lists[hand] != 0) {
                    return unlist(hand);
                }
            }
        }
        return 0;
    }

    // The number of the size class of a capacity, or of the largest class below it: see ConfinedBlock.rounded. Of the cache lines after the
    // first, each number below 16 is a class. From there on shift leaves a number from 8 to 15: eight classes for each power of two.
    private static int sizeClass(int capacity) {
        int lines = Math.max(capacity - ConfinedBlock.CACHE_LINE, 0) >> Integer.numberOfTrailingZeros(ConfinedBlock.CACHE_LINE);
        int shift = Math.max(28 - Integer.numberOfLeadingZeros(lines), 0);
        return (shift << 3) + (lines >> shift);
    }

    // The first list that is not empty whose slots have at least the bytes of a new block for capacity, and are not much larger than
    // byteSize, since an arena may stay open with its slot; -1 if there is none. If capacity exceeds byteSize (a further block), they are
    // no larger than a new block. Reads no slot.
    private int find(int byteSize, int capacity) {
        int most = byteSize == capacity ? ConfinedBlock.largest(byteSize) : ConfinedBlock.rounded(capacity);
        int last = listedBytes == 0 ? -1 : Math.min(sizeClass(most), lists.length - 1);
        for (int i = capacity <= ConfinedBlock.MIN_SLOT ? 0 : sizeClass(capacity + Long.BYTES - 1) + 1; i <= last; i++) {
            if (lists[i] != 0) {
                return i;
            }
        }
        return -1;
    }

    // Takes the head out of a list that is not empty.
    private long unlist(int i) {
        long slot = lists[i];
        int capacity = ConfinedBlock.capacity(slot);
        lists[i] = ConfinedBlock.link(slot);
        listedBytes -= capacity + ConfinedBlock.CACHE_LINE; // after the calls that it needs, in each of which the stack may overflow
        return ConfinedBlock.linked(slot, 0);
    }

    // Keeps a cleared slot in the free lists, which have room.
    private void list(long slot, int capacity) {
        int i = sizeClass(capacity);
        ConfinedBlock.linked(slot, lists[i]);
        listedBytes += capacity + ConfinedBlock.CACHE_LINE;
        lists[i] = slot; // last, as an exception may come
    }

    // Clears a slot and keeps it, if there is room. An asynchronous exception may come, so no slot may be in two places even for a moment.
    private boolean push(long slot, int used, boolean becomesResident) {
        int capacity = ConfinedBlock.capacity(slot);
        boolean isSmall = isSmall(capacity);
        if (!becomesResident && !(isSmall && (spare == 0 || stackTop != stackEnd)) && !hasListRoom(capacity)) {
            return false;
        }
        ConfinedBlock.clearSlow(slot, used);
        ConfinedBlock.unlink(slot, isSmall);
        sorted = Math.max(sorted - 1, 0);
        if (becomesResident) {
            resident = slot;
            claimed = 0;
        } else if (isSmall && spare == 0) {
            spare = slot;
        } else if (isSmall && stackTop != stackEnd) {
            pushSmall(slot);
        } else {
            list(slot, capacity);
        }
        return true;
    }

    /** Frees the slots of the current platform thread, which is about to end and has no pool any more. */
    @DontInline
    public void close() {
        freeAll(this, claimed == 0 ? resident : 0);
        freeAll(this, spare);
        for (; stackTop != stack; stackTop -= Long.BYTES) {
            freeAll(this, UNSAFE.getLong(stackTop));
        }
        freeStack();
        for (long slot : lists) {
            freeAll(this, slot);
        }
        counters.flush();
    }
}
