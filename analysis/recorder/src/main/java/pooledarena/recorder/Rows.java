/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Shape;
import pooledarena.histogram.Tally;

/**
 * Arenas that have ended, counted by key. One thread writes, without any atomic operation; others may read. An error between any
 * two steps, as of a full stack or heap, leaves whole rows.
 */
final class Rows {

    /** The arenas of one shape. */
    static final class Row {

        final long key;
        final Shape shape;

        /** See {@link Tally#served}: of one arena if the shape is exact, else of all. */
        final long[] served;

        private long arenas;
        private long bytes;
        private long allocations;

        /** @param one an arena of that shape; it is not counted */
        Row(long key, Shape shape, OpenArena one) {
            this(key, shape, shape.servedInPart() ? one.served() : null);
        }

        private Row(long key, Shape shape, long[] served) {
            this.key = key;
            this.shape = shape;
            this.served = served == null || shape.exact() ? served : new long[served.length];
        }

        /** {@return one for arenas of the same shape, without any} */
        Row empty() {
            return new Row(key, shape, served);
        }

        void add(OpenArena arena) {
            arenas++;
            bytes += arena.bytes();
            allocations += arena.allocations();
            if (served != null && !shape.exact()) {
                addServed(arena.served());
            }
        }

        void add(Row other) {
            arenas += other.arenas;
            bytes += other.bytes;
            allocations += other.allocations;
            if (served != null && !shape.exact()) {
                addServed(other.served);
            }
        }

        private void addServed(long[] more) {
            for (int i = 0; i < served.length; i++) {
                served[i] += more[i];
            }
        }

        long arenas() {
            return arenas;
        }

        Tally tally() {
            if (shape.exact()) {
                return new Tally(1, shape.bytes(), shape.allocations(), served).times(arenas);
            }
            long[] sums = served == null ? null : served.clone();
            for (int i = 0; served != null && i < sums.length; i++) {
                sums[i] = Math.min(sums[i], bytes); // of a thread that counts meanwhile, which was read by half
            }
            return new Tally(arenas, bytes, allocations, sums);
        }

        /** {@return how much heap it takes, beside its shape} */
        int size() {
            return Memory.ROW + (served == null || shape.exact() ? 0 : Memory.SERVED);
        }
    }

    /** Each from the index of its key's hash on. A quarter full at most, as most of what is looked for may not be there. */
    private volatile Row[] table = new Row[16];
    private int count;

    /** {@return the row of that key, or null} */
    Row find(long key) {
        Row[] rows = table;
        return rows[index(rows, key)];
    }

    private static int index(Row[] rows, long key) {
        int index = (int) key & rows.length - 1;
        while (rows[index] != null && rows[index].key != key) {
            index = index + 1 & rows.length - 1;
        }
        return index;
    }

    /** Adds a row whose key has none. */
    Row add(Row row) {
        if (4 * count >= table.length) {
            Row[] larger = new Row[2 * table.length];
            for (Row each : table) {
                if (each != null) {
                    larger[index(larger, each.key)] = each;
                }
            }
            table = larger;
        }
        Row[] rows = table;
        count++;
        rows[index(rows, row.key)] = row;
        return row;
    }

    /** {@return all rows, with null between} */
    Row[] all() {
        return table;
    }
}
