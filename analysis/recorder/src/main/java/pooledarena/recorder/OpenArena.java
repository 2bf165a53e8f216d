/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.SlotReplay;
import pooledarena.histogram.Tally;
import pooledarena.recorder.Threads.Arenas;

import module java.base;

/**
 * What is known of an arena that is open. When it has ended, its thread uses this for a later one: what is allocated anew takes
 * the caches from the program. Written by that thread only; read by whoever writes the histogram, who may see the last
 * allocation by half.
 */
final class OpenArena {

    /** Weak, as the recorder must not keep an arena from being collected. */
    static final class Ref extends WeakReference<Object> {

        final OpenArena open;

        Ref(Object arena, OpenArena open, ReferenceQueue<Object> collected) {
            super(arena, collected);
            this.open = open;
        }
    }

    /** Instead of bytes by size. */
    private static final long ROUNDED = 0x2545F4914F6CDD1DL;

    /** What {@link #closer} is when the arena was collected, or is still open. */
    static final int NOBODY = -2;

    final Arenas thread;

    Ref ref;

    /** The number of the call site that opened it, or 0. */
    int site;

    /** The method that closes it next, see {@link CallSites#method}, or 0. */
    int closer;

    /** Whether it is closed, or collected without having been. */
    boolean ended = true;

    private int openBefore;
    private int kept;
    private long bytes;
    private long slotBytes;
    private long allocations;
    private long first;
    private long largest;
    private long alignment;

    /** See {@link SlotReplay#served}; only where {@link #sizes} has a bit. */
    private final long[] bytesBySize = new long[SlotReplay.SIZES + 1];
    private int sizes;

    /** A number for what {@link #bytesBySize} has. */
    private long keyBySize;

    OpenArena(Arenas thread) {
        this.thread = thread;
    }

    void begin(Object arena, int newSite, ReferenceQueue<Object> collected) {
        site = newSite;
        closer = 0;
        openBefore = 0;
        kept = 0;
        bytes = 0;
        slotBytes = 0;
        allocations = 0;
        first = 0;
        largest = 0;
        alignment = 0;
        sizes = 0;
        keyBySize = 0;
        ref = new Ref(arena, this, collected);
        ended = false;
    }

    /** Its thread allocates, on whichever carrier that is. */
    void allocate(long byteSize, long byteAlignment) {
        if (allocations == 0) {
            openBefore = thread.withMemory++;
            kept = thread.carrier.freeSlots.take();
            first = byteSize;
        }
        int index = SlotReplay.index(Math.max(byteSize, byteAlignment));
        bytesBySize[index] = (bytesBySize[index] & -(sizes >> index & 1)) + byteSize; // see FreeSlots.take()
        sizes |= 1 << index;
        keyBySize += mix(index + 1) * byteSize; // a sum, so in any order
        slotBytes = SlotReplay.usedAfter(slotBytes, byteSize, byteAlignment);
        allocations++;
        bytes += byteSize;
        largest = Math.max(largest, byteSize);
        alignment = Math.max(alignment, byteAlignment);
    }

    /** Its thread closes it, on whichever carrier that is. */
    void returnSlot() {
        if (allocations > 0) {
            thread.withMemory--;
            thread.carrier.freeSlots.put();
        }
    }

    long bytes() {
        return bytes;
    }

    long allocations() {
        return allocations;
    }

    Shape shape(Site opener, Closing closing) {
        return new Shape(opener, thread.virtual == 1, closing, openBefore, kept, bytes, slotBytes, allocations, first, largest,
                alignment, true);
    }

    /** {@return see {@link Tally#served}} An open arena's last bytes may be missing. */
    long[] served() {
        return SlotReplay.served(bytesBySize, sizes, bytes);
    }

    /** {@return a number that arenas of another shape or with other bytes by size do not have, but for chance} */
    long key(Closing closing) {
        return key(closing, openBefore, kept, bytes, slotBytes, allocations, first, largest, keyBySize);
    }

    /** {@return a number that arenas do not have, but for chance, whose shape differs when it is rounded} */
    long roundedKey(Closing closing) {
        return key(closing, Shape.roundUp(openBefore), Shape.roundUp(kept), Shape.roundUp(bytes), Shape.roundUp(slotBytes),
                Shape.roundUp(allocations), Shape.roundUp(first), Shape.roundUp(largest), ROUNDED);
    }

    private long key(Closing closing, long before, long free, long sum, long slot, long count, long one, long most, long more) {
        long key = (long) site << 32 ^ (long) closing.ordinal() << 1 ^ thread.virtual;
        // No product waits for another.
        return mix(key + before * 0xD6E8FEB86659FD93L + free * 0xA0761D6478BD642FL + sum * 0xE7037ED1A0B428DBL
                + slot * 0x8EBC6AF09C88C6E3L + count * 0x589965CC75374CC3L + one * 0x1D8E4E27C47D124FL
                + most * 0xEB44ACCAB455D165L + alignment * 0x9FB21C651E98DF25L + more);
    }

    private static long mix(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 32;
    }
}
