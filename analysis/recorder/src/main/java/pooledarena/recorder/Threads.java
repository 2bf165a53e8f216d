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

    /** The open arenas of a thread. Only what runs on that thread writes this; others may read, and see the last step by half. */
    static class Arenas {

        final int limit;

        /** The arena that was opened last; the one before follows it. */
        private OpenArena last;
        private int count;

        /** Whether one of them was collected, which another thread sees. */
        volatile boolean anyCollected;

        /** How many of the thread's open arenas have memory. */
        int withMemory;

        /** The call site that opens an arena next, or 0. */
        int site;

        Arenas(int limit) {
            this.limit = limit;
        }

        /** {@return whether one more can be open} */
        boolean hasRoom() {
            if (count == limit && anyCollected) {
                anyCollected = false;
                removeEnded(null);
            }
            return count < limit;
        }

        void add(OpenArena arena) {
            arena.before = last;
            last = arena;
            count++;
        }

        /** {@return what is known of an arena, or null if it is not open} */
        OpenArena find(Object arena) {
            OpenArena open = last;
            while (open != null && !open.refersTo(arena)) {
                open = open.before;
            }
            return open;
        }

        /** Removes what has ended of the arenas from the last one down to {@code first}, or of all if that is null. */
        void removeEnded(OpenArena first) {
            OpenArena after = null;
            for (OpenArena arena = last; arena != null; arena = arena == first ? null : arena.before) {
                if (!arena.ended) {
                    after = arena;
                } else {
                    count--;
                    if (after == null) {
                        last = arena.before;
                    } else {
                        after.before = arena.before; // the removed one still leads a reader on
                    }
                }
            }
        }

        /** {@return those that are open} */
        List<OpenArena> open() {
            List<OpenArena> open = new ArrayList<>();
            for (OpenArena arena = last; arena != null; arena = arena.before) {
                if (!arena.ended) {
                    open.add(arena);
                }
            }
            return open;
        }
    }

    /** A platform thread, which may carry virtual ones. */
    static final class Carrier extends Arenas {

        private final Thread thread;

        final FreeSlots freeSlots = new FreeSlots();

        /** The arenas that ended on this thread. */
        final Counts counts = new Counts();

        /** The open arenas that virtual threads opened while it carried them, wherever they run now. */
        final Set<OpenArena> carried = ConcurrentHashMap.newKeySet();

        private Carrier(Thread thread, int limit) {
            super(limit);
            this.thread = thread;
        }

        /** {@return whether one more of a virtual thread can be open} */
        boolean hasRoomToCarry() {
            return carried.size() < limit;
        }

        @Override
        List<OpenArena> open() {
            List<OpenArena> open = super.open();
            open.addAll(carried);
            return open;
        }

        /** {@return whether the thread has ended, and has left nothing open} */
        private boolean isOver() {
            return !thread.isAlive() && open().isEmpty();
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
    List<OpenArena> addTo(Counts sums) {
        ended.addTo(sums);
        for (Carrier thread : platform.values()) {
            thread.counts.addTo(sums); // of all first, as an arena that ends meanwhile on another must not count twice
        }
        List<OpenArena> open = new ArrayList<>();
        for (Carrier thread : platform.values()) {
            open.addAll(thread.open());
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
