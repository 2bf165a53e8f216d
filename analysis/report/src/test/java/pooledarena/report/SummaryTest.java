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
import pooledarena.report.Summary.SiteSum;
import pooledarena.report.Summary.SizeClass;
import pooledarena.report.Summary.Sum;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Every figure of a report, on arenas that can be counted by hand. */
class SummaryTest {

    private static final Site OTHER = new Site("com.example.Other", "read", -1, true);

    /** One more than each limit, and each limit. */
    private static final Histogram LIMITS = Histograms.of(1, Map.of(
            shape(0), 10L, shape(15), 20L, shape(16), 30L, shape(31), 40L, shape(32), 50L, shape(63), 60L, shape(64), 70L,
            shape(65_535), 8L, shape(65_536), 9L, shape(524_288), 1L));

    @Test
    void sizeClasses() {
        Summary summary = new Summary(LIMITS);
        assertEquals(1, summary.jvms);
        long bytes = 20 * 15 + 30 * 16 + 40 * 31 + 50 * 32 + 60 * 63 + 70 * 64 + 8 * 65_535 + 9 * 65_536 + 524_288;
        assertEquals(new Sum(298, bytes), summary.all);
        assertEquals(bytes / 298.0, summary.all.average());
        assertEquals(Map.of(
                SizeClass.EMPTY, new Sum(10, 0),
                SizeClass.UP_TO_15, new Sum(30, 300),
                SizeClass.UP_TO_31, new Sum(100, 300 + 480 + 1240),
                SizeClass.UP_TO_63, new Sum(210, 300 + 480 + 1240 + 1600 + 3780),
                SizeClass.BELOW_64_KIB, new Sum(288, 300 + 480 + 1240 + 1600 + 3780 + 4480 + 524_280),
                SizeClass.FROM_64_KIB, new Sum(10, 589_824 + 524_288),
                SizeClass.FROM_512_KIB, new Sum(1, 524_288)), summary.classes);
    }

    @Test
    void powersOfTwo() {
        Summary summary = new Summary(LIMITS);
        assertEquals(20, summary.largestPower());
        assertEquals(new Sum(10, 0), summary.powers[0]);
        assertEquals(Sum.NOTHING, summary.powers[1]);
        assertEquals(new Sum(20, 300), summary.powers[4]); // 8 to 15
        assertEquals(new Sum(70, 480 + 1240), summary.powers[5]); // 16 to 31
        assertEquals(new Sum(110, 1600 + 3780), summary.powers[6]); // 32 to 63
        assertEquals(new Sum(70, 4480), summary.powers[7]);
        assertEquals(new Sum(8, 524_280), summary.powers[16]);
        assertEquals(new Sum(9, 589_824), summary.powers[17]);
        assertEquals(new Sum(1, 524_288), summary.powers[20]);
    }

    @Test
    void toTheByte() {
        Summary summary = new Summary(LIMITS);
        assertEquals(new Sum(10, 0), summary.exact[0]);
        assertEquals(new Sum(30, 480), summary.exact[16]);
        assertEquals(new Sum(60, 3780), summary.exact[63]);
        assertEquals(new Sum(88, 4480 + 524_280 + 589_824 + 524_288), summary.exact[64]);
        assertEquals(Sum.NOTHING, summary.exact[17]);
    }

    @Test
    void sitesAndUse() {
        Shape empty = new Shape(Histograms.SITE, false, Closing.BY_OPENER, 0, 0, 0, 0, 0, 0, 0, 0, 0, true);
        Shape first = new Shape(Histograms.SITE, false, Closing.ELSEWHERE, 1, 0, 0, 24, 24, 2, 16, 16, 8, true);
        Shape second = new Shape(Histograms.SITE, true, Closing.BY_OPENER, 1, 3, 0, 100, 104, 1, 100, 100, 8, true);
        Shape other = new Shape(OTHER, true, Closing.UNCLOSED, 8, 9, 0, 8, 8, 1, 8, 8, 8, true);
        Shape nowhere = new Shape(null, false, Closing.NOT_TOLD, 1, 0, 0, 8, 8, 1, 8, 8, 8, true);
        Summary summary = new Summary(Histograms.of(1, Map.of(empty, 2L, first, 3L, second, 4L, other, 20L, nowhere, 1L)));
        assertEquals(List.of(
                new SiteSum(OTHER, new Sum(20, 160), 0, 0, 8),
                new SiteSum(Histograms.SITE, new Sum(9, 72 + 400), 2, 6, 100)), summary.sites);
        assertEquals(new Sum(29, 632), summary.located);
        assertEquals(6 + 4 + 20 + 1, summary.allocated);
        assertEquals(List.of("com.example.Other.read (reflection)", "com.example.Library.call:12"),
                summary.sites.stream().map(SiteSum::name).toList());
        assertEquals(List.of(new Sum(6, 80), new Sum(24, 560)), List.of(summary.threads));
        assertEquals(Map.of(Closing.BY_OPENER, new Sum(6, 400), Closing.ELSEWHERE, new Sum(3, 72),
                Closing.NOT_TOLD, new Sum(1, 8), Closing.UNCLOSED, new Sum(20, 160)), summary.closings);
        assertEquals(new Sum(2, 0), summary.lifetimes[0]);
        assertEquals(new Sum(8, 480), summary.lifetimes[1]);
        assertEquals(new Sum(20, 160), summary.lifetimes[8]);
        assertEquals(Map.of(0L, new Sum(4, 80), 3L, new Sum(4, 400), 9L, new Sum(20, 160)), summary.openBefore);
        assertEquals(Map.of(0L, new Sum(2, 0), 1L, new Sum(25, 568), 2L, new Sum(3, 72)), summary.allocations);
    }

    /** 3 arenas of 5 to 8 bytes that take 18 bytes are each taken for 6. */
    @Test
    void roundedRowsCountByTheirAverage() {
        Shape rounded = new Shape(null, false, Closing.BY_OPENER, 0, 0, 0, 8, 8, 1, 8, 8, 1, false);
        Summary summary = new Summary(new Histogram(List.of(Histograms.jvm(1)), Map.of(rounded, new Tally(3, 18, 3, null)),
                Dropped.NOTHING));
        assertEquals(new Sum(3, 18), summary.exact[6]);
        assertEquals(new Sum(3, 18), summary.powers[3]);
    }

    @Test
    void noArenas() {
        Summary summary = new Summary(Histograms.of(1, Map.of()));
        assertEquals(Sum.NOTHING, summary.all);
        assertEquals(0, summary.all.average());
        assertEquals(List.of(), summary.sites);
    }

    private static Shape shape(long bytes) {
        return Histograms.shape(Histograms.SITE, bytes, 0);
    }
}
