/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import pooledarena.benchmark.Results;
import pooledarena.io.BadInput;
import pooledarena.io.WholeFiles;
import pooledarena.text.ChartStyle;
import pooledarena.text.Document;

import module java.base;

@Command(name = "render",
        description = "Prints the tables of a comparison that was measured before, or in part, and writes report.md, report.html "
                + "and charts.",
        footer = {"", "Example:", "  java -jar arena-analysis.jar render build/compare/compare.json --out build/compare"})
public final class Render implements Callable<Integer> {

    @Parameters(paramLabel = "FILE", description = "a compare.json or compare.partial.json that the compare command wrote")
    private Path file;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "where the files go")
    private Path out;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        ChartStyle.requireFonts();
        byte[] json;
        try {
            json = Files.readAllBytes(file);
        } catch (IOException e) {
            throw new BadInput(file + ": cannot be read; the compare.json that the compare command wrote is accepted; "
                    + "nothing was written");
        }
        Document document = new ComparisonReport(Results.fromJson(json, file.toString())).document();
        Map<String, byte[]> files = document.files("report");
        WholeFiles.write("--out", out, files, ComparisonChart.FILES);
        spec.commandLine().getOut().println(document.toText() + "Wrote " + WholeFiles.list(out, files.keySet()));
        spec.commandLine().getOut().flush();
        return 0;
    }
}
