/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.jfree.chart.*;
import org.jfree.chart.axis.*;
import org.jfree.chart.labels.*;
import org.jfree.chart.plot.*;
import org.jfree.chart.renderer.category.*;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.*;
import org.jfree.data.RangeType;
import org.jfree.data.category.*;
import org.jfree.data.xy.*;
import pooledarena.io.BadInput;

import module java.base;
import module java.desktop;
import java.util.List;

/** Figures as a picture. */
public record Chart(String title, Plot plot, int height) {

    private static final int WIDTH = 1920;
    private static final int HEIGHT = 1080;

    /** Of bars: each with its label, what is between those of two names, and title, legend and axis. */
    private static final int BAR_HEIGHT = 24;
    private static final int ROW_GAP = 10;
    private static final int FRAME_HEIGHT = 220;

    /** Fewer bars are no broader than if there were so many. */
    private static final double FEW = 10;

    /** Stock's, then those of what is compared with it. */
    private static final List<Color> COLORS = Stream.of(0x777777, 0x1f6fb4, 0xf0a030, 0x6aa84f, 0x8e63b0, 0xc0392b)
            .map(Color::new).toList();

    /** An axis from 0 on, or from below if there are such values, or one whose ticks are the powers of two. */
    public record Axis(String label, boolean logarithmic) {}

    public record Point(double x, double y) {}

    /**
     * {@return bars to the right of each name: shares in percent, or factors if the axis is logarithmic}
     * A factor's bar begins at 1, so twice as much and half as much are the same length.
     *
     * @param series a value for each of {@code names}, no two of which are alike, null where there is no bar
     */
    public static Chart bars(String title, List<String> names, Axis axis, Map<String, List<Double>> series) {
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        BarRenderer renderer = new BarRenderer();
        series.forEach((name, values) -> {
            for (int i = 0; i < names.size(); i++) {
                data.addValue(values.get(i), name, names.get(i));
            }
            renderer.setSeriesPaint(data.getRowIndex(name), color(1 + data.getRowIndex(name)));
        });
        renderer.setAutoPopulateSeriesPaint(false); // a theme would take the color away
        renderer.setBase(axis.logarithmic ? 1 : 0);
        renderer.setItemMargin(0.05); // less than between rows
        renderer.setMaximumBarWidth(1 / FEW);
        renderer.setDefaultItemLabelsVisible(true);
        renderer.setDefaultPositiveItemLabelPosition(new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT));
        renderer.setDefaultItemLabelGenerator(new StandardCategoryItemLabelGenerator() {
            @Override
            public String generateLabel(CategoryDataset data, int row, int column) {
                double value = data.getValue(row, column).doubleValue();
                return axis.logarithmic ? Figures.significant(value) + "x" : Figures.percent(value, 100);
            }
        });
        ValueAxis values = axis(axis);
        values.setUpperMargin(0.1); // for the label of the longest bar
        if (values instanceof NumberAxis shares) {
            shares.setRange(0, 109);
            shares.setTickUnit(new NumberTickUnit(10));
        }
        CategoryAxis rows = new CategoryAxis();
        rows.setMaximumCategoryLabelWidthRatio(0.6f);
        rows.setLowerMargin(1 / FEW / names.size());
        rows.setUpperMargin(1 / FEW / names.size());
        CategoryPlot plot = new CategoryPlot(data, rows, values, renderer);
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        int height = FRAME_HEIGHT + names.size() * (BAR_HEIGHT * series.size() + ROW_GAP);
        return new Chart(title, plot, Math.max(HEIGHT, height));
    }

    /**
     * {@return a line through the points of each series}
     * A variant, whose name differs in what follows the last comma, has the color of the one before it, dashed.
     */
    public static Chart lines(String title, Axis x, Axis y, Map<String, List<Point>> series) {
        XYSeriesCollection data = new XYSeriesCollection();
        XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
        renderer.setAutoPopulateSeriesPaint(false); // a theme would take color and dashes away
        renderer.setAutoPopulateSeriesStroke(false);
        renderer.setLegendLine(new Line2D.Double(-30, 0, 30, 0)); // long enough to see that a line is dashed
        Set<String> colors = new LinkedHashSet<>();
        series.forEach((name, points) -> {
            String plain = name.replaceFirst(", [^,]*$", "");
            float[] dashes = colors.add(plain) ? null : new float[] {14, 8};
            renderer.setSeriesPaint(data.getSeriesCount(), color(List.copyOf(colors).indexOf(plain)));
            renderer.setSeriesStroke(data.getSeriesCount(),
                    new BasicStroke(4, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, dashes, 0));
            XYSeries line = new XYSeries(name);
            points.forEach(point -> line.add(point.x, point.y));
            data.addSeries(line);
        });
        ValueAxis values = axis(y);
        if (values instanceof NumberAxis linear && data.getRangeLowerBound(false) < 0) {
            linear.setRangeType(RangeType.FULL);
        }
        return new Chart(title, new XYPlot(data, axis(x), values, renderer), HEIGHT);
    }

    private static Color color(int index) {
        return COLORS.get(index % COLORS.size());
    }

    private static ValueAxis axis(Axis axis) {
        if (axis.logarithmic) {
            LogAxis logarithmic = new LogAxis(axis.label);
            logarithmic.setBase(2);
            logarithmic.setTickUnit(new NumberTickUnit(1));
            logarithmic.setNumberFormatOverride(NumberFormat.getInstance(Locale.ROOT));
            return logarithmic;
        }
        NumberAxis linear = new NumberAxis(axis.label);
        linear.setStandardTickUnits(NumberAxis.createStandardTickUnits(Locale.ROOT));
        linear.setRangeType(RangeType.POSITIVE);
        linear.setAutoRangeMinimumSize(1);
        linear.setUpperMargin(0.01); // no tick above 100 %
        return linear;
    }

    /** {@return the chart as PNG; the lines {@code origin} under its title say where the figures are from} */
    byte[] png(List<String> origin) {
        StandardChartTheme theme = new StandardChartTheme("");
        theme.setExtraLargeFont(new Font(Font.SANS_SERIF, Font.BOLD, 32));
        theme.setLargeFont(font());
        theme.setRegularFont(font());
        theme.setPlotBackgroundPaint(Color.WHITE);
        theme.setDomainGridlinePaint(Color.LIGHT_GRAY);
        theme.setRangeGridlinePaint(Color.LIGHT_GRAY);
        theme.setBarPainter(new StandardBarPainter());
        theme.setShadowVisible(false);
        JFreeChart chart = new JFreeChart(title, plot);
        chart.addSubtitle(0, new TextTitle(String.join("\n", origin)));
        chart.setPadding(new RectangleInsets(20, 20, 16, 40));
        theme.apply(chart);
        try {
            return ChartUtils.encodeAsPNG(chart.createBufferedImage(WIDTH, height));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Font font() {
        return new Font(Font.SANS_SERIF, Font.PLAIN, 18);
    }

    /** Throws if text cannot be drawn on this machine, as without fonts. */
    public static void requireFonts() {
        try {
            BufferedImage image = new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB);
            image.createGraphics().getFontMetrics(font()).stringWidth("1x");
        } catch (Exception | LinkageError | InternalError e) {
            throw new BadInput("this machine has no fonts that Java can use, which the charts need; install fontconfig "
                    + "and a font (Debian: fontconfig, fonts-dejavu-core); nothing was measured or written");
        }
    }
}
