/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.ui.RectangleEdge;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.awt.Color;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertTrue;

class ChartStyleTest {

    /** The axis of shares has room for a label beyond 100 %, but no tick there. */
    @ParameterizedTest
    @ValueSource(doubles = {100, 99.9, 92, 88, 87, 60})
    void noShareAboveAHundred(double most) {
        BarChart chart = new BarChart("", List.of("all"), "", BarChart.Scale.SHARES,
                List.of(new BarChart.Series("", Color.BLUE, List.of(most))));
        NumberAxis axis = (NumberAxis) chart.values();
        List<?> drawn = axis.refreshTicks(new BufferedImage(10, 10, BufferedImage.TYPE_INT_RGB).createGraphics(), new AxisState(),
                new Rectangle2D.Double(0, 0, 1000, 1000), RectangleEdge.BOTTOM);
        List<Double> ticks = drawn.stream().map(tick -> ((ValueTick) tick).getValue()).toList();
        assertTrue(axis.getUpperBound() > most);
        assertTrue(ticks.size() >= 4 && ticks.getLast() <= 100, ticks.toString());
        assertTrue(List.of(10.0, 20.0).contains(ticks.get(1)), ticks.toString());
    }
}
