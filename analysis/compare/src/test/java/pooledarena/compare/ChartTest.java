/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */
package pooledarena.compare;

import org.junit.jupiter.api.Test;
import pooledarena.benchmark.Comparison;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Row;
import pooledarena.text.LineChart;

import javax.imageio.ImageIO;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ChartTest {

    private static final int POOLED = 0x1f6fb4;
    private static final int BAND = 0xf2e2c4;

    @Test
    void onlyWhatWasMeasuredIsDrawn() {
        assertEquals(List.of(Chart.SPEEDUP), Chart.of(Samples.whole()));
        assertEquals(List.of(Chart.SPEEDUP, Chart.SPEEDUP_BY_SIZE, Chart.TIME_BY_SIZE), Chart.of(Samples.bySize()));
        assertEquals(List.of(Chart.SPEEDUP, Chart.NESTING, Chart.THREADS), Chart.of(nestsAndThreads()));
    }

    @Test
    void sizesAreInOrderAndSpeedupsAreRatios() {
        LineChart chart = Chart.SPEEDUP_BY_SIZE.lines(Samples.bySize()).orElseThrow();
        assertEquals(1, chart.series().size());
        assertEquals(List.of(new LineChart.Point(8, 10), new LineChart.Point(64, 2),
                new LineChart.Point(1024, 40.0 / 39), new LineChart.Point(4096, 80.0 / 81)), chart.series().getFirst().points());
    }

    @Test
    void pooledIsFasterUpToTheCrossover() {
        assertEquals(Optional.of(new LineChart.Band(64, 1024, "faster up to 64 bytes, no longer from 1,024 on")),
                Chart.crossover(Samples.bySize()));
    }

    @Test
    void thereIsNoCrossoverIfAllOrNoSizesAreFaster() {
        Outcome slow = Samples.outcome(20, 0, 0);
        Outcome fast = Samples.outcome(10, 0, 0);
        assertEquals(Optional.empty(), Chart.crossover(Samples.of(List.of(Samples.STOCK, Samples.POOLED),
                Samples.result(Samples.one(8, 1), slow, fast), Samples.result(Samples.one(16, 1), slow, fast))));
        assertEquals(Optional.empty(), Chart.crossover(Samples.of(List.of(Samples.STOCK, Samples.POOLED),
                Samples.result(Samples.one(8, 1), slow, slow), Samples.result(Samples.one(16, 1), slow, slow))));
        assertEquals(Optional.empty(), Chart.crossover(Samples.whole()));
    }

    @Test
    void theCrossoverIsDrawnBetweenItsSizes() throws IOException {
        BufferedImage chart = draw(Chart.TIME_BY_SIZE, Samples.bySize());
        int left = columns(chart, BAND).min().orElseThrow();
        int right = columns(chart, BAND).max().orElseThrow();
        int first = columns(chart, POOLED).min().orElseThrow();
        int last = columns(chart, POOLED).max().orElseThrow();
        // On a logarithmic axis from 8 to 4096, 64 is at 3 of 9 and 1024 at 7 of 9.
        assertEquals(first + (last - first) * 3 / 9, left, 8);
        assertEquals(first + (last - first) * 7 / 9, right, 8);
    }

    @Test
    void nestingIsTheTimeOfEachArena() {
        LineChart chart = Chart.NESTING.lines(nestsAndThreads()).orElseThrow();
        assertEquals(List.of("stock", "pooled"), chart.series().stream().map(LineChart.Series::name).toList());
        assertEquals(List.of(new LineChart.Point(1, 24), new LineChart.Point(4, 25)), chart.series().get(0).points());
        assertEquals(List.of(new LineChart.Point(1, 4), new LineChart.Point(4, 5)), chart.series().get(1).points());
    }

    @Test
    void throughputIsThatOfAllThreads() {
        LineChart chart = Chart.THREADS.lines(nestsAndThreads()).orElseThrow();
        // One thread with 20 ns per operation does 50 million in a second, two with 25 ns do 80 million.
        assertEquals("stock, platform threads", chart.series().get(0).name());
        assertEquals(List.of(new LineChart.Point(1, 50), new LineChart.Point(2, 80)), chart.series().get(0).points());
        assertEquals(List.of(new LineChart.Point(1, 500), new LineChart.Point(2, 800)), chart.series().get(1).points());
        assertEquals(2, chart.series().size());
    }

    @Test
    void chartsAreAsLargeAsASlide() throws IOException {
        for (Chart kind : List.of(Chart.SPEEDUP_BY_SIZE, Chart.TIME_BY_SIZE)) {
            BufferedImage chart = draw(kind, Samples.bySize());
            assertEquals(1920, chart.getWidth());
            assertEquals(1080, chart.getHeight());
            assertTrue(columns(chart, POOLED).count() > 1000);
        }
    }

    @Test
    void ticksAreRound() {
        assertEquals(5, LineChart.roundStep(2.8));
        assertEquals(100, LineChart.roundStep(90));
        assertEquals(0.2, LineChart.roundStep(0.2), 1e-12);
    }

    private static Comparison nestsAndThreads() {
        return Samples.of(List.of(Samples.STOCK, Samples.POOLED),
                Samples.result(nest(4, 100), Samples.outcome(100, 0, 0), Samples.outcome(20, 0, 0)),
                Samples.result(nest(1, 100), Samples.outcome(24, 0, 0), Samples.outcome(4, 0, 0)),
                Samples.result(nest(8, 5), Samples.outcome(1, 0, 0), Samples.outcome(1, 0, 0)),
                Samples.result(Samples.one(100, 1), Samples.outcome(20, 0, 0), Samples.outcome(2, 0, 0)),
                Samples.result(Samples.one(100, 2), Samples.outcome(25, 0, 0), Samples.outcome(2.5, 0, 0)));
    }

    private static Row nest(int depth, int size) {
        return new Row("nested", "bench.ConfinedArenaDepth.nested",
                Map.of("depth", Integer.toString(depth), "size", Integer.toString(size)), 1);
    }

    private static BufferedImage draw(Chart chart, Comparison comparison) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(chart.png(comparison)));
    }

    /** {@return the columns of the plot with this color, without the legend below it} */
    private static IntStream columns(BufferedImage image, int color) {
        return IntStream.range(0, image.getWidth()).filter(x ->
                IntStream.range(100, 950).anyMatch(y -> (image.getRGB(x, y) & 0xffffff) == color));
    }
}
