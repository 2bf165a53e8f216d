/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
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

/*
 * @test id=default
 * @key randomness
 * @summary Recursion to stack overflow around opening, allocating and closing
 * @library ..
 * @modules java.base/jdk.internal.misc
 *          java.management
 *          jdk.management
 * @build Stress Slots NativeMemory VirtualThreads ArenaStack
 * @run main/othervm/timeout=900 --enable-native-access=ALL-UNNAMED -Xmx512m -Dthreads.per.pinned=8
 *      --add-opens=java.base/java.lang=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      -Djdk.foreign.confinedPool.size=16384 -Djdk.foreign.confinedPool.depth=4 TestConfinedPoolStressOverflow
 */

/*
 * @test id=interpreter
 * @key randomness
 * @summary Recursion to stack overflow around opening, allocating and closing
 * @library ..
 * @modules java.base/jdk.internal.misc
 *          java.management
 *          jdk.management
 * @build Stress Slots NativeMemory VirtualThreads ArenaStack
 * @run main/othervm/timeout=900 --enable-native-access=ALL-UNNAMED -Xmx512m -Xint -Dpart=24
 *      --add-opens=java.base/java.lang=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      -Djdk.foreign.confinedPool.size=16384 -Djdk.foreign.confinedPool.depth=4 TestConfinedPoolStressOverflow
 */

/*
 * @test id=c1
 * @key randomness
 * @summary Recursion to stack overflow around opening, allocating and closing
 * @library ..
 * @modules java.base/jdk.internal.misc
 *          java.management
 *          jdk.management
 * @build Stress Slots NativeMemory VirtualThreads ArenaStack
 * @run main/othervm/timeout=900 --enable-native-access=ALL-UNNAMED -Xmx512m -XX:TieredStopAtLevel=1
 *      --add-opens=java.base/java.lang=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      -Djdk.foreign.confinedPool.size=16384 -Djdk.foreign.confinedPool.depth=4 TestConfinedPoolStressOverflow
 */

/*
 * @test id=c2
 * @key randomness
 * @summary Recursion to stack overflow around opening, allocating and closing
 * @library ..
 * @modules java.base/jdk.internal.misc
 *          java.management
 *          jdk.management
 * @build Stress Slots NativeMemory VirtualThreads ArenaStack
 * @run main/othervm/timeout=900 --enable-native-access=ALL-UNNAMED -Xmx512m -XX:-TieredCompilation -Dthreads.per.pinned=8
 *      --add-opens=java.base/java.lang=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      -Djdk.foreign.confinedPool.size=16384 -Djdk.foreign.confinedPool.depth=4 TestConfinedPoolStressOverflow
 */

import java.lang.foreign.Arena;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Opens, allocates from and closes arenas at every depth at which the stack overflows somewhere in between, and looks
 * at the pool after each dive: what is handed out then is zero and nobody else's, and what open arenas hold is as it
 * was (invariants 1, 2 and 6). Threads are platform threads, and virtual threads whose carriers have a stack as small.
 * <p>
 * Some platform threads have one arena at a time, which has the resident slot. When they have ended there is as much native
 * memory as before (invariant 5), but for the slots of arenas whose close overflowed after they were closed: these may be lost
 * (invariant 6). A virtual thread is not pinned if each of its yields comes to its scheduler. Only C2's code may leave one
 * pinned, as in the stock JDK, and rarely (doc/reliability.md).
 */
public class TestConfinedPoolStressOverflow {

    private static final int STACK_SIZE = 256 * 1024;
    private static final int DIVES = 20; // of one thread

    /** The most actions of a dive: as many as a deep call makes. */
    private static final int ACTIONS = 200;

    /** At most one of so many virtual threads may stay pinned: where the property is not set, none. */
    private static final int THREADS_PER_PINNED = Integer.getInteger("threads.per.pinned", Integer.MAX_VALUE);

    private enum Kind { RESIDENT, PLATFORM, VIRTUAL }

    private static final LongAdder dives = new LongAdder();
    private static final LongAdder overflows = new LongAdder();
    private static final LongAdder failedCloses = new LongAdder();
    private static final LongAdder lostSlots = new LongAdder();
    private static final AtomicReference<Throwable> failure = new AtomicReference<>();
    private static int pinned;

