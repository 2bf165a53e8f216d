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

    static final class Row {

        final long key;
        final Shape shape;

        long arenas;
        private long bytes;
        private long allocations;

        Row(long key, Shape shape) {
            this.key = key;
            this.shape = shape;
        }

        void add(OpenArena arena) {
            arenas++;
            bytes += arena.bytes;
            allocations += arena.allocations;
        }

        void add(Row other) {
            arenas += other.arenas;
            bytes += other.bytes;
            allocations += other.allocations;
        }

        Tally tally() {
            return shape.exact() ? new Tally(arenas, arenas * shape.bytes(), arenas * shape.allocations())
                    : new Tally(arenas, bytes, allocations);
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

    /** Adds a row whose key has none, if there is memory for it, which is taken last. {@return the row, or null} */
    Row add(Row row, Memory memory, long bytes, long rest) {
        if (4 * count >= table.length) {
            Row[] larger = new Row[2 * table.length];
            for (Row each : table) {
                if (each != null) {
                    larger[index(larger, each.key)] = each;
                }
            }
            table = larger;
        }
        if (!memory.take(bytes, rest)) {
            return null;
        }
        count++;
        table[index(table, row.key)] = row;
        return row;
    }

    /** {@return all rows, with null between} */
    Row[] all() {
        return table;
    }
}
