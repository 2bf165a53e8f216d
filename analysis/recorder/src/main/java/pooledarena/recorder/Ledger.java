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
import java.util.concurrent.atomic.LongAdder;

/**
 * The arenas that have ended, counted by shape. Exact shapes are kept up to the limit; then up to as many that are rounded up
 * to powers of two, and again up to as many of these that do not tell the site, of which there cannot be many.
 */
final class Ledger {

    /**
     * How many arenas have had one key, and so the same exact shape and replay. There may be so many rows that each object on
     * the way to one costs a cache miss.
     */
    private static final class Row extends LongAdder {

        private static final long serialVersionUID = 1;

        private final long key;
        private final transient Shape shape;
        private final transient SlotReplay replay;

        Row(long key, Shape shape, SlotReplay replay) {
            this.key = key;
            this.shape = shape;
            this.replay = replay;
        }
    }

    private final int limit;

    /** The exact rows, each at the first free place from that of its key on. Replaced when a quarter is taken. */
    private volatile Row[] table = new Row[1 << 10];
    private int count;

    /** The sums of rounded shapes. */
    private final Map<Shape, Tally> rounded = new HashMap<>();
    private long arenasRounded;

    final LongAdder droppedArenas = new LongAdder();
    final LongAdder droppedSites = new LongAdder();

    Ledger(int limit) {
        this.limit = limit;
    }

    /** Adds an arena that has ended. */
    void add(OpenArena open, Closing closing, long now) {
        long key = open.key(closing, now);
        Row[] all = table;
        Row row = all[find(all, key)];
        if (row != null) {
            row.increment();
        } else {
            add(key, open.shape(closing, now), open.replay());
        }
    }

    /** {@return where in {@code all} the row of that key is, or is to be} */
    private static int find(Row[] all, long key) {
        int index = (int) key & all.length - 1;
        while (all[index] != null && all[index].key != key) {
            index = index + 1 & all.length - 1;
        }
        return index;
    }

    /** Adds an arena of that exact shape; {@code replay} tells what slots would have served, if the shape asks for it. */
    synchronized void add(long key, Shape shape, SlotReplay replay) {
        int index = find(table, key);
        if (table[index] == null && count == limit) {
            addRounded(shape, replay);
            return;
        }
        if (table[index] == null) {
            if (4 * ++count > table.length) {
                grow();
                index = find(table, key);
            }
            table[index] = new Row(key, shape, replay);
        }
        table[index].increment();
    }

    private void grow() {
        Row[] larger = new Row[4 * table.length];
        for (Row row : table) {
            if (row != null) {
                larger[find(larger, row.key)] = row;
            }
        }
        table = larger;
    }

    private void addRounded(Shape exact, SlotReplay replay) {
        Shape shape = exact.rounded(exact.site());
        if (isTooMany(shape, limit)) {
            shape = exact.rounded(null);
            if (isTooMany(shape, 2L * limit)) {
                droppedArenas.increment();
                return;
            }
            if (exact.site() != null) {
                droppedSites.increment();
            }
        }
        arenasRounded++;
        add(rounded, shape, tally(exact, replay, 1));
    }

    private boolean isTooMany(Shape shape, long most) {
        return rounded.size() >= most && !rounded.containsKey(shape);
    }

    private static Tally tally(Shape shape, SlotReplay replay, long arenas) {
        long[] served = shape.servedInPart() ? new long[SlotReplay.SIZES] : null;
        if (served != null && replay != null) { // an open arena may be seen before its replay, or before its last bytes
            for (int i = 0; i < served.length; i++) {
                served[i] = times(arenas, Math.min(replay.served(i), shape.bytes()));
            }
        }
        return new Tally(arenas, times(arenas, shape.bytes()), times(arenas, shape.allocations()), served);
    }

    /** {@return the product of numbers that are not negative, at most {@link Long#MAX_VALUE}} */
    private static long times(long a, long b) {
        return a > 0 && b > Long.MAX_VALUE / a ? Long.MAX_VALUE : a * b;
    }

    private static void add(Map<Shape, Tally> tallies, Shape shape, Tally tally) {
        Tally before = tallies.get(shape);
        tallies.put(shape, before == null ? tally : before.plus(tally));
    }

    /** Adds the sums of all rows to {@code tallies}. */
    synchronized void addTo(Map<Shape, Tally> tallies) {
        for (Row row : table) {
            long arenas = row == null ? 0 : row.sum();
            if (arenas > 0) {
                add(tallies, row.shape, tally(row.shape, row.replay, arenas));
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
