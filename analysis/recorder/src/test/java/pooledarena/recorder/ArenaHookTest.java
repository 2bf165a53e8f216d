/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.RecordedJvm;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.SlotReplay;
import pooledarena.histogram.Tally;
import pooledarena.recorder.Ledger.Counts;
import pooledarena.recorder.hook.ArenaHook;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The recorder, told by hand what arenas do. No arena is needed for that. */
class ArenaHookTest {

    static final RecordedJvm JVM = new RecordedJvm("host", 1, "", "", false, false, 0, "", "");

    private Recorder recorder;

    @BeforeEach
    void begin() {
        recorder = Recorder.begin(new Options(null, 0, 0, 1000, null), null);
    }

    /** The memory of an arena that is collected stays taken. */
    @Test
    void aCollectedArena() throws InterruptedException {
        WeakReference<Object> lost = lose();
        while (!lost.refersTo(null)) {
            System.gc();
        }
        Thread.sleep(50); // until the JVM has enqueued it
        recorder.collect();
        Map.Entry<Shape, Tally> row = only(24);
        assertEquals(Closing.UNCLOSED, row.getKey().closing());
        assertEquals(1, row.getValue().arenas());
        Object next = new Object();
        open(next, 40);
        ArenaHook.target.closed(next);
        assertEquals(row.getKey().openBefore() + 1, only(40).getKey().openBefore());
    }

    private static WeakReference<Object> lose() {
        Object arena = new Object();
        open(arena, 24);
        return new WeakReference<>(arena);
    }

    /** Closed in any order, of any depth: those that were opened long ago are found, too. */
    @Test
    void manyOpenArenas() {
        Random random = new Random(20261122);
        List<Object> open = new ArrayList<>();
        long opened = 0;
        for (int i = 0; i < 5000; i++) {
            if (open.isEmpty() || open.size() < 900 && random.nextInt(100) < 55) {
                Object arena = new Object();
                ArenaHook.target.opened(arena);
                open.add(arena);
                opened++;
            } else {
                Object arena = open.remove(random.nextInt(open.size()));
                ArenaHook.target.allocated(arena, 56, 8);
                ArenaHook.target.closed(arena);
                ArenaHook.target.closed(arena); // a second time does not count
            }
        }
        assertEquals(opened - open.size(), sum(56, Closing.NOT_TOLD));
        open.forEach(arena -> ArenaHook.target.allocated(arena, 72, 8));
        assertEquals(open.size(), sum(72, Closing.UNCLOSED));
        open.forEach(ArenaHook.target::closed);
        assertEquals(0, sum(72, Closing.UNCLOSED));
        assertEquals(open.size(), sum(72, Closing.NOT_TOLD));
    }

    /** Beyond the limit arenas are dropped and counted. Soon after some have ended, others take their places. */
    @Test
    void moreOpenArenasThanTheLimit() {
        List<Object> open = new ArrayList<>();
        for (int i = 0; i < 1600; i++) {
            open.add(new Object());
            open(open.getLast(), 16);
        }
        assertEquals(1000, sum(16, Closing.UNCLOSED));
        assertEquals(600, recorder.histogram(JVM).dropped().arenas());
        open.subList(0, 500).forEach(ArenaHook.target::closed);
        for (int i = 0; i < 1000; i++) {
            open.add(new Object());
            open(open.getLast(), 32);
        }
        assertEquals(500, sum(32, Closing.UNCLOSED));
        open.forEach(ArenaHook.target::closed);
        assertEquals(1000, sum(16, Closing.NOT_TOLD));
        assertEquals(500, sum(32, Closing.NOT_TOLD));
        assertEquals(600 + 500, recorder.histogram(JVM).dropped().arenas());
    }

    /** What a thread has left open when it ends is still known, and forgotten is only the thread. */
    @Test
    void aThreadThatEnds() throws InterruptedException {
        List<Object> arenas = List.of(new Object(), new Object());
        Thread thread = new Thread(() -> arenas.forEach(arena -> open(arena, 88)));
        thread.start();
        thread.join();
        recorder.collect();
        recorder.collect();
        assertEquals(2, sum(88, Closing.UNCLOSED));
        assertEquals(2, arenas.size());
    }

