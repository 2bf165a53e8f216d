/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.Tally;
import pooledarena.recorder.hook.ArenaHook;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The numbers of an arena's row, and that arenas which differ in one of them have rows of their own. */
class NumbersTest {

    private Recorder recorder;

    @BeforeEach
    void begin() {
        recorder = Recorder.begin(new Options(null, 0, 0, 1, List.of(), 16 << 20, null), new CallSites(), null);
    }

    @Test
    void allocations() {
        arena(at(5, 1), at(100, 16), at(0, 1));
        Map.Entry<Shape, Tally> row = rows().entrySet().iterator().next();
        assertEquals(new Shape(null, false, Closing.NOT_TOLD, 0, 0, 0, 105, 3, 5, 100, 16, true), row.getKey());
        assertEquals(1, row.getValue().arenas());
        assertEquals(105, row.getValue().bytes());
        assertEquals(3, row.getValue().allocations());
    }

    /** What is kept of an arena is used again for the next one, with nothing left in it. */
    @Test
    void oneAfterTheOther() {
        arena(at(5, 1), at(100, 16), at(1000, 8));
        arena(at(6, 1), at(7, 1), at(100, 16), at(200, 16));
        assertEquals(new Shape(null, false, Closing.NOT_TOLD, 0, 1, 1, 313, 4, 6, 200, 16, true),
                rows().keySet().stream().filter(shape -> shape.bytes() == 313).findAny().orElseThrow());
    }

    /** Only an arena that allocates has memory, if only 0 bytes, and returns a slot. */
    @Test
    void theEmptyOnes() {
        arena();
        arena(at(1, 1));
        Object outer = open(at(0, 8));
        arena(at(0, 1), at(7, 8));
        ArenaHook.target.closed(outer);
        arena(at(8, 8));
        assertEquals(1, count(shape -> shape.allocations() == 0 && shape.openBefore() == 0 && shape.dip() == 0
                && shape.earlier() == 0));
        assertEquals(1, count(shape -> shape.bytes() == 0 && shape.allocations() == 1 && shape.openBefore() == 0
                && shape.dip() == 1 && shape.earlier() == 1));
        assertEquals(1, count(shape -> shape.first() == 0 && shape.bytes() == 7 && shape.openBefore() == 1
                && shape.dip() == 0 && shape.earlier() == 2));
        assertEquals(1, count(shape -> shape.bytes() == 8 && shape.openBefore() == 0 && shape.dip() == 1 && shape.earlier() == 3));
    }

    @Test
    void nested() {
        arena(at(1, 1));
        Object outer = open(at(8, 8));
        arena(at(8, 8));
        ArenaHook.target.closed(outer);
        assertEquals(List.of(0, 1), of8Bytes(Shape::openBefore));
        Object third = open(at(8, 8));
        arena(at(8, 8));
        ArenaHook.target.closed(third);
        assertEquals(List.of(0, 1, 1, 2), of8Bytes(Shape::dip));
    }

    private List<Integer> of8Bytes(Function<Shape, Integer> number) {
        return rows().keySet().stream().filter(shape -> shape.bytes() == 8).map(number).sorted().toList();
    }

    @Test
    void countsOfAllocations() {
        differ(List.of(at(8, 8)), List.of(at(8, 8), at(0, 1)));
    }

    @Test
    void firstOnes() {
        differ(List.of(at(8, 8), at(4, 8), at(8, 8)), List.of(at(4, 8), at(8, 8), at(8, 8)));
    }

    @Test
    void largestOnes() {
        differ(List.of(at(2, 1), at(1, 1), at(7, 1), at(2, 1)), List.of(at(2, 1), at(4, 1), at(4, 1), at(2, 1)));
    }

    @Test
    void alignments() {
        differ(List.of(at(8, 1)), List.of(at(8, 8)));
    }

    /** Of thousands of shapes, each with its own arenas. */
    @Test
    void manyShapes() {
        for (int size = 1; size <= 20_000; size++) {
            arena(at(size, 1));
        }
        Map<Shape, Tally> rows = rows();
        assertEquals(20_000, rows.keySet().stream().mapToLong(Shape::bytes).distinct().count());
        rows.forEach((shape, tally) -> assertEquals(1, tally.arenas(), shape.toString()));
    }

