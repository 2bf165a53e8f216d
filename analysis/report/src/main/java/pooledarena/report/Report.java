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
package pooledarena.report;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import pooledarena.histogram.HistogramWriter;
import pooledarena.io.BadInput;
import pooledarena.io.Tool;
import pooledarena.io.WholeFiles;
import pooledarena.recordings.Recordings;
import pooledarena.text.ChartStyle;
import pooledarena.text.Document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Reports what confined arenas were recorded. */
@Command(name = "report",
        description = "Merges histogram files that the recorder wrote, prints what confined arenas they have, and writes report.md, "
                + "report.html, which needs no other file, and charts.",
        footer = {"", "Examples:",
                "  java -jar arena-analysis.jar report build/record",
                "  java -jar arena-analysis.jar report host1/ host2/ old.json --merge all.json --out build/all",
                "", "Exit status: 0 if all files were read, 1 if some were left out, 2 if nothing was written."})
public final class Report implements Callable<Integer> {

    @Mixin
    private Recordings.Places places;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "build/report",
            description = "where the files go (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--merge", paramLabel = "FILE", description = "also write everything merged into this one histogram file")
    private Path merged;

    @Option(names = "--top", paramLabel = "N", defaultValue = "20",
            description = "how many call sites, and how many programs, to show (default: ${DEFAULT-VALUE})")
    private int top;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        ChartStyle.requireFonts();
        if (top < 1) {
            throw new BadInput("--top " + top + ": a number from 1 on is accepted; nothing was written");
        }
        if (merged != null && Files.isDirectory(merged)) {
            throw new BadInput("--merge " + merged + ": is a directory; a file is accepted, and made if missing; nothing was written");
        }
        Recordings recordings = places.read();
        Document document = new ReportDocument(recordings, top).document();
        Map<String, byte[]> files = document.files("report");
        WholeFiles.write("--out", out, files, ReportDocument.PICTURES);
        if (merged != null) {
            writeMerged(recordings);
        }
        spec.commandLine().getOut().print(document.toText());
        spec.commandLine().getOut().println("Wrote " + WholeFiles.list(out, files.keySet()) + (merged == null ? "" : ", " + merged));
        spec.commandLine().getOut().flush();
        return recordings.faults().isEmpty() ? 0 : Tool.EXIT_FAILED;
    }

    private void writeMerged(Recordings recordings) throws IOException {
        StringBuilder json = new StringBuilder();
        HistogramWriter.write(recordings.histogram(), json);
        Path file = merged.toAbsolutePath();
        Files.createDirectories(file.getParent());
        WholeFiles.writeWhole(file.getParent(), Map.of(file.getFileName().toString(), json.toString().getBytes(UTF_8)));
    }
}
