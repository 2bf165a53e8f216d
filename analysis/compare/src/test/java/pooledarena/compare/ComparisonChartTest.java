/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.junit.jupiter.api.Test;
import pooledarena.benchmark.Results;
import pooledarena.text.BarChart;
import pooledarena.text.LineChart;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ComparisonChartTest {

    private static BarChart bars(Results results) {
        return ComparisonReport.speedups(results).orElseThrow();
    }

    /** {@return the names of the charts that the report of {@code results} has, all of them drawn} */
    private static List<String> drawn(Results results) throws IOException {
        Map<String, byte[]> files = results.document(ComparisonReport::addTo).files("report");
        return files.keySet().stream().filter(file -> file.endsWith(".png") && files.get(file).length > 0).toList();
    }

    @Test
    void barsAreFactors() {
        BarChart chart = bars(Samples.whole());
        assertEquals(List.of("open and close, 5 B", "empty"), chart.names());
        assertEquals(List.of("pooled", "JDK 28"), chart.series().stream().map(BarChart.Series::name).toList());
        assertEquals(List.of(10.0, 0.5), chart.series().get(0).values());
        assertEquals(List.of(4.0, 1.0), chart.series().get(1).values());
    }

    @Test
    void aFailedRowHasNoBar() {
        BarChart chart = bars(Samples.withFailure());
        assertEquals(List.of("open and close, 5 B (failed)", "empty"), chart.names());
        assertEquals(Arrays.asList(null, 0.5), chart.series().getFirst().values());
    }

    @Test
    void thereIsNoChartIfAllFailed() {
        assertEquals(Optional.empty(), ComparisonReport.speedups(Samples.of(List.of(Samples.STOCK, Samples.POOLED),
                Samples.row(Samples.PLAIN, null, Samples.outcome(1, 0, 0)))));
    }

    @Test
    void onlyWhatWasMeasuredIsDrawn() throws IOException {
        assertEquals(List.of("speedup.png"), drawn(Samples.whole()));
        assertEquals(List.of("speedup.png", "time-by-size.png"), drawn(Samples.bySize()));
        assertEquals(ComparisonReport.CHARTS, drawn(Samples.bySize()));
    }

    /** The row with two threads has no point. */
    @Test
    void timesAreThoseOfOneThread() {
        LineChart chart = ComparisonReport.timeBySize(Samples.bySize()).orElseThrow();
        assertEquals(List.of("stock", "pooled"), chart.series().stream().map(LineChart.Series::name).toList());
        assertEquals(List.of(new LineChart.Point(1024, 40), new LineChart.Point(8, 20), new LineChart.Point(64, 30),
                new LineChart.Point(4096, 80)), chart.series().get(0).points());
        assertEquals(List.of(new LineChart.Point(1024, 39), new LineChart.Point(8, 2), new LineChart.Point(64, 15),
                new LineChart.Point(4096, 81)), chart.series().get(1).points());
    }

    @Test
    void aFailedTimeHasNoPoint() {
        LineChart chart = ComparisonReport.timeBySize(Samples.of(List.of(Samples.STOCK, Samples.POOLED),
                Samples.row(Samples.one(8, 1), Samples.outcome(20, 0, 0), null),
                Samples.row(Samples.one(16, 1), Samples.outcome(21, 0, 0), Samples.outcome(2, 0, 0)))).orElseThrow();
        assertEquals(List.of(new LineChart.Point(16, 2)), chart.series().get(1).points());
    }
}
