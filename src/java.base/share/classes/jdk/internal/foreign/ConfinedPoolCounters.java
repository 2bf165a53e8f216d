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
import jdk.internal.vm.annotation.DontInline;

/**
 * The counters of one pool: slots created, slots freed, and larger blocks created. They count only on slow paths, so an arena that
 * takes and returns a free slot pays nothing. The pool adds them to counters of the process, which
 * {@code jcmd PID PerfCounter.print} shows: after each of its first 64 events, then after every 1024th, and when its thread ends.
 * <p>
 * A virtual thread counts in its carrier's pool. It is pinned meanwhile only where a slot replaces others. Two virtual threads may
 * count at once, and the stack may overflow between two counters, so events may be lost or counted twice. An event is counted before it
 * is tried, so one that fails counts, too. Only a slot that replaces others is counted after. A slot that a thread created before it had
 * a pool is not counted, but its end may be.
 */
final class ConfinedPoolCounters {

    // Events since the counts were added to the process's.
    private int created;
    private int freed;
    private int larger;
    private long events;

    // Loads the class before an agent's transformer can open arenas, as in ConfinedSlotPool. It is not initialized: that would initialize
    // PerfCounter earlier in boot than stock does.
    private static final Class<?> LOADED = Totals.class;

    // Calls that take more stack than the initialization of Totals. That nests those of PerfCounter, DirectByteBuffer, Bits and AtomicLong,
    // each with frames of the JVM. On x64 a call of checkStack takes 32 bytes in C2's code, and more in other code.
    private static final int FRAMES = 1024;

    // True once the counters of the process are there.
    private static boolean hasTotals;

    // The counters of the process.
    private static final class Totals {
        static final PerfCounter CREATED = PerfCounter.newPerfCounter("jdk.foreign.confinedPool.slotsCreated");
        static final PerfCounter FREED = PerfCounter.newPerfCounter("jdk.foreign.confinedPool.slotsFreed");
        static final PerfCounter LARGER = PerfCounter.newPerfCounter("jdk.foreign.confinedPool.largerBlocks");
    }

    /** Creates the counts of a pool. */
    ConfinedPoolCounters() {}

    /** Counts a slot that was created because no free slot suited. */
    void created() {
        created++;
        event();
    }

    /** Counts a slot that was created to replace others. The thread may be pinned, so a later event adds it to the process's count. */
    void replaced() {
        created++;
    }

    /** Counts a slot that was freed: it found no room, it made room, a larger slot replaced it, or its thread ended. */
    void freed() {
        freed++;
        event();
    }

    /** Counts an overflow block, as a slot that is created and freed. */
    void overflowed() {
        created++;
        freed();
    }

    /** Counts a block that is created outside the pool: for a large allocation, or as a further block larger than a slot. */
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
    @DontInline
    void flush() {
        if (VM.isBooted()) {
            try {
                if (!hasTotals) {
                    checkStack(FRAMES);
                }
                if (Totals.LARGER == null) {
                    return; // an agent opened an arena while this thread creates the counters
                }
                hasTotals = true;
                Totals.CREATED.add(created);
                Totals.FREED.add(freed);
                Totals.LARGER.add(larger);
                created = freed = larger = 0;
            } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
                // counted later; or never, if a lack of heap has left a class that cannot be initialized any more
            }
        }
    }

    // Throws StackOverflowError if the stack has no room for so many calls. If it overflowed where PerfCounter or AtomicLong is initialized,
    // then no code of the process could use that class any more. Not inlined into itself, which would make frames fewer.
    @DontInline
    private static int checkStack(int frames) {
        return frames == 0 ? 0 : 1 + checkStack(frames - 1);
    }
}
