/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import org.junit.jupiter.api.Test;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Site;
import pooledarena.program.Caller;
import pooledarena.program.Full;
import pooledarena.recorder.Rows.Row;
import pooledarena.recorder.Threads.Arenas;
import pooledarena.recorder.Threads.Level;

import java.lang.ref.ReferenceQueue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MemoryTest {

    /** {@return what has memory for so many call sites, and no more} */
    static CallSites sites(int count) {
        CallSites sites = new CallSites();
        sites.use(new Memory((4L * count * Memory.FRAME + 2) / 3), 1, List.of());
        return sites;
    }

    @Test
    void whatIsLeft() {
        Memory memory = new Memory(1000);
        assertTrue(memory.take(500, memory.half));
        assertFalse(memory.take(1, memory.half));
        assertTrue(memory.take(250, memory.quarter));
        assertFalse(memory.take(1, memory.quarter));
        assertTrue(memory.take(250, 0));
        assertFalse(memory.take(1, 0));
        memory.give(100);
        assertFalse(memory.take(101, 0));
        assertTrue(memory.take(100, 0));
    }

    /** Other arenas of many call sites leave a quarter to rounded rows. */
    @Test
    void otherArenasLeaveAQuarter() {
        Memory memory = new Memory(4000);
        Ledger ledger = new Ledger(memory);
        for (int site = 1; site <= 100; site++) {
            ledger.countOther(0, site);
        }
        assertEquals(100 - 3000 / (Memory.ROW + Memory.SHAPE), ledger.sitesDropped.sum());
        assertTrue(memory.take(memory.quarter, 0));
    }

    /** The heap is full when the arrays by number have to grow: that is made good with the next call site. */
    @Test
    void callSitesWhileTheHeapIsFull() throws Exception {
        assertEquals("1 failed, then 32 and 33\n", printed(FullHeap.class, "-Xmx16m"));
    }

    /** What the heap has no room for takes no memory. */
    @Test
    void nothingIsTakenWhileTheHeapIsFull() throws Exception {
        assertEquals("5 failed and took 0\n", printed(NoRoom.class, "-Xmx16m"));
    }

    /** Nor does a call site that a walk has found, if it has no room among the others. */
    @Test
    void aWalkTakesNothingWhileTheHeapIsFull() throws Exception {
        assertEquals("1 failed and took 0\n", printed(FullAfterWalk.class, "-Xmx16m"));
    }

    /** {@return what a program prints that uses the recorder's classes} */
    static String printed(Class<?> program, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of("-XX:+UseSerialGC", "--add-exports=java.base/jdk.internal.access=ALL-UNNAMED"));
        all.addAll(List.of(options));
        try (Child child = Child.start(Child.STOCK, all, Path.of(System.getProperty("java.class.path")), program)) {
            child.end();
            return child.out();
        }
    }

    /** Fills the heap before the 32nd call site is numbered, for which the list of call sites does not grow. */
    static final class FullHeap {

        private static Object[] last;

        public static void main(String[] args) {
            CallSites sites = sites(100);
            List<Site> all = IntStream.rangeClosed(1, 33).mapToObj(line -> new Site("A", "a", line)).toList();
            all.subList(0, 31).forEach(sites::number);
            last = Full.fill(1);
            int failed = 0;
            try {
                sites.number(all.get(31));
            } catch (OutOfMemoryError e) {
                failed++;
            }
            last = null;
            System.out.println(failed + " failed, then " + sites.number(all.get(31)) + " and " + sites.number(all.get(32)));
        }
    }

    /** Takes memory in several ways, then fills the heap and tries the same again. */
    static final class NoRoom {

        private static Object[] last;

        public static void main(String[] args) {
            Arrays.stream(steps(new Memory(1 << 20))).forEach(Runnable::run); // loads what is needed
            Memory memory = new Memory(1 << 20);
            Runnable[] steps = steps(memory);
            long before = left(memory);
            last = Full.fill(1);
            int failed = 0;
            for (int i = 0; i < steps.length; i++) {
                try {
                    steps[i].run();
                } catch (OutOfMemoryError e) {
                    failed++;
                }
            }
            last = null;
            System.out.println(failed + " failed and took " + (before - left(memory)));
        }

        private static Runnable[] steps(Memory memory) {
            Threads threads = new Threads(memory);
            Arenas thread = threads.get();
            Level level = threads.new Level();
            for (int i = 0; i < 7; i++) { // the next one needs more places
                level.down();
            }
            CallSites sites = new CallSites();
            sites.use(memory, 1, List.of());
            List<Site> all = IntStream.rangeClosed(1, 32).mapToObj(line -> new Site("A", "a", line)).toList();
            all.subList(0, 31).forEach(sites::number);
            OpenArena arena = new OpenArena(memory, thread, 0, new ReferenceQueue<>());
            Row known = new Row(1, arena.shape(null, Closing.NOT_TOLD, true));
            Ledger ledger = new Ledger(memory);
            return new Runnable[] {level::down, () -> sites.number(all.get(31)), () -> thread.row(known),
                () -> ledger.row(arena, null, Closing.NOT_TOLD, true), () -> ledger.countOther(0, 1)};
        }
    }

    /** Has a walk find the 4096th call site, with which the arrays by number grow by 32 KB each, when the heap has 40 KB left. */
    static final class FullAfterWalk {

        private static Object[] last;
        private static byte[] rest;

        public static void main(String[] args) {
            Caller.direct(walk(new Memory(1 << 22))); // loads what is needed
            Memory memory = new Memory(1 << 22);
            Runnable walk = walk(memory);
            long before = left(memory);
            rest = new byte[40 << 10];
            last = Full.fill(1);
            rest = null;
            int failed = 0;
            try {
                Caller.direct(walk);
            } catch (OutOfMemoryError e) {
                failed++;
            }
            last = null;
            System.out.println(failed + " failed and took " + (before - left(memory)));
        }

        private static Runnable walk(Memory memory) {
            CallSites sites = new CallSites();
            sites.use(memory, 1, List.of());
            for (int line = 1; line < 4096; line++) {
                sites.number(new Site("A", "a", line));
            }
            return () -> sites.walk(false, null);
        }
    }

    private static long left(Memory memory) {
        long left = 0;
        while (memory.take(1, 0)) {
            left++;
        }
        memory.give(left);
        return left;
    }
}
