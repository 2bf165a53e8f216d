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
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
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
import java.text.DecimalFormat;
import java.text.FieldPosition;
import java.text.NumberFormat;
import java.text.ParsePosition;
import java.util.List;
import java.util.function.DoubleFunction;

import static pooledarena.text.ChartStyle.INK;
import static pooledarena.text.ChartStyle.font;

/**
 * A bar for each row and contender, growing from 1x, to the right if it is faster than stock and to the left if it is slower.
 * Bars are as long as the speedup's logarithm, so that twice as fast and half as fast are the same length.
 */
final class SpeedupChart {

    /** Title, legend and axis. */
    private static final int FRAME_HEIGHT = 220;
    private static final int BAR_HEIGHT = 12;
    private static final int ROW_GAP = 8;

    private SpeedupChart() {}

    /** {@return whether there is anything to draw} */
    static boolean hasBars(Results results) {
        return rows(results).stream().anyMatch(row ->
                results.contenders().stream().anyMatch(jvm -> results.speedup(row, jvm).isPresent()));
    }

    /** {@return the chart as PNG} */
    static byte[] png(Results results) throws IOException {
        CategoryPlot plot = new CategoryPlot(bars(results), rowAxis(), null, renderer(results));
        plot.setRangeAxis(factorAxis(DatasetUtils.findRangeBounds(plot.getDataset())));
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        plot.setRangeGridlinePaint(ChartStyle.GRID);
        plot.setRangeGridlineStroke(new BasicStroke(1));
        plot.addRangeMarker(new ValueMarker(0, INK, new BasicStroke(2)), Layer.FOREGROUND);
        int row = BAR_HEIGHT * results.contenders().size() + ROW_GAP;
        return ChartStyle.png(ChartStyle.chart("Confined arenas: how many times as fast as the stock JDK", plot,
                results.contenders().size() > 1, results.origin()),
                Math.max(ChartStyle.HEIGHT, FRAME_HEIGHT + row * rows(results).size()));
    }

    private static List<Case> rows(Results results) {
        return results.rows().stream().filter(row -> row.benchmark() != null).toList();
    }

    /** {@return the binary logarithms of the speedups; none where either side failed} */
    static DefaultCategoryDataset bars(Results results) {
        DefaultCategoryDataset bars = new DefaultCategoryDataset();
        for (Case row : rows(results)) {
            boolean failed = results.contenders().stream().anyMatch(jvm -> results.speedup(row, jvm).isEmpty());
            String name = row.group() + (row.row().isEmpty() ? "" : ", " + row.row()) + (failed ? " (failed)" : "");
            for (Jvm jvm : results.contenders()) {
                bars.addValue(results.speedup(row, jvm).map(speedup -> Math.log(speedup.factor()) / Math.log(2)).orElse(null),
                        jvm.name(), name);
            }
        }
        return bars;
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

    private static NumberAxis factorAxis(Range logarithms) {
        NumberAxis axis = ChartStyle.styled(
                new NumberAxis("stock time ÷ time (1x: as fast as stock; logarithmic)"), 15);
        axis.setTickUnit(new NumberTickUnit(1));
        axis.setNumberFormatOverride(new PowerOfTwo(factor -> new DecimalFormat("0.###'x'").format(factor)));
        // Room for the labels beyond the longest bars.
        axis.setRange(Math.min(logarithms.getLowerBound() - 0.45, -0.15), Math.max(1, logarithms.getUpperBound() + 0.45));
        return axis;
    }

    private static BarRenderer renderer(Results results) {
        BarRenderer renderer = new BarRenderer();
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        renderer.setDrawBarOutline(false);
        renderer.setItemMargin(0.05);
        renderer.setMaximumBarWidth(0.05);
        for (int i = 0; i < results.contenders().size(); i++) {
            renderer.setSeriesPaint(i, ChartStyle.color(i + 1));
        }
        renderer.setDefaultItemLabelGenerator(
                new StandardCategoryItemLabelGenerator("{2}", new PowerOfTwo(Outcome.Speedup::format)));
        renderer.setDefaultItemLabelsVisible(true);
        renderer.setDefaultItemLabelFont(font(Font.BOLD, 14));
        renderer.setDefaultItemLabelPaint(INK);
        renderer.setDefaultPositiveItemLabelPosition(
                new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
        renderer.setDefaultNegativeItemLabelPosition(
                new ItemLabelPosition(ItemLabelAnchor.OUTSIDE9, TextAnchor.CENTER_RIGHT));
        return renderer;
    }

    /** Writes a binary logarithm as what it is the logarithm of. */
    private static final class PowerOfTwo extends NumberFormat {

        private static final long serialVersionUID = 1;

        private final transient DoubleFunction<String> text;

        PowerOfTwo(DoubleFunction<String> text) {
            this.text = text;
        }

        @Override
        public StringBuffer format(double logarithm, StringBuffer to, FieldPosition position) {
            return to.append(text.apply(Math.pow(2, logarithm)));
        }

        @Override
        public StringBuffer format(long logarithm, StringBuffer to, FieldPosition position) {
            return format((double) logarithm, to, position);
        }

        @Override
        public Number parse(String text, ParsePosition position) {
            throw new UnsupportedOperationException();
        }
    }
}
