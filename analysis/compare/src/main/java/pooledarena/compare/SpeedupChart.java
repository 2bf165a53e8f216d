/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.Range;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.general.DatasetUtils;
import pooledarena.benchmark.Case;
import pooledarena.benchmark.HorizontalBars;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.text.ChartStyle;

import java.awt.Font;
import module java.base;

/**
 * A bar for each row and contender, from 1x to the right if it is faster than stock and to the left if it is slower. The axis is
 * logarithmic, so that twice as fast and half as fast are the same length.
 */
final class SpeedupChart {

    /** Of the longest bar, for the label beside it. */
    private static final double ROOM = 1.36;

    private SpeedupChart() {}

    static boolean hasBars(Results results) {
        return DatasetUtils.findRangeBounds(bars(results)) != null;
    }

    static byte[] png(Results results) throws IOException {
        CategoryDataset bars = bars(results);
        Range range = DatasetUtils.findRangeBounds(bars);
        LogAxis factors = ChartStyle.powersOfTwo("stock time ÷ time (1x: as fast as stock; logarithmic)", "0.###'x'", 15);
        factors.setRange(Math.min(range.getLowerBound() / ROOM, 0.9), Math.max(2, range.getUpperBound() * ROOM));
        BarRenderer renderer = new BarRenderer();
        renderer.setBase(1);
        renderer.setDefaultItemLabelGenerator(new StandardCategoryItemLabelGenerator() {
            @Override
            public String generateLabel(CategoryDataset data, int contender, int row) {
                return Outcome.Speedup.format(data.getValue(contender, row).doubleValue());
            }
        });
        renderer.setDefaultItemLabelsVisible(true);
        renderer.setDefaultItemLabelFont(ChartStyle.font(Font.BOLD, 14));
        renderer.setDefaultPositiveItemLabelPosition(new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
        return HorizontalBars.png("Confined arenas: how many times as fast as the stock JDK", bars, renderer, factors,
                IntStream.rangeClosed(1, bars.getRowCount()).mapToObj(ChartStyle::color).toList(), results.origin());
    }

    /** {@return the speedups; none where either side failed} */
    static CategoryDataset bars(Results results) {
        DefaultCategoryDataset bars = new DefaultCategoryDataset();
        for (Case row : results.rows()) {
            boolean failed = results.contenders().stream().anyMatch(jvm -> results.speedup(row, jvm).isEmpty());
            for (JavaCommand jvm : results.contenders()) {
                bars.addValue(results.speedup(row, jvm).map(Outcome.Speedup::factor).orElse(null), jvm.name(),
                        row.title() + (failed ? " (failed)" : ""));
            }
        }
        return bars;
    }
}
