/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Tally;
import pooledarena.model.Costs;
import pooledarena.model.PoolModel;
import pooledarena.recordings.Histograms;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a replay of a recording estimates, beside what the model does with the arenas that were recorded. */
class ReplayTest {

    /** Arenas that are opened and closed in the pool of the default, and recorded by their definition. */
    private static final class Program {

        private record Open(PoolModel.Arena arena) {}

        private final boolean virtual;
        private final Map<Shape, Tally> rows = new HashMap<>();
        private final Deque<Open> open = new ArrayDeque<>();
        private final List<Integer> levels = new ArrayList<>();
        private PoolModel pool;
        private long mallocs;
        private int earlier;

        private Program(boolean virtual) {
            this.virtual = virtual;
            thread();
        }

        private void thread() {
            mallocs += pool == null ? 0 : pool.mallocs();
            pool = new PoolModel(PoolModel.DEFAULT_SIZE, PoolModel.DEFAULT_DEPTH, virtual);
            open.clear();
            levels.clear();
            levels.add(0);
            earlier = 0;
        }

        private void open(long... sizes) {
            Open opened = new Open(new PoolModel.Arena());
            Arrays.stream(sizes).forEach(size -> pool.allocate(opened.arena, size, 1, 1));
            int level = levels.getLast() + 1;
            int last = levels.lastIndexOf(level);
            int dip = last < 0 ? 0 : level - levels.subList(last, levels.size()).stream().min(Integer::compare).orElseThrow();
            Shape shape = new Shape(null, virtual, Closing.BY_OPENER, open.size(), dip,
                    earlier < 4 ? earlier : Math.min(64, Integer.highestOneBit(earlier)), Arrays.stream(sizes).sum(), sizes.length,
                    sizes[0], Arrays.stream(sizes).max().orElseThrow(), 1, true);
            rows.merge(shape, Histograms.tally(shape, 1), Tally::plus);
            open.push(opened);
            levels.add(level);
            earlier++;
        }

        private void closeLast() {
            pool.close(open.pop().arena);
            levels.add(levels.getLast() - 1);
        }

        private void closeFirst() {
            pool.close(open.removeLast().arena);
            levels.add(levels.getLast() - 1);
        }

        private void check(String name) {
            double counted = mallocs + pool.mallocs();
            long estimate = replay(rows).of(Setting.DEFAULT).mallocs();
            assertTrue(estimate <= 1.5 * counted && counted <= 1.5 * estimate, name + ": " + estimate + ", not " + counted);
        }
    }

    @Test
    void threadsThatLiveForOneRequest() {
        Program program = new Program(false);
        for (int i = 0; i < 3000; i++) {
            program.thread();
            for (int arena = 0; arena < 3; arena++) {
                program.open(50, 175, 300);
                program.closeLast();
            }
        }
        program.check("three arenas");
        assertTrue(replay(program.rows).of(Setting.DEFAULT).mallocs() > 3000 * 6, "each thread grows its slots");
    }

    @Test
    void nests() {
        Program program = new Program(false);
        for (int round = 0; round < 40; round++) {
            for (int i = 0; i < 100; i++) {
                program.open(8, 1000);
            }
            for (int i = 0; i < 100; i++) {
                program.closeLast();
            }
        }
        program.check("nests of 100");
    }

    @Test
    void aRingBesideShortOnes() {
        Program program = new Program(false);
        for (int i = 0; i < 3000; i++) {
            program.open(64);
            if (i >= 150) {
                program.closeFirst();
            }
            program.open(8);
            program.closeLast();
        }
        program.check("ring");
    }

    /** As virtual threads that block do: many are open at once, and any may end. */
    @Test
    void manyOfACarrier() {
        Random random = new Random(7);
        Program program = new Program(true);
        for (int i = 0; i < 8000; i++) {
            if (program.open.size() < 20 || program.open.size() < 200 && random.nextBoolean()) {
                program.open(i % 2 == 0 ? 8 : 1000);
            } else if (random.nextBoolean()) {
                program.closeFirst();
            } else {
                program.closeLast();
            }
        }
        program.check("carrier");
    }

