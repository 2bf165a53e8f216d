/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.StandardChartTheme;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.TickUnit;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.VerticalAlignment;
import pooledarena.io.BadInput;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Stroke;
import java.awt.image.BufferedImage;

import module java.base;

/** How all charts look. */
public final class ChartStyle {

    static final int HEIGHT = 1080;
    static final Stroke THIN = new BasicStroke(1);
    static final Stroke THICK = new BasicStroke(2);
    static final Font FONT = font(Font.PLAIN, 18);

    private static final int WIDTH = 1920;
    private static final Color GRID = new Color(0xdddddd);
    private static final int MOST_TICKS = 8;

    /** Stock's, then those of what is compared with it. */
    private static final List<Color> COLORS = List.of(new Color(0x777777), new Color(0x1f6fb4), new Color(0xf0a030),
            new Color(0x6aa84f), new Color(0x8e63b0), new Color(0xc0392b));

    private ChartStyle() {}

    /** {@return the color of the virtual machine at {@code index} of those of a comparison, stock first} */
    public static Color color(int index) {
        return COLORS.get(index == 0 ? 0 : 1 + (index - 1) % (COLORS.size() - 1));
    }

    /** Throws if text cannot be drawn on this machine, as without fonts. */
    public static void requireFonts() {
        try {
            BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
            image.createGraphics().getFontMetrics(FONT).stringWidth("1x");
        } catch (Exception | LinkageError | InternalError e) {
            throw new BadInput("this machine has no fonts that Java can use, which the charts need; install fontconfig "
                    + "and a font (Debian: fontconfig, fonts-dejavu-core); nothing was measured or written");
        }
    }

    private static Font font(int style, int size) {
        return new Font(Font.SANS_SERIF, style, size);
    }

    /** {@return {@code plot} under a title as PNG} */
    static byte[] png(String title, List<String> origin, Plot plot, boolean withLegend, int height) {
        JFreeChart chart = new JFreeChart(title, null, plot, withLegend);
        theme().apply(chart);
        chart.setPadding(new RectangleInsets(20, 20, 16, 40));
        chart.getTitle().setHorizontalAlignment(HorizontalAlignment.LEFT);
        for (String line : origin.reversed()) {
            chart.addSubtitle(0, new TextTitle(line, font(Font.PLAIN, 15), Color.BLACK, RectangleEdge.TOP,
                    HorizontalAlignment.LEFT, VerticalAlignment.TOP, new RectangleInsets(1, 1, 1, 1)));
        }
        if (withLegend) {
            chart.getLegend().setFrame(BlockBorder.NONE);
            chart.getLegend().setItemLabelPadding(new RectangleInsets(2, 6, 2, 24));
        }
        try {
            ByteArrayOutputStream png = new ByteArrayOutputStream();
            ChartUtils.writeChartAsPNG(png, chart, WIDTH, height);
            return png.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static StandardChartTheme theme() {
        StandardChartTheme theme = new StandardChartTheme("");
        theme.setExtraLargeFont(font(Font.BOLD, 32));
        theme.setLargeFont(FONT);
        theme.setRegularFont(FONT);
        theme.setPlotBackgroundPaint(Color.WHITE);
        theme.setPlotOutlinePaint(Color.WHITE);
        theme.setDomainGridlinePaint(GRID);
        theme.setRangeGridlinePaint(GRID);
        theme.setBarPainter(new StandardBarPainter());
        theme.setShadowVisible(false);
        return theme;
    }

    static NumberAxis linear(String label, String format, double from, double to) {
        NumberAxis axis = new NumberAxis(label);
        axis.setRange(from, to);
        TickUnit unit = NumberAxis.createStandardTickUnits().getCeilingTickUnit((to - from) / MOST_TICKS);
        axis.setTickUnit(new NumberTickUnit(unit.getSize(), number(format)));
        return axis;
    }

    static LogAxis powersOfTwo(String label, String format, double from, double to) {
        LogAxis axis = new LogAxis(label);
        axis.setBase(2);
        axis.setRange(from, to);
        axis.setTickUnit(new NumberTickUnit(1));
        axis.setNumberFormatOverride(number(format));
        axis.setMinorTickMarksVisible(false);
        return axis;
    }

    private static DecimalFormat number(String format) {
        return new DecimalFormat(format, DecimalFormatSymbols.getInstance(Locale.ROOT));
    }
}
