/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.report;

import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.StandardXYBarPainter;
import org.jfree.chart.renderer.xy.XYBarRenderer;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;
import pooledarena.text.ChartStyle;
import pooledarena.text.Figures;
import pooledarena.text.LineChart;

import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;

import module java.base;

/**
 * A bar for each part of a whole, with its share at its end. A part that is not there has neither.
 *
 * @param partsLabel what the parts are, beside their axis
 * @param wholeLabel what they are parts of
 * @param sideways   whether the bars grow to the right, beside long names
 */
record BarChart(String title, List<Part> parts, String partsLabel, String wholeLabel, boolean sideways) {

    private static final int FONT_SIZE = 15;
    private static final int LONG_NAME = 90;
    private static final int MOST_TICKS = 10;

    /** Fewer bars are no broader than if there were so many. */
    private static final int FEW = 10;

    record Part(String name, long amount) {

        /** {@return the end of the name, which tells the method} */
        private String label() {
            return name.length() <= LONG_NAME ? name : "…" + name.substring(name.length() - LONG_NAME + 1);
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
        XYSeries shares = new XYSeries("");
        for (Part part : parts) {
            shares.add(shares.getItemCount(), part.amount == 0 ? null : 100.0 * part.amount / whole);
        }
        XYSeriesCollection data = new XYSeriesCollection(shares);
        data.setIntervalWidth(0.8);
        XYBarRenderer renderer = new XYBarRenderer();
        renderer.setBarPainter(new StandardXYBarPainter());
        renderer.setShadowVisible(false);
        renderer.setSeriesPaint(0, ChartStyle.color(1));
        renderer.setDefaultItemLabelGenerator((_, _, item) -> Figures.percent(parts.get(item).amount, whole));
        renderer.setDefaultItemLabelsVisible(true);
        renderer.setDefaultItemLabelFont(ChartStyle.font(Font.BOLD, FONT_SIZE - 1));
        renderer.setDefaultItemLabelPaint(ChartStyle.INK);
        renderer.setDefaultPositiveItemLabelPosition(new ItemLabelPosition(sideways ? ItemLabelAnchor.OUTSIDE3
                : ItemLabelAnchor.OUTSIDE12, TextAnchor.CENTER_LEFT, TextAnchor.CENTER_LEFT, sideways ? 0 : -Math.PI / 2));
        XYPlot plot = new XYPlot(data, partsAxis(), shareAxis(whole), renderer);
        plot.setOrientation(sideways ? PlotOrientation.HORIZONTAL : PlotOrientation.VERTICAL);
        plot.setDomainGridlinesVisible(false);
        return ChartStyle.png(ChartStyle.chart(title, plot, false, origin), ChartStyle.HEIGHT);
    }

    private SymbolAxis partsAxis() {
        SymbolAxis axis = ChartStyle.styled(new SymbolAxis(partsLabel, parts.stream().map(Part::label).toArray(String[]::new)),
                FONT_SIZE);
        axis.setRange(-0.6, Math.max(parts.size(), FEW) - 0.4);
        axis.setGridBandsVisible(false);
        axis.setTickMarksVisible(false);
        axis.setInverted(sideways);
        axis.setVerticalTickLabels(!sideways);
        return axis;
    }

    private ShareAxis shareAxis(long whole) {
        ShareAxis axis = ChartStyle.styled(new ShareAxis(wholeLabel), FONT_SIZE);
        axis.setNumberFormatOverride(new DecimalFormat("0.### '%'", DecimalFormatSymbols.getInstance(Locale.ROOT)));
        double most = parts.stream().mapToLong(Part::amount).max().orElse(0) * 100.0 / whole;
        axis.setTickUnit(new NumberTickUnit(LineChart.roundStep(most / MOST_TICKS)));
        axis.setRange(0, most * 1.15); // room for the label of the largest
        return axis;
    }
}
