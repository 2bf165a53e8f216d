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
 * @summary An agent that is called while an arena allocates an object may open arenas itself
 * @requires os.family == "linux"
 * @modules java.base/java.lang:open
 *          java.management
 *          jdk.management
 * @build AllocationEvents JavaProcess NativeMemory Slots VirtualThreads
 * @run testng/timeout=240 TestConfinedPoolReentry
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import org.testng.SkipException;
import org.testng.annotations.*;

import static org.testng.Assert.*;

/**
 * Runs new threads that use arenas. An agent is called at one of the objects that such a thread allocates, and uses arenas
 * there: at the first object of the first thread, at the second object of the second thread, and so on, as long as there is one.
 * The objects are those of the thread's arenas and of its pool, whatever these are.
 */
public class TestConfinedPoolReentry {

    private static final String COLLECTORS = "Serial Parallel G1 Z Shenandoah";

    // What the other modes do is the same with each collector but for the barriers.
    @DataProvider
    public static Object[][] machines() {
        return Stream.of("-Xmixed: " + COLLECTORS, "-Xint: Z", "-XX:TieredStopAtLevel=1: Serial")
                .map(row -> row.split(": "))
                .flatMap(row -> Stream.of(row[1].split(" ")).map(collector -> new Object[] {collector, row[0]}))
                .toArray(Object[][]::new);
    }

    @Test(dataProvider = "machines")
    public void agentUsesArenas(String collector, String mode) throws Exception {
        // HotSpot crashes if a deoptimization allocates what compiled code did not, and then the agent's code is deoptimized.
        JavaProcess process = JavaProcess.run(JavaProcess.TESTED_JDK, List.of("-XX:+Use" + collector + "GC", mode,
                "-XX:+IgnoreUnrecognizedVMOptions", "-XX:-EliminateAllocations", "-Xmx128m",
                "-XX:NativeMemoryTracking=summary", "-XX:-CreateCoredumpOnCrash", "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED"), Agent.class.getName());
        List<String> lines = Stream.concat(process.out().stream(), process.err().stream()).toList();
        if (lines.stream().anyMatch(line -> line.contains("Use" + collector + "GC")
                || line.contains("Multiple garbage collectors"))) {
            throw new SkipException("this JDK, or this run's options, have another collector");
        }
        lines.forEach(System.out::println);
        assertEquals(process.status(), 0);
        assertTrue(process.out().getLast().startsWith("done"));
    }

    static final class Agent {

        private static final long MOST_LEFT = 2048; // of all of them together
        private static final int MOST_BYTES = 10_000;
        private static final int END = 64;
        private static final int AGENTS_VALUES = 60; // those of threads are less
        private static final MemorySegment[] FILLED = new MemorySegment[2 * AGENTS_VALUES]; // by values

        private static final List<Runnable> USES_OF_THREAD = List.of(
                () -> nest(1, 3, 4000),
                () -> {
                    nest(1, 2, 100);
                    nest(1, 2, 6000);
                },
                () -> {
                    nest(1, 10, 40); // more than are kept
                    nest(1, 10, 3000);
                },
                Agent::severalAtOnce);
        private static final List<Runnable> USES_OF_AGENT = List.of(
                () -> nest(1, 3, 4000),
                () -> {
                    nest(1, Slots.WITHOUT_POOL + 10, 40); // makes a pool, also while the thread makes one
                    severalAtOnce();
                });

        private static int allocated; // how many objects by that thread
        private static int chosen; // at which one of them the agent uses arenas
        private static Runnable use = USES_OF_AGENT.getFirst();

        public static void main(String[] args) throws Throwable {
            for (int i = 0; i < FILLED.length; i++) {
                FILLED[i] = Arena.global().allocate(MOST_BYTES).fill((byte) i);
            }
            // After this, code is compiled, and no class is loaded where the agent is called.
            int warmUps = System.getProperty("java.vm.info").contains("interpreted") ? 1 : 1000;
            for (int i = 0; i < warmUps; i++) {
                USES_OF_THREAD.forEach(Runnable::run);
            }
            AllocationEvents.sendTo(Agent::allocated);
            check("platform", Thread.ofPlatform(), new ConcurrentLinkedQueue<>());
            Queue<Thread> carriers = new ConcurrentLinkedQueue<>();
            check("virtual", VirtualThreads.scheduledBy(VirtualThreads.onNewCarriers(carriers)), carriers);
            System.out.println("done");
        }

