/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.report;

import org.junit.jupiter.api.Test;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.Tally;
import pooledarena.recordings.Histograms;
import pooledarena.recordings.Recordings;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every figure of a report, on arenas that can be counted by hand. */
class ReportDocumentTest {

    private static final Site OTHER = new Site("com.example.Other", "read", -1, true, List.of());

    /** One more than each limit, and each limit. */
    private static final Histogram LIMITS = Histograms.of(1, Map.of(
            shape(0), 10L, shape(15), 20L, shape(16), 30L, shape(31), 40L, shape(32), 50L, shape(63), 60L, shape(64), 70L,
            shape(65_535), 8L, shape(65_536), 9L, shape(524_288), 1L));

    @Test
    void all() {
        Tally all = new ReportDocument(LIMITS).all();
        long bytes = 20 * 15 + 30 * 16 + 40 * 31 + 50 * 32 + 60 * 63 + 70 * 64 + 8 * 65_535 + 9 * 65_536 + 524_288;
        assertEquals(new Sum(298, bytes), Sum.of(all));
        assertEquals(bytes / 298.0, ReportDocument.average(all));
    }

    /** The sizes of the report: arenas and bytes of each, and the share of all arenas up to this size. */
    @Test
    void sizes() {
        String text = text(LIMITS, 1);
        for (String line : List.of("0 10 3.4 % 0 0 % 3.4 %", "8 to 15 20 6.7 % 300 0.018 % 10.1 %",
                "16 to 31 70 23.5 % 1,720 0.104 % 33.6 %", "32 to 63 110 36.9 % 5,380 0.326 % 70.5 %",
                "64 to 127 70 23.5 % 4,480 0.271 % 94.0 %", "from 32 KiB 8 2.7 % 524,280 31.8 % 96.6 %",
                "from 64 KiB 9 3.0 % 589,824 35.7 % 99.664 %", "from 512 KiB 1 0.336 % 524,288 31.8 % 100 %")) {
            assertTrue(text.contains("\n" + line + "\n"), line + " in " + text);
        }
    }

    /** Where the names of sizes change. */
    @Test
    void namesOfSizes() {
        String text = text(Histograms.of(1, Map.of(shape(1), 1L, shape(2), 1L, shape(1023), 1L, shape(1024), 1L)), 1);
        for (String name : List.of("1", "2 to 3", "512 to 1023", "from 1 KiB")) {
            assertTrue(text.contains("\n" + name + " 1 25.0 % "), name + " in " + text);
        }
    }

    @Test
    void powersOfTwo() {
        assertEquals(Map.of(0, new Sum(10, 0), 4, new Sum(20, 300), // 8 to 15
                5, new Sum(70, 480 + 1240), // 16 to 31
                6, new Sum(110, 1600 + 3780), // 32 to 63
                7, new Sum(70, 4480), 16, new Sum(8, 524_280), 17, new Sum(9, 589_824), 20, new Sum(1, 524_288)),
                by(LIMITS, (_, tally) -> ReportDocument.power(tally)));
    }

    @Test
    void sitesAndUse() {
        Shape empty = new Shape(Histograms.SITE, false, Closing.BY_OPENER, 0, 0, 0, 0, 0, 0, 0, 0, true);
        Shape first = new Shape(Histograms.SITE, false, Closing.ELSEWHERE, 0, 0, 0, 24, 2, 16, 16, 8, true);
        Shape second = new Shape(Histograms.SITE, true, Closing.BY_OPENER, 3, 0, 0, 100, 1, 100, 100, 8, true);
        Shape other = new Shape(OTHER, true, Closing.UNCLOSED, 9, 0, 0, 8, 1, 8, 8, 8, true);
        Shape nowhere = new Shape(null, false, Closing.NOT_TOLD, 0, 0, 0, 8, 1, 8, 8, 8, true);
        Histogram histogram = Histograms.of(1, Map.of(empty, 2L, first, 3L, second, 4L, other, 20L, nowhere, 1L));
        String text = text(histogram, 2);
        assertTrue(text.contains("\ncom.example.Other.read (reflection) 20 69.0 % 160 25.3 % 8.00 8 0 % 0 %\n"
                + "com.example.Library.call:12 9 31.0 % 472 74.7 % 52.4 100 22.2 % 66.7 %\n"), text);
        for (String line : List.of("without allocation 2 6.7 %", "with 1 allocation 25 83.3 %", "with 2 allocations 3 10.0 %",
                "with bytes, while no other of the thread had some 4 13.3 %",
                "with bytes, while 3 others of the thread had some 4 13.3 %",
                "with bytes, while 4 or more others of the thread had some 20 66.7 %")) {
            assertTrue(text.contains("\n" + line + " "), line + " in " + text);
        }
        assertEquals(Map.of(false, new Sum(6, 80), true, new Sum(24, 560)), by(histogram, (shape, _) -> shape.virtual()));
        assertEquals(Map.of(0, new Sum(4, 80), 3, new Sum(4, 400), 9, new Sum(20, 160)),
                by(histogram, (shape, tally) -> tally.bytes() > 0 ? shape.openBefore() : null));
        assertEquals(Map.of(0L, new Sum(2, 0), 1L, new Sum(25, 568), 2L, new Sum(3, 72)), by(histogram, (_, tally) -> tally.allocations() / tally.arenas()));
    }

