/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import org.jfree.chart.annotations.XYBoxAnnotation;
import org.jfree.chart.annotations.XYTextAnnotation;
import org.jfree.chart.axis.SymbolAxis;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.LookupPaintScale;
import org.jfree.chart.renderer.PaintScale;
import org.jfree.chart.renderer.xy.XYBlockRenderer;
import org.jfree.data.xy.DefaultXYZDataset;
import pooledarena.histogram.SlotReplay;
import pooledarena.text.ChartStyle;
import pooledarena.text.Figures;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Paint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A field for each setting, the darker the more.
 *
 * @param title above the chart
 * @param value what it is dark by
 * @param label what is written on it
 */
record HeatMap(String title, ToDoubleFunction<Setting> value, Function<Setting, String> label) {

    private static final Color DARK = ChartStyle.color(1);
    private static final Color RECOMMENDED = new Color(0xd03020);
    private static final float FRAME = 5;
    private static final int FONT_SIZE = 18;

    /** {@return the chart, where {@code recommended}, unless null, has a red frame and the default a black one} */
    byte[] png(Setting recommended, List<String> origin) throws IOException {
        List<Setting> all = Recommendation.all();
        double least = all.stream().mapToDouble(value).min().orElseThrow();
        double most = all.stream().mapToDouble(value).max().orElseThrow();
        ToDoubleFunction<Setting> shade = s -> most == least ? 0.5 : (value.applyAsDouble(s) - least) / (most - least);
        double[][] fields = new double[3][all.size()];
        for (int i = 0; i < all.size(); i++) {
            fields[0][i] = all.get(i).index();
            fields[1][i] = all.get(i).depth() - 1;
            fields[2][i] = shade.applyAsDouble(all.get(i));
        }
        DefaultXYZDataset data = new DefaultXYZDataset();
        data.addSeries("", fields);
        XYBlockRenderer renderer = new XYBlockRenderer();
        renderer.setPaintScale(shades());
        XYPlot plot = new XYPlot(data,
                axis("most bytes in a slot", IntStream.range(0, SlotReplay.SIZES).mapToObj(i -> Figures.bytes(SlotReplay.size(i)))),
                axis("depth: slots that a thread keeps", IntStream.rangeClosed(1, Setting.DEEPEST).mapToObj(Integer::toString)), renderer);
        plot.setDomainGridlinesVisible(false);
        plot.setRangeGridlinesVisible(false);
        for (Setting setting : all) {
            XYTextAnnotation text = new XYTextAnnotation(label.apply(setting), setting.index(), setting.depth() - 1);
            text.setFont(ChartStyle.font(Font.PLAIN, 15));
            text.setPaint(shade.applyAsDouble(setting) > 0.6 ? Color.WHITE : ChartStyle.INK);
            plot.addAnnotation(text);
        }
        frame(plot, Setting.DEFAULT, ChartStyle.INK, 0.44);
        if (recommended != null) {
            frame(plot, recommended, RECOMMENDED, 0.38);
        }
        List<String> subtitles = new ArrayList<>(origin);
        subtitles.add("The darker the more. Black frame: the default" + (recommended == null ? "" : "; red frame: recommended"));
        return ChartStyle.png(ChartStyle.chart(title, plot, false, subtitles), ChartStyle.HEIGHT);
    }

    private static SymbolAxis axis(String label, Stream<String> names) {
        SymbolAxis axis = ChartStyle.styled(new SymbolAxis(label, names.toArray(String[]::new)), FONT_SIZE);
        axis.setGridBandsVisible(false);
        return axis;
    }

    private static void frame(XYPlot plot, Setting setting, Paint paint, double halfWidth) {
        double x = setting.index();
        double y = setting.depth() - 1;
        plot.addAnnotation(new XYBoxAnnotation(x - halfWidth, y - halfWidth, x + halfWidth, y + halfWidth,
                new BasicStroke(FRAME), paint));
    }

    /** From white to dark. */
    private static PaintScale shades() {
        LookupPaintScale scale = new LookupPaintScale(0, 1, Color.WHITE);
        for (int i = 0; i < 256; i++) {
            double share = i / 255.0;
            scale.add(share, new Color(between(share, DARK.getRed()), between(share, DARK.getGreen()), between(share, DARK.getBlue())));
        }
        return scale;
    }

    private static int between(double share, int dark) {
        return (int) Math.round(255 + share * (dark - 255));
    }
}
