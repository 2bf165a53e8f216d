/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.CarrierThreadLocal;
import pooledarena.histogram.FreeSlots;
import pooledarena.recorder.Ledger.Counts;

import module java.base;

/** What is kept for each thread that has opened arenas. */
final class Threads {

    /**
     * The arenas of a thread in the order in which they were opened: all that are open, and some that have ended. Only
     * what runs on that thread writes this; others may read, and see the last step by half.
     */
    static class Arenas {

        private final int limit;

        /** Those from {@link #count} on are null, or have ended and are used again. */
        private OpenArena[] records;
        private int count;

        /** How many arenas are dropped before all records are looked at anew, once all are of open arenas. */
        private int full;

        /** How many of the thread's open arenas have memory. */
        int withMemory;

        /** The call site that opens an arena next, or 0. */
        int site;

        Arenas(int limit) {
            this.limit = limit;
            records = new OpenArena[Math.min(8, limit)];
        }

        /** {@return whether one more can be open} */
        boolean hasRoom() {
            while (count > 0 && records[count - 1].ended) {
                count--;
            }
            return count < records.length || --full < 0 && makeRoom();
        }

        private boolean makeRoom() {
            OpenArena[] larger = new OpenArena[Math.min(2 * records.length, limit)];
            Set<OpenArena> carried = new HashSet<>(); // a virtual thread that comes back registers its record once more
            int open = 0;
            for (OpenArena record : records) {
                if (!record.ended && (record.thread == this || carried.add(record))) {
                    larger[open++] = record;
                }
            }
            full = open == larger.length ? open / 8 : 0;
            if (open == larger.length) {
                return false;
            }
            records = larger; // not in place, where a reader could miss one
            count = open;
            return true;
        }

        /** {@return the record for the next arena of this thread} */
        OpenArena next() {
            OpenArena record = records[count];
            return record == null || record.thread != this ? new OpenArena(this) : record;
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
        void addOpenTo(Set<OpenArena> all) {
            for (OpenArena record : records) {
                if (record != null && !record.ended) {
                    all.add(record);
                }
            }
        }
    }

    /**
     * A platform thread. Its records are those of its own arenas, and of those that virtual threads opened while it
     * carried them, wherever they run now: they are registered nowhere else.
     */
    static final class Carrier extends Arenas {

        private final Thread thread;

        final FreeSlots freeSlots = new FreeSlots();

        /** The arenas that ended on this thread. */
        final Counts counts = new Counts();

        private Carrier(Thread thread, int limit) {
            super(limit);
            this.thread = thread;
        }

        /** {@return whether the thread has ended, and has left nothing open} */
        private boolean isOver() {
            Set<OpenArena> open = new HashSet<>();
            addOpenTo(open);
            return !thread.isAlive() && open.isEmpty();
        }
    }

    private final int limit;

    /** Platform threads, until they have ended and all that they have left open was collected. */
    private final ConcurrentHashMap<Long, Carrier> platform = new ConcurrentHashMap<>();

    /** What those have counted that are forgotten. */
    private final Counts ended = new Counts();

    private final CarrierThreadLocal<Carrier> ofPlatform = new CarrierThreadLocal<>() {
        @Override
        protected Carrier initialValue() {
            Thread thread = SharedSecrets.getJavaLangAccess().currentCarrierThread();
            Carrier arenas = new Carrier(thread, limit);
            Carrier before = platform.putIfAbsent(thread.threadId(), arenas);
            return before == null ? arenas : before; // it may have had all its thread locals erased
        }
    };

    private final ThreadLocal<Arenas> ofVirtual = new ThreadLocal<>() {
        @Override
        protected Arenas initialValue() {
            return new Arenas(limit);
        }
    };

    Threads(int limit) {
        this.limit = limit;
    }

    Arenas current() {
        return Thread.currentThread().isVirtual() ? ofVirtual.get() : ofPlatform.get();
    }

    /** {@return what is kept for the current thread if it is a platform thread, or for its carrier} */
    Carrier carrier(Arenas current) {
        return current instanceof Carrier carrier ? carrier : ofPlatform.get();
    }

    /** Adds what threads have counted to {@code sums}, and returns all that is open. */
    Set<OpenArena> addTo(Counts sums) {
        ended.addTo(sums);
        for (Carrier thread : platform.values()) {
            thread.counts.addTo(sums); // of all first, as an arena that ends meanwhile on another must not count twice
        }
        Set<OpenArena> open = new HashSet<>(); // several carriers may have had an arena's record
        for (Carrier thread : platform.values()) {
            thread.addOpenTo(open);
        }
        return open;
    }

    /** Forgets threads that have ended, but not what they have counted. */
    void forgetEnded() {
        for (Iterator<Carrier> threads = platform.values().iterator(); threads.hasNext();) {
            Carrier thread = threads.next();
            if (thread.isOver()) {
                threads.remove();
                thread.counts.addTo(ended);
            }
        }
    }
}
