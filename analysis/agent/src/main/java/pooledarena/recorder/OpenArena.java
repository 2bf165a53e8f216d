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
package pooledarena.recorder;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.SlotReplay;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * What is known of an arena that is open. As classes that are loaded already get no further fields, this is looked up by the
 * arena; as it must not keep the arena from being collected, it refers to it weakly. Written by the arena's owner only; read
 * by whoever writes the histogram, who may see the last allocation by half.
 */
final class OpenArena extends WeakReference<Object> {

    /** To be looked up with. */
    static final class Key {

        private final Object arena;

        Key(Object arena) {
            this.arena = arena;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof OpenArena that && that.refersTo(arena);
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(arena);
        }
    }

    /** The open arenas of a thread. */
    static final class OfThread {

        /** How many there are. Changed only while the map that has this is locked. */
        int open;

        /** How many of them have memory. Changed only by the thread. */
        int withMemory;
    }

    private final int hash;

    final long threadId;
    final OfThread ofThread;
    private final boolean virtual;

    /** Null if it was not looked for. */
    final Callers.Caller opener;
    private final Site site;

    private final long opened;

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

    OpenArena(Object arena, ReferenceQueue<Object> collected, Thread owner, OfThread ofThread, Callers.Caller opener,
              Site site) {
        super(arena, collected);
        hash = System.identityHashCode(arena);
        threadId = owner.threadId();
        this.ofThread = ofThread;
        virtual = owner.isVirtual();
        this.opener = opener;
        this.site = site;
        opened = System.nanoTime();
    }

    void allocate(long byteSize, long byteAlignment) {
        if (bytes == 0 && byteSize > 0) {
            openBefore = ofThread.withMemory++;
            kept = Jdk.freeSlots().take();
            first = byteSize;
        }
        if (allocations > 0) {
            if (replay == null) {
                replay = new SlotReplay();
                replay.allocate(bytes, alignment);
            }
            replay.allocate(byteSize, byteAlignment);
        }
        slotBytes = SlotReplay.usedAfter(slotBytes, byteSize, byteAlignment);
        allocations++;
        bytes += byteSize;
        largest = Math.max(largest, byteSize);
        alignment = Math.max(alignment, byteAlignment);
    }

    boolean hasMemory() {
        return bytes > 0;
    }

    Shape shape(Closing closing, long now) {
        return new Shape(site, virtual, closing, Histogram.lifetime(now - opened), openBefore, kept, bytes, slotBytes,
                allocations, first, largest, alignment, true);
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