    public static void main(String[] args) throws InterruptedException {
        Stress.printSeed();
        // Classes are initialized here, so that none fails to be for ever.
        ArenaStack stack = new ArenaStack(1, 1, true);
        stack.open();
        stack.grow();
        stack.close();
        Slots.drain();
        for (Kind kind : Kind.values()) {
            run(kind, -1);
            long before = NativeMemory.allocated();
            int threads = Stress.scaled(24) / Integer.getInteger("part", 1); // the interpreter takes its time
            for (int i = 0; i < threads; i++) {
                run(kind, Stress.SEED + i);
            }
            long growth = NativeMemory.allocated() - before;
            Stress.report(kind + " threads", threads);
            Stress.report("bytes of native memory grown with " + kind + " threads", growth);
            Stress.check(pinned <= threads / THREADS_PER_PINNED, pinned + " virtual threads stayed pinned");
            // Each close that overflows after the arena was closed may lose its slot. Half of one is for others in this process.
            Stress.check(kind != Kind.RESIDENT || growth < Slots.SIZE / 2 + lostSlots.sum() * (Slots.SIZE + Slots.BLOCK_OVERHEAD),
                    "invariants 5 and 6: native memory grew by " + growth + " bytes, with " + lostSlots + " slots lost");
        }
        Stress.report("virtual threads that stayed pinned", pinned);
        Stress.report("dives", dives);
        Stress.report("stack overflows", overflows);
        Stress.report("closes that overflowed", failedCloses);
        Stress.report("of them when the arena was closed", lostSlots);
        Stress.check(overflows.sum() > 1000, "hardly any stack overflow");
        Stress.check(failedCloses.sum() > 0, "no stack overflow in a close");
    }

    private static void run(Kind kind, long seed) throws InterruptedException {
        Diver diver = new Diver(kind, seed);
        Thread thread;
        AtomicInteger steps = new AtomicInteger();
        if (kind == Kind.VIRTUAL) {
            BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
            Thread owner = VirtualThreads.scheduledBy(tasks::add).unstarted(diver);
            thread = new Thread(null, () -> {
                while (owner.isAlive()) {
                    Runnable task = tasks.poll();
                    if (task != null) {
                        task.run();
                        steps.incrementAndGet();
                    }
                }
            }, "carrier", STACK_SIZE);
            owner.start();
        } else {
            thread = new Thread(null, diver, "diver", STACK_SIZE);
        }
        thread.start();
        thread.join();
        if (failure.get() != null) {
            throw new AssertionError(kind + " thread", failure.get());
        }
        if (kind == Kind.VIRTUAL && steps.get() <= DIVES) {
            pinned++;
        }
    }

    private static final class Diver implements Runnable {

        private final Kind kind;
        private final ArenaStack stack;

        /** How many more levels on the way up are tried. */
        private int budget;
        private int actions;
        private int overflowed;

        Diver(Kind kind, long seed) {
            this.kind = kind;
            stack = kind == Kind.RESIDENT ? new ArenaStack(seed, 1, false)
                    : new ArenaStack(seed, Slots.DEPTH + 6, true);
        }

        @Override
        public void run() {
            try {
                Slots.openFirst(); // so the next arena uses the pool
                if (kind == Kind.RESIDENT) {
                    Slots.nest(1, Slots.SIZE); // a call clears it at close
                }
                for (int i = 0; i < DIVES; i++) {
                    overflowed = 0;
                    budget = 0;
                    actions = 0;
                    for (int j = stack.next(kind == Kind.RESIDENT ? 1 : Slots.DEPTH); j > 0; j--) {
                        stack.open();
                    }
                    diveFrom(stack.next(40), stack.next(40));
                    overflows.add(overflowed);
                    dives.increment();
                    stack.settle();
                    Thread.yield();
                }
                Slots.checkPooled();
                failedCloses.add(stack.brokenCloses());
                lostSlots.add(stack.lostSlots());
            } catch (Throwable e) {
                failure.set(e);
            }
        }

        /** Begins a dive below frames of different sizes, so that all meet the end of the stack differently. */
        private long diveFrom(int small, int large) {
            if (small > 0) {
                return diveFrom(small - 1, large) + 1;
            }
            return large > 0 ? diveFrom(large - 1, 1, 2, 3, 4, 5) : dive();
        }

        private long diveFrom(int large, long a, long b, long c, long d, long e) {
            return large > 0 ? diveFrom(large - 1, b, c, d, e, a) + a * b - c * d + e : dive();
        }

        private int dive() {
            try {
                dive();
            } catch (StackOverflowError e) {
                overflowed++;
                budget = 100;
            }
            if (budget > 0 && actions < ACTIONS) {
                budget--;
                actions++;
                stack.action();
            }
            return overflowed;
        }
    }
}
