/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.HistogramReader;
import pooledarena.histogram.OtherArenas;
import pooledarena.histogram.RecordedJvm;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.Tally;
import pooledarena.recorder.hook.ArenaHook;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.DataFormatException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The recorder, told by hand what arenas do. No arena is needed for that. */
class ArenaHookTest {

    static final RecordedJvm JVM = new RecordedJvm("host", 1, "", "", false, false, 0, 0, "", "");

    private Recorder recorder;

    @BeforeEach
    void begin() {
        recorder = Recorder.begin(new Options(null, 0, 0, 1, List.of(), 8 << 20, null), new CallSites(), null);
    }

    /** Each recorder counts the failures of its own time. */
    @Test
    void failuresOfAnEarlierRecording() {
        ArenaHook.failures = 5;
        assertEquals(5, histogram(recorder).dropped().failures());
        begin();
        assertEquals(0, histogram(recorder).dropped().failures());
    }

    /** The memory of an arena that is collected stays taken. */
    @Test
    void aCollectedArena() throws InterruptedException {
        WeakReference<Object> lost = lose();
        for (int i = 0; i < 1000 && !recorder.threads.open().isEmpty(); i++) {
            System.gc();
            Thread.sleep(10); // until the JVM has enqueued it
            recorder.collect();
        }
        assertTrue(recorder.threads.open().isEmpty());
        assertTrue(lost.refersTo(null));
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

    /** Without memory for more, arenas are dropped and counted. Soon after some have ended, others take their room. */
    @Test
    void moreOpenArenasThanThereIsMemoryFor() {
        recorder = Recorder.begin(new Options(null, 0, 0, 1, List.of(), 600_000, null), new CallSites(), null);
        List<Object> open = new ArrayList<>();
        for (int i = 0; i < 1600; i++) {
            open.add(new Object());
            open(open.getLast(), 16);
        }
        assertEquals(1024, sum(16, Closing.UNCLOSED));
        assertEquals(576, histogram(recorder).dropped().arenas());
        open.subList(0, 500).forEach(ArenaHook.target::closed);
        for (int i = 0; i < 1000; i++) {
            open.add(new Object());
            open(open.getLast(), 32);
        }
        assertEquals(500, sum(32, Closing.UNCLOSED));
        open.forEach(ArenaHook.target::closed);
        assertEquals(1024, sum(16, Closing.NOT_TOLD));
        assertEquals(500, sum(32, Closing.NOT_TOLD));
        assertEquals(576 + 500, histogram(recorder).dropped().arenas());
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

    /** Half of the memory is for exact rows. The others are rounded, and have the sums of what their arenas had. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void rowsBeyondTheMemory(int allocations) {
        recorder = Recorder.begin(new Options(null, 0, 0, 1, List.of(), 64 << 10, null), new CallSites(), null);
        int arenas = 10_000;
        for (int size = 1; size <= arenas; size++) {
            Object arena = new Object();
            for (int i = 0; i < allocations; i++) {
                open(arena, size, i == 0);
            }
            ArenaHook.target.closed(arena);
        }
        Histogram histogram = histogram(recorder);
        Tally all = histogram.sum((_, _) -> true);
        assertEquals(arenas, all.arenas());
        assertEquals(allocations * arenas * (arenas + 1L) / 2, all.bytes());
        assertEquals(allocations * arenas, all.allocations());
        long exact = histogram.sum((shape, _) -> shape.exact()).arenas();
        assertTrue(exact > 50 && exact < 200, exact + " exact");
        assertEquals(new Dropped(0, 0, arenas - exact, ArenaHook.failures), histogram.dropped());
    }

    /** Of other arenas those are only totals for whose sites there is no memory. */
    @Test
    void otherArenas() {
        recorder = Recorder.begin(new Options(null, 0, 1, 1, List.of(), 1400, null), new CallSites(), null);
        int[] sites = {recorder.sites.number(new Site("A", "a", 1)), recorder.sites.number(new Site("A", "a", 2)), 0};
        assertEquals(2, sites[1]);
        for (int i = 0; i < 4; i++) {
            for (int kind = 0; kind < 3; kind++) {
                recorder.opening(sites[kind / 2]);
                recorder.beginning(kind);
                recorder.opening(sites[1]);
                recorder.beginning(0);
            }
        }
        Map<OtherArenas, Long> others = histogram(recorder).others();
        assertEquals(24, others.values().stream().mapToLong(Long::longValue).sum());
        assertTrue(others.keySet().stream().anyMatch(each -> each.site() == null), others.toString());
        assertTrue(histogram(recorder).dropped().sites() > 0);
        assertTrue(others.keySet().stream().anyMatch(each -> each.site() != null), others.toString());
    }

    /** A file that is written while the first is counted has no count of none, which its reader would refuse. */
    @Test
    void otherArenasThatAreCountedMeanwhile() {
        AtomicReference<Ledger> ledger = new AtomicReference<>(new Ledger(new Memory(0)));
        Thread thread = Thread.startVirtualThread(() -> {
            for (int i = 0; i < 200_000; i++) {
                ledger.set(new Ledger(new Memory(0)));
                ledger.get().countOther(0, 0);
            }
        });
        while (thread.isAlive()) {
            assertFalse(ledger.get().others(recorder.sites).containsValue(0L));
        }
    }

    /** What is in no row is counted. */
    @Test
    void noMemoryAtAll() {
        recorder = Recorder.begin(new Options(null, 0, 0, 1, List.of(), 100, null), new CallSites(), null);
        for (int i = 0; i < 5; i++) {
            Object arena = new Object();
            open(arena, 8);
            ArenaHook.target.closed(arena);
        }
        assertEquals(new Dropped(5, 0, 0, ArenaHook.failures), histogram(recorder).dropped());
        assertEquals(Map.of(), rows());
    }

    /** Threads for whose rows there is no memory count in shared ones, or in rounded ones of their own. */
    @Test
    void manyThreadsAndShapes() throws InterruptedException {
        recorder = Recorder.begin(new Options(null, 0, 0, 1, List.of(), 200_000, null), new CallSites(), null);
        int threads = 50;
        int sizes = 400;
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            all.add(new Thread(() -> {
                for (int size = 1; size <= 2 * sizes; size++) {
                    Object arena = new Object();
                    open(arena, 1 + size % sizes);
                    ArenaHook.target.closed(arena);
                }
            }));
        }
        all.forEach(Thread::start);
        for (Thread thread : all) {
            thread.join();
        }
        for (int i = 0; i < 2; i++) { // before and after the threads are forgotten
            Tally sum = histogram(recorder).sum((_, _) -> true);
            assertEquals(2L * sizes * threads, sum.arenas());
            assertEquals(sizes * (sizes + 1L) * threads, sum.bytes());
            recorder.collect();
        }
    }

    /** What is written is what is there, also of arenas that are open, however many. */
    @Test
    void theFile() {
        List<Object> empty = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            empty.add(new Object());
            ArenaHook.target.opened(empty.getLast());
        }
        List<Object> open = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            open.add(new Object());
            open(open.getLast(), 1 + i % 1500);
            Object closed = new Object();
            open(closed, 2000 + i);
            ArenaHook.target.closed(closed);
        }
        Map<Shape, Tally> expected = new HashMap<>();
        List<Tally> unclosed = new ArrayList<>();
        assertEquals(0, recorder.forEachRow((shape, tally) -> {
            expected.merge(shape, tally, Tally::plus);
            if (shape.closing() == Closing.UNCLOSED) {
                unclosed.add(tally);
            }
        }));
        assertEquals(1 + 3000, unclosed.size()); // the empty ones have one row, as their shape is the first
        assertEquals(500, empty.size());
        Histogram read = histogram(recorder);
        assertEquals(List.of(JVM), read.jvms());
        assertEquals(expected, read.rows());
        assertEquals(new Dropped(0, 0, 0, ArenaHook.failures), read.dropped());
        assertEquals(3000, open.size());
    }

    /** An arena counts once, on whichever carriers a virtual thread opens and closes it. */
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

    /** {@return what the recorder writes} */
    static Histogram histogram(Recorder recorder) {
        try {
            Path file = Files.createTempFile("histogram", ".json");
            try {
                try (OutputStream stream = Files.newOutputStream(file)) {
                    recorder.write(stream, JVM);
                }
                return HistogramReader.read(file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException | DataFormatException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void open(Object arena, long size) {
        open(arena, size, true);
    }

    private static void open(Object arena, long size, boolean isFirst) {
        if (isFirst) {
            ArenaHook.target.opened(arena);
        }
        ArenaHook.target.allocated(arena, size, 8);
    }

    private Map<Shape, Tally> rows() {
        return histogram(recorder).rows();
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