    /** Three allocations are still counted; four, as four others of the thread, stand for all that is more. */
    @Test
    void fourOrMore() {
        Shape three = new Shape(null, false, Closing.BY_OPENER, 4, 0, 0, 24, 3, 8, 8, 8, true);
        Shape four = new Shape(null, false, Closing.BY_OPENER, 5, 0, 0, 32, 4, 8, 8, 8, true);
        Shape five = new Shape(null, false, Closing.BY_OPENER, 1, 0, 0, 40, 5, 8, 8, 8, true);
        String text = text(Histograms.of(1, Map.of(three, 1L, four, 10L, five, 20L)), 1);
        for (String line : List.of("with 3 allocations 1", "with 4 or more allocations 30",
                "with bytes, while 1 other of the thread had some 20",
                "with bytes, while 4 or more others of the thread had some 11")) {
            assertTrue(text.contains("\n" + line + " "), line + " in " + text);
        }
    }

    /** Neither that some have no call site nor that there are more. */
    @Test
    void whereAllCallSitesAreShown() {
        Site first = new Site("com.example.First", "call", 0);
        String text = text(Histograms.of(1, Map.of(Histograms.shape(first, 8, 0), 1L, shape(8), 1L)), 2);
        assertTrue(text.contains("\ncom.example.First.call:0 1 50.0 %"), text);
        assertFalse(text.contains("The call site is known of"), text);
        assertFalse(text.contains("The first 2"), text);
    }

    /** 3 arenas of 5 to 8 bytes that take 18 bytes are each taken for 6. */
    @Test
    void roundedRowsCountByTheirAverage() {
        Shape rounded = new Shape(null, false, Closing.BY_OPENER, 0, 0, 0, 8, 1, 8, 8, 1, false);
        Histogram histogram = new Histogram(List.of(Histograms.jvm(1)), Map.of(rounded, new Tally(3, 18, 3)),
                Dropped.NOTHING);
        assertEquals(Map.of(6L, new Sum(3, 18)), by(histogram, (_, tally) -> tally.bytes() / tally.arenas()));
        assertEquals(Map.of(3, new Sum(3, 18)), by(histogram, (_, tally) -> ReportDocument.power(tally)));
    }

    @Test
    void noArenas() {
        ReportDocument report = new ReportDocument(Histograms.of(1, Map.of()));
        assertEquals(Tally.NOTHING, report.all());
        assertEquals(0, ReportDocument.average(report.all()));
        assertEquals(Map.of(), report.by((shape, _) -> shape.openBefore()));
    }

    /** Arenas and the bytes that were asked of them. */
    private record Sum(long arenas, long bytes) {

        private static Sum of(Tally tally) {
            return new Sum(tally.arenas(), tally.bytes());
        }
    }

    private static <K> Map<K, Sum> by(Histogram histogram, BiFunction<Shape, Tally, K> key) {
        return new ReportDocument(histogram).by(key).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, sum -> Sum.of(sum.getValue())));
    }

    /** {@return the report with one space between words, and no lines of tables} */
    private static String text(Histogram histogram, int top) {
        return ReportDocument.of(new Recordings(histogram, 1, List.of()), top).toText(Integer.MAX_VALUE)
                .replaceAll("[|` ]+", " ").replaceAll("(?m)^ | $", "");
    }

    private static Shape shape(long bytes) {
        return Histograms.shape(Histograms.SITE, bytes, 0);
    }
}
