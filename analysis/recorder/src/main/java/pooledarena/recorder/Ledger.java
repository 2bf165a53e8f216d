/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.*;
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

    /** By call site and kind. Those of no call site are there from the start. */
    private final ConcurrentHashMap<Long, LongAdder> others = new ConcurrentHashMap<>();

    private final Memory memory;

    Ledger(Memory memory) {
        this.memory = memory;
        for (OtherArenas.Kind kind : OtherArenas.Kind.values()) {
            others.put((long) kind.ordinal(), new LongAdder());
        }
    }

    /** {@return the row of such an arena, exact or rounded, or null if there is no memory for one} */
    synchronized Row row(OpenArena arena, Site opener, Closing closing, boolean exact) {
        long key = arena.key(closing, exact);
        Row row = rows.find(key);
        return row != null ? row : rows.add(new Row(key, arena.shape(opener, closing, exact)), memory, Memory.ROW + Memory.SHAPE,
                exact ? memory.half : 0);
    }

    /** Counts one of another kind; those of a call site for which there is no memory as of none. */
    void countOther(int kind, int site) {
        Long key = (long) site << 2 | kind;
        if (!others.containsKey(key)) {
            if (memory.take(Memory.ROW + Memory.SHAPE, memory.quarter)) {
                try {
                    others.putIfAbsent(key, new LongAdder());
                } catch (OutOfMemoryError e) {
                    memory.give(Memory.ROW + Memory.SHAPE);
                    throw e;
                }
            } else {
                sitesDropped.increment();
                key = (long) kind;
            }
        }
        others.get(key).increment();
    }

    Map<OtherArenas, Long> others(CallSites sites) {
        Map<OtherArenas, Long> counts = new HashMap<>();
        for (Map.Entry<Long, LongAdder> each : others.entrySet()) {
            OtherArenas.Kind kind = OtherArenas.Kind.values()[(int) (each.getKey() & 3)];
            long count = each.getValue().sum();
            if (count > 0) { // a file has no count of 0, as of one that is about to count the first
                counts.put(new OtherArenas(kind, sites.site((int) (each.getKey() >> 2))), count);
            }
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
