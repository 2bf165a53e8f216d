/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.CategoryLabelPosition;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.axis.CategoryLabelWidthType;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.text.TextBlockAnchor;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.Range;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.general.DatasetUtils;
import pooledarena.benchmark.Case;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.text.ChartStyle;

import java.awt.BasicStroke;
import java.awt.Font;
import java.io.IOException;

/**
 * A bar for each row and contender, from 1x to the right if it is faster than stock and to the left if it is slower. The axis is
 * logarithmic, so that twice as fast and half as fast are the same length.
 */
final class SpeedupChart {

    /** Title, legend and axis. */
    private static final int FRAME_HEIGHT = 220;
    private static final int BAR_HEIGHT = 12;
    private static final int ROW_GAP = 8;

    private SpeedupChart() {}

    /** {@return whether there is anything to draw} */
    static boolean hasBars(Results results) {
        return DatasetUtils.findRangeBounds(bars(results)) != null;
    }

    /** {@return the chart as PNG} */
    static byte[] png(Results results) throws IOException {
        CategoryDataset bars = bars(results);
        LogAxis factors = ChartStyle.powersOfTwo("stock time ÷ time (1x: as fast as stock; logarithmic)", "0.###'x'", 15);
        Range range = DatasetUtils.findRangeBounds(bars);
        // Room for the labels beyond the longest bars.
        factors.setRange(Math.min(range.getLowerBound() / 1.36, 0.9), Math.max(2, range.getUpperBound() * 1.36));
        CategoryPlot plot = new CategoryPlot(bars, rowAxis(), factors, renderer(results));
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        plot.setRangeGridlinePaint(ChartStyle.GRID);
        plot.addRangeMarker(new ValueMarker(1, ChartStyle.INK, new BasicStroke(2)), Layer.FOREGROUND);
        int row = BAR_HEIGHT * bars.getRowCount() + ROW_GAP;
        return ChartStyle.png(ChartStyle.chart("Confined arenas: how many times as fast as the stock JDK", plot,
                bars.getRowCount() > 1, results.origin()), Math.max(ChartStyle.HEIGHT, FRAME_HEIGHT + row * bars.getColumnCount()));
    }

    /** {@return the speedups; none where either side failed} */
    static CategoryDataset bars(Results results) {
        DefaultCategoryDataset bars = new DefaultCategoryDataset();
        for (Case row : results.rows()) {
            boolean failed = results.contenders().stream().anyMatch(jvm -> results.speedup(row, jvm).isEmpty());
            for (Jvm jvm : results.contenders()) {
                bars.addValue(results.speedup(row, jvm).map(Outcome.Speedup::factor).orElse(null), jvm.name(),
                        row.title() + (failed ? " (failed)" : ""));
            }
        }
        return bars;
    }

    private static CategoryAxis rowAxis() {
        CategoryAxis axis = new CategoryAxis();
        axis.setTickLabelFont(ChartStyle.font(Font.PLAIN, 15));
        axis.setTickLabelPaint(ChartStyle.INK);
        axis.setAxisLineVisible(false);
        axis.setTickMarksVisible(false);
        axis.setLowerMargin(0.005);
        axis.setUpperMargin(0.005);
        axis.setMaximumCategoryLabelLines(1);
        axis.setCategoryLabelPositions(CategoryLabelPositions.replaceLeftPosition(axis.getCategoryLabelPositions(),
                new CategoryLabelPosition(RectangleAnchor.RIGHT, TextBlockAnchor.CENTER_RIGHT, CategoryLabelWidthType.RANGE, 0.35f)));
        return axis;
    }

    private static BarRenderer renderer(Results results) {
        BarRenderer renderer = new BarRenderer();
        renderer.setBase(1);
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        renderer.setItemMargin(0.05);
        renderer.setMaximumBarWidth(0.05);
        for (int i = 0; i < results.contenders().size(); i++) {
            renderer.setSeriesPaint(i, ChartStyle.color(i + 1));
        }
        renderer.setDefaultItemLabelGenerator(new StandardCategoryItemLabelGenerator() {
            @Override
            public String generateLabel(CategoryDataset bars, int row, int column) {
                return Outcome.Speedup.format(bars.getValue(row, column).doubleValue());
            }
        });
        renderer.setDefaultItemLabelsVisible(true);
        renderer.setDefaultItemLabelFont(ChartStyle.font(Font.BOLD, 14));
        renderer.setDefaultItemLabelPaint(ChartStyle.INK);
        renderer.setDefaultPositiveItemLabelPosition(new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
        return renderer;
    }
}
