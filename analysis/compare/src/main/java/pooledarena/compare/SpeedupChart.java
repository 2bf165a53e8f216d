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
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.CategoryLabelPosition;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.axis.CategoryLabelWidthType;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.labels.CategoryItemLabelGenerator;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.text.TextBlockAnchor;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;
import pooledarena.benchmark.Comparison;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Speedup;
import pooledarena.text.ChartStyle;

import java.awt.BasicStroke;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.io.IOException;

import static pooledarena.text.ChartStyle.GRID;
import static pooledarena.text.ChartStyle.INK;
import static pooledarena.text.ChartStyle.font;

/**
 * The chart of a comparison: a bar for each row and contender, growing from 1x, to the right if it is
 * faster than stock and to the left if it is slower, on a logarithmic axis, where twice as fast and
 * half as fast are the same length.
 */
final class SpeedupChart {

    /** Title, legend and axis. */
    private static final int FRAME_HEIGHT = 220;
    private static final int BAR_HEIGHT = 12;
    private static final int ROW_GAP = 8;

    private SpeedupChart() {}

    /** {@return whether there is anything to draw} */
    static boolean hasBars(Comparison comparison) {
        return comparison.contenders().stream().anyMatch(jvm ->
                comparison.rows().stream().anyMatch(result -> result.speedup(jvm).isPresent()));
    }

    static int height(Comparison comparison) {
        int row = BAR_HEIGHT * comparison.contenders().size() + ROW_GAP;
        return Math.max(ChartStyle.HEIGHT, FRAME_HEIGHT + row * comparison.rows().size());
    }

    /** {@return the chart as PNG} */
    static byte[] png(Comparison comparison) throws IOException {
        return ChartStyle.png(chart(comparison), height(comparison));
    }

    private static JFreeChart chart(Comparison comparison) {
        DefaultCategoryDataset bars = new DefaultCategoryDataset();
        double least = 1;
        double most = 1;
        for (Comparison.Result result : comparison.rows()) {
            for (Jvm jvm : comparison.contenders()) {
                Double factor = result.speedup(jvm).map(Speedup::factor).orElse(null);
                bars.addValue(factor, jvm.name(), result.row().label() + (result.hasFailure() ? " (failed)" : ""));
                if (factor != null) {
                    least = Math.min(least, factor);
                    most = Math.max(most, factor);
                }
            }
        }
        CategoryPlot plot = new CategoryPlot(bars, rowAxis(), factorAxis(least, most), renderer(comparison));
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        plot.setRangeGridlinePaint(GRID);
        plot.setRangeGridlineStroke(new BasicStroke(1));
        plot.addRangeMarker(new ValueMarker(1, INK, new BasicStroke(2)), Layer.FOREGROUND);
        return ChartStyle.chart("Confined arenas: how many times as fast as the stock JDK", plot,
                comparison.contenders().size() > 1, comparison.origin());
    }

    private static CategoryAxis rowAxis() {
        CategoryAxis axis = new CategoryAxis();
        axis.setTickLabelFont(font(Font.PLAIN, 15));
        axis.setTickLabelPaint(INK);
        axis.setAxisLineVisible(false);
        axis.setTickMarksVisible(false);
        axis.setLowerMargin(0.005);
        axis.setUpperMargin(0.005);
        axis.setCategoryMargin(0.25);
        axis.setMaximumCategoryLabelLines(1);
        axis.setCategoryLabelPositions(CategoryLabelPositions.replaceLeftPosition(
                axis.getCategoryLabelPositions(),
                new CategoryLabelPosition(RectangleAnchor.RIGHT, TextBlockAnchor.CENTER_RIGHT,
                        CategoryLabelWidthType.RANGE, 0.35f)));
        return axis;
    }

    private static LogAxis factorAxis(double least, double most) {
        LogAxis axis = ChartStyle.powersOfTwo("stock time ÷ time (1x: as fast as stock; logarithmic)", "0.###'x'", 15);
        // Room for the labels beyond the longest bars.
        axis.setRange(least < 0.98 ? least / 1.35 : 0.9, Math.max(2, most * 1.35));
        return axis;
    }

    private static BarRenderer renderer(Comparison comparison) {
        BarRenderer renderer = new SpeedupRenderer();
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        renderer.setDrawBarOutline(false);
        renderer.setBase(1);
        renderer.setItemMargin(0.05);
        renderer.setMaximumBarWidth(0.05);
        for (int i = 0; i < comparison.contenders().size(); i++) {
            renderer.setSeriesPaint(i, ChartStyle.color(i + 1));
        }
        renderer.setDefaultItemLabelGenerator(
                new SpeedupLabels());
        renderer.setDefaultItemLabelsVisible(true);
        renderer.setDefaultItemLabelFont(font(Font.BOLD, 14));
        renderer.setDefaultItemLabelPaint(INK);
        renderer.setDefaultPositiveItemLabelPosition(
                new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
        renderer.setDefaultNegativeItemLabelPosition(
                new ItemLabelPosition(ItemLabelAnchor.OUTSIDE9, TextAnchor.CENTER_RIGHT));
        return renderer;
    }

    /** Puts the label of a bar that grows to the left on its left. */
    private static final class SpeedupRenderer extends BarRenderer {

        private static final long serialVersionUID = 1;

        @Override
        protected void drawItemLabel(Graphics2D graphics, CategoryDataset data, int row, int column, CategoryPlot plot,
                                     CategoryItemLabelGenerator generator, Rectangle2D bar, boolean negative) {
            boolean leftwards = data.getValue(row, column).doubleValue() < getBase();
            super.drawItemLabel(graphics, data, row, column, plot, generator, bar, leftwards);
        }
    }

    private static final class SpeedupLabels implements CategoryItemLabelGenerator {

        @Override
        public String generateLabel(CategoryDataset data, int row, int column) {
            return Speedup.format(data.getValue(row, column).doubleValue());
        }

        @Override
        public String generateRowLabel(CategoryDataset data, int row) {
            return data.getRowKey(row).toString();
        }

        @Override
        public String generateColumnLabel(CategoryDataset data, int column) {
            return data.getColumnKey(column).toString();
        }
    }
}
