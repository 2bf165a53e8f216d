/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import org.junit.jupiter.api.Test;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.histogram.SlotReplay;
import pooledarena.histogram.Tally;
import pooledarena.recordings.Histograms;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is said of records: reckoned by hand, and against a pool that does what was recorded, step by step. */
class ReplayTest {

    private static final long SEED = 20261121;

    /**
     * The records tell nearly all there is to tell of arenas that are nested no deeper than the depth: there is a slot for each.
     * But each slot that is resident no more is followed by one that the next arenas may outgrow, which takes a malloc.
     */
    @Test
    void nestedArenasThatFit() {
        assertNear(random -> Trace.random(random, true, 8 << random.nextInt(8), 8), 0.012);
    }

    /** A carrier gives a slot of up to 512 bytes to any arena. Seldom the one returned last is too small to go on in. */
    @Test
    void smallArenasOfVirtualThreads() {
        assertNear(random -> Trace.virtual(random, 64, 100), 0.015);
    }

    /** What is not told: which slot is resident when, and in which order arenas of different sizes come. */
    @Test
    void anyArenas() {
        assertNear(random -> Trace.random(random, true, 8 << random.nextInt(8), 20), 0.1);
        assertNear(random -> Trace.random(random, false, 8 << random.nextInt(8), 20), 0.1);
        assertNear(random -> Trace.virtual(random, 8 << random.nextInt(8), 5), 0.1);
        assertNear(random -> Trace.virtual(random, 8 << random.nextInt(8), 100), 0.1);
    }

    /** The first three have no pool, and the fourth takes a new slot. */
    @Test
    void threadsOfFewArenas() {
        for (int arenas = 1; arenas < 10; arenas++) {
            for (int open = 1; open <= 3; open++) {
                Trace trace = Trace.overlapping(arenas, open);
                Trace.Pooled pooled = trace.pooledIn(1, Setting.DEFAULT.size(), Setting.DEFAULT.depth());
                Replay.Estimate estimate = new Replay(trace.recordedIn(1), Costs.DOCUMENTED).of(Setting.DEFAULT);
                Trace.Pooled estimated = new Trace.Pooled(estimate.served(), estimate.mallocs());
                assertEquals(pooled, estimated, arenas + " arenas, " + open + " at once");
                assertTrue(open > 1 || pooled.served() == Math.max(0, arenas - 4));
            }
        }
    }

    /** The shares of arenas without malloc, and of mallocs that are left, differ by no more than {@code most} over all traces. */
    private static void assertNear(Function<Random, Trace> traces, double most) {
        Random random = new Random(SEED);
        List<Setting> settings = List.of(Setting.DEFAULT, new Setting(9, 8), new Setting(12, 16));
        double[][] sums = new double[settings.size()][6];
        for (int round = 0; round < 30; round++) {
            Trace trace = traces.apply(random);
            Replay replay = new Replay(trace.recorded(), Costs.DOCUMENTED);
            for (int i = 0; i < settings.size(); i++) {
                Setting setting = settings.get(i);
                Trace.Pooled pooled = trace.pooled(setting.size(), setting.depth());
                plus(sums[i], replay.arenas, replay.of(setting).served(), pooled.served(), replay.allocations, replay.of(setting).mallocs(),
                        pooled.mallocs());
            }
        }
        for (double[] sum : sums) {
            assertEquals(sum[2] / sum[0], sum[1] / sum[0], most);
            assertEquals(sum[5] / sum[3], sum[4] / sum[3], most);
        }
    }

