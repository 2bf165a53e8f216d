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

    private final Arena[] arenas;
    private final MemorySegment[] segments;
    private final long[] marks;
    private int capacity;
    int open;
    private boolean closing;
    private int brokenCloses;

    private int random;
    private long lastMark;
    private boolean dirty;

    /** Creates a stack of at most so many arenas. */
    ArenaStack(long seed, int capacity) {
        this.capacity = capacity;
        arenas = new Arena[capacity];
        segments = new MemorySegment[capacity];
        marks = new long[capacity];
        random = (int) (seed ^ seed >>> 32) | 1;
    }

    /** Random without a call to speak of. */
    int next(int bound) {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        return (random >>> 1) % bound;
    }

    /** Opens an arena or closes the one opened last. */
    void action() {
        countBrokenClose();
        if (open == 0 || open < capacity && next(2) == 0) {
            open();
        } else {
            close();
        }
    }

    void open() {
        int index = open;
        arenas[index] = Arena.ofConfined();
        segments[index] = null;
        marks[index] = 0;
        open = index + 1;
        // What malloc gives is lost when broken off right after, with pooling or without. So only little is
        // allocated where there is no slot.
        long address = arenas[index].allocate(8, 1).address();
        if (arenas[index].allocate(8, 1).address() != address + SlotProbe.GRAIN) {
            return;
        }
        MemorySegment segment = arenas[index].allocate(SlotProbe.SIZE / 2, 1);
        segments[index] = segment;
        address = segment.address();
        long mark = ++lastMark;
        for (int i = 0; i < SlotProbe.SIZE / 2; i += Long.BYTES) {
            dirty |= UNSAFE.getLong(address + i) != 0;
            UNSAFE.putLong(address + i, mark);
        }
        marks[index] = mark;
    }

    private void close() {
        int index = open - 1;
        if (arenas[index].scope().isAlive()) {
            closing = true;
            arenas[index].close();
            closing = false;
        }
        open = index;
    }

    /** Holds the number of arenas down from now on. */
    void limit(int capacity) {
        this.capacity = Math.min(capacity, arenas.length);
    }

    private void countBrokenClose() {
        if (closing) {
            closing = false;
            brokenCloses++;
        }
    }

    /** {@return how many actions were broken off while they closed an arena, as of the last {@link #settle}} */
    int brokenCloses() {
        return brokenCloses;
    }

    /**
     * Checks all open arenas and the pool, and closes the arenas. Nothing may break this off.
     *
     * @return how many slots are lost
     */
    int settle() {
        countBrokenClose();
        Stress.check(!dirty, "invariant 2: an arena was given memory that is not zero");
        verifyOpen();
        SlotProbe.drain(); // fills what it gets
        verifyOpen();
        while (open > 0) {
            close();
        }
        return SlotProbe.DEPTH - SlotProbe.drain().length;
    }

    private void verifyOpen() {
        for (int i = 0; i < open; i++) {
            if (marks[i] != 0 && arenas[i].scope().isAlive()) {
                for (int j = 0; j < SlotProbe.SIZE / 2; j += Long.BYTES) {
                    Stress.check(UNSAFE.getLong(segments[i].address() + j) == marks[i],
                            "invariant 1: an open arena's memory was written to");
                }
            }
        }
    }
}