    @Test
    void sizesAtRandom() {
        Random random = new Random(7);
        Program program = new Program(false);
        for (int i = 0; i < 5000; i++) {
            program.open(random.nextInt(1, 100), random.nextInt(1, 20_000));
            program.closeLast();
        }
        program.check("sizes at random");
    }

    /** Of 400,000 a replay makes a part, and multiplies the blocks. */
    @ParameterizedTest
    @CsvSource({"100, 3000", "20, 400000"})
    void manyAllocations(int arenas, int allocations) {
        Program program = new Program(false);
        for (int i = 0; i < arenas; i++) {
            program.open(new Random(i).longs(allocations, 1, 100).toArray());
            program.closeLast();
        }
        program.check(allocations + " allocations");
    }

    /** When the arena that has a thread's 33rd slot is closed, one slot replaces its blocks. That takes a malloc of the time of stock's. */
    @Test
    void slotsThatReplaceOthers() {
        int threads = 1000;
        NavigableMap<Long, Double> times = new TreeMap<>(Map.of(1L, 101.0, 65537L, 100.0 + 65537));
        NavigableMap<Long, Double> nothing = new TreeMap<>(Map.of(1L, 0.0, 65537L, 0.0));
        Costs costs = new Costs("by hand", new Costs.Times(times, times, 0, 0), new Costs.Times(nothing, nothing, 0, 0), 0, 0, 0);
        Map<Shape, Tally> rows = new HashMap<>();
        PoolModel pool = new PoolModel(PoolModel.DEFAULT_SIZE, PoolModel.DEFAULT_DEPTH, false);
        for (int earlier : new int[] {0, 1, 2, 3, 4, 8, 16, 32}) {
            int arenas = earlier < 4 ? 1 : earlier;
            Shape shape = new Shape(null, false, Closing.BY_OPENER, 0, earlier == 0 ? 0 : 1, earlier, 1200, 2, 600, 600, 1, true);
            rows.put(shape, Histograms.tally(shape, (long) threads * arenas));
            for (int i = 0; i < arenas; i++) {
                PoolModel.Arena arena = new PoolModel.Arena();
                pool.allocate(arena, 600, 1, 2);
                pool.close(arena);
            }
        }
        Replay replay = new Replay(new Histogram(List.of(Histograms.jvm(1)), rows, Dropped.NOTHING), costs);
        assertEquals(threads * pool.mallocs(), replay.of(Setting.DEFAULT).mallocs());
        assertEquals(threads * (100.0 * pool.mallocs() + pool.mallocBytes()), replay.time - replay.of(Setting.DEFAULT).saved(), 1);
    }

    /** However many arenas there are, a part of them is replayed, and the first ones of a thread count for no more than they are. */
    @Test
    void millions() {
        Map<Shape, Tally> rows = new HashMap<>();
        for (int earlier : new int[] {0, 1, 2, 3, 4, 8, 16, 32, 64}) {
            Shape shape = new Shape(null, false, Closing.BY_OPENER, 0, earlier == 0 ? 0 : 1, earlier, 100, 1, 100, 100, 1, true);
            rows.put(shape, Histograms.tally(shape, earlier < 4 ? 1 : earlier == 64 ? 100_000_000 : earlier));
        }
        Replay.Estimate estimate = replay(rows).of(Setting.DEFAULT);
        assertEquals(33 + 1, estimate.mallocs()); // slots, and the stack
        assertEquals(100_000_000 + 31, estimate.served());
        assertEquals(128 + 64, estimate.memory());
    }

