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
 * @summary The counters that jcmd prints tell exactly what was created and freed, and when; arenas that hit change none, and
 *          no arena fails because of them
 * @requires os.family == "linux"
 * @modules jdk.jcmd
 * @build AllocationEvents JavaProcess Slots Task
 * @run junit TestConfinedPoolCounters
 */

import java.io.IOException;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolCounters {

    /** With these a pool keeps two slots of 1900 bytes beside the resident one, and more small ones than are used here. */
    private static final int SIZE = 4096;
    private static final int DEPTH = 1;
    private static final int NESTED = 12;
    private static final int KEPT = 3;

    private static List<String> outputOf(String work, String... options) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("-XX:+UsePerfData", "--enable-native-access=ALL-UNNAMED",
                "-Djdk.foreign.confinedPool.size=" + SIZE, "-Djdk.foreign.confinedPool.depth=" + DEPTH));
        all.addAll(List.of(options));
        JavaProcess child = JavaProcess.run(JavaProcess.TESTED_JDK, all, "TestConfinedPoolCounters$Child", work);
        System.out.println(child);
        assertEquals(0, child.status(), "exit status");
        return child.out();
    }

    @Test
    void countsWhatIsCreatedAndFreed() throws Exception {
        assertEquals(List.of(
                "arenas without a pool: 0 created, 0 freed, 0 larger",
                "12 nested: 12 created, 0 freed, 0 larger",
                "hits: 0 created, 0 freed, 0 larger",
                "a large slot beside the resident one: 1 created, 0 freed, 0 larger",
                "hits of the large slot: 0 created, 0 freed, 0 larger",
                // the outermost one exchanges the resident slot for the large one
                "12 nested with 1900: 11 created, " + (NESTED - KEPT) + " freed, 0 larger",
                "12 nested with 1900 again: 9 created, 9 freed, 0 larger",
                "an allocation larger than a slot: 0 created, 0 freed, 1 larger",
                // frees the resident slot, which is too small, and one of those that do not suit
                "an arena with blocks larger than a slot, open: 2 created, 2 freed, 2 larger",
                "hits beside it: 0 created, 0 freed, 0 larger",
                "its close: 0 created, 2 freed, 0 larger", // its slots find no room; its larger blocks do not count
                "end of the thread: 0 created, " + (NESTED + KEPT - 2) + " freed, 0 larger"), outputOf("create"));
    }

    @Test
    void countsOverflowBlocksAsCreatedAndFreed() throws Exception {
        int created = 40 + 40 - KEPT; // the second time some arenas hit, 16 more get slots, and the others overflow blocks
        assertEquals(List.of("end of the thread: " + created + " created, " + created + " freed, 0 larger"), outputOf("exceed"));
    }

    @Test
    void countsFurtherOverflowBlocks() throws Exception {
        int created = 40 + 40 - KEPT + 1; // as before, but the innermost arena has two
        assertEquals(List.of("end of the thread: " + created + " created, " + created + " freed, 0 larger"), outputOf("goOn"));
    }

    @Test
    void countsWhatReplacesOthers() throws Exception {
        assertEquals(List.of(
                "first slot: 1 created, 0 freed, 0 larger",
                "arena that needs another one: 2 created, 2 freed, 0 larger", // the other one, and one that replaces both
                "arenas that have room now: 0 created, 0 freed, 0 larger",
                "end of the thread: 0 created, 1 freed, 0 larger"), outputOf("grow"));
    }

    // Half of the first three is a little more than the largest allocation, but not more than a slot.
    @Test
    void furtherBlocksOfASlotsSizeAreSlots() throws Exception {
        assertEquals(List.of(
                "arena with four slots: 5 created, 4 freed, 0 larger", // one replaces the four
                "end of the thread: 0 created, 1 freed, 0 larger"), outputOf("extend"));
    }

    @Test
    void alignedAllocationTakesOneSlot() throws Exception {
        assertEquals(List.of(
                "10 nested: 10 created, 0 freed, 0 larger",
                "again: 0 created, 0 freed, 0 larger",
                "end of the thread: 0 created, 10 freed, 0 larger"), outputOf("align"));
    }

    @Test
    void agentMayOpenArenasWhileTheCountersAreCreated() throws Exception {
        assertEquals("arenas in 8 callbacks or more", outputOf("agent").getLast());
    }

    @Test
    void addsAtOnceUpToThe64thEvent() throws Exception {
        assertEquals(List.of(
                "event 1: 1 created, 0 freed, 0 larger",
                "event 2: 0 created, 0 freed, 1 larger",
                "events 3 to 63: 0 created, 0 freed, 61 larger",
                "hits: 0 created, 0 freed, 0 larger",
                "event 64: 0 created, 0 freed, 1 larger",
                "event 65: 0 created, 0 freed, 0 larger",
                "events 66 to 127: 0 created, 0 freed, 0 larger",
                "event 128: 0 created, 0 freed, 0 larger",
                "events 129 to 1023: 0 created, 0 freed, 0 larger",
                "event 1024: 0 created, 0 freed, 960 larger",
                "events 1025 to 1029: 0 created, 0 freed, 0 larger",
                "end of the thread: 0 created, 1 freed, 5 larger"), outputOf("add"));
    }

    // If the stack overflowed in the initialization of their class, it could never be used again. Chance decides in which call it does.
    @Test
    void countersAreCreatedAfterAStackOverflow() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertEquals(List.of("counters were made", "arenas go on"), outputOf("overflow"));
        }
    }

    // The initialization of their class fails, so it cannot be used any more.
    @Test
    void arenasGoOnWithoutCountersAfterALackOfHeap() throws Exception {
        Path patch = Files.createTempDirectory(Path.of(""), "heap-patch");
        JavaProcess.throwing(patch, "jdk.internal.foreign.ConfinedPoolCounters$Totals", ConstantDescs.CLASS_INIT_NAME, _ -> true,
                ClassDesc.of("java.lang.OutOfMemoryError"));
        assertEquals(List.of("no counters", "arenas go on"), outputOf("useAll", JavaProcess.patch(patch)));
    }

    /** Does known work on one thread, and prints how much each of it changes the counters. */
    static final class Child {

        private static final List<String> NAMES = List.of("slotsCreated", "slotsFreed", "largerBlocks");

        private static long[] last;

        private static int left;

        private static int calls;

        public static void main(String[] args) throws Throwable {
            if (args[0].equals("overflow")) {
                overflow();
                return;
            }
            if (args[0].equals("useAll")) {
                useAll();
                return;
            }
            if (args[0].equals("agent")) {
                agent();
                return;
            }
            last = counters();
            Task.run(switch (args[0]) {
                case "create" -> Child::create;
                case "exceed" -> Child::exceed;
                case "goOn" -> Child::goOn;
                case "grow" -> Child::grow;
                case "extend" -> Child::extend;
                case "align" -> Child::align;
                default -> Child::add;
            });
            printChange("end of the thread");
        }

        /** {@return the counters as jcmd prints them} One that is not there yet counts as 0. */
        private static long[] counters() throws IOException, InterruptedException {
            Process jcmd = new ProcessBuilder(JavaProcess.TESTED_JDK.resolve("bin", "jcmd").toString(),
                    Long.toString(ProcessHandle.current().pid()), "PerfCounter.print").redirectErrorStream(true).start();
            List<String> lines = jcmd.inputReader().readAllLines();
            if (jcmd.waitFor() != 0 || lines.stream().noneMatch(line -> line.startsWith("java."))) {
                throw new AssertionError("jcmd printed no counters: " + lines);
            }
            return NAMES.stream().map(name -> "jdk.foreign.confinedPool." + name + "=").mapToLong(start -> lines.stream()
                    .filter(line -> line.startsWith(start)).map(line -> line.substring(start.length()))
                    .mapToLong(Long::parseLong).sum()).toArray();
        }

        private static void printChange(String work) throws IOException, InterruptedException {
            long[] now = counters();
            System.out.println(work + ": " + (now[0] - last[0]) + " created, " + (now[1] - last[1]) + " freed, "
                    + (now[2] - last[2]) + " larger");
            last = now;
        }

        private static void larger(Arena arena, int count) {
            for (int i = 0; i < count; i++) {
                arena.allocate(SIZE + 1);
            }
        }

        // A thread's first slot that is counted is taken at each depth at which the stack overflows then or a little later.
        private static void overflow() throws Exception {
            Task.run(() -> {}); // initializes what arenas need, but counts nothing
            for (int i = 0; i < 20; i++) {
                Thread thread = new Thread(null, () -> {
                    Slots.openFirst();
                    left = 0;
                    dive();
                }, "diver", 256 * 1024);
                thread.start();
                thread.join();
            }
            useAll();
        }

        private static void useAll() throws Exception {
            Task.run(() -> {
                for (int i = 0; i < 3; i++) {
                    Slots.nest(12, 8);
                    Slots.nest(2, SIZE);
                    Slots.nest(1, SIZE + 1);
                }
            });
            System.out.println(Arrays.equals(new long[NAMES.size()], counters()) ? "no counters" : "counters were made");
            System.out.println("arenas go on");
        }

        private static void dive() {
            try {
                dive();
            } catch (StackOverflowError e) {
                left = 200;
            }
            if (left > 0) {
                left--;
                try {
                    Arena.ofConfined().allocate(8);
                } catch (StackOverflowError e) {
                    // too deep
                }
            }
        }

        // Fewer events than are added at once.
        private static void create() throws Exception {
            printChange("arenas without a pool"); // Task has opened them
            Slots.nest(NESTED, 8);
            printChange("12 nested");
            for (int i = 0; i < 100_000; i++) {
                Slots.nest(1 + i % NESTED, 8);
            }
            printChange("hits");
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(8); // has the resident slot
                Slots.nest(1, 1900);
                printChange("a large slot beside the resident one");
                for (int i = 0; i < 10; i++) { // fewer than may pass the resident slot
                    Slots.nest(1, 1900);
                }
                printChange("hits of the large slot");
            }
            Slots.nest(NESTED, 1900);
            printChange("12 nested with 1900");
            Slots.nest(NESTED, 1900);
            printChange("12 nested with 1900 again");
            Slots.nest(1, SIZE + 1);
            printChange("an allocation larger than a slot");
            // It exchanges the resident slot. Its third block has half of what the others have together.
            Arena arena = Arena.ofConfined();
            for (int i = 0; i < 4; i++) {
                arena.allocate(SIZE);
            }
            printChange("an arena with blocks larger than a slot, open");
            for (int i = 0; i < 100_000; i++) {
                Slots.nest(1 + i % (NESTED - 1), 8);
            }
            printChange("hits beside it");
            arena.close();
            printChange("its close");
        }

        private static void exceed() throws Exception {
            Slots.nest(40, 1900);
            Slots.nest(40, 1900);
        }

        private static void goOn() throws Exception {
            Slots.nest(40, 1900);
            nestAndGoOn(40);
        }

        private static void nestAndGoOn(int depth) {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(1900);
                if (depth > 1) {
                    nestAndGoOn(depth - 1);
                } else {
                    arena.allocate(1900);
                }
            }
        }

        private static void grow() throws Exception {
            Slots.nest(1, 8);
            printChange("first slot");
            allocateMore();
            printChange("arena that needs another one");
            for (int i = 0; i < 1000; i++) {
                allocateMore();
            }
            printChange("arenas that have room now");
        }

        private static void align() throws Exception {
            nestAligned(10);
            printChange("10 nested");
            nestAligned(10);
            printChange("again");
        }

        // With padding, these are just small.
        private static void nestAligned(int depth) {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(60, 256);
                if (depth > 1) {
                    nestAligned(depth - 1);
                }
            }
        }

        private static void extend() throws Exception {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(180);
                arena.allocate(3800);
                arena.allocate(SIZE);
                arena.allocate(100);
            }
            printChange("arena with four slots");
        }

        // Opens arenas at each object that the counters' class initialization allocates.
        private static void agent() throws Throwable {
            miss();
            Thread thread = new Thread(() -> {
                Slots.openFirst();
                AllocationEvents.observed = Thread.currentThread();
                miss();
                AllocationEvents.observed = null;
            });
            AllocationEvents.sendTo(Child::allocated);
            thread.start();
            thread.join();
            Throwable failure = AllocationEvents.failure;
            System.out.println(failure != null ? failure : calls < 8 ? calls + " callbacks" : "arenas in 8 callbacks or more");
        }

        private static void allocated() {
            if (Arrays.toString(new Throwable().getStackTrace()).contains("ConfinedPoolCounters$Totals")) {
                calls++;
                miss();
            }
        }

        private static void miss() {
            try (Arena first = Arena.ofConfined(); Arena second = Arena.ofConfined()) {
                first.allocate(100);
                second.allocate(1000);
                second.allocate(2 * SIZE);
            }
        }

        private static void allocateMore() {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(8);
                arena.allocate(200);
            }
        }

        private static void add() throws Exception {
            Slots.nest(1, 8);
            printChange("event 1");
            try (Arena arena = Arena.ofConfined()) {
                addLarger(arena);
            }
        }

        private static void addLarger(Arena arena) throws Exception {
            larger(arena, 1);
            printChange("event 2");
            larger(arena, 60);
            Slots.nest(1, SIZE + 1); // its close is no event
            printChange("events 3 to 63");
            for (int i = 0; i < 1000; i++) { // the first of them makes the spare slot the resident one
                Slots.nest(1, 8);
            }
            printChange("hits");
            larger(arena, 1);
            printChange("event 64");
            larger(arena, 1);
            printChange("event 65");
            larger(arena, 62);
            printChange("events 66 to 127");
            larger(arena, 1);
            printChange("event 128");
            larger(arena, 895);
            printChange("events 129 to 1023");
            larger(arena, 1);
            printChange("event 1024");
            larger(arena, 5);
            printChange("events 1025 to 1029");
        }
    }
}
