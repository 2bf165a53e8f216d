/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import java.util.Collection;

/**
 * Arenas in the order in which they were opened: all that are open, and some that have ended. One thread writes; others may
 * read, and see the last step by half.
 */
class ArenaStack {

    private final int limit;

    /** Those from {@link #count} on are null, or have ended and are used again. */
    private OpenArena[] records;
    private int count;

    ArenaStack(int limit) {
        this.limit = limit;
        records = new OpenArena[Math.min(8, limit)];
    }

    /** {@return whether one more can be open} */
    boolean hasRoom() {
        while (count > 0 && records[count - 1].ended) {
            count--;
        }
        return count < records.length || makeRoom();
    }

    private boolean makeRoom() {
        OpenArena[] larger = new OpenArena[Math.min(2 * records.length, limit)];
        int open = 0;
        for (OpenArena record : records) {
            if (!record.ended) {
                larger[open++] = record;
            }
        }
        if (open == larger.length) {
            return false;
        }
        records = larger; // not in place, where a reader could miss one
        count = open;
        return true;
    }

    /** {@return the record for the next arena of that thread} */
    OpenArena next(ThreadArenas thread) {
        OpenArena record = records[count];
        return record == null ? new OpenArena(thread) : record;
    }

    void push(OpenArena record) {
        if (records[count] != record) { // a store has the garbage collector look at it
            records[count] = record;
        }
        count++;
    }

    /** {@return the record of an arena, or null if it has none that is open} */
    OpenArena find(Object arena) {
        for (int i = count - 1; i >= 0; i--) {
            OpenArena record = records[i];
            if (!record.ended && record.ref.refersTo(arena)) {
                return record;
            }
        }
        return null;
    }

    /** Adds the records of those that are open to {@code all}. */
    void addOpenTo(Collection<OpenArena> all) {
        for (OpenArena record : records) {
            if (record != null && !record.ended) {
                all.add(record);
            }
        }
    }
}
