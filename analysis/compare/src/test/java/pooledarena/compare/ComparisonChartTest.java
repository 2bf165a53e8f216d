/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.junit.jupiter.api.Test;
import pooledarena.benchmark.Case;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.text.BarChart;
import pooledarena.text.LineChart;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ComparisonChartTest {

    private static List<ComparisonChart> drawn(Results results) {
        return Stream.of(ComparisonChart.values())
                .filter(chart -> chart.of(results).filter(drawn -> drawn.png(results.origin()).length > 0).isPresent()).toList();
    }

    private static LineChart lines(ComparisonChart chart, Results results) {
        return (LineChart) chart.of(results).orElseThrow();
    }

    private static BarChart bars(Results results) {
        return (BarChart) ComparisonChart.SPEEDUP.of(results).orElseThrow();
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
        assertEquals(Optional.empty(), ComparisonChart.SPEEDUP.of(Samples.of(List.of(Samples.STOCK, Samples.POOLED), Samples.row(
                Samples.PLAIN, Outcome.failed("no"), Samples.outcome(1, 0, 0)))));
    }

    @Test
    void aBuildIsNamedShortly() {
        assertEquals("Vendor-25.0.3+9 with a pool", Samples.POOLED.build());
        assertEquals("28+1", Samples.PEER.build());
    }

    @Test
    void onlyWhatWasMeasuredIsDrawn() {
        assertEquals(List.of(ComparisonChart.SPEEDUP), drawn(Samples.whole()));
        assertEquals(List.of(ComparisonChart.SPEEDUP, ComparisonChart.SPEEDUP_BY_SIZE, ComparisonChart.TIME_BY_SIZE),
                drawn(Samples.bySize()));
        assertEquals(List.of(ComparisonChart.SPEEDUP, ComparisonChart.NESTING, ComparisonChart.THREADS), drawn(nestsAndThreads()));
    }

    @Test
    void sizesAreInOrderAndSpeedupsAreRatios() {
        LineChart chart = lines(ComparisonChart.SPEEDUP_BY_SIZE, Samples.bySize());
        assertEquals(1, chart.series().size());
        assertEquals(List.of(new LineChart.Point(8, 10), new LineChart.Point(64, 2),
                new LineChart.Point(1024, 40.0 / 39), new LineChart.Point(4096, 80.0 / 81)), chart.series().getFirst().points());
    }

    @Test
    void pooledIsFasterUpToTheCrossover() {
        Optional<LineChart.Band> band = Optional.of(new LineChart.Band(64, 1024, "faster up to 64 bytes, no longer from 1,024 on"));
        assertEquals(band, ComparisonChart.crossover(Samples.bySize()));
        assertEquals(band.get(), lines(ComparisonChart.TIME_BY_SIZE, Samples.bySize()).band());
    }

    @Test
    void thereIsNoCrossoverIfAllOrNoSizesAreFaster() {
        Outcome slow = Samples.outcome(20, 0, 0);
        Outcome fast = Samples.outcome(10, 0, 0);
        assertEquals(Optional.empty(), ComparisonChart.crossover(Samples.of(List.of(Samples.STOCK, Samples.POOLED),
                Samples.row(Samples.one(8, 1), slow, fast), Samples.row(Samples.one(16, 1), slow, fast))));
        assertEquals(Optional.empty(), ComparisonChart.crossover(Samples.of(List.of(Samples.STOCK, Samples.POOLED),
                Samples.row(Samples.one(8, 1), slow, slow), Samples.row(Samples.one(16, 1), slow, slow))));
        assertEquals(Optional.empty(), ComparisonChart.crossover(Samples.whole()));
    }

    @Test
    void nestingIsTheTimeOfEachArena() {
        LineChart chart = lines(ComparisonChart.NESTING, nestsAndThreads());
        assertEquals(List.of("stock", "pooled"), chart.series().stream().map(LineChart.Series::name).toList());
        assertEquals(List.of(new LineChart.Point(1, 24), new LineChart.Point(4, 25)), chart.series().get(0).points());
        assertEquals(List.of(new LineChart.Point(1, 4), new LineChart.Point(4, 5)), chart.series().get(1).points());
    }

    @Test
    void throughputIsThatOfAllThreads() {
        LineChart chart = lines(ComparisonChart.THREADS, nestsAndThreads());
        // One thread with 20 ns per operation does 50 million in a second, two with 25 ns do 80 million.
        assertEquals("stock, platform threads", chart.series().get(0).name());
        assertEquals(List.of(new LineChart.Point(1, 50), new LineChart.Point(2, 80)), chart.series().get(0).points());
        assertEquals(List.of(new LineChart.Point(1, 500), new LineChart.Point(2, 800)), chart.series().get(1).points());
        assertEquals(2, chart.series().size());
    }

    private static Results nestsAndThreads() {
        return Samples.of(List.of(Samples.STOCK, Samples.POOLED),
                Samples.row(nest(4, 100), Samples.outcome(100, 0, 0), Samples.outcome(20, 0, 0)),
                Samples.row(nest(1, 100), Samples.outcome(24, 0, 0), Samples.outcome(4, 0, 0)),
                Samples.row(nest(8, 5), Samples.outcome(1, 0, 0), Samples.outcome(1, 0, 0)),
                Samples.row(Samples.one(100, 1), Samples.outcome(20, 0, 0), Samples.outcome(2, 0, 0)),
                Samples.row(Samples.one(100, 2), Samples.outcome(25, 0, 0), Samples.outcome(2.5, 0, 0)));
    }

    private static Case nest(int depth, int size) {
        return Samples.row("nested", depth + " deep, " + size + " B", "bench.ConfinedArenaDepth.nested",
                Map.of("depth", Integer.toString(depth), "size", Integer.toString(size)), 1);
    }
}
