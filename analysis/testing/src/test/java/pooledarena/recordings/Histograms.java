/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recordings;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.HistogramWriter;
import pooledarena.histogram.RecordedJvm;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.Tally;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Histograms for tests. */
public final class Histograms {

    public static final Site SITE = new Site("com.example.Library", "call", 12);

    private Histograms() {}

    public static RecordedJvm jvm(int pid) {
        return new RecordedJvm("host", pid, "2026-11-21T08:00:00Z", "2026-11-21T08:00:10Z", true, false, 1, 10_000,
                "VM 25", "/opt/app.jar");
    }

    /** {@return the shape of arenas with one allocation, nested in {@code openBefore} others, of a thread with many} */
    public static Shape shape(Site site, long bytes, int openBefore) {
        return new Shape(site, false, Closing.BY_OPENER, openBefore, bytes == 0 ? 0 : openBefore + 1, bytes == 0 ? 0 : 64, bytes,
                bytes == 0 ? 0 : 1, bytes, bytes, bytes == 0 ? 0 : 1, true);
    }

    /** {@return so many arenas of the shape} */
    public static Tally tally(Shape shape, long arenas) {
        return new Tally(arenas, arenas * shape.bytes(), arenas * shape.allocations());
    }

    /** {@return a histogram of one JVM} */
    public static Histogram of(int pid, Map<Shape, Long> arenas) {
        Map<Shape, Tally> rows = new HashMap<>();
        arenas.forEach((shape, count) -> rows.put(shape, tally(shape, count)));
        return new Histogram(List.of(jvm(pid)), rows, Dropped.NOTHING);
    }

    public static Path write(Histogram histogram, Path file) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.write(file, HistogramWriter.json(histogram));
    }
}
