/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.xy.XYDataItem;
import org.jfree.data.xy.XYSeriesCollection;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ComparisonChartTest {

    private static CategoryDataset bars(Results results) {
        return ((CategoryPlot) Samples.report(results).speedups().orElseThrow().plot()).getDataset();
    }

    /** {@return the values of one of the rows, by column} */
    private static List<Number> values(CategoryDataset bars, int row) {
        return IntStream.range(0, bars.getColumnCount()).mapToObj(column -> bars.getValue(row, column)).toList();
    }

    private static XYSeriesCollection timeBySize(Results results) {
        return (XYSeriesCollection) ((XYPlot) Samples.report(results).lines("size").orElseThrow().plot()).getDataset();
    }

    /** {@return the names of the charts that the report of {@code results} has, all of them drawn} */
    private static List<String> drawn(Results results) throws IOException {
        Map<String, byte[]> files = Samples.report(results).document().files("report");
        return files.keySet().stream().filter(file -> file.endsWith(".png") && files.get(file).length > 0).toList();
    }

    @Test
    void barsAreFactors() {
        CategoryDataset bars = bars(Samples.whole());
        assertEquals(List.of("open and close, 5 B", "empty"), bars.getColumnKeys());
        assertEquals(List.of("patch", "JDK 28"), bars.getRowKeys());
        assertEquals(List.of(10.0, 0.5), values(bars, 0));
        assertEquals(List.of(4.0, 1.0), values(bars, 1));
    }

    @Test
    void aFailedRowHasNoBar() {
        CategoryDataset bars = bars(Samples.withFailure());
        assertEquals(List.of("open and close, 5 B (failed)", "empty"), bars.getColumnKeys());
        assertEquals(Arrays.asList(null, 0.5), values(bars, 0));
    }

    @Test
    void thereIsNoChartIfAllFailed() {
        assertEquals(Optional.empty(), Samples.report(Samples.of(List.of(Samples.STOCK, Samples.PATCH),
                Samples.row(Samples.PLAIN, null, Samples.outcome(1, 0, 0)))).speedups());
    }

    @Test
    void onlyWhatWasMeasuredIsDrawn() throws IOException {
        assertEquals(List.of("speedup.png"), drawn(Samples.whole()));
        assertEquals(List.of("speedup.png", "time-by-size.png"), drawn(Samples.bySize()));
        assertEquals(Set.of("speedup.png", "time-by-size.png", "time-by-threads.png"), Set.copyOf(ComparisonReport.CHARTS));
    }

    /** The row with two threads would be a line of its own, with one point. */
    @Test
    void timesAreThoseOfOneThread() {
        XYSeriesCollection lines = timeBySize(Samples.bySize());
        assertEquals(List.of("stock", "patch"), List.of(lines.getSeriesKey(0), lines.getSeriesKey(1)));
        assertEquals(List.of(new XYDataItem(8, 20), new XYDataItem(64, 30), new XYDataItem(1024, 40),
                new XYDataItem(4096, 80)), lines.getSeries(0).getItems());
        assertEquals(List.of(new XYDataItem(8, 2), new XYDataItem(64, 15), new XYDataItem(1024, 39),
                new XYDataItem(4096, 81)), lines.getSeries(1).getItems());
    }

    @Test
    void aFailedTimeHasNoPoint() {
        Outcome outcome = Samples.outcome(2, 0, 0);
        XYSeriesCollection lines = timeBySize(Samples.of(List.of(Samples.STOCK, Samples.PATCH),
                Samples.row(Samples.one(8, 1), outcome, null), Samples.row(Samples.one(16, 1), outcome, outcome),
                Samples.row(Samples.one(32, 1), outcome, outcome)));
        assertEquals(List.of(new XYDataItem(16, 2), new XYDataItem(32, 2)), lines.getSeries(1).getItems());
    }

    /** Of two benchmarks, the lines have their titles, and what else differs; the threads are the other lines' x. */
    @Test
    void linesOfSeveralBenchmarks() {
        Outcome outcome = Samples.outcome(2, 0, 0);
        Results results = Samples.of(List.of(Samples.STOCK, Samples.PATCH), Stream.of("request", "requestsOnVirtualThreads")
                .flatMap(method -> Stream.of("16", "mixed").flatMap(values -> Stream.of(1, 4).map(threads -> Samples.row(
                        Samples.row(method, values + threads, "bench.RocksDbRead." + method, Map.of("values", values), threads),
                        outcome))))
                .toArray(Samples.Row[]::new));
        ComparisonReport report = new ComparisonReport(results, new BenchmarkSelection("rocksdb"));
        XYSeriesCollection lines = (XYSeriesCollection) ((XYPlot) report.lines("threads").orElseThrow().plot()).getDataset();
        assertEquals(List.of("16 bytes in values, stock", "mixed bytes in values, stock"),
                List.of(lines.getSeriesKey(0), lines.getSeriesKey(1)));
        assertEquals(2, lines.getSeriesCount()); // the other benchmark has no line
        assertEquals(List.of(new XYDataItem(1, 2), new XYDataItem(4, 2)), lines.getSeries(0).getItems());
        assertEquals(Optional.empty(), report.lines("size"));

        XYSeriesCollection okio = (XYSeriesCollection) ((XYPlot) new ComparisonReport(Samples.of(List.of(Samples.STOCK),
                Stream.of("array", "arena").flatMap(method -> Stream.of("8", "128").map(size -> Samples.row(
                        Samples.row("the " + method, size, "bench.Zeroing." + method, Map.of("size", size), 1), outcome)))
                        .toArray(Samples.Row[]::new)),
                new BenchmarkSelection("okio")).lines("size").orElseThrow().plot()).getDataset();
        assertEquals(List.of("the array, stock", "the arena, stock"), List.of(okio.getSeriesKey(0), okio.getSeriesKey(1)));
    }
}
