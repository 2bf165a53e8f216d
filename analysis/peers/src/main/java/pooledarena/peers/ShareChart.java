/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.StackedBarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.DefaultCategoryDataset;
import pooledarena.text.ChartStyle;

import java.awt.Font;
import java.io.IOException;
import java.text.DecimalFormat;
import java.util.List;

/** A bar of the same length for each row, divided into the shares of its parts. */
final class ShareChart {

    private ShareChart() {}

    /** {@return the chart as PNG; a part below zero has no share} */
    static byte[] png(String title, List<ArenasPart.Parts> rows, List<String> origin) throws IOException {
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        rows.forEach(row -> {
            data.addValue(row.empty().score(), "the arena alone", row.row());
            data.addValue(Math.max(0, row.clearAndUse()), "clear and use", row.row());
            data.addValue(Math.max(0, row.mallocAndFree()), "malloc and free", row.row());
        });
        StackedBarRenderer renderer = new StackedBarRenderer(true);
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        renderer.setSeriesPaint(0, Column.STOCK);
        renderer.setSeriesPaint(1, Column.SECOND_PEER);
        renderer.setSeriesPaint(2, Column.NO_POOL);
        CategoryAxis names = new CategoryAxis();
        names.setTickLabelFont(ChartStyle.font(Font.PLAIN, 18));
        names.setTickLabelPaint(ChartStyle.INK);
        names.setMaximumCategoryLabelWidthRatio(0.5f);
        names.setCategoryLabelPositions(CategoryLabelPositions.STANDARD);
        NumberAxis shares = ChartStyle.styled(new NumberAxis("share of the time"), 20);
        shares.setRange(0, 1);
        shares.setNumberFormatOverride(new DecimalFormat("0 %"));
        CategoryPlot plot = new CategoryPlot(data, names, shares, renderer);
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        plot.setRangeGridlinePaint(ChartStyle.GRID);
        return ChartStyle.png(ChartStyle.chart(title, plot, true, origin), ChartStyle.HEIGHT);
    }
}
