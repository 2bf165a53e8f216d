/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
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

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The slots of one thread's pool, told by their addresses. Tests that use {@link #SIZE} and what is computed from it set the properties.
 * <p>
 * The pool replaces slots by larger ones as arenas need them. This makes them as large as they may be, so their addresses stay the same
 * from then on.
 */
final class Slots {

    /** The most bytes that an arena allocates from a slot at once. */
    static final int SIZE = Math.max(0, Integer.getInteger("jdk.foreign.confinedPool.size", 0));

    /** How many slots of that size a thread keeps. */
    static final int DEPTH = Math.max(0, Integer.getInteger("jdk.foreign.confinedPool.depth", 0));

    /** The most bytes with which an arena fits in a slot of that size: in verify mode a guard is before them, and one after. */
    static final int FITTING = SIZE - (System.getProperty("jdk.foreign.confinedPool.verify", "false").equals("false") ? 0 : 32);

    /** How far apart two one-byte allocations in a slot are. */
    static final int GRAIN = 8;

    // The pool's own constants, which these tests repeat only here. If the pool has others, tests fail, as mutants show.

    /** The most bytes of an arena's first allocation that takes a small slot. */
    static final int SMALL = 568;

    /** The largest alignment in a slot. */
    static final int MAX_ALIGNMENT = 256;

    /** The most bytes that allocateFrom takes from a slot. */
    static final int MAX_COPIED = Math.min(SIZE, 4096);

    /** How many small slots a thread keeps. */
    static final int MAX_SMALL = 16 * DEPTH;

    /** The bytes of the free lists. */
    static final int MAX_LISTED = DEPTH * (Math.max(SIZE, 64) + 128);

    /** So many slots a thread takes before it has a pool. */
    static final int WITHOUT_POOL = 32;

    /** The bytes of the smallest slot. */
    static final int LEAST = 56;

    /** The bytes of the smallest overflow block. */
    static final int LEAST_OVERFLOW = 24;

    /** If an arena keeps the resident slot, then this many arenas later one gets a new resident slot. */
    static final int PASSES = 16;

    /** If so many arenas get new slots, and others found no room before, then overflow blocks follow. */
    static final int MISSES = 16;

    /** If an arena outgrows an overflow block, and a slot would have had room, then so many are as large as slots. */
    static final int ROOMY = 1 << 16;

    /** The most bytes by which a slot may be larger than what its arena asks for and half of that, if the arena may keep it. */
    static final int EXCESS = 88;

    /** The most that a block takes of native memory beside its capacity. */
    static final int BLOCK_OVERHEAD = 64;

    /** The bytes of the stack, where a pool has the addresses of its small slots. */
    static final int STACK = MAX_SMALL * 8;

    /** The most native memory that a pool has while no arena does: the resident slot, the free lists, the small slots, and the stack. */
    static final long POOL_BOUND = Math.max(SIZE, 64) + 128 + MAX_LISTED
            + MAX_SMALL * (long) (Math.min(capacity(SIZE), capacity(SMALL)) + BLOCK_OVERHEAD) + STACK;

    private final long[] addresses;

    private Slots(long[] addresses) {
        this.addresses = addresses;
    }