    /** Averages of sizes that are alike stay on their side of a power of two. */
    @Test
    void sizesBesideThoseOfSlots() {
        Shape last = Histograms.shape(null, 8192, 0);
        Shape next = Histograms.shape(null, 8193, 0);
        Shape other = Histograms.shape(null, 8000, 0);
        Replay replay = replay(Map.of(last, Histograms.tally(last, 1000), next, Histograms.tally(next, 500), other,
                Histograms.tally(other, 10)));
        assertEquals(500, replay.of(Setting.DEFAULT).mallocs(), 10);
        assertEquals(0, replay.of(new Setting(16384, 8)).mallocs(), 10);
        assertEquals(1510, replay.of(new Setting(4096, 8)).mallocs());
    }

    /** They take one byte; arenas without allocations take nothing. */
    @Test
    void allocationsOfZeroBytes() {
        Shape shape = new Shape(null, false, Closing.BY_OPENER, 0, 1, 64, 0, 1, 0, 0, 1, true);
        Shape empty = Histograms.shape(null, 0, 0);
        Shape virtual = new Shape(null, true, Closing.BY_OPENER, 0, 1, 64, 0, 0, 0, 0, 1, true);
        Replay replay = replay(Map.of(shape, Histograms.tally(shape, 1000), empty, Histograms.tally(empty, 5), virtual,
                Histograms.tally(virtual, 7)));
        assertEquals(1000, replay.all.arenas());
        assertEquals(1000, replay.all.allocations());
        assertEquals(0, replay.virtual);
        assertTrue(replay.of(new Setting(8, 1)).served() > 900);
        assertTrue(replay.time > 0 && replay.of(new Setting(8, 1)).saved() > 0);
        assertEquals(0, replay(Map.of()).of(Setting.DEFAULT).mallocs());
    }

    /** An arena takes 100 ns without the pool and 30 with it. A slot that is not resident takes 7 ns longer, a carrier's 9. */
    @Test
    void timeSaved() {
        Costs costs = RecommendTest.costs(100, 30);
        Costs dearer = new Costs(costs.source(), costs.stock(), costs.pooled(), 7, 9, 0);
        Map<Shape, Long> one = Map.of(Histograms.shape(null, 20, 0), 100_000L, Histograms.shape(null, 0, 0), 5L);
        assertEquals(10_000_000, new Replay(Histograms.of(1, one), dearer).time);
        assertEquals(7_000_000, new Replay(Histograms.of(1, one), dearer).of(Setting.DEFAULT).saved(), 10_000);
        assertEquals(0, new Replay(Histograms.of(1, one), dearer).of(new Setting(8, 8)).saved(), 1);
        Map<Shape, Long> nested = Map.of(Histograms.shape(null, 20, 0), 100_000L, Histograms.shape(null, 20, 1), 100_000L);
        assertEquals(14_000_000 - 700_000, new Replay(Histograms.of(1, nested), dearer).of(Setting.DEFAULT).saved(), 20_000);
        Shape virtual = new Shape(null, true, Closing.BY_OPENER, 0, 1, 64, 8, 1, 8, 8, 1, true);
        assertEquals(6_100_000, new Replay(Histograms.of(1, Map.of(virtual, 100_000L)), dearer).of(Setting.DEFAULT).saved(),
                10_000);
        assertEquals(100_000 * 48, new Replay(Histograms.of(1, one), dearer).of(Setting.DEFAULT).heapSaved());
    }

