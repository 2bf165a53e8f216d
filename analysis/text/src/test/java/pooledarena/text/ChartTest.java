/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYItemRenderer;
import org.jfree.chart.ui.RectangleEdge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import pooledarena.text.Chart.Axis;
import pooledarena.text.Chart.Point;

import java.awt.BasicStroke;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ChartTest {

    /** The axis of shares has room for a label beyond 100 %, but no tick there. */
    @ParameterizedTest
    @ValueSource(doubles = {100, 99.9, 60, 1})
    void noBarOfShareAboveAHundred(double most) {
        Chart chart = Chart.bars("", List.of("all"), new Axis("", false), Map.of("", List.of(most)));
        ValueAxis axis = ((CategoryPlot) chart.plot()).getRangeAxis();
        assertTrue(axis.getUpperBound() > 108);
        assertEquals(List.of(0.0, 50.0, 100.0), ticks(axis).stream().filter(tick -> tick % 50 == 0).toList());
        assertEquals(11, ticks(axis).size());
    }

    @ParameterizedTest
    @ValueSource(doubles = {100, 99.9, 92, 88})
    void noLineOfShareAboveAHundred(double most) {
        ValueAxis axis = lines(Map.of("", List.of(new Point(1, 0), new Point(2, most)))).getRangeAxis();
        assertTrue(axis.getLowerBound() == 0 && axis.getUpperBound() > most, axis.getRange().toString());
        assertTrue(ticks(axis).size() >= 4 && ticks(axis).getLast() <= 100, ticks(axis).toString());
    }

    /** Where nothing was saved the axis begins at zero, too. */
    @Test
    void nothingAboveZero() {
        ValueAxis axis = lines(Map.of("", List.of(new Point(1, 0), new Point(2, 0)))).getRangeAxis();
        assertEquals(0, axis.getLowerBound());
    }

    /** The bars of factors begin at 1, and there is room for the label of the longest. */
    @Test
    void factors() {
        Chart chart = Chart.bars("", List.of("a", "b"), new Axis("", true), Map.of("", List.of(16.0, 8.0)));
        ValueAxis axis = ((CategoryPlot) chart.plot()).getRangeAxis();
        assertTrue(axis.getLowerBound() <= 1 && axis.getUpperBound() > 20, axis.getRange().toString());
        assertEquals(List.of(1.0, 2.0, 4.0, 8.0, 16.0), ticks(axis));
    }

    /** The height of a chart grows with the number of its bars. */
    @Test
    void manyBars() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            names.add("n" + i);
        }
        List<Double> values = names.stream().map(_ -> 1.0).toList();
        assertTrue(Chart.bars("", names, new Axis("", false), Map.of("", values)).height() > 2000);
        assertEquals(1080, Chart.bars("", List.of("a"), new Axis("", false), Map.of("", List.of(1.0))).height());
    }

    @Test
    void variantsAreDashed() {
        Map<String, List<Point>> series = new LinkedHashMap<>();
        for (String name : List.of("array", "arena", "array, not zeroed")) {
            series.put(name, List.of(new Point(1, 1), new Point(2, 2)));
        }
        XYItemRenderer renderer = lines(series).getRenderer();
        assertEquals(renderer.getSeriesPaint(0), renderer.getSeriesPaint(2));
        assertNotEquals(renderer.getSeriesPaint(0), renderer.getSeriesPaint(1));
        assertNull(((BasicStroke) renderer.getSeriesStroke(0)).getDashArray());
        assertNotNull(((BasicStroke) renderer.getSeriesStroke(2)).getDashArray());
    }

    private static XYPlot lines(Map<String, List<Point>> series) {
        return (XYPlot) Chart.lines("", new Axis("", true), new Axis("", false), series).plot();
    }

    /** {@return the values at which an axis that is 850 pixels high has ticks} */
    private static List<Double> ticks(ValueAxis axis) {
        List<?> drawn = axis.refreshTicks(new BufferedImage(10, 10, BufferedImage.TYPE_INT_RGB).createGraphics(),
                new AxisState(), new Rectangle2D.Double(0, 0, 850, 850), RectangleEdge.LEFT);
        return drawn.stream().map(tick -> ((ValueTick) tick).getValue()).toList();
    }
}
