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
 * @test
 * @summary Nothing is left of the slots of threads that ended, whatever kind of thread they were
 * @requires os.family != "windows"
 * @library ..
 * @modules java.management
 *          jdk.management
 * @build Stress Slots NativeMemory Task
 * @run main/othervm/timeout=900 --enable-native-access=ALL-UNNAMED -Xmx512m
 *      -XX:NativeMemoryTracking=summary
 *      -Djdk.foreign.confinedPool.size=16384 -Djdk.foreign.confinedPool.depth=4 TestConfinedPoolStressThreadEnd
 */

import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Starts and ends one thread after another, each of which opens more arenas at once than it keeps large slots, and compares native
 * memory at the end with what it was before the first (invariant 5). The threads are platform threads, threads that were created by
 * {@code pthread_create} and enter Java through an upcall, so that they attach and detach, and platform threads that
 * still use arenas while they end. Of threads that leave arenas open the memory of these is left, and nothing else.
 */
public class TestConfinedPoolStressThreadEnd {

    /** Native memory that the virtual machine may take for something else meanwhile: a fraction of one thread's slots. */
    private static final long SLACK = 16 * 1024;

    private static final int OPEN = 3;

    /** What they have. That with which the pool comes and the next one have slots that may be resident. */
    private static final long LEFT_OPEN = 2 * Slots.residentBytes(1) + (OPEN - 2) * Slots.nativeBytes(1);

    private static final LongAdder arenas = new LongAdder();
    private static final AtomicReference<Throwable> failure = new AtomicReference<>();

    public static void main(String[] args) throws Throwable {
        growth("platform threads", Stress.scaled(2_000), 0,
                () -> Task.run(TestConfinedPoolStressThreadEnd::useArenas));
        growth("native threads with an upcall", Stress.scaled(500), 0,
                () -> Task.runNative(TestConfinedPoolStressThreadEnd::useArenas));
        growth("threads with open arenas", Stress.scaled(500), LEFT_OPEN, () -> Task.run(() -> {
            for (int i = 0; i < OPEN; i++) {
                Arena.ofConfined().allocate(1);
            }
            useArenas();
        }));
        growth("platform threads with thread locals", Stress.scaled(500), 0, () -> {
            ThreadLocal<Object> local = new ThreadLocal<>();
            Thread thread = new Thread(() -> {
                local.set(new Object());
                useArenas();
                throw new EndOfThread();
            });
            // Runs on the ending thread.
            thread.setUncaughtExceptionHandler((_, e) -> {
                useArenas();
                if (!(e instanceof EndOfThread)) {
                    failure.set(e);
                }
            });
            thread.start();
            thread.join();
        });
        Stress.report("arenas", arenas);
    }

    private static final class EndOfThread extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static void growth(String what, int count, long boundOfEach, Task.Action lifetime) throws Throwable {
        lifetime.run();
        long before = NativeMemory.allocated();
        long residentBefore = 0;
        for (int i = 0; i < count; i++) {
            if (i == count / 2) {
                residentBefore = NativeMemory.resident();
            }
            lifetime.run();
            if (failure.get() != null) {
                throw new AssertionError(what, failure.get());
            }
        }
        long growth = NativeMemory.allocated() - before;
        Stress.report(what, count);
        Stress.report("bytes of native memory grown with " + what, growth);
        Stress.report("bytes of resident memory grown in the second half", NativeMemory.resident() - residentBefore);
        Stress.check(growth < SLACK + count * boundOfEach,
                "invariant 5: native memory grew by " + growth + " bytes with " + count + " " + what);
    }

    private static void useArenas() {
        try {
            Slots.drain();
            try (Arena arena = Arena.ofConfined()) {
                Slots.checkBumped(arena);
                arena.allocateFrom("in use");
            }
            arenas.add(2 * Slots.DEPTH + 13);
        } catch (Throwable e) {
            failure.set(e);
        }
    }
}
