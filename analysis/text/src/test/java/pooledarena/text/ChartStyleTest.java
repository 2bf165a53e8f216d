/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.ui.RectangleEdge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ChartStyleTest {

    @Test
    void ticksAreRound() {
        assertEquals(5, ChartStyle.roundStep(2.8));
        assertEquals(100, ChartStyle.roundStep(90));
        assertEquals(0.2, ChartStyle.roundStep(0.2), 1e-12);
    }

    /** The axis of shares has room for a label beyond 100 %, but no tick there. */
    @ParameterizedTest
    @ValueSource(doubles = {100, 99.9, 92, 88, 87, 60})
    void noShareAboveAHundred(double most) {
        BarChart chart = BarChart.ofShares("", "", "", true, List.of("all"), List.of((long) (most * 10)), 1000);
        NumberAxis axis = (NumberAxis) chart.values();
        List<?> drawn = axis.refreshTicks(new BufferedImage(10, 10, BufferedImage.TYPE_INT_RGB).createGraphics(), new AxisState(),
                new Rectangle2D.Double(0, 0, 1000, 1000), RectangleEdge.BOTTOM);
        List<Double> ticks = drawn.stream().map(tick -> ((ValueTick) tick).getValue()).toList();
        assertTrue(axis.getUpperBound() > most);
        assertTrue(ticks.size() >= 4 && ticks.getLast() <= 100, ticks.toString());
    }
}
