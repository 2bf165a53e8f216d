/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.report;

import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.CategoryLabelPosition;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.axis.CategoryLabelWidthType;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.text.TextBlockAnchor;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;
import pooledarena.text.ChartStyle;
import pooledarena.text.Figures;
import pooledarena.text.LineChart;

import java.awt.BasicStroke;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;

/**
 * A bar for each part of a whole, with its share above it. A part that is not there has neither.
 *
 * @param title      above the chart
 * @param parts      what the bars are of
 * @param partsLabel what the parts are, beside their axis
 * @param wholeLabel what they are parts of
 * @param sideways   whether the bars grow to the right, beside long names
 */
record BarChart(String title, List<Part> parts, String partsLabel, String wholeLabel, boolean sideways) {

    private static final int FONT_SIZE = 18;
    private static final int LONG_NAME = 90;
    private static final int MOST_TICKS = 10;

    /** More bars than this are too narrow for labels that are not turned. */
    private static final int MOST_UPRIGHT = 30;

    record Part(String name, long amount) {}

    /** Bars may have the same name, of which the end tells the method. */
    private record Name(int index, String text) implements Comparable<Name> {

        @Override
        public int compareTo(Name other) {
            return Integer.compare(index, other.index);
        }

        @Override
        public String toString() {
            return text.length() <= LONG_NAME ? text : "…" + text.substring(text.length() - LONG_NAME + 1);
        }
    }

    /** Ends at 100 %, where there is room for a label beyond. */
    static final class ShareAxis extends NumberAxis {

        private static final long serialVersionUID = 1;

        ShareAxis(String label) {
            super(label);
        }

        @Override
        public List<?> refreshTicks(Graphics2D graphics, AxisState state, Rectangle2D area, RectangleEdge edge) {
            return ((List<?>) super.refreshTicks(graphics, state, area, edge)).stream()
                    .filter(tick -> ((ValueTick) tick).getValue() < 100.001).toList();
        }
    }

    /** {@return the chart of parts of {@code whole}, which they may not be all of} */
    byte[] png(List<String> origin, long whole) throws IOException {
        DefaultCategoryDataset bars = new DefaultCategoryDataset();
        for (Part part : parts) {
            bars.addValue(part.amount == 0 ? null : 100.0 * part.amount / whole, "", new Name(bars.getColumnCount(), part.name));
        }
        CategoryPlot plot = new CategoryPlot(bars, partsAxis(), shareAxis(whole), renderer(whole));
        plot.setOrientation(sideways ? PlotOrientation.HORIZONTAL : PlotOrientation.VERTICAL);
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        plot.setRangeGridlinePaint(ChartStyle.GRID);
        plot.setRangeGridlineStroke(new BasicStroke(1));
        return ChartStyle.png(ChartStyle.chart(title, plot, false, origin), ChartStyle.HEIGHT);
    }

    private boolean isDense() {
        return !sideways && parts.size() > MOST_UPRIGHT;
    }

    private CategoryAxis partsAxis() {
        CategoryAxis axis = new CategoryAxis(partsLabel);
        axis.setTickLabelFont(ChartStyle.font(Font.PLAIN, sideways || isDense() ? 15 : FONT_SIZE));
        axis.setTickLabelPaint(ChartStyle.INK);
        axis.setLabelFont(ChartStyle.font(Font.PLAIN, FONT_SIZE));
        axis.setLabelPaint(ChartStyle.INK);
        axis.setTickMarksVisible(false);
        axis.setLowerMargin(0.01);
        axis.setUpperMargin(0.01);
        axis.setMaximumCategoryLabelLines(1);
        if (sideways) {
            axis.setCategoryLabelPositions(CategoryLabelPositions.replaceLeftPosition(axis.getCategoryLabelPositions(),
                    new CategoryLabelPosition(RectangleAnchor.RIGHT, TextBlockAnchor.CENTER_RIGHT, CategoryLabelWidthType.RANGE, 0.6f)));
        } else if (parts.size() > 12) {
            axis.setCategoryLabelPositions(CategoryLabelPositions.UP_90);
        }
        return axis;
    }

    private NumberAxis shareAxis(long whole) {
        NumberAxis axis = ChartStyle.styled(new ShareAxis(wholeLabel), FONT_SIZE);
        axis.setNumberFormatOverride(new DecimalFormat("0.### '%'", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        double most = parts.stream().mapToLong(Part::amount).max().orElse(0) * 100.0 / whole;
        axis.setTickUnit(new NumberTickUnit(LineChart.roundStep(most / MOST_TICKS)));
        axis.setRange(0, most * (sideways || isDense() ? 1.15 : 1.08)); // room for the label of the largest
        return axis;
    }

    private BarRenderer renderer(long whole) {
        BarRenderer renderer = new BarRenderer();
        renderer.setBarPainter(new StandardBarPainter());
        renderer.setShadowVisible(false);
        renderer.setMaximumBarWidth(0.08);
        renderer.setSeriesPaint(0, ChartStyle.color(1));
        renderer.setDefaultItemLabelGenerator(new StandardCategoryItemLabelGenerator() {
            private static final long serialVersionUID = 1;

            @Override
            public String generateLabel(CategoryDataset data, int row, int column) {
                return Figures.percent(parts.get(column).amount, whole);
            }
        });
        renderer.setDefaultItemLabelsVisible(true);
        renderer.setDefaultItemLabelFont(ChartStyle.font(Font.BOLD, isDense() ? 13 : 15));
        renderer.setDefaultItemLabelPaint(ChartStyle.INK);
        renderer.setDefaultPositiveItemLabelPosition(
                sideways ? new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT)
                : isDense() ? new ItemLabelPosition(ItemLabelAnchor.OUTSIDE12, TextAnchor.CENTER_LEFT, TextAnchor.CENTER_LEFT, -Math.PI / 2)
                : new ItemLabelPosition(ItemLabelAnchor.OUTSIDE12, TextAnchor.BOTTOM_CENTER));
        return renderer;
    }
}
