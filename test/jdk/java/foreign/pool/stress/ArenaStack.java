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
import jdk.internal.misc.Unsafe;

/**
 * Open arenas of one thread, and what must be in their memory. Each action may be broken off anywhere, by a stack
 * overflow or an asynchronous exception: what it had done until then is still known afterwards. So it calls as little
 * as possible, and keeps the arena before it allocates from it.
 */
final class ArenaStack {

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** What an arena allocates first, unless that is to fill its slot. */
    static final int SMALL = Math.min(64, Slots.SIZE);

    /** With padding for an alignment of 32 it fills the least slot. */
    static final int ALIGNED = 40;

    private final int capacity;
    private final boolean grows;
    private final int first;
    private final int second;
    private final Arena[] arenas;

    // Two allocations of an arena: at its index, and at that after the capacity. The second is for a block of its own.
    private final MemorySegment[] segments;
    private final long[] marks;

    private int open;
    private boolean closing;
    private int brokenCloses;
    private int lostSlots;

    private int random;
    private long lastMark;
    private boolean dirty;

    /**
     * Creates a stack.
     *
     * @param capacity the most arenas
     * @param grows    whether arenas allocate more than a slot can have at first
     */
    ArenaStack(long seed, int capacity, boolean grows) {
        this(seed, capacity, grows, SMALL, Slots.SIZE);
    }

    /**
     * Creates a stack.
     *
     * @param first the bytes that an arena allocates first
     * @param second the bytes by which it grows, aligned if the first ones were more than a slot has
     */
    ArenaStack(long seed, int capacity, boolean grows, int first, int second) {
        this.capacity = capacity;
        this.grows = grows;
        this.first = first;
        this.second = second;
        arenas = new Arena[capacity];
        segments = new MemorySegment[2 * capacity];
        marks = new long[2 * capacity];
        random = (int) (seed ^ seed >>> 32) | 1;
    }

    /** Random without a call to speak of. */
    int next(int bound) {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        return (random >>> 1) % bound;
    }

    /** Opens an arena, lets the one opened last grow, or closes it. */
    void action() {
        countBrokenClose();
        int choice = next(grows ? 3 : 2);
        if (open == 0 || open < capacity && choice == 0) {
            open();
        } else if (choice == 2) {
            grow();
        } else {
            close();
        }
    }

    void open() {
        int index = open;
        arenas[index] = Arena.ofConfined();
        marks[index] = 0;
        marks[capacity + index] = 0;
        open = index + 1;
        allocate(index, arenas[index], first, 1);
    }

    void grow() {
        grow(open - 1);
    }

    /** Lets all open arenas grow that did not. */
    void growAll() {
        for (int index = 0; index < open; index++) {
            grow(index);
        }
    }

    private void grow(int index) {
        if (marks[capacity + index] != 0 || !arenas[index].scope().isAlive()) {
            return;
        }
        allocate(capacity + index, arenas[index], second, first > Slots.SIZE ? 32 : 1);
    }

    private void allocate(int index, Arena arena, int byteSize, int byteAlignment) {
        MemorySegment segment = arena.allocate(byteSize, byteAlignment);
        segments[index] = segment;
        long address = segment.address();
        long mark = ++lastMark;
        for (int i = 0; i < byteSize; i += Long.BYTES) {
            dirty |= UNSAFE.getLong(address + i) != 0;
            UNSAFE.putLong(address + i, mark);
        }
        marks[index] = mark;
    }

    void close() {
        int index = open - 1;
        if (arenas[index].scope().isAlive()) {
            closing = true;
            arenas[index].close();
            closing = false;
        }
        open = index;
    }

    private void countBrokenClose() {
        if (closing) {
            boolean closed = !arenas[open - 1].scope().isAlive();
            closing = false;
            brokenCloses++;
            lostSlots += closed ? 1 : 0;
        }
    }

    /** {@return how many actions were broken off while they closed an arena, as of the last {@link #settle}} */
    int brokenCloses() {
        return brokenCloses;
    }

    /** {@return how many of them left an arena that is closed, but may not have returned its slot} */
    int lostSlots() {
        return lostSlots;
    }

    /** Checks all open arenas and the pool, and closes the arenas. Nothing may break this off. */
    void settle() {
        countBrokenClose();
        Stress.check(!dirty, "invariant 2: an arena was given memory that is not zero");
        verifyOpen();
        Slots.drain(); // fills what it gets
        verifyOpen();
        while (open > 0) {
            close();
        }
        Slots.drain();
    }

    private void verifyOpen() {
        for (int i = 0; i < open; i++) {
            if (arenas[i].scope().isAlive()) {
                verify(i);
                verify(capacity + i);
            }
        }
    }

    private void verify(int index) {
        if (marks[index] != 0) {
            MemorySegment segment = segments[index];
            for (int i = 0; i < segment.byteSize(); i += Long.BYTES) {
                Stress.check(UNSAFE.getLong(segment.address() + i) == marks[index],
                        "invariant 1: an open arena's memory was written to");
            }
        }
    }
}
