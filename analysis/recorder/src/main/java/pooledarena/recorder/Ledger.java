/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Closing;
import pooledarena.histogram.OtherArenas;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.recorder.Rows.Row;

import module java.base;

/**
 * The shapes of the arenas that have ended: exact ones while there is memory for them, and then those that are rounded up to
 * powers of two. Threads count their arenas in rows of their own. The rows in here have what ended threads have counted, and
 * threads for whose rows there is no memory. Whoever adds holds its lock.
 */
final class Ledger {

    final Rows rows = new Rows();
    final LongAdder arenasDropped = new LongAdder();
    final LongAdder sitesDropped = new LongAdder();

    /** By call site and kind. */
    private final ConcurrentHashMap<Long, LongAdder> others = new ConcurrentHashMap<>();

    private final Memory memory;

    private volatile boolean full;

    Ledger(Memory memory) {
        this.memory = memory;
    }

    /** {@return whether there is no memory for a further exact row} */
    boolean isFull() {
        return full;
    }

    /** {@return the exact row of such an arena, or null if there is no memory for one} */
    synchronized Row exact(OpenArena arena, Site opener, Closing closing) {
        long key = arena.key(closing);
        Row row = rows.find(key);
        if (row == null && !full) {
            row = add(key, arena.shape(opener, closing), memory.half);
            full = row == null;
        }
        return row;
    }

    /** {@return the rounded row of such an arena, or null if there is no memory for one} */
    synchronized Row rounded(OpenArena arena, Site opener, Closing closing) {
        long key = arena.roundedKey(closing);
        Row row = rows.find(key);
        return row != null ? row : add(key, arena.shape(opener, closing).rounded(), 0);
    }

    private Row add(long key, Shape shape, long rest) {
        return memory.take(Memory.ROW + Memory.SHAPE, rest) ? rows.add(new Row(key, shape)) : null;
    }

    /** Counts one of another kind; those of a call site for which there is no memory as of none. */
    void countOther(int kind, int site) {
        long key = (long) site << 2 | kind;
        LongAdder count = others.get(key);
        if (count == null && site != 0 && !memory.take(Memory.ROW + Memory.SHAPE, 0)) {
            sitesDropped.increment();
            countOther(kind, 0);
        } else if (count == null) {
            others.putIfAbsent(key, new LongAdder());
            others.get(key).increment(); // which may be another's
        } else {
            count.increment();
        }
    }

    /** {@return how many arenas of other kinds there were} */
    Map<OtherArenas, Long> others(CallSites sites) {
        Map<OtherArenas, Long> counts = new HashMap<>();
        for (Map.Entry<Long, LongAdder> each : others.entrySet()) {
            OtherArenas.Kind kind = OtherArenas.Kind.values()[(int) (each.getKey() & 3)];
            counts.put(new OtherArenas(kind, sites.site((int) (each.getKey() >> 2))), each.getValue().sum());
        }
        return counts;
    }

    /** Adds what a thread has counted that has ended. */
    synchronized void add(Rows ended) {
        for (Row row : ended.all()) {
            if (row != null) {
                rows.find(row.key).add(row);
                memory.give(Memory.ROW);
            }
        }
    }
}