    private static void plus(double[] sums, double... more) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += more[i];
        }
    }

    @Test
    void byHand() {
        Shape shallow = Histograms.shape(null, 20, 0);
        Shape deep = Histograms.shape(null, 100, 2);
        Shape tooDeep = Histograms.shape(null, 8, 16);
        Shape aligned = new Shape(null, true, Closing.BY_OPENER, 0, 1, 8, 8, 1, 8, 8, 64, true);
        Shape parts = new Shape(null, false, Closing.BY_OPENER, 1, 2, 72, 80, 2, 8, 64, 1, true);
        Replay replay = replay(Map.of(
                Histograms.shape(null, 0, 0), new Tally(1000, 0, 0, null),
                new Shape(null, true, Closing.BY_OPENER, 0, 0, 0, 0, 0, 0, 0, 0, true), new Tally(1000, 0, 0, null),
                shallow, Histograms.tally(shallow, 10), deep, Histograms.tally(deep, 3), tooDeep, Histograms.tally(tooDeep, 1),
                aligned, Histograms.tally(aligned, 5), parts, new Tally(2, 144, 4, served(3, 16, 144))));
        assertEquals(21, replay.arenas);
        assertEquals(23, replay.allocations);
        assertEquals(5, replay.virtual);
        assertEquals(1, replay.of(new Setting(0, 16)).served()); // 8 bytes: the resident slot, and 16 free ones
        assertEquals(10 + 3 + 5 + 2, replay.of(new Setting(0, 16)).mallocs()); // of the last two the second allocation
        assertEquals(10, replay.of(new Setting(2, 1)).served()); // 32 bytes
        assertEquals(15, replay.of(new Setting(3, 1)).served()); // 64, which the alignment needs
        // Beside the resident slot there is one. The last two make a block of 64.
        assertEquals(3 + 1 + 2, replay.of(new Setting(3, 1)).mallocs());
        assertEquals(15, replay.of(new Setting(4, 1)).served()); // 128
        assertEquals(20, replay.of(new Setting(4, 2)).served());
        assertEquals(20, replay.of(new Setting(6, 15)).served()); // 512: as many free slots as the depth
        assertEquals(21, replay.of(new Setting(6, 16)).served());
        assertEquals(20, replay.of(new Setting(7, 7)).served()); // 1024: twice as many
        assertEquals(21, replay.of(new Setting(7, 8)).served());
        assertEquals(0, replay.of(new Setting(7, 8)).mallocs());
        assertEquals(20, replay.of(new Setting(9, 1)).served()); // 4096: eight times as many
        assertEquals(21, replay.of(new Setting(9, 2)).served());
        assertEquals(21, replay.of(new Setting(10, 1)).served()); // 8192: 16 times as many
        // 56 bytes, 56 and 64, 128, and 56 for each of the others; 64 more for each slot. With a depth of 3 there are three free
        // ones; with one, that has 56 or 64.
        assertEquals(56 + 56 + 64 + 128 + 4 * 64, replay.of(new Setting(4, 3)).memory());
        assertEquals(56 + 56 + 64 + 128 + 14 * 56 + 18 * 64, replay.of(new Setting(10, 16)).memory());
        assertEquals(56 + 60 + 2 * 64, replay.of(new Setting(3, 1)).memory());
    }

    /** They take one byte. */
    @Test
    void allocationsOfZeroBytes() {
        Shape shape = new Shape(null, false, Closing.BY_OPENER, 0, 1, 0, 1, 1, 0, 0, 1, true);
        Replay replay = replay(Map.of(shape, Histograms.tally(shape, 10)));
        assertEquals(10, replay.arenas);
        assertEquals(10, replay.of(new Setting(0, 1)).served());
        assertEquals(0, replay.of(new Setting(0, 1)).mallocs());
        assertEquals(8 + 64, replay.of(new Setting(0, 1)).memory());
        assertTrue(replay.time > 0 && replay.of(new Setting(0, 1)).saved() > 0);
    }

    /** Ten arenas take 100 ns each without the pool and 30 with it; what makes no difference is not saved. */
    @Test
    void timeSaved() {
        Shape shape = Histograms.shape(null, 20, 0);
        Replay replay = new Replay(Histograms.of(1, Map.of(shape, 10L, Histograms.shape(null, 0, 0), 5L)), RecommendTest.costs(100, 30));
        assertEquals(1000, replay.time);
        assertEquals(700, replay.of(Setting.DEFAULT).saved());
        assertEquals(0, replay.of(new Setting(0, 8)).saved());
        assertEquals(0, new Replay(Histograms.of(1, Map.of(shape, 10L)), RecommendTest.costs(100, 100)).of(Setting.DEFAULT).saved());
    }

    /** The outer ten of fifteen arenas have the resident slot, none of virtual threads has. Another takes 7 ns longer. */
    @Test
    void slotsThatAreNotResident() {
        Costs same = RecommendTest.costs(100, 30);
        Costs costs = new Costs(same.source(), same.one(), same.three(), 7);
        Replay replay = new Replay(Histograms.of(1, Map.of(Histograms.shape(null, 20, 0), 10L, Histograms.shape(null, 20, 1), 5L,
                carried(1, 20), 3L)), costs);
        assertEquals(18 * 70 - (5 + 3) * 7, replay.of(new Setting(10, 1)).saved());
        assertEquals(18 * 70 - (5 + 3) * 7, replay.of(new Setting(10, 16)).saved());
    }

    /** Arenas of 48 and 500 bytes: slots of up to 256 hold the 48 and stay at 56, slots of up to 1 KiB hold both in the end. */
    @Test
    void memoryOfArenasServedInPart() {
        Shape parts = new Shape(null, false, Closing.BY_OPENER, 0, 1, 548, 548, 2, 48, 500, 1, true);
        Replay replay = replay(Map.of(parts, new Tally(2, 1096, 4, served(7, 96, 1096))));
        assertEquals(56 + 64, replay.of(new Setting(5, 1)).memory());
        assertEquals(576 + 64 + 56 + 64 + 512 + 64, replay.of(new Setting(7, 1)).memory()); // of 56 and 512 came the resident one
    }

    /** What a slot cannot hold is in further blocks, unless an allocation is larger than slots can be. */
    @Test
    void furtherBlocks() {
        Shape many = new Shape(null, false, Closing.BY_OPENER, 0, 1, 300, 318, 10, 30, 30, 1, true);
        Replay replay = replay(Map.of(many, new Tally(10, 3000, 100, served(2, 0, 3000))));
        assertEquals(0, replay.of(new Setting(1, 8)).saved()); // 16 bytes
        assertEquals(100, replay.of(new Setting(1, 8)).mallocs());
        assertEquals(20, replay.of(new Setting(3, 8)).mallocs()); // 64, free slots of 56 and 64, and blocks of 128 and 192
        assertEquals(0, replay.of(new Setting(3, 8)).served());
        assertEquals(10, replay.of(new Setting(4, 8)).served()); // 128, and free slots of 64 and 128
        assertEquals(128 + 64 + 3 * (56 + 64) + 128 + 64, replay.of(new Setting(4, 8)).memory()); // of 56, 56, 56 and 128
        assertEquals(10, replay.of(new Setting(4, 1)).mallocs()); // of which a depth of 1 has one
        double blocks = Stream.of(128, 192).mapToDouble(size -> Costs.DOCUMENTED.stock(new Tally(1, size, 1, null))).sum();
        assertEquals(replay.of(new Setting(6, 8)).saved() - 10 * blocks, replay.of(new Setting(3, 8)).saved(), 1e-6);
        assertEquals(10, replay.of(new Setting(6, 8)).served()); // 512
    }

    /** Arenas that are open beside many others take the slot returned last; the first of a thread takes a new one. */
    @Test
    void besideArenasThatStayOpen() {
        Shape held = new Shape(null, false, Closing.UNCLOSED, 9999, 0, 8, 8, 1, 8, 8, 1, true);
        Shape brief = new Shape(null, false, Closing.BY_OPENER, 10_000, 1, 8, 8, 1, 8, 8, 1, true);
        Replay replay = replay(Map.of(held, Histograms.tally(held, 10_000), brief, Histograms.tally(brief, 500)));
        assertEquals(500, replay.of(Setting.DEFAULT).served());
        assertEquals(10_000, replay.of(Setting.DEFAULT).mallocs());
        assertEquals(500, replay.of(new Setting(10, 1)).served()); // what is held is resident no more
    }

    /**
     * Each request takes the resident slot, which has grown from 56 and 12,032 to 12,096 bytes. Connections leave slots of 256
     * bytes. With a depth of 1 there are 16 small ones.
     */
    @Test
    void requestsBesideConnections() {
        Shape request = new Shape(null, false, Closing.BY_OPENER, 500, 1, 12_048, 12_048, 2, 48, 12_000, 1, true);
        Map<Shape, Tally> rows = new HashMap<>(Map.of(request, new Tally(1000, 12_048_000, 2000, served(11, 48_000, 12_048_000))));
        for (int before = 0; before < 500; before++) {
            Shape connection = new Shape(null, false, Closing.ELSEWHERE, before, 0, 256, 256, 1, 256, 256, 1, true);
            rows.put(connection, Histograms.tally(connection, 20));
        }
        Replay replay = replay(rows);
        assertEquals(1000, replay.of(new Setting(11, 1)).served());
        assertEquals(12_096 + 64 + 12_032 + 64 + 56 + 64 + 15 * (256 + 64), replay.of(new Setting(11, 1)).memory());
    }

    /** Of 1 KiB as many slots as the depth, of 512 bytes 16 times as many. */
    @Test
    void virtualThreadsThatBlock() {
        Map.of(1000L, 8, 500L, 128).forEach((bytes, kept) -> {
            Shape last = carried(kept, bytes);
            Shape tooMany = carried(kept + 1, bytes);
            Replay replay = replay(Map.of(last, Histograms.tally(last, 3), tooMany, Histograms.tally(tooMany, 4)));
            assertEquals(3, replay.of(Setting.DEFAULT).served());
            assertEquals(4, replay.of(Setting.DEFAULT).mallocs());
            assertEquals(kept * (PoolRules.capacity(bytes, 8192) + 64L), replay.of(Setting.DEFAULT).memory());
        });
    }

    /** 8 bytes and then 1000 take free slots of 56 and 1024 bytes, of which 128 and 8 are kept. */
    @Test
    void virtualThreadsThatGoOnInFreeSlots() {
        Map.of(8, 0, 9, 1, 128, 1, 129, 2).forEach((kept, mallocs) -> {
            Shape growing = new Shape(null, true, Closing.BY_OPENER, 0, kept, 1008, 1016, 2, 8, 1000, 1, true);
            Replay replay = replay(Map.of(growing, new Tally(300, 302_400, 600, served(7, 2400, 302_400))));
            assertEquals(mallocs == 0 ? 300 : 0, replay.of(Setting.DEFAULT).served());
            assertEquals(mallocs * 300, replay.of(Setting.DEFAULT).mallocs());
            assertEquals(Math.min(kept, 128) * (56 + 64) + 8 * (1024 + 64), replay.of(Setting.DEFAULT).memory());
        });
    }

    /** The same in a nest of 150: the resident slot, 8 large slots and 128 small ones. */
    @Test
    void aNestThatGoesOnInFreeSlots() {
        Map<Shape, Tally> rows = new HashMap<>();
        for (int kept = 1; kept <= 150; kept++) {
            Shape growing = new Shape(null, false, Closing.BY_OPENER, kept - 1, kept, 1008, 1016, 2, 8, 1000, 1, true);
            rows.put(growing, new Tally(200, 201_600, 400, served(7, 1600, 201_600)));
        }
        Replay replay = replay(rows);
        assertEquals((1 + 8) * 200, replay.of(Setting.DEFAULT).served());
        assertEquals((150 - 9 + 150 - 129) * 200, replay.of(Setting.DEFAULT).mallocs());
        assertEquals(1088 + 64 + 8 * (1024 + 64) + 128 * (56 + 64), replay.of(Setting.DEFAULT).memory());
    }

    /** {@return the shape of arenas of virtual threads with one allocation, for which the carrier must keep {@code kept} slots} */
    private static Shape carried(int kept, long bytes) {
        return new Shape(null, true, Closing.BY_OPENER, 0, kept, bytes, bytes, 1, bytes, bytes, 1, true);
    }

    private static Replay replay(Map<Shape, Tally> rows) {
        return new Replay(new Histogram(List.of(Histograms.jvm(1)), rows, Dropped.NOTHING), Costs.DOCUMENTED);
    }

    /** {@return what slots serve: {@code few} of the first {@code sizes} sizes, {@code all} of the larger ones} */
    private static long[] served(int sizes, long few, long all) {
        long[] served = new long[SlotReplay.SIZES];
        Arrays.fill(served, 0, sizes, few);
        Arrays.fill(served, sizes, served.length, all);
        return served;
    }
}
