/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The Pooled Confined Arena
 * authors designate this particular file as subject to the "Classpath"
 * exception as provided in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */



package jdk.internal.foreign;

import jdk.internal.misc.VM;
import jdk.internal.perf.PerfCounter;

/**
 * What a pool did, and the pools of all threads together, for {@code jcmd PID PerfCounter.print}: only what is not served from a
 * pool, so that an arena that is costs nothing here. Each pool counts for itself, and adds its counts to the process's: at once up
 * to its 64th event, then after each 1024, and when its thread ends. A virtual thread is not pinned meanwhile, so two may count at
 * once, and an event may be lost.
 */
final class ConfinedPoolCounters {

    /** Slots that were created since the counts were added to the process's. */
    int created;

    private int freed;
    private int larger;
    private int events;

    // Not created during boot, which must initialize the same classes as in stock.
    private static final class Process {
        static final PerfCounter CREATED = PerfCounter.newPerfCounter("jdk.foreign.confinedPool.slotsCreated");
        static final PerfCounter FREED = PerfCounter.newPerfCounter("jdk.foreign.confinedPool.slotsFreed");
        static final PerfCounter LARGER = PerfCounter.newPerfCounter("jdk.foreign.confinedPool.largerBlocks");
    }

    /** Creates the counts of a pool. */
    ConfinedPoolCounters() {}

    /** A slot was created: none was free. */
    void created() {
        created++;
        event();
    }

    /** A slot was freed: as many are kept already, or its thread ended. */
    void freed() {
        freed++;
        event();
    }

    /** A block larger than a slot is created, which is freed when its arena is closed. */
    static void larger() {
        ConfinedSlotPool pool = ConfinedSlotPool.ofCarrier();
        if (pool != null) {
            pool.counters.larger++;
            pool.counters.event();
        }
    }

    private void event() {
        if (++events <= 64 || (events & 1023) == 0) {
            flush();
        }
    }

    /** Adds the counts to the process's. May allocate on the heap and wait for a lock: not while the current thread is pinned. */
    void flush() {
        if (VM.isBooted()) {
            try {
                Process.CREATED.add(created);
                Process.FREED.add(freed);
                Process.LARGER.add(larger);
                created = freed = larger = 0;
            } catch (StackOverflowError | OutOfMemoryError | NoClassDefFoundError e) {
                // not counted: the first two may leave a class that cannot be initialized any more, and arenas go on without it
            }
        }
    }
}