    @Test
    void sitesOfEach() {
        recorder = Recorder.begin(new Options(null, 0, 1, 1, List.of(), 8 << 20, null), new CallSites(), null);
        int[] sites = new int[4];
        for (int i = 0; i < sites.length; i++) {
            sites[i] = site("a" + i);
        }
        for (int opener : sites) {
            for (int i = 0; i < sites.length; i++) {
                ArenaHook.target.opening(opener);
                Object arena = open(at(16, 8));
                ArenaHook.target.closing(new Object(), CallSites.method("A", "a0"));
                ArenaHook.target.closing(arena, CallSites.method("A", "a" + i));
                ArenaHook.target.closed(arena);
            }
        }
        for (int i = 0; i < sites.length; i++) {
            String name = "a" + i;
            assertEquals(4, count(shape -> shape.bytes() == 16 && shape.site().method().equals(name)));
            assertEquals(1, count(shape -> shape.bytes() == 16 && shape.site().method().equals(name)
                    && shape.closing() == Closing.BY_OPENER));
        }
        assertEquals(0, histogram().dropped().sites());
    }

    private int site(String method) {
        return recorder.sites.number(new Site("A", method, 0));
    }

    @Test
    void virtualThreads() throws InterruptedException {
        Thread.startVirtualThread(() -> arena(at(8, 8))).join();
        arena(at(8, 8));
        assertEquals(1, count(Shape::virtual));
        assertEquals(1, count(shape -> !shape.virtual()));
    }

    /** A site is told of each arena, of one in so many, or of none. */
    @Test
    void samples() {
        for (int sampling : new int[] {0, 1, 2, 10}) {
            recorder = Recorder.begin(new Options(null, 0, sampling, 1, List.of(), 8 << 20, null), new CallSites(), null);
            int site = site("a");
            for (int i = 0; i < 10_000; i++) {
                ArenaHook.target.opening(site);
                arena(at(8, 8));
            }
            long told = count(shape -> shape.site() != null);
            assertEquals(10_000 - told, count(shape -> shape.closing() == Closing.NOT_TOLD));
            assertEquals(sampling == 0 ? 0 : 10_000 / sampling, told, sampling < 2 ? 0 : 300);
        }
    }

    /** There is memory for one site, and for rounded rows. */
    @Test
    void sitesBeyondTheLimit() {
        recorder = Recorder.begin(new Options(null, 0, 1, 1, List.of(), 1000, null), new CallSites(), null);
        site("a");
        arena(at(8, 8));
        arena(at(8, 8));
        Histogram histogram = histogram();
        assertEquals(2, histogram.dropped().sites());
        assertEquals(2, count(shape -> shape.site() == null && shape.closing() == Closing.NOT_TOLD));
    }

    private record Allocation(long size, long alignment) {}

    private static Allocation at(long size, long alignment) {
        return new Allocation(size, alignment);
    }

    private static Object open(Allocation... allocations) {
        Object arena = new Object();
        ArenaHook.target.opened(arena);
        for (Allocation allocation : allocations) {
            ArenaHook.target.allocated(arena, allocation.size, allocation.alignment);
        }
        return arena;
    }

    private static void arena(Allocation... allocations) {
        ArenaHook.target.closed(open(allocations));
    }

    /** Asserts that arenas with these allocations are told apart, whose bytes are the same. */
    private void differ(List<Allocation> some, List<Allocation> others) {
        arena(some.toArray(Allocation[]::new));
        arena(others.toArray(Allocation[]::new));
        long bytes = some.stream().mapToLong(Allocation::size).sum();
        assertEquals(bytes, others.stream().mapToLong(Allocation::size).sum());
        assertEquals(2, rows().entrySet().stream().filter(row -> row.getKey().bytes() == bytes && row.getValue().arenas() == 1)
                .count(), rows().toString());
    }

    private Histogram histogram() {
        return ArenaHookTest.histogram(recorder);
    }

    private Map<Shape, Tally> rows() {
        return histogram().rows();
    }

    private long count(Predicate<Shape> which) {
        return histogram().sum((shape, _) -> which.test(shape)).arenas();
    }
}