        private static void check(String kind, Thread.Builder builder, Queue<Thread> carriers) throws InterruptedException {
            run(builder, carriers, USES_OF_THREAD.getFirst());
            long before = NativeMemory.allocated();
            int threads = 0;
            for (Runnable ofThread : USES_OF_THREAD) {
                for (Runnable ofAgent : USES_OF_AGENT) {
                    use = ofAgent;
                    chosen = 0;
                    do {
                        run(builder, carriers, ofThread);
                        threads++;
                    } while (allocated > chosen++);
                }
            }
            if (threads == USES_OF_THREAD.size() * USES_OF_AGENT.size()) {
                throw new AssertionError("the agent was not called");
            }
            long left = NativeMemory.allocated() - before;
            System.out.println(threads + " " + kind + " threads left " + left + " bytes");
            if (left > MOST_LEFT) {
                throw new AssertionError("memory of threads that have ended");
            }
        }

        /** Runs a thread, which has ended when this returns, as have its carriers. */
        private static void run(Thread.Builder builder, Queue<Thread> carriers, Runnable action) throws InterruptedException {
            allocated = 0;
            Thread thread = builder.start(() -> {
                try {
                    Slots.openFirst(); // so the next arena makes the pool, the agent's or the thread's own
                    AllocationEvents.observed = Thread.currentThread();
                    action.run();
                    AllocationEvents.observed = null;
                    nest(1, 10, 40);
                    nest(1, 10, 4000);
                    Slots.checkPooled();
                } catch (Throwable t) {
                    AllocationEvents.failure = t;
                }
            });
            thread.join();
            for (Thread carrier; (carrier = carriers.poll()) != null;) {
                carrier.join();
            }
            if (AllocationEvents.failure != null) {
                throw new AssertionError("agent used arenas at object " + chosen, AllocationEvents.failure);
            }
        }

        private static void allocated() {
            if (allocated++ == chosen) {
                use.run();
            }
        }

        private static void nest(int value, int depth, int byteSize) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment segment = allocate(arena, byteSize, value);
                if (depth > 1) {
                    nest(value + 1, depth - 1, byteSize);
                }
                checkFilled(segment, value);
            }
        }

        // These grow beyond a slot, allocate more than it may have, and are closed in the order in which they were opened.
        private static void severalAtOnce() {
            int[] byteSizes = {8, 500, 5000, 5000, 16, 9000, 100};
            Arena[] arenas = {Arena.ofConfined(), Arena.ofConfined(), Arena.ofConfined()};
            MemorySegment[] segments = new MemorySegment[arenas.length * byteSizes.length];
            for (int i = 0; i < segments.length; i++) {
                segments[i] = allocate(arenas[i % arenas.length], byteSizes[i / arenas.length], i + 1);
            }
            for (int i = 0; i < segments.length; i++) {
                checkFilled(segments[i], i + 1);
            }
            for (Arena arena : arenas) {
                arena.close();
            }
        }

        private static MemorySegment allocate(Arena arena, int byteSize, int value) {
            MemorySegment segment = arena.allocate(byteSize);
            checkEqual(segment, FILLED[0], "new segment is not zero");
            return segment.fill((byte) ownValue(value));
        }

        private static void checkFilled(MemorySegment segment, int value) {
            checkEqual(segment, FILLED[ownValue(value)], "segment has another owner, too");
        }

        private static int ownValue(int value) {
            return AllocationEvents.inAction ? AGENTS_VALUES + value : value;
        }

        // Both ends of it, as all of it takes the interpreter too long.
        private static void checkEqual(MemorySegment segment, MemorySegment expected, String message) {
            long byteSize = segment.byteSize();
            long from = Math.max(0, byteSize - END);
            if (MemorySegment.mismatch(segment, 0, Math.min(byteSize, END), expected, 0, Math.min(byteSize, END)) >= 0
                    || MemorySegment.mismatch(segment, from, byteSize, expected, from, byteSize) >= 0) {
                throw new AssertionError(message + ": " + segment);
            }
        }
    }
}
