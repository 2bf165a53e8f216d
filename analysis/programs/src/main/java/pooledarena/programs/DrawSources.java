/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.programs;

import org.freedesktop.cairo.Context;
import org.freedesktop.cairo.FontSlant;
import org.freedesktop.cairo.FontWeight;
import org.freedesktop.cairo.Format;
import org.freedesktop.cairo.ImageSurface;
import org.freedesktop.cairo.LinearGradient;
import org.freedesktop.cairo.TextExtents;

import module java.base;

/**
 * Reports as pictures, drawn with cairo: for each package of {@code java.base} a chart with a bar, a label and a number for
 * each file, as PNG.
 */
final class DrawSources {

    private static final int WIDTH = 900;
    private static final int ROW = 18;
    private static final int LEFT = 320;

    /** @param args the JDK's {@code src.zip}, and the directory for the pictures */
    public static void main(String[] args) throws IOException {
        Map<String, List<SourceFile>> packages = SourceFile.of(args[0]).stream()
                .collect(Collectors.groupingBy(SourceFile::packageName, TreeMap::new, Collectors.toList()));
        for (var each : packages.entrySet()) {
            try (Arena arena = Arena.ofConfined();
                    ImageSurface picture = ImageSurface.create(Format.ARGB32, WIDTH, (each.getValue().size() + 3) * ROW)) {
                draw(Context.create(picture), each.getKey(), each.getValue(), TextExtents.create(arena));
                String name = each.getKey().isEmpty() ? "module" : each.getKey();
                picture.writeToPNG(Path.of(args[1], name + ".png").toString());
            }
        }
        System.out.println(packages.size() + " charts");
    }

    private static void draw(Context context, String title, List<SourceFile> files, TextExtents extents) {
        context.setSourceRGB(1, 1, 1).paint();
        context.selectFontFace("sans-serif", FontSlant.NORMAL, FontWeight.BOLD).setFontSize(ROW * 0.8);
        context.setSourceRGB(0, 0, 0).moveTo(10, ROW).showText(title);
        context.selectFontFace("sans-serif", FontSlant.NORMAL, FontWeight.NORMAL).setFontSize(ROW * 0.65);
        int most = files.stream().mapToInt(file -> file.text().length()).max().orElseThrow();
        double y = 2 * ROW;
        for (SourceFile file : files) {
            String name = file.name().substring(file.name().lastIndexOf('/') + 1);
            context.textExtents(name, extents);
            context.setSourceRGB(0, 0, 0).moveTo(LEFT - 10 - extents.xAdvance(), y + ROW * 0.7).showText(name);
            double length = (WIDTH - LEFT - 80.0) * file.text().length() / most;
            LinearGradient colour = LinearGradient.create(LEFT, y, LEFT + length, y);
            colour.addColorStopRGB(0, 0.2, 0.4, 0.7);
            colour.addColorStopRGB(1, 0.4, 0.7, 0.9);
            context.setSource(colour).rectangle(LEFT, y + 2, length, ROW - 4).fill();
            context.setSourceRGB(0, 0, 0).moveTo(LEFT + length + 6, y + ROW * 0.7)
                    .showText(file.text().length() / 1024 + " KiB");
            y += ROW;
        }
    }
}
