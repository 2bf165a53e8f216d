/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.Range;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;

import module java.base;

/**
 * A line for each series over an axis of sizes, depths or threads.
 *
 * @param mark a place of the x axis that is marked; may be null
 */
public record LineChart(String title, Axis x, Axis y, List<Series> series, Mark mark) implements Chart {

    private static final double POINT_SIZE = 11;

    /** Long enough to see that a line is dashed. */
    private static final double LEGEND_LINE = 60;

    /** An axis, whose ticks are the powers of two if it is logarithmic. */
    public record Axis(String label, boolean logarithmic) {}

    /** A line through points from left to right. */
    public record Series(String name, Color color, boolean dashed, List<Point> points) {}

    public record Point(double x, double y) {}

    public record Mark(double x, String label) {}

    @Override
    public byte[] png(List<String> origin) {
        XYSeriesCollection data = new XYSeriesCollection();
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
        renderer.setAutoPopulateSeriesPaint(false);
        renderer.setAutoPopulateSeriesStroke(false);
        renderer.setLegendLine(new Line2D.Double(-LEGEND_LINE / 2, 0, LEGEND_LINE / 2, 0));
        renderer.setDefaultShape(new Ellipse2D.Double(-POINT_SIZE / 2, -POINT_SIZE / 2, POINT_SIZE, POINT_SIZE));
        renderer.setAutoPopulateSeriesShape(false);
        for (int i = 0; i < series.size(); i++) {
            Series line = series.get(i);
            XYSeries points = new XYSeries(line.name);
            line.points.forEach(p -> points.add(p.x, p.y));
            data.addSeries(points);
            renderer.setSeriesPaint(i, line.color);
            renderer.setSeriesStroke(i, new BasicStroke(4, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1,
                    line.dashed ? new float[] {14, 8} : null, 0));
        }
        XYPlot plot = new XYPlot(
                data, horizontal(data.getDomainBounds(false)), vertical(data.getRangeBounds(false)), renderer);
        plot.setDomainGridlineStroke(ChartStyle.THIN);
        plot.setRangeGridlineStroke(ChartStyle.THIN);
        if (mark != null) {
            ValueMarker marker = new ValueMarker(mark.x, new Color(0xf2e2c4), new BasicStroke(8));
            marker.setAlpha(1);
            marker.setLabel(mark.label + "  ");
            marker.setLabelFont(ChartStyle.FONT);
            marker.setLabelBackgroundColor(Color.WHITE);
            marker.setLabelAnchor(RectangleAnchor.TOP_LEFT);
            marker.setLabelTextAnchor(TextAnchor.TOP_RIGHT);
            plot.addDomainMarker(marker, Layer.BACKGROUND);
        }
        return ChartStyle.png(title, origin, plot, true, ChartStyle.HEIGHT);
    }

    /** {@return the x axis, with room beside the outermost points} */
    private ValueAxis horizontal(Range values) {
        double from = values.getLowerBound();
        double to = values.getUpperBound();
        double margin = x.logarithmic ? Math.pow(to / from, 0.04) : Math.max(0.4, (to - from) * 0.03);
        return x.logarithmic ? ChartStyle.powersOfTwo(x.label, "0.###", from / margin, to * margin)
                : ChartStyle.linear(x.label, "#,##0.###", from - margin, to + margin);
    }

    /** {@return the y axis, from 0, or from 1 if it is logarithmic, with room above the highest point} */
    private ValueAxis vertical(Range values) {
        double highest = values.getUpperBound() > 0 ? values.getUpperBound() : 1;
        return y.logarithmic
                ? ChartStyle.powersOfTwo(y.label, "0.###", Math.min(values.getLowerBound(), 1) * 0.9, highest * 1.25)
                : ChartStyle.linear(y.label, "#,##0.###", 0, highest * 1.08);
    }
}
