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

import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.plot.IntervalMarker;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.Range;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.geom.Ellipse2D;
import java.io.IOException;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * A line for each series over an axis of sizes, depths or threads.
 *
 * @param title  above the chart
 * @param x      the axis to the right
 * @param y      the axis upwards
 * @param series the lines
 * @param band   an interval of the x axis that is marked; may be null
 * @param one    whether y is a factor, so that its 1 is marked
 */
record LineChart(String title, Axis x, Axis y, List<Series> series, Band band, boolean one) {

    private static final int FONT_SIZE = 20;
    private static final float LINE_WIDTH = 4;
    private static final double POINT_SIZE = 11;
    private static final Color BAND = new Color(0xf2e2c4);

    /**
     * An axis.
     *
     * @param label       what is on it
     * @param logarithmic whether its ticks are the powers of two instead of a linear scale
     */
    record Axis(String label, boolean logarithmic) {}

    /**
     * A line.
     *
     * @param name   in the legend
     * @param color  of line and points
     * @param dashed whether the line is
     * @param labels what is written beside each point, from its y; null for nothing
     * @param points from left to right
     */
    record Series(String name, Color color, boolean dashed, DoubleFunction<String> labels, List<Point> points) {}

    record Point(double x, double y) {}

    record Band(double from, double to, String label) {}

    byte[] png(Comparison comparison) throws IOException {
        return ChartStyle.png(chart(comparison), ChartStyle.HEIGHT);
    }

    private JFreeChart chart(Comparison comparison) {
        XYSeriesCollection data = new XYSeriesCollection();
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
        double point = POINT_SIZE / 2;
        for (int i = 0; i < series.size(); i++) {
            Series line = series.get(i);
            XYSeries points = new XYSeries(line.name);
            line.points.forEach(p -> points.add(p.x, p.y));
            data.addSeries(points);
            renderer.setSeriesPaint(i, line.color);
            renderer.setSeriesStroke(i, line.dashed
                    ? new BasicStroke(LINE_WIDTH, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {14, 8}, 0)
                    : new BasicStroke(LINE_WIDTH, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
            renderer.setSeriesShape(i, new Ellipse2D.Double(-point, -point, POINT_SIZE, POINT_SIZE));
            if (line.labels != null) {
                renderer.setSeriesItemLabelGenerator(i, (set, s, item) -> line.labels.apply(set.getYValue(s, item)));
                renderer.setSeriesItemLabelsVisible(i, true);
                renderer.setSeriesItemLabelFont(i, ChartStyle.font(Font.BOLD, FONT_SIZE - 2));
                renderer.setSeriesItemLabelPaint(i, line.color);
                renderer.setSeriesPositiveItemLabelPosition(i,
                        new ItemLabelPosition(ItemLabelAnchor.OUTSIDE12, TextAnchor.BOTTOM_CENTER));
            }
        }
        XYPlot plot = new XYPlot(data, axis(x, data.getDomainBounds(false), 1.0), axis(y, data.getRangeBounds(false), 1.25),
                renderer);
        plot.setDomainGridlinePaint(ChartStyle.GRID);
        plot.setDomainGridlineStroke(new BasicStroke(1));
        plot.setRangeGridlinePaint(ChartStyle.GRID);
        plot.setRangeGridlineStroke(new BasicStroke(1));
        plot.setAxisOffset(new RectangleInsets(8, 8, 8, 8));
        if (one) {
            plot.addRangeMarker(new ValueMarker(1, ChartStyle.INK, new BasicStroke(2)), Layer.BACKGROUND);
        }
        if (band != null) {
            IntervalMarker marker = new IntervalMarker(band.from, band.to, BAND);
            marker.setAlpha(1);
            marker.setLabel(band.label);
            marker.setLabelFont(ChartStyle.font(Font.PLAIN, FONT_SIZE));
            marker.setLabelPaint(ChartStyle.INK);
            // To the left of the band, which is too narrow for it.
            marker.setLabelAnchor(RectangleAnchor.TOP_LEFT);
            marker.setLabelTextAnchor(TextAnchor.TOP_RIGHT);
            marker.setLabelOffset(new RectangleInsets(8, -10, 8, 8));
            plot.addDomainMarker(marker, Layer.BACKGROUND);
        }
        return ChartStyle.chart(title, plot, true, comparison);
    }

    /** {@return the axis for values in {@code bounds}, with room for labels up to {@code room} times the greatest} */
    private static ValueAxis axis(Axis axis, Range bounds, double room) {
        if (axis.logarithmic) {
            var powers = ChartStyle.powersOfTwo(axis.label, "#,##0.###", FONT_SIZE);
            // Half a point's room on either side.
            powers.setRange(Math.min(bounds.getLowerBound(), 1) * 0.9, bounds.getUpperBound() * Math.max(room, 1.1));
            return powers;
        }
        NumberAxis linear = ChartStyle.styled(new NumberAxis(axis.label), FONT_SIZE);
        if (room == 1.0) {
            linear.setRange(bounds.getLowerBound() - 0.4, bounds.getUpperBound() + 0.4);
            linear.setTickUnit(new NumberTickUnit(1));
        } else {
            linear.setRange(0, bounds.getUpperBound() * 1.08);
        }
        return linear;
    }
}
