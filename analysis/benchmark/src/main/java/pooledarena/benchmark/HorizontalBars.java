/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.ui.Layer;
import org.jfree.data.category.CategoryDataset;
import pooledarena.text.ChartStyle;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import module java.base;

/** Draws bars from left to right, with a name before them. */
public final class HorizontalBars {

    /** Title, legend and axis. */
    private static final int FRAME_HEIGHT = 220;
    private static final int BAR_HEIGHT = 12;
    private static final int ROW_GAP = 8;

    private HorizontalBars() {}

    /** {@return the chart as PNG} {@code origin} are the lines that say where the figures are from. */
    public static byte[] png(String title, CategoryDataset bars, BarRenderer renderer, ValueAxis axis, List<Color> colors,
                             List<String> origin) throws IOException {
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        renderer.setItemMargin(0.05);
        renderer.setMaximumBarWidth(0.05);
        for (int i = 0; i < colors.size(); i++) {
            renderer.setSeriesPaint(i, colors.get(i));
        }
        CategoryAxis names = new CategoryAxis();
        names.setTickLabelFont(ChartStyle.font(Font.PLAIN, 13));
        names.setTickLabelPaint(ChartStyle.INK);
        CategoryPlot plot = new CategoryPlot(bars, names, axis, renderer);
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        plot.setRangeGridlinePaint(ChartStyle.GRID);
        plot.addRangeMarker(new ValueMarker(renderer.getBase(), ChartStyle.INK, new BasicStroke(2)), Layer.FOREGROUND);
        int row = BAR_HEIGHT * bars.getRowCount() + ROW_GAP;
        return ChartStyle.png(ChartStyle.chart(title, plot, bars.getRowCount() > 1, origin),
                Math.max(ChartStyle.HEIGHT, FRAME_HEIGHT + row * bars.getColumnCount()));
    }
}
