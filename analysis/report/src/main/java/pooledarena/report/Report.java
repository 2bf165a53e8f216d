/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
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

import module java.base;

import static java.nio.charset.StandardCharsets.UTF_8;

@Command(name = "report",
        description = "Merges histogram files that the recorder wrote, prints what confined arenas they have, and "
                + "writes report.md, report.html, which needs no other file, and charts.",
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

    @Option(names = "--merge", paramLabel = "FILE",
            description = "also write everything merged into this one histogram file")
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
            throw new BadInput("--merge " + merged
                    + ": is a directory; a file is accepted, and made if missing; nothing was written");
        }
        Recordings recordings = places.read();
        Document document = new ReportDocument(recordings, top).document();
        document.publish(spec.commandLine().getOut(), out, document.files("report"), ReportDocument.PICTURES);
        if (merged != null) {
            StringBuilder json = new StringBuilder();
            HistogramWriter.write(recordings.histogram(), json);
            Path file = merged.toAbsolutePath();
            Files.createDirectories(file.getParent());
            WholeFiles.writeWhole(file.getParent(),
                    Map.of(file.getFileName().toString(), json.toString().getBytes(UTF_8)));
            spec.commandLine().getOut().println("Wrote " + merged);
        }
        return recordings.faults().isEmpty() ? 0 : Tool.EXIT_FAILED;
    }
}
