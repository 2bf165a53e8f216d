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
 * @summary An agent that is called at a heap allocation may leave arenas open, in the middle of compiled code that uses arenas
 * @requires os.family == "linux"
 * @modules java.base/java.lang:open
 * @build AllocationEvents JavaProcess Slots VirtualThreads
 * @run testng/timeout=240 TestConfinedPoolAgents
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.Stream;

import org.testng.annotations.*;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.testng.Assert.*;

/**
 * C2 inlines arenas into code that allocates on the heap, and assumes that an allocation does not change the pool. An agent that is
 * called there may open arenas and change it. With the property {@code jdk.foreign.confinedPool.agents} C2 does not inline them.
 * <p>
 * C2 compiles only what was run. For anything else the JVM goes on in the interpreter, and first allocates the objects that C2 had
 * replaced by scalars. So in the shape {@code sizes} the agent is called at sizes that are new, where the pool was read
 * already. If the agent's own code is left for the interpreter there, too, then the JVM crashes, also without the pool. So the agent
 * does the same each time, and a program is run again if the JVM has crashed there: 4 of 200 did.
 */
public class TestConfinedPoolAgents {

    private static final String KNOWN_CRASH = "vframeArrayElement::unpack_on_stack";

    private static final List<String> USES = List.of("keepOne", "keepLastOfMany", "keepMany", "larger");

    @DataProvider
    public static Object[][] programs() {
        return Stream.of("inside", "between", "loop", "nested", "sizes")
                .flatMap(shape -> USES.stream().limit(shape.equals("sizes") ? 1 : USES.size())
                        .flatMap(use -> Stream.of("platform", "virtual").map(thread -> new Object[] {shape, use, thread})))
                .toArray(Object[][]::new);
    }

    @Test(dataProvider = "programs")
    public void agentUsesArenas(String shape, String use, String thread) throws Exception {
        JavaProcess process;
        int attempt = 0;
        do {
            process = JavaProcess.run(JavaProcess.TESTED_JDK, List.of("-Djdk.foreign.confinedPool.agents=true",
                    "-XX:-CreateCoredumpOnCrash", "--enable-native-access=ALL-UNNAMED", "-Xmx128m", "-Xbatch",
                    "--add-opens=java.base/java.lang=ALL-UNNAMED"), Program.class.getName(), shape, use, thread);
        } while (process.out().stream().anyMatch(line -> line.contains(KNOWN_CRASH)) && ++attempt < 5);
        Stream.concat(process.out().stream(), process.err().stream()).forEach(System.out::println);
        assertEquals(process.status(), 0);
        assertEquals(process.out().getLast(), "done");
    }

    static final class Program {

        private static final int WARM_UPS = 30_000; // until C2 has compiled the shapes
        private static final int CALLS = 60_000;
        private static final byte AGENTS = 77;

        private static int every = 64; // the agent uses arenas at each so-manieth object
        private static Runnable use;
        private static int allocated;
        private static int calls;
        private static Object sink;

        // What the agent has left open, at most so many.
        private static final int MOST_KEPT = 1000;
        private static final Queue<Arena> ARENAS = new ArrayDeque<>(MOST_KEPT);
        private static final Queue<MemorySegment> SEGMENTS = new ArrayDeque<>(MOST_KEPT);

        public static void main(String[] args) throws Throwable {
            Runnable shape = switch (args[0]) {
                case "inside" -> () -> inside(5);
                case "between" -> () -> between(5);
                case "loop" -> () -> loop(5);
                case "nested" -> () -> nested(5);
                default -> () -> alone(AllocationEvents.observed == null ? 5 : 5 + 8 * (calls++ / 100 % 24));
            };
            use = switch (args[1]) {
                case "keepOne" -> () -> keep(5);
                case "keepLastOfMany" -> () -> {
                    for (int i = 0; i < 20; i++) {
                        use(5);
                    }
                    keep(5);
                };
                case "keepMany" -> () -> {
                    for (int i = 0; i < 20; i++) {
                        keep(5);
                    }
                };
                default -> () -> use(allocated / every % 8192);
            };
            every = args[0].equals("sizes") ? 1 : every;
            Runnable action = () -> run(shape);
            AllocationEvents.sendTo(Program::allocated);
            Thread.Builder builder = args[2].equals("platform") ? Thread.ofPlatform()
                    : VirtualThreads.scheduledBy(VirtualThreads.onNewCarriers(new ArrayList<>()));
            builder.start(action).join();
            if (AllocationEvents.failure != null) {
                throw AllocationEvents.failure;
            }
            if (allocated == 0) {
                throw new AssertionError("the agent was not called");
            }
            System.out.println("done");
        }

