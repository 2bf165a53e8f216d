/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.histogram.SlotReplay;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * What is known of an arena that is open. It refers to the arena weakly, as it must not keep that from being collected. Written
 * by the arena's owner only; read by whoever writes the histogram, who may see the last allocation by half.
 */
final class OpenArena extends WeakReference<Object> {

    /** Arenas that were collected without having been closed. */
    static final ReferenceQueue<Object> COLLECTED = new ReferenceQueue<>();

    record Key(Object arena) {

        @Override
        public boolean equals(Object other) {
            return other instanceof OpenArena that && that.refersTo(arena);
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(arena);
        }
    }

    /** The arena's, once it is among older ones: the first hash code of an object takes as long as all else here. */
    int hash;

    final ThreadArenas ofThread;

    /** Null if it was not looked for. */
    final CallSites.CallSite opener;

    /** The number of the method that closes it next, or 0. */
    int closer;

    /** Whether it is closed, or collected without having been. */
    boolean ended;

    private final long opened = System.nanoTime();

    private int openBefore;
    private int kept;
    private long bytes;
    private long slotBytes;
    private long allocations;
    private long first;
    private long largest;
    private long alignment;

    /** Null before the second allocation: the first needs none. */
    private SlotReplay replay;

    /** A number for what {@link #replay} has. */
    private long replayKey;

    OpenArena(Object arena, ThreadArenas ofThread, CallSites.CallSite opener) {
        super(arena, COLLECTED);
        this.ofThread = ofThread;
        this.opener = opener;
    }

    void allocate(long byteSize, long byteAlignment) {
        if (bytes == 0 && byteSize > 0) {
            openBefore = ofThread.withMemory++;
            kept = Jdk.carrier().freeSlots.take();
            first = byteSize;
        }
        if (allocations > 0) {
            if (replay == null) {
                replay = new SlotReplay();
                replay(bytes, alignment);
            }
            replay(byteSize, byteAlignment);
        }
        slotBytes = SlotReplay.usedAfter(slotBytes, byteSize, byteAlignment);
        allocations++;
        bytes += byteSize;
        largest = Math.max(largest, byteSize);
        alignment = Math.max(alignment, byteAlignment);
    }

    private void replay(long byteSize, long byteAlignment) {
        replay.allocate(byteSize, byteAlignment);
        replayKey += mix(SlotReplay.index(Math.max(byteSize, byteAlignment)), 1) * byteSize; // a sum, so in any order
    }

    /** Its thread closes it, on whichever carrier that is. */
    void returnSlot(ThreadArenas carrier) {
        if (bytes > 0) {
            ofThread.withMemory--;
            carrier.freeSlots.put();
        }
    }

    Shape shape(Closing closing, long now) {
        return new Shape(opener == null ? null : opener.site(), ofThread.isVirtual(), closing, Histogram.lifetime(now - opened),
                openBefore, kept, bytes, slotBytes, allocations, first, largest, alignment, true);
    }

    /** {@return a number that arenas with another shape or replay do not have, but for chance: 64 bits of all their parts} */
    long key(Closing closing, long now) {
        long key = opener == null ? 0 : opener.number();
        key = key << 8 | Histogram.lifetime(now - opened) << 4 | closing.ordinal() << 1 | (ofThread.isVirtual() ? 1 : 0);
        key = mix(mix(mix(mix(key, openBefore), kept), bytes), slotBytes);
        return mix(mix(mix(mix(mix(key, allocations), first), largest), alignment), replayKey);
    }

    private static long mix(long key, long part) {
        long mixed = (key ^ part) * 0x9E3779B97F4A7C15L;
        return mixed ^ mixed >>> 32;
    }

    SlotReplay replay() {
        return replay;
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
