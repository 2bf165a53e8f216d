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

import pooledarena.histogram.Dropped;
import pooledarena.histogram.Shape;
import pooledarena.histogram.SlotReplay;
import pooledarena.histogram.Tally;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * The arenas that have ended, counted by shape. Exact shapes are kept up to the limit; then up to as many that are rounded up
 * to powers of two, and again up to as many of these that do not tell the site, of which there cannot be many.
 */
final class Ledger {

    // Indexes of a row's sums; those of what slots would have served follow, if the shape asks for them.
    private static final int ARENAS = 0;
    private static final int BYTES = 1;
    private static final int ALLOCATIONS = 2;
    private static final int SERVED = 3;

    private final ConcurrentHashMap<Shape, AtomicLongArray> rows = new ConcurrentHashMap<>();
    private final long limit;

    private final LongAdder droppedArenas = new LongAdder();
    private final LongAdder droppedSites = new LongAdder();
    private final LongAdder rounded = new LongAdder();

    Ledger(int limit) {
        this.limit = limit;
    }

    /** Adds an arena of that shape; of what slots would have served {@code replay} tells, if the shape asks for it. */
    void add(Shape shape, SlotReplay replay) {
        AtomicLongArray sums = row(shape);
        if (sums == null) {
            droppedArenas.increment();
            return;
        }
        sums.getAndAdd(ARENAS, 1);
        sums.getAndAdd(BYTES, shape.bytes());
        sums.getAndAdd(ALLOCATIONS, shape.allocations());
        // Of an open arena that another thread allocates from right now, there may be no replay to be seen yet.
        if (shape.servedInPart() && replay != null) {
            for (int i = 0; i < SlotReplay.SIZES; i++) {
                sums.getAndAdd(SERVED + i, replay.served(i));
            }
        }
    }

    void dropArena() {
        droppedArenas.increment();
    }

    void dropSite() {
        droppedSites.increment();
    }

    private AtomicLongArray row(Shape exact) {
        AtomicLongArray sums = row(exact, limit);
        if (sums == null) {
            sums = row(exact.rounded(exact.site()), 2 * limit);
            if (sums == null) {
                sums = row(exact.rounded(null), 3 * limit);
                if (sums != null && exact.site() != null) {
                    droppedSites.increment();
                }
            }
            if (sums != null) {
                rounded.increment();
            }
        }
        return sums;
    }

    /** {@return the row, or null if there are too many for a new one} */
    private AtomicLongArray row(Shape shape, long most) {
        AtomicLongArray sums = rows.get(shape);
        if (sums == null && rows.mappingCount() < most) {
            sums = new AtomicLongArray(shape.servedInPart() ? SERVED + SlotReplay.SIZES : SERVED);
            AtomicLongArray raced = rows.putIfAbsent(shape, sums);
            if (raced != null) {
                sums = raced;
            }
        }
        return sums;
    }

    /** Adds everything in this to {@code other}. */
    void addTo(Ledger other) {
        for (Map.Entry<Shape, AtomicLongArray> row : rows.entrySet()) {
            AtomicLongArray sums = row.getValue();
            AtomicLongArray copy = new AtomicLongArray(sums.length());
            for (int i = 0; i < copy.length(); i++) {
                copy.set(i, sums.get(i));
            }
            other.rows.put(row.getKey(), copy);
        }
        other.droppedArenas.add(droppedArenas.sum());
        other.droppedSites.add(droppedSites.sum());
        other.rounded.add(rounded.sum());
    }

    Map<Shape, Tally> rows() {
        Map<Shape, Tally> tallies = new HashMap<>();
        for (Map.Entry<Shape, AtomicLongArray> row : rows.entrySet()) {
            AtomicLongArray sums = row.getValue();
            long[] served = null;
            if (row.getKey().servedInPart()) {
                served = new long[SlotReplay.SIZES];
                for (int i = 0; i < served.length; i++) {
                    served[i] = sums.get(SERVED + i);
                }
            }
            if (sums.get(ARENAS) > 0) {
                tallies.put(row.getKey(), new Tally(sums.get(ARENAS), sums.get(BYTES), sums.get(ALLOCATIONS), served));
            }
        }
        return tallies;
    }

    Dropped dropped(long failures) {
        return new Dropped(droppedArenas.sum(), droppedSites.sum(), rounded.sum(), failures);
    }
}
