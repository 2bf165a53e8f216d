/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import org.jfree.chart.annotations.XYBoxAnnotation;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.LookupPaintScale;
import org.jfree.chart.renderer.xy.XYBlockRenderer;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.xy.DefaultXYZDataset;
import pooledarena.histogram.SlotReplay;
import pooledarena.recommend.Replay.Estimate;
import pooledarena.text.ChartStyle;
import pooledarena.text.Figures;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A field for each setting, by {@code value} the darker the more, with a label on it. */
record HeatMap(String title, ToDoubleFunction<Estimate> value, Function<Estimate, String> label) {

    /** Of 255; labels can be read on it. */
    private static final int DARKEST = 160;

    private static final Color RECOMMENDED = new Color(0xd03020);

    /** {@return the chart, where {@code recommended}, unless null, has a red frame and the default a black one} */
    byte[] png(Replay replay, Setting recommended, List<String> origin) throws IOException {
        double[] x = Setting.ALL.stream().mapToDouble(Setting::index).toArray();
        double[] y = Setting.ALL.stream().mapToDouble(setting -> setting.depth() - 1).toArray();
        double[] values = Setting.ALL.stream().mapToDouble(setting -> value.applyAsDouble(replay.of(setting))).toArray();
        DefaultXYZDataset data = new DefaultXYZDataset();
        data.addSeries("", new double[][] {x, y, values});
        XYBlockRenderer renderer = new XYBlockRenderer();
        renderer.setPaintScale(shades(values));
        renderer.setDefaultItemLabelGenerator((_, _, item) -> label.apply(replay.of(Setting.ALL.get(item))));
        renderer.setDefaultItemLabelsVisible(true);
        renderer.setDefaultItemLabelFont(ChartStyle.font(Font.PLAIN, 15));
        renderer.setDefaultItemLabelPaint(ChartStyle.INK);
        renderer.setDefaultPositiveItemLabelPosition(new ItemLabelPosition(ItemLabelAnchor.CENTER, TextAnchor.CENTER));
        XYPlot plot = new XYPlot(data,
                axis("most bytes in a slot", IntStream.range(0, SlotReplay.SIZES).mapToObj(i -> Figures.bytes(SlotReplay.size(i)))),
                axis("depth: slots that a thread keeps", IntStream.rangeClosed(1, PoolConstants.MAX_DEPTH).mapToObj(String::valueOf)),
                renderer);
        plot.setDomainGridlinesVisible(false);
        plot.setRangeGridlinesVisible(false);
        List<String> subtitles = new ArrayList<>(origin);
        subtitles.add("The darker the more. Black frame: the default" + (recommended == null ? "" : "; red frame: recommended"));
        plot.addAnnotation(frame(Setting.DEFAULT, ChartStyle.INK, 0.44));
        if (recommended != null) {
            plot.addAnnotation(frame(recommended, RECOMMENDED, 0.38));
        }
        return ChartStyle.png(ChartStyle.chart(title, plot, false, subtitles), ChartStyle.HEIGHT);
    }

    /** {@return a scale from white to a color} */
    private static LookupPaintScale shades(double[] values) {
        double least = DoubleStream.of(values).min().orElseThrow();
        double most = DoubleStream.of(values).max().orElseThrow();
        Color color = ChartStyle.color(1);
        LookupPaintScale scale = new LookupPaintScale(least, Math.max(most, least + 1e-9), Color.WHITE);
        for (int alpha = 0; alpha < DARKEST; alpha++) {
            scale.add(least + (most - least) * alpha / DARKEST, new Color(color.getRed(), color.getGreen(), color.getBlue(), alpha));
        }
        return scale;
    }

    private static SymbolAxis axis(String label, Stream<String> names) {
        SymbolAxis axis = ChartStyle.styled(new SymbolAxis(label, names.toArray(String[]::new)), 18);
        axis.setGridBandsVisible(false);
        return axis;
    }

    private static XYBoxAnnotation frame(Setting setting, Color color, double halfWidth) {
        double x = setting.index();
        double y = setting.depth() - 1;
        return new XYBoxAnnotation(x - halfWidth, y - halfWidth, x + halfWidth, y + halfWidth, new BasicStroke(5), color);
    }
}