        private static void run(Runnable shape) {
            try {
                for (int i = 0; i < WARM_UPS; i++) {
                    shape.run();
                }
                AllocationEvents.observed = Thread.currentThread();
                for (int i = 0; i < CALLS; i++) {
                    shape.run();
                }
                AllocationEvents.observed = null;
                while (!ARENAS.isEmpty()) {
                    closeEldest();
                }
                Slots.checkPooled();
            } catch (Throwable t) {
                AllocationEvents.observed = null;
                if (AllocationEvents.failure == null) {
                    AllocationEvents.failure = t;
                }
            }
        }

        private static void allocated() {
            if (++allocated % every == 0) {
                use.run();
            }
        }

        private static void use(int byteSize) {
            try (Arena arena = Arena.ofConfined()) {
                check(arena.allocate(byteSize), (byte) 0).fill(AGENTS);
            }
        }

        private static void keep(int byteSize) {
            if (ARENAS.size() == MOST_KEPT) {
                closeEldest();
            }
            Arena arena = Arena.ofConfined();
            ARENAS.add(arena);
            SEGMENTS.add(check(arena.allocate(byteSize), (byte) 0).fill(AGENTS));
        }

        private static void closeEldest() {
            check(SEGMENTS.remove(), AGENTS);
            ARENAS.remove().close();
        }

        private static MemorySegment check(MemorySegment segment, byte value) {
            for (long i = 0; i < segment.byteSize(); i++) {
                if (segment.get(JAVA_BYTE, i) != value) {
                    throw new AssertionError(segment + " has " + segment.get(JAVA_BYTE, i) + " at " + i + ", not " + value);
                }
            }
            return segment;
        }

        private static void alone(int byteSize) {
            try (Arena arena = Arena.ofConfined()) {
                write(arena.allocate(byteSize));
            }
        }

        private static void inside(int byteSize) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment segment = arena.allocate(byteSize);
                write(segment);
                sink = new Object();
                written(segment);
            }
        }

        private static void between(int byteSize) {
            try (Arena arena = Arena.ofConfined()) {
                write(arena.allocate(byteSize));
            }
            sink = new Object();
            try (Arena arena = Arena.ofConfined()) {
                write(arena.allocate(byteSize));
            }
        }

        private static void loop(int byteSize) {
            for (int i = 0; i < 100; i++) {
                try (Arena arena = Arena.ofConfined()) {
                    write(arena.allocate(byteSize));
                }
                sink = new Object();
            }
        }

        private static void nested(int byteSize) {
            try (Arena outer = Arena.ofConfined(); Arena middle = Arena.ofConfined()) {
                MemorySegment first = outer.allocate(byteSize);
                write(first);
                MemorySegment second = middle.allocate(byteSize);
                write(second);
                sink = new Object();
                try (Arena arena = Arena.ofConfined()) {
                    write(arena.allocate(byteSize));
                }
                written(first);
                written(second);
            }
        }

        private static void write(MemorySegment segment) {
            if (segment.get(JAVA_BYTE, 0) != 0) {
                throw new AssertionError(segment + " is not zero");
            }
            segment.set(JAVA_BYTE, 0, (byte) 1);
        }

        private static void written(MemorySegment segment) {
            if (segment.get(JAVA_BYTE, 0) != 1) {
                throw new AssertionError(segment + " has another owner, too");
            }
        }
    }
}
