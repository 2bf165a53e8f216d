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
 * @key randomness
 * @summary Asynchronous exceptions in opening, allocating and closing
 * @library ..
 * @modules java.base/jdk.internal.misc jdk.jdi
 *          java.management
 *          jdk.management
 * @build Stress Slots NativeMemory ArenaStack DebuggedProcess
 * @run main/othervm/timeout=900 TestConfinedPoolStressAsync
 */

import com.sun.jdi.ThreadReference;
import java.io.BufferedReader;
import java.util.List;
import java.util.Random;

/**
 * Debugs a virtual machine in which threads open, use and close arenas all the time, and throws an exception into them
 * wherever they just are. After each the thread looks at its pool: what is handed out then is zero and nobody else's,
 * and what open arenas hold is as it was (invariants 1, 2 and 6). Slots may be lost.
 * <p>
 * All allocations are of slots and blocks. For the stock JDK frees memory twice when such an exception is thrown after a
 * regular allocation was added to its arena and before that method returned.
 */
public class TestConfinedPoolStressAsync {

    private static final int STOPS = 60; // of a thread

    public static void main(String[] args) throws Exception {
        Stress.printSeed();
        for (String options : List.of("-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation")) {
            debug(options, new Random(Stress.SEED));
        }
    }

    private static void debug(String options, Random random) throws Exception {
        try (DebuggedProcess process = new DebuggedProcess(Debuggee.class, options, "" + random.nextLong())) {
            int threads = Stress.scaled(10);
            int stops = 0;
            for (int i = 0; i < threads; i++) {
                process.say("start");
                process.expect("started");
                ThreadReference target = process.vm.allThreads().stream().filter(thread -> thread.name().equals("target"))
                        .findFirst().orElseThrow();
                for (int j = 0; j < STOPS; j++) {
                    target.stop(process.exception);
                    stops++;
                    for (int k = random.nextInt(2000); k > 0; k--) {
                        Thread.onSpinWait();
                    }
                    process.say("look");
                    process.expect("fine");
                }
                process.say("end");
                process.expect("ended");
            }
            process.quit();
            Stress.report("exceptions thrown into threads with " + options, stops);
        }
    }

    /** The process that is debugged. It does what it is told to on its standard input. */
    static final class Debuggee {

        static final RuntimeException EXCEPTION = new RuntimeException("asynchronous", null, false, false) {
            private static final long serialVersionUID = 1;
        };

        private static volatile boolean started;
        private static volatile boolean look;
        private static volatile boolean looked;
        private static boolean ready;
        private static volatile boolean end;
        private static volatile Throwable failure;
        private static int polls;
        private static long caught;
        private static long actions;

        public static void main(String[] args) throws Exception {
            long seed = Long.parseLong(args[0]);
            new ArenaStack(1, 1, true).settle();
            long before = NativeMemory.allocated();
            BufferedReader in = new BufferedReader(new java.io.InputStreamReader(System.in));
            System.out.println("ready");
            Thread target = null;
            for (String line; !(line = in.readLine()).equals("quit"); ) {
                switch (line) {
                    case "start" -> {
                        ArenaStack arenas = new ArenaStack(seed++, Slots.DEPTH + 3, true);
                        started = end = look = false;
                        target = new Thread(() -> work(arenas), "target");
                        target.setUncaughtExceptionHandler((_, e) -> failure = e);
                        target.start();
                        await(() -> started);
                        System.out.println("started");
                    }
                    case "look" -> {
                        looked = false;
                        look = true;
                        await(() -> looked);
                        System.out.println("fine");
                    }
                    case "end" -> {
                        end = true;
                        look = true;
                        target.join();
                        if (failure != null) {
                            throw new AssertionError(failure);
                        }
                        System.out.println("ended");
                    }
                    default -> throw new AssertionError(line);
                }
            }
            Stress.check(caught > 0, "no exception came");
            Stress.report("actions", actions);
            Stress.report("exceptions caught", caught);
            Stress.report("bytes of native memory lost for good", NativeMemory.allocated() - before);
        }

        private static void await(java.util.function.BooleanSupplier condition) throws InterruptedException {
            while (!condition.getAsBoolean()) {
                if (failure != null) {
                    failure.printStackTrace();
                    System.exit(1);
                }
                Thread.sleep(1);
            }
        }

        private static void work(ArenaStack arenas) {
            while (true) {
                ready = true;
                actUntilLook(arenas);
                // The debugger throws nothing from here on, and what it has thrown was caught.
                arenas.settle();
                if (end) {
                    Slots.checkPooled();
                    return;
                }
                look = false;
            }
        }

        /** Takes what is thrown while {@link #catchOne} deals with the one before. */
        private static void actUntilLook(ArenaStack arenas) {
            boolean done = false;
            while (!done) {
                try {
                    while (!done) {
                        done = catchOne(arenas);
                    }
                } catch (RuntimeException e) {
                    check(e);
                }
            }
        }

        /** {@return true if nothing more is to come} */
        private static boolean catchOne(ArenaStack arenas) {
            try {
                // The debugger may throw as soon as it hears of this, so not before what it throws is caught.
                if (ready) {
                    ready = false;
                    looked = true;
                    started = true;
                }
                while (!look) {
                    arenas.action();
                    actions++;
                }
                for (polls = 0; polls < 1000; polls++) {
                    Thread.onSpinWait(); // takes what is under way
                }
                return true;
            } catch (RuntimeException e) {
                check(e);
                return false;
            }
        }

        private static void check(RuntimeException e) {
            if (e != EXCEPTION) {
                throw e;
            }
            caught++;
        }
    }
}
