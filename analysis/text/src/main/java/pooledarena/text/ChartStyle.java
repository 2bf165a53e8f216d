/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleInsets;
import pooledarena.io.BadInput;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.image.BufferedImage;

import module java.base;

public final class ChartStyle {

    public static final int WIDTH = 1920;
    public static final int HEIGHT = 1080;

    public static final Color INK = new Color(0x222222);
    public static final Color GRID = new Color(0xdddddd);

    /** Stock's, then those of what is compared with it. */
    private static final List<Color> COLORS = List.of(new Color(0x777777), new Color(0x1f6fb4), new Color(0xf0a030),
            new Color(0x6aa84f), new Color(0x8e63b0), new Color(0x999999));

    private ChartStyle() {}

    /** {@return the color of the virtual machine at {@code index} of those of a comparison, stock first} */
    public static Color color(int index) {
        return COLORS.get(index == 0 ? 0 : 1 + (index - 1) % (COLORS.size() - 1));
    }

    public static Font font(int style, int size) {
        return new Font(Font.SANS_SERIF, style, size);
    }

    /** Throws if text cannot be drawn on this machine, as without fonts. */
    public static void requireFonts() {
        try {
            BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
            image.createGraphics().getFontMetrics(font(Font.PLAIN, 14)).stringWidth("1x");
        } catch (Exception | LinkageError | InternalError e) {
            throw new BadInput("this machine has no fonts that Java can use, which the charts need; install fontconfig "
                    + "and a font (Debian: fontconfig, fonts-dejavu-core); nothing was measured or written");
        }
    }

    /** {@return {@code plot} under {@code title} and the lines {@code origin}, which say where its figures are from} */
    public static JFreeChart chart(String title, Plot plot, boolean withLegend, List<String> origin) {
        JFreeChart chart = new JFreeChart(null, null, plot, withLegend);
        plot.setBackgroundPaint(Color.WHITE);
        plot.setOutlineVisible(false);
        if (plot instanceof XYPlot xy) {
            xy.setDomainGridlinePaint(GRID);
            xy.setDomainGridlineStroke(new BasicStroke(1));
            xy.setRangeGridlinePaint(GRID);
            xy.setRangeGridlineStroke(new BasicStroke(1));
        }
        chart.setBackgroundPaint(Color.WHITE);
        chart.setPadding(new RectangleInsets(20, 20, 16, 40));
        chart.setTitle(title(title, Font.BOLD, 32));
        for (int i = 0; i < origin.size(); i++) {
            chart.addSubtitle(i, title(origin.get(i), Font.PLAIN, 15));
        }
        if (withLegend) {
            chart.getLegend().setItemFont(font(Font.PLAIN, 20));
            chart.getLegend().setItemPaint(INK);
            chart.getLegend().setFrame(BlockBorder.NONE);
            chart.getLegend().setItemLabelPadding(new RectangleInsets(2, 6, 2, 24));
        }
        return chart;
    }

    private static TextTitle title(String text, int style, int size) {
        TextTitle title = new TextTitle(text, font(style, size));
        title.setPaint(INK);
        title.setHorizontalAlignment(HorizontalAlignment.LEFT);
        title.setPadding(2, 0, 2, 0);
        return title;
    }

    public static <A extends ValueAxis> A styled(A axis, int fontSize) {
        axis.setTickLabelFont(font(Font.PLAIN, fontSize));
        axis.setTickLabelPaint(INK);
        axis.setLabelFont(font(Font.PLAIN, fontSize));
        axis.setLabelPaint(INK);
        axis.setAxisLineVisible(false);
        return axis;
    }

    public static LogAxis powersOfTwo(String label, String format, int fontSize) {
        LogAxis axis = styled(new LogAxis(label), fontSize);
        axis.setBase(2);
        axis.setTickUnit(new NumberTickUnit(1));
        axis.setNumberFormatOverride(new DecimalFormat(format));
        axis.setMinorTickMarksVisible(false);
        return axis;
    }

    public static byte[] png(JFreeChart chart, int height) throws IOException {
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        ChartUtils.writeChartAsPNG(png, chart, WIDTH, height);
        return png.toByteArray();
    }
}
