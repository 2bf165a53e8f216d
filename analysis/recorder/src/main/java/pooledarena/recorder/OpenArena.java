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
import pooledarena.recorder.Threads.Carrier;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * What is known of an arena that is open; weak, as the recorder must not keep an arena from being collected. Written by its
 * thread only; read by whoever writes the histogram, who may see the last allocation by half.
 */
final class OpenArena extends WeakReference<Object> {

    /** What {@link #closer} is when the arena was collected, or is still open. */
    static final int NOBODY = -2;

    final Arenas thread;

    /** The carrier on which a virtual thread opened it, or null. */
    final Carrier carrier;

    /** The one that its thread has opened before, see {@link Arenas}. */
    OpenArena before;

    /** The number of the call site that opened it, or 0. */
    final int site;

    /** The number of the method that closes it next, or 0. */
    int closer;

    /** Whether it is closed, or collected without having been. */
    boolean ended;

    private int openBefore;
    private int kept;
    private long bytes;
    private long slotBytes;
    private long allocations;
    private long first;
    private long largest;
    private long alignment;

    /** See {@link Tally#served}; from the second allocation on, as the first alone needs none. */
    private long[] served;

    /** A number for what {@link #served} has. */
    private long servedKey;

    OpenArena(Object arena, int site, Arenas thread, Carrier current, ReferenceQueue<Object> collected) {
        super(arena, collected);
        this.site = site;
        this.thread = thread;
        carrier = thread == current ? null : current;
    }

    /** Records of a virtual thread are in sets of its carriers: an identity hash code would take the JVM long to make. */
    @Override
    public int hashCode() {
        return thread.hashCode();
    }

    void allocate(long byteSize, long byteAlignment, Carrier carrier) {
        if (bytes == 0 && byteSize > 0) {
            openBefore = thread.withMemory++;
            kept = carrier.freeSlots.take();
            first = byteSize;
        }
        if (allocations == 1) {
            served = new long[SlotReplay.SIZES];
            serve(bytes, alignment);
        }
        if (allocations > 0) {
            serve(byteSize, byteAlignment);
        }
        slotBytes = SlotReplay.usedAfter(slotBytes, byteSize, byteAlignment);
        allocations++;
        bytes += byteSize;
        largest = Math.max(largest, byteSize);
        alignment = Math.max(alignment, byteAlignment);
    }

    private void serve(long byteSize, long byteAlignment) {
        SlotReplay.serve(served, byteSize, byteAlignment);
        servedKey += mix(SlotReplay.index(Math.max(byteSize, byteAlignment)) + 1) * byteSize; // a sum, so in any order
    }

    /** Gives its memory back to the thread that closes it, which {@code current} is or carries. */
    void returnSlot(Carrier current) {
        if (bytes > 0) {
            thread.withMemory--;
            current.freeSlots.put();
        }
    }

    Shape shape(Site opener, Closing closing) {
        return new Shape(opener, carrier != null, closing, openBefore, kept, bytes, slotBytes, allocations, first, largest,
                alignment, true);
    }

    /** {@return what it adds to the arenas of its shape} */
    Tally tally(Shape shape) {
        long[] parts = shape.servedInPart() ? served.clone() : null;
        for (int i = 0; parts != null && i < parts.length; i++) {
            parts[i] = Math.min(parts[i], shape.bytes()); // of an open arena, its last bytes may be missing
        }
        return new Tally(1, shape.bytes(), shape.allocations(), parts);
    }

    /** {@return a number, never 0, that arenas of another shape or with other parts served do not have, but for chance} */
    long key() {
        long key = (long) site << 32 ^ (long) closer << 1 ^ (carrier != null ? 1 : 0);
        // No product waits for another.
        key = mix(key + openBefore * 0xD6E8FEB86659FD93L + kept * 0xA0761D6478BD642FL + bytes * 0xE7037ED1A0B428DBL
                + slotBytes * 0x8EBC6AF09C88C6E3L + allocations * 0x589965CC75374CC3L + first * 0x1D8E4E27C47D124FL
                + largest * 0xEB44ACCAB455D165L + alignment * 0x9FB21C651E98DF25L + servedKey);
        return key == 0 ? 1 : key;
    }

    private static long mix(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 32;
    }
}