    /** Opens the arenas of a thread that have no pool: the next one makes one. */
    static void openFirst() {
        for (int i = 0; i < WITHOUT_POOL; i++) {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(1);
            }
        }
    }

    // Makes the current thread free the slots that are smaller than they may be. No test leaves more of them than this in the free
    // list, and each step clears megabytes if slots are large.
    private static void dropOthers() {
        for (int i = 0; i <= Math.min(2048, MAX_LISTED / (LEAST + BLOCK_OVERHEAD)); i++) {
            nest(kept() + 1, FITTING);
        }
    }

    /**
     * {@return all slots of the current thread, or of its carrier, in the order in which nested arenas take them} None may
     * be in use.
     */
    static Slots learn() {
        openFirst();
        dropOthers();
        Slots slots = new Slots(nest(kept(), FITTING));
        long[] sorted = sorted(slots.addresses);
        for (int i = 1; i < sorted.length; i++) {
            if (sorted[i] - sorted[i - 1] < SIZE) {
                throw new AssertionError("slots overlap: " + hex(sorted));
            }
        }
        // Memory that was given back would be taken here, and would not come again.
        try (Arena takers = Arena.ofShared()) {
            for (int i = 0; i < 2 * slots.addresses.length; i++) {
                takers.allocate(SIZE);
                takers.allocate(SIZE + 64);
            }
            slots.checkAllFree();
        }
        return slots;
    }

    // How many of the largest slots a thread keeps. Arenas of virtual threads do not get a resident one. Of small slots there are
    // more, but those that were returned last are taken again.
    private static int kept() {
        return capacity(FITTING) <= capacity(SMALL) || Thread.currentThread().isVirtual() ? DEPTH : DEPTH + 1;
    }

    /** {@return how much can be allocated from a slot that was created for so many bytes} */
    static int capacity(int byteSize) {
        int capacity = byteSize <= LEAST ? LEAST : 128;
        while (capacity < byteSize + 8 && byteSize > LEAST) {
            capacity += Math.max(64, Integer.highestOneBit(capacity - 64) / 8);
        }
        return capacity;
    }

    /** {@return how many slots for so many bytes a thread keeps beside the resident one} */
    static int mostKept(int byteSize) {
        return (capacity(byteSize) <= capacity(SMALL) ? MAX_SMALL : 0) + MAX_LISTED / (capacity(byteSize) + BLOCK_OVERHEAD);
    }

    /** {@return what a slot for so many bytes takes of native memory, unless it is resident} */
    static long nativeBytes(int byteSize) {
        return capacity(byteSize) + (capacity(byteSize) > 192 ? BLOCK_OVERHEAD : 16);
    }

    /** {@return the same of a resident slot, which is always aligned to a cache line} */
    static long residentBytes(int byteSize) {
        return capacity(byteSize) + BLOCK_OVERHEAD;
    }

    /** {@return whether an arena that first allocates {@code first} bytes has {@code more} bytes in the same slot} */
    static boolean hasRoom(int first, int more) {
        try (Arena arena = Arena.ofConfined()) {
            long end = arena.allocate(first).address() + first + 15 & -16;
            return arena.allocate(more, 16).address() == end;
        }
    }

    /** {@return the addresses of what was allocated in each of so many nested arenas} */
    static long[] nest(int depth, long byteSize) {
        long[] addresses = new long[depth];
        List<Arena> arenas = new ArrayList<>();
        for (int i = 0; i < depth; i++) {
            Arena arena = Arena.ofConfined();
            arenas.add(arena);
            addresses[i] = arena.allocate(byteSize).address();
        }
        arenas.reversed().forEach(Arena::close);
        return addresses;
    }

    /**
     * Checks that arenas get the same memory again and again.
     *
     * @param addresses uses the arenas, and returns what they got
     * @param capacities of the blocks that they use, which would be taken by others if they were given back
     */
    static void checkComesAgain(Supplier<long[]> addresses, int... capacities) {
        long[] expected = addresses.get();
        for (int i = 0; i < 50; i++) {
            for (int j = 0; j < 20; j++) {
                for (int capacity : capacities) {
                    Arena.global().allocate(capacity + BLOCK_OVERHEAD);
                }
            }
            long[] actual = addresses.get();
            if (!Arrays.equals(expected, actual)) {
                throw new AssertionError("other memory: " + hex(actual) + ", expected " + hex(expected));
            }
        }
    }

    /** {@return the address of the slot with the given position} */
    long address(int index) {
        return addresses[index];
    }

    /** {@return the position of the slot in which the segment lies wholly, or -1} */
    int indexOf(MemorySegment segment) {
        for (int i = 0; i < addresses.length; i++) {
            long offset = segment.address() - addresses[i];
            if (offset >= 0 && offset < SIZE) {
                if (offset + segment.byteSize() > SIZE) {
                    throw new AssertionError(segment + " sticks out of the slot at " + Long.toHexString(addresses[i]));
                }
                return i;
            }
        }
        return -1;
    }

    boolean contain(MemorySegment segment) {
        return indexOf(segment) >= 0;
    }

    /** {@return how far into its slot the segment starts} */
    long offset(MemorySegment segment) {
        return segment.address() - addresses[indexOf(segment)];
    }

    /** {@return the memory of the slot with the given position, whoever uses it} */
    MemorySegment memory(int index) {
        return raw(addresses[index], SIZE);
    }

    /** {@return the segment's memory, accessible after its arena is closed} */
    static MemorySegment raw(MemorySegment segment) {
        return raw(segment.address(), segment.byteSize());
    }

    static MemorySegment raw(long address, long byteSize) {
        return MemorySegment.ofAddress(address).reinterpret(byteSize);
    }

    /** Checks that each byte of the segment has the given value. */
    static void checkFilled(MemorySegment segment, int value, String message) {
        byte[] expected = new byte[(int) segment.byteSize()];
        Arrays.fill(expected, (byte) value);
        long offset = segment.mismatch(MemorySegment.ofArray(expected));
        if (offset >= 0) {
            throw new AssertionError(message + ": byte " + offset + " of " + segment + " is "
                    + segment.get(ValueLayout.JAVA_BYTE, offset) + ", expected " + value);
        }
    }

    static void checkZero(MemorySegment segment, String message) {
        checkFilled(segment, 0, message);
    }

    /** Checks that the memory of each slot is zero. */
    void checkAllZero() {
        for (int i = 0; i < addresses.length; i++) {
            checkZero(memory(i), "slot " + i);
        }
    }

    /** Checks that none of the slots is in use, nor lost. */
    void checkAllFree() {
        checkAllZero();
        long[] now = nest(kept(), FITTING);
        if (!Arrays.equals(sorted(addresses), sorted(now))) {
            throw new AssertionError("slots " + hex(addresses) + ", but free are " + hex(now));
        }
    }

    /** Checks that the current thread, or its carrier, has a pool: its arenas get a slot that is not given back between them. */
    static void checkPooled() {
        long[] expected = nest(1, 1);
        try (Arena takers = Arena.ofShared()) {
            for (int i = 0; i < 20; i++) {
                for (int byteSize : new int[] {LEAST_OVERFLOW + 16, LEAST + 16, LEAST + BLOCK_OVERHEAD}) {
                    takers.allocate(byteSize); // what a block would have been that was given back
                }
            }
            long[] actual = nest(1, 1);
            if (!Arrays.equals(expected, actual)) {
                throw new AssertionError("no pool: slots " + hex(expected) + " and " + hex(actual));
            }
        }
    }

    /** Checks that a new arena bumps its first allocations: it has a slot or an overflow block. */
    static void checkBumped(Arena arena) {
        long first = arena.allocate(1).address();
        if (arena.allocate(1).address() - first != GRAIN) {
            throw new AssertionError("an arena began without a block");
        }
    }

    /**
     * Takes more slots at once than the current thread keeps large ones, uses each of them up, and checks invariants 1 and 2 on
     * them: nothing is handed out twice, and all of it is zero.
     */
    static void drain() {
        Arena[] arenas = new Arena[2 * DEPTH + 12];
        TreeMap<Long, MemorySegment> segments = new TreeMap<>();
        TreeMap<Long, Integer> values = new TreeMap<>();
        try {
            for (int i = 0; i < arenas.length; i++) {
                arenas[i] = Arena.ofConfined();
                // What a free slot may be taken for depends on how large it is.
                int first = i % 3 == 0 ? SIZE : Math.max(GRAIN, i % 3 == 1 ? Math.min(64, SIZE) : SIZE / 8);
                // With steps that double, a slot of a power of two is used up before the arena goes on in a block.
                for (int used = 0, step = first; used < SIZE; used += step, step = used) {
                    MemorySegment segment = arenas[i].allocate(step);
                    checkZero(segment, "invariant 2");
                    segment.fill((byte) (i + 1));
                    segments.put(segment.address(), segment);
                    values.put(segment.address(), i + 1);
                }
            }
            long end = 0;
            for (Map.Entry<Long, MemorySegment> entry : segments.entrySet()) {
                MemorySegment segment = entry.getValue();
                if (entry.getKey() < end) {
                    throw new AssertionError("invariant 1: handed out twice: " + segment);
                }
                end = entry.getKey() + segment.byteSize();
                checkFilled(segment, values.get(entry.getKey()), "invariant 1: another owner wrote to it");
            }
        } finally {
            for (Arena arena : arenas) {
                if (arena != null) {
                    arena.close();
                }
            }
        }
    }

    private static long[] sorted(long[] addresses) {
        return Arrays.stream(addresses).sorted().toArray();
    }

    private static String hex(long[] addresses) {
        return Arrays.toString(Arrays.stream(addresses).mapToObj(Long::toHexString).toArray());
    }
}
