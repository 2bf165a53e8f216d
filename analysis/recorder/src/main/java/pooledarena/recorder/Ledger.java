/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Closing;
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

    /** The number of arenas in a row, and its other sums. There are so many rows that each object in one costs a cache miss. */
    private static final class Row extends LongAdder {

        private static final long serialVersionUID = 1;

        private final transient Shape shape;

        /** The key of the arenas that this was found for last. */
        private transient long key;

        /** Null in an exact row, whose shape has the bytes and allocations of each arena. */
        private final LongAdder bytes;
        private final LongAdder allocations;

        /**
         * The bytes that slots of each size would have served and smaller ones would not have; null if the shape tells. Slots
         * that are not smaller than the largest allocation would have served all.
         */
        private final transient AtomicLongArray served;

        Row(Shape shape) {
            this.shape = shape;
            bytes = shape.exact() ? null : new LongAdder();
            allocations = shape.exact() ? null : new LongAdder();
            served = shape.servedInPart() ? new AtomicLongArray(SlotReplay.index(Math.max(shape.largest(), shape.alignment())))
                    : null;
        }

        /** Adds an arena that has the exact shape {@code arena}, which exact rows do not need. */
        void add(Shape arena, SlotReplay replay) {
            increment();
            if (bytes != null) {
                bytes.add(arena.bytes());
                allocations.add(arena.allocations());
            }
            // Of an open arena that another thread allocates from right now, there may be no replay to be seen yet.
            if (served != null && replay != null) {
                for (int i = 0; i < served.length(); i++) {
                    if (replay.bytes(i) > 0) {
                        served.getAndAdd(i, replay.bytes(i));
                    }
                }
            }
        }

        Tally tally() {
            long count = sum();
            long allBytes = bytes == null ? times(count, shape.bytes()) : bytes.sum();
            long[] sums = null;
            if (served != null) {
                sums = new long[SlotReplay.SIZES];
                long sum = 0;
                for (int i = 0; i < sums.length; i++) {
                    sum += i < served.length() ? served.get(i) : 0;
                    sums[i] = i < served.length() ? sum : allBytes;
                }
            }
            return new Tally(count, allBytes, allocations == null ? times(count, shape.allocations()) : allocations.sum(), sums);
        }

        /** {@return the product of numbers that are not negative, at most {@link Long#MAX_VALUE}} */
        private static long times(long a, long b) {
            return a > 0 && b > Long.MAX_VALUE / a ? Long.MAX_VALUE : a * b;
        }
    }

    private static final int RECENT_BITS = 13;

    private final ConcurrentHashMap<Shape, Row> rows = new ConcurrentHashMap<>();

    /** Exact rows by the first bits of their arenas' keys, so that most arenas find theirs without a shape. Races do no harm. */
    private final Row[] recent = new Row[1 << RECENT_BITS];
    private final long limit;

    private final LongAdder droppedArenas = new LongAdder();
    private final LongAdder droppedSites = new LongAdder();
    private final LongAdder rounded = new LongAdder();

    Ledger(int limit) {
        this.limit = limit;
    }

    /** Adds an arena that has ended. */
    void add(OpenArena open, Closing closing, long now) {
        long key = open.key(closing, now);
        int index = (int) (key >>> Long.SIZE - RECENT_BITS);
        Row row = recent[index];
        if (row != null && row.key == key) {
            row.add(null, open.replay());
            return;
        }
        Shape shape = open.shape(closing, now);
        add(shape, open.replay());
        row = rows.get(shape);
        if (row != null) { // or it is rounded
            row.key = key;
            recent[index] = row;
        }
    }

    /** Adds an arena of that shape; of what slots would have served {@code replay} tells, if the shape asks for it. */
    void add(Shape shape, SlotReplay replay) {
        Row row = row(shape);
        if (row == null) {
            droppedArenas.increment();
        } else {
            row.add(shape, replay);
        }
    }

    void dropArena() {
        droppedArenas.increment();
    }

    void dropSite() {
        droppedSites.increment();
    }

    private Row row(Shape exact) {
        Row row = row(exact, limit);
        if (row == null) {
            row = row(exact.rounded(exact.site()), 2 * limit);
            if (row == null) {
                row = row(exact.rounded(null), 3 * limit);
                if (row != null && exact.site() != null) {
                    droppedSites.increment();
                }
            }
            if (row != null) {
                rounded.increment();
            }
        }
        return row;
    }

    /** {@return the row, or null if there are too many for a new one} */
    private Row row(Shape shape, long most) {
        Row row = rows.get(shape);
        if (row == null && rows.mappingCount() < most) {
            row = new Row(shape);
            Row raced = rows.putIfAbsent(shape, row);
            if (raced != null) {
                row = raced;
            }
        }
        return row;
    }

    /** {@return the sums of all rows} */
    Map<Shape, Tally> tallies() {
        Map<Shape, Tally> tallies = new HashMap<>();
        for (Row row : rows.values()) {
            Tally tally = row.tally();
            if (tally.arenas() > 0) {
                tallies.put(row.shape, tally);
            }
        }
        return tallies;
    }

    Dropped dropped(long failures) {
        return new Dropped(droppedArenas.sum(), droppedSites.sum(), rounded.sum(), failures);
    }
}
