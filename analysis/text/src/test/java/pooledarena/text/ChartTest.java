/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogTick;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.category.CategoryItemRenderer;
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
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.text.AttributedCharacterIterator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
        assertTrue(axis.getUpperBound() >= 1, axis.getRange().toString());
    }

    /** Where more is lost than saved the axis begins below. */
    @Test
    void pointsBelowZero() {
        ValueAxis axis = lines(Map.of("", List.of(new Point(1, 20), new Point(2, -5)))).getRangeAxis();
        assertTrue(axis.getLowerBound() <= -5 && axis.getUpperBound() >= 20, axis.getRange().toString());
    }

    /** The bars of factors begin at 1, and there is room for the label of the longest. */
    @Test
    void factors() {
        Chart chart = Chart.bars("", List.of("a", "b"), new Axis("", true), Map.of("", List.of(16.0, 8.0)));
        ValueAxis axis = ((CategoryPlot) chart.plot()).getRangeAxis();
        assertTrue(axis.getLowerBound() <= 1 && axis.getUpperBound() > 20, axis.getRange().toString());
        assertEquals(List.of(1.0, 2.0, 4.0, 8.0, 16.0), ticks(axis));
        assertEquals(PlotOrientation.HORIZONTAL, ((CategoryPlot) chart.plot()).getOrientation());
    }

    @Test
    void barsSayWhatTheyShow() {
        assertEquals("16.0x", label(new Axis("", true)));
        assertEquals("16.0 %", label(new Axis("", false)));
    }

    private static String label(Axis axis) {
        CategoryPlot plot = (CategoryPlot) Chart.bars("", List.of("a"), axis, Map.of("", List.of(16.0))).plot();
        CategoryItemRenderer renderer = plot.getRenderer();
        assertTrue(renderer.isItemLabelVisible(0, 0));
        return renderer.getItemLabelGenerator(0, 0).generateLabel(plot.getDataset(), 0, 0);
    }

    /** The first color is that of the stock JDK, which has no bars, and the theme of the picture leaves them as they are. */
    @Test
    void colorsOfBarsAndLines() throws IOException {
        Map<String, List<Double>> bars = new LinkedHashMap<>();
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        for (String name : List.of("first", "second", "second, again")) {
            bars.put(name, List.of(1.0));
            lines.put(name, List.of(new Point(1, 1), new Point(2, 2)));
        }
        Chart barChart = Chart.bars("", List.of("a"), new Axis("", false), bars);
        Chart lineChart = Chart.lines("", new Axis("", true), new Axis("", false), lines);
        for (Chart chart : List.of(barChart, lineChart)) {
            BufferedImage picture = ImageIO.read(new ByteArrayInputStream(chart.png(List.of())));
            assertEquals(List.of(1920, chart.height()), List.of(picture.getWidth(), picture.getHeight()));
        }
        CategoryItemRenderer bar = ((CategoryPlot) barChart.plot()).getRenderer();
        XYItemRenderer line = ((XYPlot) lineChart.plot()).getRenderer();
        assertEquals(bar.getSeriesPaint(0), line.getSeriesPaint(1));
        assertEquals(3, Stream.of(0, 1, 2).map(bar::getSeriesPaint).distinct().count());
        assertNotEquals(bar.getSeriesPaint(2), line.getSeriesPaint(0));
        assertEquals(line.getSeriesPaint(1), line.getSeriesPaint(2));
        assertNotNull(((BasicStroke) line.getSeriesStroke(2)).getDashArray());
    }

    /** The picture has the lines that say where its figures are from. */
    @Test
    void origin() {
        Chart chart = Chart.bars("", List.of("a"), new Axis("", false), Map.of("", List.of(1.0)));
        assertFalse(Arrays.equals(chart.png(List.of("a machine")), chart.png(List.of("another"))));
    }

    @Test
    void sameInEveryLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            XYPlot plot = lines(Map.of("", List.of(new Point(1024, 0), new Point(4096, 1))));
            assertEquals(List.of("1,024", "2,048", "4,096"), drawn(plot.getDomainAxis()).stream().map(ChartTest::text).toList());
            assertTrue(drawn(plot.getRangeAxis()).stream().map(ChartTest::text).anyMatch(text -> text.matches("0\\.\\d+")));
        } finally {
            Locale.setDefault(before);
        }
    }

    private static String text(ValueTick tick) {
        if (!(tick instanceof LogTick log)) {
            return tick.getText();
        }
        AttributedCharacterIterator label = log.getAttributedLabel().getIterator();
        return IntStream.range(label.getBeginIndex(), label.getEndIndex()).mapToObj(i -> "" + label.setIndex(i))
                .collect(Collectors.joining());
    }

    /** The height of a chart grows with the number of its bars. */
    @Test
    void manyBars() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            names.add("n" + i);
        }
        List<Double> values = names.stream().map(_ -> 1.0).toList();
        int height = Chart.bars("", names, new Axis("", false), Map.of("", values)).height();
        assertTrue(height > 2000);
        assertTrue(Chart.bars("", names, new Axis("", false), Map.of("", values, "b", values)).height() > 1.5 * height);
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
        return drawn(axis).stream().map(ValueTick::getValue).toList();
    }

    private static List<ValueTick> drawn(ValueAxis axis) {
        List<?> drawn = axis.refreshTicks(new BufferedImage(10, 10, BufferedImage.TYPE_INT_RGB).createGraphics(),
                new AxisState(), new Rectangle2D.Double(0, 0, 850, 850), RectangleEdge.LEFT);
        return drawn.stream().map(ValueTick.class::cast).toList();
    }
}
