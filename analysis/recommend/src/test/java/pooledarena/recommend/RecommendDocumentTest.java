/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.XYDataset;
import org.junit.jupiter.api.Test;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Shape;
import pooledarena.histogram.SlotReplay;
import pooledarena.recordings.Histograms;
import pooledarena.text.Chart.Axis;
import pooledarena.text.Chart.Point;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RecommendDocumentTest {

    /** One arena of virtual threads was beside 7 others, for which the default keeps slots; a depth of 1 does without. */
    @Test
    void whatASmallerDepthRisks() {
        Shape many = new Shape(null, true, Closing.BY_OPENER, 0, 8, 5000, 5000, 1, 5000, 5000, 1, true);
        Shape one = new Shape(null, true, Closing.BY_OPENER, 0, 1, 5000, 5000, 1, 5000, 5000, 1, true);
        Recommendation recommendation = RecommendTest.recommended(Map.of(many, 1L, one, 100_000L));
        assertEquals(Setting.DEFAULT, recommendation.setting());
        assertEquals(Setting.DEFAULT.size(), recommendation.smaller().size());
        String option = RecommendTest.document(Map.of(many, 1L, one, 100_000L)).smaller();
        assertTrue(option.endsWith("But then each arena beyond that depth may cost a malloc, and the next run may have more open at "
                + "once."), option);
    }

    /** A logarithmic axis has no 0: slots of 8 and 16 bytes serve nothing of 20 bytes. */
    @Test
    void whereThereIsNoMemory() {
        RecommendDocument document = RecommendTest.document(Map.of(Histograms.shape(null, 20, 0), 1000L));
        assertEquals(new Point(32, 32 + 64), document.points(8, new Axis("B", true), Replay.Estimate::memory).getFirst());
        assertEquals(new Point(8, 0), document.points(8, new Axis("%", false), Replay.Estimate::served).getFirst());
    }

    /** Three arenas in each other: beside the resident slot there is, with a depth of 1, one of 56 bytes. */
    @Test
    void whatTheChartsShow() {
        RecommendDocument document = RecommendTest.document(Map.of(Histograms.shape(null, 60, 0), 50L,
                Histograms.shape(null, 60, 1), 25L, Histograms.shape(null, 60, 2), 25L));
        Map<String, XYDataset> charts = new LinkedHashMap<>();
        document.charts((picture, chart) -> charts.put(picture, ((XYPlot) chart.plot()).getDataset()));
        assertEquals(RecommendDocument.PICTURES, List.copyOf(charts.keySet()));
        Replay.Estimate estimate = document.replay().of(new Setting(3, 1));
        assertEquals(75, at64(charts.get("served.png"), "depth 1", SlotReplay.SIZES));
        assertEquals(100, at64(charts.get("served.png"), "depth 16, 8, 4, 2", SlotReplay.SIZES));
        assertEquals(estimate.memory() / 1024.0, at64(charts.get("memory.png"), "depth 1", SlotReplay.SIZES - 3));
        assertEquals(100 * estimate.saved() / document.replay().time, at64(charts.get("saved.png"), "depth 1", SlotReplay.SIZES));
        assertTrue(estimate.saved() > 0);
    }

    /** {@return the value for slots of 64 bytes in a line that has so many points} */
    private static double at64(XYDataset lines, String name, int points) {
        int line = lines.indexOf(name);
        assertTrue(line >= 0, () -> name + " in "
                + IntStream.range(0, lines.getSeriesCount()).mapToObj(lines::getSeriesKey).toList());
        assertEquals(points, lines.getItemCount(line));
        return IntStream.range(0, points).filter(i -> lines.getXValue(line, i) == 64).mapToDouble(i -> lines.getYValue(line, i))
                .findFirst().orElseThrow();
    }
}
