/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.FreeSlots;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The arenas of a thread, and what is kept for one that may carry virtual threads. Only what runs on that thread writes it. */
class ThreadArenas extends ArenaStack {

    /** How many of its open arenas have memory. */
    int withMemory;

    /** The call site that opens an arena next, or 0. */
    int site;

    ThreadArenas(int limit) {
        super(limit);
    }

    /** What is kept for a platform thread. */
    static final class Carrier extends ThreadArenas {

        /** So many of its arenas have their time taken, then one in {@link #SAMPLED}. */
        private static final int TIMED = 1024;
        private static final int SAMPLED = 64;

        /** Weak, as the thread is to be collected like any other. */
        private final WeakReference<Thread> thread;

        /** What virtual threads opened while this one carried them, wherever they run now; they are registered nowhere else. */
        final ArenaStack carried;

        final FreeSlots freeSlots = new FreeSlots();

        /** The arenas that ended on this thread. */
        final Counts counts = new Counts();

        private int timed;
        private int untilTimed = 1;

        Carrier(Thread thread, int limit) {
            super(limit);
            this.thread = new WeakReference<>(thread);
            carried = new ArenaStack(limit);
        }

        /** {@return for how many arenas the time of the one stands that is opened now, or 0 if it is not to be taken} */
        int weight() {
            if (--untilTimed > 0) {
                return 0;
            }
            if (timed < TIMED) {
                timed++;
                untilTimed = timed < TIMED ? 1 : distance();
                return 1;
            }
            untilTimed = distance();
            return SAMPLED;
        }

        /** {@return {@link #SAMPLED} on average, but at random, as a program may open its arenas in turns} */
        private static int distance() {
            return ThreadLocalRandom.current().nextInt(1, 2 * SAMPLED);
        }

        /** {@return the arenas that are open, and perhaps some that have just ended} */
        List<OpenArena> open() {
            List<OpenArena> open = new ArrayList<>();
            addOpenTo(open);
            carried.addOpenTo(open);
            return open;
        }

        /** {@return whether the thread has ended, and has left nothing open} */
        boolean isOver() {
            Thread alive = thread.get();
            return (alive == null || !alive.isAlive()) && open().isEmpty();
        }
    }
}
