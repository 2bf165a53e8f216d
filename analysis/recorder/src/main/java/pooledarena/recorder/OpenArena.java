/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.*;
import pooledarena.recorder.Threads.Arenas;

import module java.base;

/**
 * What is known of an arena that is open. Weak, as the recorder must not keep an arena from being collected. Written by the
 * arena's thread only; read by whoever writes the histogram, who may see half of the last allocation.
 */
final class OpenArena extends WeakReference<Object> {

    /** Part of the key of a shape that is rounded. */
    private static final long ROUNDED = 0x2545F4914F6CDD1DL;

    /** What {@link #closer} is when the arena was collected, or is still open. */
    static final int NOBODY = -2;

    final Arenas thread;

    /** The number of the call site that opened it, or 0. */
    final int site;

    /** The method that closes it next, see {@link CallSites#method}, or 0. */
    int closer;

    /** Whether it is closed, or collected without having been. */
    boolean ended;

    long bytes;
    long allocations;
    private int openBefore;
    private int dip;
    private int earlier;
    private long first;
    private long largest;
    private long alignment;

    /** @param collected takes this when the arena was collected */
    OpenArena(Object arena, Arenas thread, int site, ReferenceQueue<Object> collected) {
        super(arena, collected);
        this.thread = thread;
        this.site = site;
    }

    boolean isOf(Object arena) {
        return !ended && refersTo(arena);
    }

    /** Its thread allocates, on whichever carrier that is. */
    void allocate(long byteSize, long byteAlignment) {
        if (allocations == 0) {
            openBefore = thread.ownWithMemory++;
            earlier = thread.carrier.withMemory.opened();
            dip = thread.carrier.withMemory.up();
            first = byteSize;
        }
        allocations++;
        bytes += byteSize;
        largest = Math.max(largest, byteSize);
        alignment = Math.max(alignment, byteAlignment);
    }

    /** Its thread closes it, on whichever carrier that is. */
    void leave() {
        if (allocations > 0) {
            thread.ownWithMemory--;
            thread.carrier.withMemory.down();
        }
    }

    Shape shape(Site opener, Closing closing, boolean exact) {
        Shape shape = new Shape(opener, thread.virtual == 1, closing, openBefore, dip, earlier, bytes, allocations, first, largest,
                alignment, true);
        return exact ? shape : shape.rounded();
    }

    /** {@return the key of the arena's shape, exact or rounded: two shapes have the same one only by chance} */
    long key(Closing closing, boolean exact) {
        Shape shape = shape(null, closing, exact); // whose site is the number here; it need not be made when this is compiled
        long key = (long) site << 32 ^ (long) shape.closing().ordinal() << 1 ^ thread.virtual;
        // No product waits for another.
        long sum = key + shape.openBefore() * 0xD6E8FEB86659FD93L + shape.dip() * 0xA0761D6478BD642FL
                + shape.bytes() * 0xE7037ED1A0B428DBL + shape.earlier() * 0x8EBC6AF09C88C6E3L
                + shape.allocations() * 0x589965CC75374CC3L + shape.first() * 0x1D8E4E27C47D124FL
                + shape.largest() * 0xEB44ACCAB455D165L + shape.alignment() * 0x9FB21C651E98DF25L
                + (exact ? 0 : ROUNDED);
        long mixed = sum * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 32;
    }
}
