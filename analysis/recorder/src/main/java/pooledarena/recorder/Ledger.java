/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Dropped;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Tally;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * The shapes of the arenas that have ended. Exact shapes are kept up to the limit, and threads count their arenas by key, see
 * {@link Counts}. Then up to as many are kept that are rounded up to powers of two.
 */
final class Ledger {

    /** An exact shape, and what {@code one} of its arenas had. */
    private record Row(Shape shape, Tally one) {}

    private final int limit;

    /** The exact rows by key. */
    private final Map<Long, Row> exact = new HashMap<>();

    /** What threads have counted that have ended, or that count as many keys as they may. */
    private final Counts others = new Counts();

    /** The sums of rounded shapes. */
    private final Map<Shape, Tally> rounded = new HashMap<>();
    private long arenasRounded;

    final LongAdder droppedArenas = new LongAdder();
    final LongAdder droppedSites = new LongAdder();

    Ledger(int limit) {
        this.limit = limit;
    }

    /** {@return whether there is an exact row of that key} If so, the arena counts, by the thread whose {@code counts} these are. */
    synchronized boolean count(long key, Counts counts) {
        if (!exact.containsKey(key)) {
            return false;
        }
        Counts counting = counts.isFull() ? others : counts;
        counting.add(key, 1);
        return true;
    }

    /** Adds an arena whose key has no row. */
    synchronized void add(long key, Shape shape, Tally one, Counts counts) {
        if (exact.size() < limit) {
            exact.put(key, new Row(shape, one));
            count(key, counts);
        } else {
            addRounded(shape, one);
        }
    }

    /** Adds what a thread has counted that has ended. */
    synchronized void add(Counts counts) {
        counts.addTo(others);
    }

    private void addRounded(Shape exactShape, Tally one) {
        Shape shape = exactShape.rounded();
        if (rounded.size() >= limit && !rounded.containsKey(shape)) {
            droppedArenas.increment();
        } else {
            arenasRounded++;
            add(rounded, shape, one);
        }
    }

    static void add(Map<Shape, Tally> tallies, Shape shape, Tally tally) {
        Tally before = tallies.get(shape);
        tallies.put(shape, before == null ? tally : before.plus(tally));
    }

    /** Adds the sums of all rows, of which threads have counted {@code sums}, to {@code tallies}, and all counts to {@code sums}. */
    synchronized void addTo(Map<Shape, Tally> tallies, Counts sums) {
        others.addTo(sums);
        for (Map.Entry<Long, Row> row : exact.entrySet()) {
            long arenas = sums.get(row.getKey());
            if (arenas > 0) { // else the stack was full when the first was to be counted
                add(tallies, row.getValue().shape, row.getValue().one.times(arenas));
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
