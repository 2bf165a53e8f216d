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

import pooledarena.benchmark.Comparison;
import pooledarena.io.WholeFiles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The files of a comparison. Each is whole or not there: all are written aside before any takes its place. */
public final class Output {

    static final String REPORT = "report.md";
    static final String JSON = "compare.json";

    /** What was measured so far of a comparison that is under way or was interrupted; the other files are of one before. */
    static final String PARTIAL = "compare.partial.json";

    private Output() {}

    /** Writes report and charts, and with {@code withJson} the figures, of {@code comparison} to {@code directory}. */
    static void write(Comparison comparison, Path directory, boolean withJson) throws IOException {
        List<Chart> charts = Chart.of(comparison);
        Map<String, byte[]> files = new LinkedHashMap<>();
        if (withJson) {
            files.put(JSON, comparison.toJson());
        }
        for (Chart chart : charts) {
            files.put(chart.file, chart.png(comparison));
        }
        files.put(REPORT, Report.markdown(comparison, charts).getBytes(UTF_8));
        WholeFiles.writeWhole(directory, files);
        for (Chart chart : Chart.values()) {
            if (!charts.contains(chart)) {
                // A chart of an earlier comparison would pass for this one's.
                Files.deleteIfExists(directory.resolve(chart.file));
            }
        }
        if (withJson) {
            Files.deleteIfExists(directory.resolve(PARTIAL));
        }
    }

    /** Writes the figures of {@code comparison}, which is not finished, to {@code directory}. */
    static void writePartial(Comparison comparison, Path directory) throws IOException {
        WholeFiles.writeWhole(directory, Map.of(PARTIAL, comparison.toJson()));
    }
}
