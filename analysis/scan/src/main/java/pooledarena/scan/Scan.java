/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import picocli.CommandLine.*;
import picocli.CommandLine.Model.CommandSpec;
import pooledarena.io.*;
import pooledarena.scan.Inputs.Library;
import pooledarena.model.Costs;
import pooledarena.text.Document;

/** Reads bytecode, runs nothing, and lists where confined arenas are opened and what is allocated from them. */
@Command(name = "scan",
        description = "Reads the bytecode of jar, war, ear and jmod files, directories and modules of the JDK, and runs nothing. "
                + "Lists every call site that opens a confined arena, how it is closed, and what is allocated from it: constants "
                + "and layouts, also through methods of the libraries named. Lists also the sites that avoid confined arenas by "
                + "keeping memory, and what a confined arena would cost there. Symbolic links are followed. Writes scan.md, "
                + "scan.html, scan.json and openings.csv.",
        footer = {"", "Examples:",
                "  java -jar arena-analysis.jar scan app.jar lib",
                "  java -jar arena-analysis.jar scan " + Inputs.ALL_MODULES,
                "", "The columns: structured, closed on every path out of the method; leaks on exc., not on some that an "
                + "exception takes; escapes, not closed there and given away; leaks, neither closed on every path nor given away. "
                + "In openings.csv, most bytes is how large a slot must be for all that one arena allocates, with the gaps that "
                + "alignment leaves between allocations.",
                "", "Exit status: 0 if all was read, 1 if something was not read or written, 2 if nothing was or the input was wrong."})
public final class Scan implements Callable<Integer> {

    @Parameters(paramLabel = "FILE|DIR|MODULE", arity = "1..*",
            description = "what to scan: a jar, war, ear or jmod file and those inside of it; a directory with its class files "
                    + "and archives; a module of the JDK that runs this, or " + Inputs.ALL_MODULES + " for all of them")
    private List<String> words;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "build/${COMMAND-NAME}",
            description = "where the files go (default: ${DEFAULT-VALUE})")
    private Path out;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        WholeFiles.makeDirectory("--out", out);
        List<LibraryScan> scans = new ArrayList<>();
        try (Inputs inputs = new Inputs(); Progress progress = new Progress("looking for class files", this::tell)) {
            words.forEach(inputs::add);
            for (Library library : inputs.libraries) {
                progress.at(library.name() + ", " + (scans.size() + 1) + " of " + inputs.libraries.size());
                scans.add(LibraryScan.of(library, inputs.libraries));
                if (library.fault() == null && library.files().isEmpty()) {
                    tell(library.name() + ": has no classes");
                }
            }
        }
        int status = 0;
        for (LibraryScan scan : scans) {
            int more = scan.faults().size() - 1;
            if (more >= 0) {
                tell(scan.name() + ": " + scan.faults().getFirst() + (more > 0 ? "; and " + more + " more like this" : ""));
                status = Tool.EXIT_FAILED;
            }
        }
        if (scans.stream().allMatch(scan -> scan.classes() == 0)) {
            tell("there was nothing to scan; nothing was written");
            return Tool.EXIT_BAD_INPUT;
        }
        ScanReport report = new ScanReport(scans, Costs.documented());
        report.document().publish(spec.commandLine().getOut(), out, "scan", report.files(), List.of());
        return status;
    }

    private void tell(String line) {
        spec.commandLine().getErr().println("scan: " + Document.printable(line));
    }
}
