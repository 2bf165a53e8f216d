/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.FreeSlots;

import java.lang.ref.WeakReference;

/** What is kept for a thread, and for one that may carry virtual threads. Only what runs on that thread writes it. */
class ThreadArenas {

    final ArenaStack own;

    /** How many of its open arenas have memory. */
    int withMemory;

    ThreadArenas(int limit) {
        own = new ArenaStack(limit);
    }

    boolean isVirtual() {
        return true;
    }

    /** What is kept for a platform thread. */
    static final class Carrier extends ThreadArenas {

        /** Weak, as the thread is to be collected like any other. */
        private final WeakReference<Thread> thread;

        /** What virtual threads opened while this one carried them, wherever they run now; they are registered nowhere else. */
        final ArenaStack carried;

        final FreeSlots freeSlots = new FreeSlots();

        /** The arenas that ended on this thread. */
        final Counts counts = new Counts();

        /** The call site that opens an arena next, and which thread is at it. */
        int site;
        long siteThread;

        Carrier(Thread thread, int limit) {
            super(limit);
            this.thread = new WeakReference<>(thread);
            carried = new ArenaStack(limit);
        }

        @Override
        boolean isVirtual() {
            return false;
        }

        /** {@return whether the thread has ended, and has left nothing open} */
        boolean isOver() {
            Thread alive = thread.get();
            return (alive == null || !alive.isAlive()) && own.isEmpty() && carried.isEmpty();
        }
    }
}