    @Test
    void rowsBeyondTheLimit() {
        Ledger ledger = new Ledger(1);
        Counts counts = new Counts();
        Counts others = new Counts();
        Site site = new Site("A", "a", 1);
        assertFalse(ledger.has(1));
        ledger.add(1, shape(site, 7, 1), new Tally(1, 7, 1, null));
        assertTrue(ledger.has(1));
        counts.add(1, 1);
        assertTrue(counts.increment(1));
        others.add(1, 1); // another thread's, of the same row
        ledger.add(2, shape(site, 105, 2), new Tally(1, 105, 2, served(5, 4, 105))); // the second row: rounded
        assertFalse(ledger.has(2));
        ledger.add(3, shape(site, 101, 2), new Tally(1, 101, 2, served(1, 4, 101))); // the same when rounded
        ledger.add(4, shape(site, 300, 1), new Tally(1, 300, 1, null)); // dropped
        others.addTo(counts);
        assertEquals(Map.of(shape(site, 7, 1), new Tally(3, 21, 3, null),
                shape(site, 105, 2).rounded(), new Tally(2, 206, 4, served(6, 4, 206))), ledger.tallies(counts));
        assertEquals(new Dropped(1, 0, 2, 9), ledger.dropped(9));
    }

    /** Each key has its own count, however many there are. */
    @Test
    void manyKeys() {
        Ledger ledger = new Ledger(100_000);
        Counts counts = new Counts();
        Counts ended = new Counts();
        int keys = 20_000;
        for (int key = 1; key <= keys; key++) {
            ledger.add(key, shape(null, key, 1), new Tally(1, key, 1, null));
            assertTrue(ledger.has(key));
            counts.add(key, 1);
            assertTrue(counts.increment(key));
            ended.add(key, 1);
        }
        ended.addTo(counts);
        Map<Shape, Tally> tallies = ledger.tallies(counts);
        assertEquals(keys, tallies.size());
        tallies.forEach((shape, tally) -> assertEquals(new Tally(3, 3 * shape.bytes(), 3, null), tally));
    }

    /** Several carriers have had the record of an arena that a virtual thread opens, which counts once. */
    @Test
    void aVirtualThreadThatMoves() throws InterruptedException {
        int threads = 100;
        int rounds = 500;
        List<Object> arenas = new ArrayList<>();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Object left = new Object();
            arenas.add(left);
            all.add(Thread.startVirtualThread(() -> {
                for (int round = 0; round < rounds; round++) {
                    Object arena = new Object();
                    open(arena, 64);
                    Thread.yield();
                    ArenaHook.target.closed(arena);
                }
                open(left, 96);
            }));
        }
        for (Thread thread : all) {
            thread.join();
        }
        assertEquals(threads, sum(96, Closing.UNCLOSED));
        assertEquals(rounds * threads, sum(64, Closing.NOT_TOLD));
        assertEquals(threads, arenas.size());
    }

    private static long[] served(long small, int count, long all) {
        long[] served = new long[SlotReplay.SIZES];
        for (int i = 0; i < served.length; i++) {
            served[i] = i < count ? small : all;
        }
        return served;
    }

    private static Shape shape(Site site, long bytes, long allocations) {
        return new Shape(site, false, Closing.BY_OPENER, 0, 0, bytes, bytes, allocations, bytes, bytes, 1, true);
    }

    private static void open(Object arena, long size) {
        ArenaHook.target.opened(arena);
        ArenaHook.target.allocated(arena, size, 8);
    }

    private Map<Shape, Tally> rows() {
        return recorder.histogram(JVM).rows();
    }

    /** {@return the only row of arenas that have so many bytes} */
    private Map.Entry<Shape, Tally> only(long bytes) {
        List<Map.Entry<Shape, Tally>> rows = rows().entrySet().stream().filter(row -> row.getKey().bytes() == bytes).toList();
        assertEquals(1, rows.size(), rows.toString());
        return rows.getFirst();
    }

    private long sum(long bytes, Closing closing) {
        return rows().entrySet().stream().filter(row -> row.getKey().bytes() == bytes && row.getKey().closing() == closing)
                .mapToLong(row -> row.getValue().arenas()).sum();
    }
}
