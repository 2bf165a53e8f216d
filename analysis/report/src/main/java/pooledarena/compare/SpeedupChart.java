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

import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.CategoryLabelPosition;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.axis.CategoryLabelWidthType;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.labels.CategoryItemLabelGenerator;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.ValueMarker;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.text.TextBlockAnchor;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.Layer;
import org.jfree.chart.ui.RectangleAnchor;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;
import pooledarena.BadInput;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.text.DecimalFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The chart of a comparison: a bar for each row and contender, growing from 1x, to the right if it is
 * faster than stock and to the left if it is slower, on a logarithmic axis, where twice as fast and
 * half as fast are the same length.
 */
final class SpeedupChart {

    static final int WIDTH = 1920;
    private static final int LEAST_HEIGHT = 1080;

    /** Title, legend and axis. */
    private static final int FRAME_HEIGHT = 220;
    private static final int BAR_HEIGHT = 12;
    private static final int ROW_GAP = 8;

    private static final Color INK = new Color(0x222222);
    private static final Color GRID = new Color(0xdddddd);
    private static final List<Color> COLORS = List.of(
            new Color(0x1f6fb4), new Color(0xf0a030), new Color(0x6aa84f), new Color(0x8e63b0), new Color(0x999999));

    private SpeedupChart() {}

    /** {@return whether there is anything to draw} */
    static boolean hasBars(Comparison comparison) {
        return comparison.contenders().stream().anyMatch(jvm ->
                comparison.rows().stream().anyMatch(result -> result.speedup(jvm).isPresent()));
    }

    /** Throws if text cannot be drawn on this machine, as without fonts. */
    static void requireFonts() {
        try {
            BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
            image.createGraphics().getFontMetrics(font(Font.PLAIN, 14)).stringWidth("1x");
        } catch (Exception | LinkageError | InternalError e) {
            throw new BadInput("this machine has no fonts that Java can use, which the chart needs; install fontconfig "
                    + "and a font (Debian: fontconfig, fonts-dejavu-core); nothing was measured or written");
        }
    }

    static int height(Comparison comparison) {
        int row = BAR_HEIGHT * comparison.contenders().size() + ROW_GAP;
        return Math.max(LEAST_HEIGHT, FRAME_HEIGHT + row * comparison.rows().size());
    }

    /** {@return the chart as PNG} */
    static byte[] png(Comparison comparison) throws IOException {
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        ChartUtils.writeChartAsPNG(png, chart(comparison), WIDTH, height(comparison));
        return png.toByteArray();
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
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        plot.setRangeGridlinePaint(GRID);
        plot.setRangeGridlineStroke(new BasicStroke(1));
        ValueMarker stock = new ValueMarker(1, INK, new BasicStroke(2));
        plot.addRangeMarker(stock, Layer.FOREGROUND);

        JFreeChart chart = new JFreeChart("Confined arenas: how many times as fast as the stock JDK",
                font(Font.BOLD, 28), plot, comparison.contenders().size() > 1);
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(20, 20, 16, 40));
        chart.getTitle().setPaint(INK);
        chart.getTitle().setHorizontalAlignment(HorizontalAlignment.LEFT);
        chart.addSubtitle(0, subtitle(comparison.machine() + "; " + comparison.date()));
        chart.addSubtitle(1, subtitle(comparison.jvms().stream()
                .map(jvm -> jvm.name() + ": " + jvm.build())
                .collect(Collectors.joining("; "))));
        if (chart.getLegend() != null) {
            chart.getLegend().setPosition(RectangleEdge.BOTTOM);
            chart.getLegend().setItemFont(font(Font.PLAIN, 16));
            chart.getLegend().setItemPaint(INK);
            chart.getLegend().setFrame(BlockBorder.NONE);
        }
        return chart;
    }

    private static TextTitle subtitle(String text) {
        TextTitle subtitle = new TextTitle(text, font(Font.PLAIN, 15));
        subtitle.setPaint(INK);
        subtitle.setHorizontalAlignment(HorizontalAlignment.LEFT);
        subtitle.setPadding(2, 0, 2, 0);
        return subtitle;
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
        LogAxis axis = new LogAxis("stock time ÷ time (1x: as fast as stock; logarithmic)");
        axis.setBase(2);
        axis.setTickUnit(new NumberTickUnit(1));
        axis.setNumberFormatOverride(new DecimalFormat("0.###'x'"));
        axis.setMinorTickMarksVisible(false);
        // Room for the labels beyond the longest bars.
        axis.setRange(least < 0.98 ? least / 1.35 : 0.9, Math.max(2, most * 1.35));
        axis.setTickLabelFont(font(Font.PLAIN, 15));
        axis.setTickLabelPaint(INK);
        axis.setLabelFont(font(Font.PLAIN, 15));
        axis.setLabelPaint(INK);
        axis.setAxisLineVisible(false);
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
            renderer.setSeriesPaint(i, COLORS.get(i % COLORS.size()));
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

    private static Font font(int style, int size) {
        return new Font(Font.SANS_SERIF, style, size);
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
