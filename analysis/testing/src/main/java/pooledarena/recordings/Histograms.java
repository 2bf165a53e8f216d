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
package pooledarena.recordings;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.HistogramWriter;
import pooledarena.histogram.Jvm;
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

    public static Jvm jvm(int pid) {
        return new Jvm("host", pid, "2026-11-21T08:00:00Z", "2026-11-21T08:00:10Z", true, false, 1, "VM 25", "/opt/app.jar");
    }

    /** {@return the shape of arenas with one allocation, nested in {@code openBefore} others, with slots that were there} */
    public static Shape shape(Site site, long bytes, int openBefore) {
        return new Shape(site, false, Closing.BY_OPENER, 0, openBefore, bytes == 0 ? 0 : openBefore + 1, bytes, bytes,
                bytes == 0 ? 0 : 1, bytes, bytes, bytes == 0 ? 0 : 1, true);
    }

    /** {@return so many arenas of the shape} */
    public static Tally tally(Shape shape, long arenas) {
        return new Tally(arenas, arenas * shape.bytes(), arenas * shape.allocations(), null);
    }

    /** {@return a histogram of one JVM} */
    public static Histogram of(int pid, Map<Shape, Long> arenas) {
        Map<Shape, Tally> rows = new HashMap<>();
        arenas.forEach((shape, count) -> rows.put(shape, tally(shape, count)));
        return new Histogram(List.of(jvm(pid)), rows, Dropped.NOTHING);
    }

    public static Path write(Histogram histogram, Path file) throws IOException {
        StringBuilder json = new StringBuilder();
        HistogramWriter.write(histogram, json);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, json);
    }
}
