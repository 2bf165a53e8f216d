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

import javax.imageio.ImageIO;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SpeedupChartTest {

    private static final int POOLED_COLOR = 0x1f6fb4;
    private static final int PEER_COLOR = 0xf0a030;

    @Test
    void barsHaveTheirColorsAndGrowFromOne() throws IOException {
        BufferedImage chart = draw(Samples.whole());
        assertEquals(1920, chart.getWidth());
        assertEquals(1080, chart.getHeight());
        // The first row's bars are in the upper half, the second's in the lower.
        int pooledRight = rightmost(chart, POOLED_COLOR, 0, 540);
        int peerRight = rightmost(chart, PEER_COLOR, 0, 540);
        int one = leftmost(chart, POOLED_COLOR, 0, 540);
        assertEquals(one, leftmost(chart, PEER_COLOR, 0, 540), 2);
        // 10x and 4x: the ratio of the lengths is that of the logarithms.
        assertEquals(Math.log(10) / Math.log(4), (double) (pooledRight - one) / (peerRight - one), 0.02);
        // 0.5x: to the left of 1x, half as far as 4x is to the right.
        assertEquals((peerRight - one) / 2, one - leftmost(chart, POOLED_COLOR, 540, 950), 6);
    }

    @Test
    void manyRowsMakeItHigher() throws IOException {
        Comparison.Result[] results = IntStream.range(0, 80)
                .mapToObj(i -> Samples.result(new Row("row " + i, "b", java.util.Map.of(), 1),
                        Samples.outcome(20, 0, 0), Samples.outcome(10, 0, 0)))
                .toArray(Comparison.Result[]::new);
        Comparison comparison = Samples.of(List.of(Samples.STOCK, Samples.POOLED), results);
        assertTrue(draw(comparison).getHeight() > 1080 + 500);
    }

    @Test
    void aFailedRowHasNoBar() throws IOException {
        BufferedImage chart = draw(Samples.withFailure());
        assertEquals(-1, rightmost(chart, POOLED_COLOR, 0, 500));
        assertTrue(rightmost(chart, POOLED_COLOR, 540, 1000) > 0);
    }

    @Test
    void thereIsNoChartIfAllFailed() {
        assertFalse(SpeedupChart.hasBars(Samples.of(List.of(Samples.STOCK, Samples.POOLED), Samples.result(
                Samples.PLAIN, Outcome.failed("no"), Samples.outcome(1, 0, 0)))));
        assertTrue(SpeedupChart.hasBars(Samples.withFailure()));
    }

    @Test
    void aBuildIsNamedShortly() {
        assertEquals("Vendor-25.0.3+9 with a pool", Samples.POOLED.build());
        assertEquals("28+1", Samples.PEER.build());
    }

    private static BufferedImage draw(Comparison comparison) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(SpeedupChart.png(comparison)));
    }

    private static int rightmost(BufferedImage image, int color, int top, int bottom) {
        return columns(image, color, top, bottom).max().orElse(-1);
    }

    private static int leftmost(BufferedImage image, int color, int top, int bottom) {
        return columns(image, color, top, bottom).min().orElse(-1);
    }

    private static IntStream columns(BufferedImage image, int color, int top, int bottom) {
        return IntStream.range(0, image.getWidth()).filter(x ->
                IntStream.range(top, bottom).anyMatch(y -> (image.getRGB(x, y) & 0xffffff) == color));
    }
}
