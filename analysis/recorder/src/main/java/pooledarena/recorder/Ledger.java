/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.Tally;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The arenas that have ended, counted by shape. Exact shapes are kept up to the limit; then up to as many that are rounded up
 * to powers of two, and again up to as many of these that do not tell the site, of which there cannot be many. Threads count
 * most arenas themselves, see {@link Counts}, once an exact shape has its row.
 */
final class Ledger {

    /** An exact shape, what {@code one} of its arenas had, and how many there were other than those that threads counted. */
    private record Row(Shape shape, Tally one, AtomicLong others) {}

    private final int limit;

    /** The exact rows by key. */
    private final ConcurrentHashMap<Long, Row> exact = new ConcurrentHashMap<>();

    /** The sums of rounded shapes. */
    private final Map<Shape, Tally> rounded = new HashMap<>();
    private long arenasRounded;

    final LongAdder droppedArenas = new LongAdder();
    final LongAdder droppedSites = new LongAdder();

    Ledger(int limit) {
        this.limit = limit;
    }

    /** {@return the number of the exact row with that key, one higher, or 0 if there is none} */
    private long increment(long key) {
        Row row = exact.get(key);
        return row == null ? 0 : row.others.incrementAndGet();
    }

    /** Adds an arena that has ended, and returns whether threads may count further ones with its key. */
    boolean add(long key, OpenArena open, Site site, Closing closing, long now) {
        if (increment(key) > 0) {
            return true;
        }
        Shape shape = open.shape(site, closing, now);
        return add(key, shape, open.tally(shape));
    }

    synchronized boolean add(long key, Shape shape, Tally one) {
        if (exact.size() < limit) {
            exact.putIfAbsent(key, new Row(shape, one, new AtomicLong()));
        }
        if (increment(key) > 0) {
            return true;
        }
        addRounded(shape, one);
        return false;
    }

    /** Adds what a thread has counted. */
    void add(Counts counts) {
        for (Map.Entry<Long, Row> row : exact.entrySet()) {
            row.getValue().others.addAndGet(counts.get(row.getKey()));
        }
    }

    private void addRounded(Shape exactShape, Tally one) {
        Shape shape = exactShape.rounded(exactShape.site());
        if (isTooMany(shape, limit)) {
            shape = exactShape.rounded(null);
            if (isTooMany(shape, 2L * limit)) {
                droppedArenas.increment();
                return;
            }
            if (exactShape.site() != null) {
                droppedSites.increment();
            }
        }
        arenasRounded++;
        add(rounded, shape, one);
    }

    private boolean isTooMany(Shape shape, long most) {
        return rounded.size() >= most && !rounded.containsKey(shape);
    }

    static void add(Map<Shape, Tally> tallies, Shape shape, Tally tally) {
        Tally before = tallies.get(shape);
        tallies.put(shape, before == null ? tally : before.plus(tally));
    }

    /** Adds the sums of all rows, with what threads count, to {@code tallies}. */
    synchronized void addTo(Map<Shape, Tally> tallies, Counts counts) {
        for (Map.Entry<Long, Row> exactRow : exact.entrySet()) {
            Row row = exactRow.getValue();
            long arenas = row.others.get() + counts.get(exactRow.getKey());
            if (arenas > 0) { // else the stack was full when the first was to be counted
                add(tallies, row.shape, row.one.times(arenas));
            }
        }
        for (Map.Entry<Shape, Tally> row : rounded.entrySet()) {
            add(tallies, row.getKey(), row.getValue());
        }
    }

    synchronized Dropped dropped(long failures) {
        return new Dropped(droppedArenas.sum(), droppedSites.sum(), arenasRounded, failures);
    }
}
