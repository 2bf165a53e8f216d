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
 * What the pools of all threads did, for {@code jcmd PID PerfCounter.print}: only what is not served from a pool, so that an
 * arena that is costs nothing here. Each pool counts for itself, and adds its counts here: at once up to
 * {@link ConfinedSlotPool#count its 64th}, then 64 at a time, and when its thread ends.
 */
final class ConfinedPoolCounters {

    private ConfinedPoolCounters() {}

    // Counts of three events in one number, so that they are taken and reset together.
    private static final int BITS = 21;

    /** A slot was created: none was free. */
    static final long CREATED = 1L;

    /** A slot was freed: as many are kept already, or its thread ended. */
    static final long FREED = 1L << BITS;

    /** A block larger than a slot was created, which is freed when its arena is closed. */
    static final long LARGER = 1L << 2 * BITS;

    // Not created during boot, which must initialize the same classes as in stock.
    private static final class Counters {
        static final PerfCounter CREATED = PerfCounter.newPerfCounter("jdk.foreign.confinedPool.slotsCreated");
        static final PerfCounter FREED = PerfCounter.newPerfCounter("jdk.foreign.confinedPool.slotsFreed");
        static final PerfCounter LARGER = PerfCounter.newPerfCounter("jdk.foreign.confinedPool.largerBlocks");
    }

    /** Adds counts. May allocate on the heap and wait for a lock: not while the current thread is pinned. */
    static void add(long counts) {
        if (counts != 0 && VM.isBooted()) {
            try {
                Counters.CREATED.add(counts & FREED - 1);
                Counters.FREED.add((counts & LARGER - 1) >> BITS);
                Counters.LARGER.add(counts >> 2 * BITS);
            } catch (StackOverflowError | OutOfMemoryError | NoClassDefFoundError e) {
                // not counted: the first two may leave a class that cannot be initialized any more, and arenas go on without it
            }
        }
    }
}
