/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StackedBarRenderer;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;

import java.awt.Color;

import module java.base;

/**
 * A bar of each series, to the right of each name.
 *
 * @param names what the bars are of, no two alike
 */
public record BarChart(String title, List<String> names, String valuesLabel, Scale scale, List<Series> series)
        implements Chart {

    public enum Scale {

        /** Parts of a whole, in percent. */
        SHARES,

        /** From 1 on, logarithmic: twice as much and half as much are the same length. */
        FACTORS,

        /** The series are parts of a bar, all of which are of the same length. */
        STACKED
    }

    /** Bars of one color: a value for each name, null where there is no bar. */
    public record Series(String name, Color color, List<Double> values) {}

    private static final int BAR_HEIGHT = 14;
    private static final int ROW_GAP = 10;

    /** Title, legend and axis. */
    private static final int FRAME_HEIGHT = 220;

    /** Fewer bars are no broader than if there were so many. */
    private static final double FEW = 10;

    @Override
    public byte[] png(List<String> origin) {
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        BarRenderer renderer = scale == Scale.STACKED ? new StackedBarRenderer(true) : new BarRenderer();
        renderer.setAutoPopulateSeriesPaint(false);
        for (int i = 0; i < series.size(); i++) {
            Series bars = series.get(i);
            renderer.setSeriesPaint(i, bars.color);
            for (int at = 0; at < names.size(); at++) {
                data.addValue(bars.values.get(at), bars.name, names.get(at));
            }
        }
        renderer.setBase(scale == Scale.FACTORS ? 1 : 0);
        renderer.setItemMargin(0.05);
        renderer.setMaximumBarWidth(1 / FEW);
        renderer.setDefaultItemLabelsVisible(scale != Scale.STACKED);
        renderer.setDefaultPositiveItemLabelPosition(
                new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
        renderer.setDefaultItemLabelGenerator(new StandardCategoryItemLabelGenerator() {
            @Override
            public String generateLabel(CategoryDataset data, int row, int column) {
                double value = data.getValue(row, column).doubleValue();
                return scale == Scale.SHARES ? Figures.percent(value, 100) : Figures.significant(value) + "x";
            }
        });
        CategoryAxis axis = new CategoryAxis();
        axis.setMaximumCategoryLabelWidthRatio(0.6f);
        CategoryPlot plot = new CategoryPlot(data, axis, values(), renderer);
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        plot.setRangeGridlineStroke(ChartStyle.THIN);
        plot.addRangeMarker(new ValueMarker(renderer.getBase(), Color.DARK_GRAY, ChartStyle.THICK), Layer.FOREGROUND);
        int height = FRAME_HEIGHT + names.size() * (BAR_HEIGHT * series.size() + ROW_GAP);
        return ChartStyle.png(title, origin, plot, series.size() > 1, Math.max(ChartStyle.HEIGHT, height));
    }

    /** {@return the axis of the values, with room for the label of the longest bar} */
    ValueAxis values() {
        DoubleSummaryStatistics of = series.stream().flatMap(bars -> bars.values.stream()).filter(Objects::nonNull)
                .mapToDouble(value -> value).summaryStatistics();
        return switch (scale) {
            case SHARES -> ChartStyle.linear(valuesLabel, "0.### '%'", 0, of.getMax() * 1.15);
            case FACTORS -> ChartStyle.powersOfTwo(valuesLabel, "0.###'x'", Math.min(of.getMin() / 1.36, 0.9),
                    Math.max(2, of.getMax() * 1.36));
            case STACKED -> ChartStyle.linear(valuesLabel, "0 %", 0, 1);
        };
    }
}