    /** A thread gets a pool with its 33rd slot. Recordings tell to which range of its thread's arenas one belongs. */
    @Test
    void heapOfPools() {
        int pool = 424 + 41 * 8;
        for (boolean virtual : new boolean[] {false, true}) {
            assertEquals(32 * 48, heapSaved(virtual, 1, 1, 1, 1, 4, 8, 16, 0, 0), 0.01);
            assertEquals(42 * 48 - pool, heapSaved(virtual, 1, 1, 1, 1, 4, 8, 16, 10, 0), 0.01);
            assertEquals(1064 * 48 - pool, heapSaved(virtual, 1, 1, 1, 1, 4, 8, 16, 32, 1000), 0.01);
            assertEquals((1 + 0.5 * 41) * 48 - 0.5 * pool, heapSaved(virtual, 1, 0.5, 0.5, 0.5, 2, 4, 8, 5, 0), 0.01); // half open one
            assertEquals(1000 * 48, heapSaved(virtual, 0, 0, 0, 0, 0, 0, 0, 0, 1000), 0.01); // it had a pool before it was recorded
        }
    }

    /** {@return what each of 1000 threads or carriers saves with so many arenas in each range} */
    private static double heapSaved(boolean virtual, double... arenas) {
        Map<Shape, Long> rows = new HashMap<>();
        int[] earlier = {0, 1, 2, 3, 4, 8, 16, 32, 64};
        for (int i = 0; i < arenas.length; i++) {
            if (arenas[i] > 0) {
                rows.put(new Shape(null, virtual, Closing.BY_OPENER, 0, 1, earlier[i], 20, 1, 20, 20, 1, true), Math.round(1000 * arenas[i]));
            }
        }
        return new Replay(Histograms.of(1, rows), RecommendTest.costs(100, 30)).of(Setting.DEFAULT).heapSaved() / 1000.0;
    }

    /** What is larger than a slot costs the same with the pool. */
    @Test
    void largeOnesGainNothing() {
        Shape large = new Shape(null, false, Closing.BY_OPENER, 0, 1, 64, 100_000, 3, 20_000, 60_000, 1, true);
        Replay replay = replay(Map.of(large, Histograms.tally(large, 1000)));
        assertEquals(3000, replay.of(Setting.DEFAULT).mallocs());
        assertEquals(0, replay.of(Setting.DEFAULT).saved(), 1e-3);
    }

    /** Each allocation is priced by its own size. By their average both would cost less in the stock JDK than the large one alone. */
    @Test
    void aSmallOneBesideALargeOne() {
        Shape both = new Shape(null, false, Closing.BY_OPENER, 0, 1, 64, 65_544, 2, 8, 65_536, 1, true);
        Replay replay = replay(Map.of(both, Histograms.tally(both, 1000)));
        assertTrue(replay.of(Setting.DEFAULT).saved() > 0, replay.of(Setting.DEFAULT).saved() + " ns");
    }

    /** Whatever numbers a file has that can be read, there is an estimate. */
    @Test
    void craftedRecordings() {
        Random random = new Random(34);
        long[] numbers = {0, 1, 2, 3, 7, 32, 33, 512, 8192, 1 << 20, Integer.MAX_VALUE, 1L << 40, Long.MAX_VALUE};
        for (int round = 0; round < 12; round++) {
            Map<Shape, Tally> rows = new HashMap<>();
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                long[] n = random.ints(9, 0, numbers.length).mapToLong(index -> numbers[index]).toArray();
                Shape shape = new Shape(null, random.nextBoolean(), Closing.values()[random.nextInt(4)], (int) Math.min(n[0],
                        Integer.MAX_VALUE),
                        (int) Math.min(n[1], Integer.MAX_VALUE), (int) Math.min(n[2], Integer.MAX_VALUE), n[3], n[4], n[5], n[6],
                                n[7], true);
                rows.put(shape, new Tally(Math.max(1, n[8]), numbers[random.nextInt(numbers.length)],
                        numbers[random.nextInt(numbers.length)]));
            }
            Replay replay = replay(rows);
            for (Replay.Estimate estimate : replay.estimates) {
                assertTrue(Double.isFinite(estimate.saved()), rows.toString());
            }
        }
    }

    private static Replay replay(Map<Shape, Tally> rows) {
        return new Replay(new Histogram(List.of(Histograms.jvm(1)), rows, Dropped.NOTHING), Costs.documented());
    }
}
