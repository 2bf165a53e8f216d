/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Dropped;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Tally;

import module java.base;

/**
 * The shapes of the arenas that have ended. Exact shapes are kept up to the limit, and threads count their arenas by key, see
 * {@link Counts}. Then up to as many are kept that are rounded up to powers of two. Whoever calls this holds its lock.
 */
final class Ledger {

    /**
     * How often keys occurred. One thread counts, without any atomic operation; others may read. A program's own work pushes
     * all this out of the caches, so a key and its count share a cache line.
     */
    static final class Counts {

        /** At even indexes keys or 0, each from the index of its hash on; a count follows each. Half full at most. */
        private volatile long[] table = new long[32];
        private int keys;

        /** {@return whether the key is in here} If so, it counts. */
        boolean increment(long key) {
            long[] all = table;
            int index = find(all, key);
            if (all[index] == 0) {
                return false;
            }
            all[index + 1]++;
            return true;
        }

        void add(long key, long count) {
            long[] all = table;
            if (4 * keys >= all.length) {
                long[] larger = new long[2 * all.length];
                for (int i = 0; i < all.length; i += 2) {
                    int index = find(larger, all[i]);
                    larger[index] = all[i];
                    larger[index + 1] = all[i + 1];
                }
                all = larger;
                table = larger;
            }
            int index = find(all, key);
            if (all[index] == 0) {
                all[index] = key;
                keys++;
            }
            all[index + 1] += count;
        }

        /** Adds all of it to {@code sums}. */
        void addTo(Counts sums) {
            long[] all = table;
            for (int i = 0; i < all.length; i += 2) {
                if (all[i] != 0) {
                    sums.add(all[i], all[i + 1]);
                }
            }
        }

        long get(long key) {
            long[] all = table;
            return all[find(all, key) + 1];
        }

        private static int find(long[] all, long key) {
            int index = (int) key << 1 & all.length - 1;
            while (all[index] != key && all[index] != 0) {
                index = index + 2 & all.length - 1;
            }
            return index;
        }
    }

    /** An exact shape, and what {@code one} of its arenas had. */
    private record Row(long key, Shape shape, Tally one) {}

    private final int limit;

    private final List<Row> exact = new ArrayList<>();

    /** By key, the number of its row, from 1 on. The JVM has compiled this already. */
    private final Counts numbers = new Counts();

    /** The sums of rounded shapes. */
    private final Map<Shape, Tally> rounded = new HashMap<>();

    private long arenasRounded;
    final LongAdder arenasDropped = new LongAdder();
    final LongAdder sitesDropped = new LongAdder();

    Ledger(int limit) {
        this.limit = limit;
    }

    /** {@return whether the key has an exact row: then threads count its arenas} */
    boolean has(long key) {
        return numbers.get(key) > 0;
    }

    /** Gives a key an exact row or, if there is no room for one, counts the arena. */
    void add(long key, Shape shape, Tally one) {
        if (exact.size() < limit) {
            exact.add(new Row(key, shape, one));
            numbers.add(key, exact.size());
            return;
        }
        Shape coarse = shape.rounded();
        if (rounded.size() < limit || rounded.containsKey(coarse)) {
            arenasRounded++;
            add(rounded, coarse, one);
        } else {
            arenasDropped.increment();
        }
    }

    Dropped dropped(long failures) {
        return new Dropped(arenasDropped.sum(), sitesDropped.sum(), arenasRounded, failures);
    }

    static void add(Map<Shape, Tally> tallies, Shape shape, Tally tally) {
        Tally before = tallies.put(shape, tally);
        if (before != null) {
            tallies.put(shape, before.plus(tally));
        }
    }

    /** {@return the sums of all rows, of which threads have counted {@code sums}} */
    Map<Shape, Tally> tallies(Counts sums) {
        Map<Shape, Tally> tallies = HashMap.newHashMap(exact.size() + rounded.size());
        tallies.putAll(rounded);
        for (int i = 0; i < exact.size(); i++) {
            Row row = exact.get(i);
            long arenas = sums.get(row.key);
            if (arenas > 0 && numbers.get(row.key) == i + 1) { // else the stack was full when it was added, or its first counted
                add(tallies, row.shape, row.one.times(arenas));
            }
        }
        return tallies;
    }
}
