/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import picocli.CommandLine.*;
import picocli.CommandLine.Model.CommandSpec;
import pooledarena.compare.Results.Effort;
import pooledarena.io.*;
import pooledarena.text.Chart;

import module java.base;

@Command(name = "compare",
        description = "Runs benchmarks on the class path on a stock JDK and on one with the pooled confined arena, "
                + "prints one table, and writes report.md, report.html, charts, figures.csv, figures.json, the JSON of JMH "
                + "for each JDK and jmh.log.",
        footer = {"", "Example:",
                "  java --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED \\",
                "      -cp build/arena-analysis.jar:build/micro.jar \\",
                "      pooledarena.Main compare --stock /usr/lib/jvm/jdk-25 --patched build/image \\",
                "      --peer 'tuned=build/image/bin/java -Djdk.foreign.confinedPool.depth=4'",
                "", "Exit status: 0 if all was measured, 1 if a row failed or something could not be written, 2 if the input was wrong."})
public final class Compare implements Callable<Integer> {

    @Option(names = "--stock", required = true, paramLabel = "HOME", description = "home of the JDK to compare with")
    private Path stock;

    @Option(names = "--patched", required = true, paramLabel = "HOME", description = "home of the JDK with the pool")
    private Path patched;

    @Option(names = "--peer", paramLabel = "JAVA",
            description = "the java of a further JDK to measure beside the two, or its home; "
                    + "NAME= before it names its columns, options after it are for this java; may be repeated")
    private List<String> peers = List.of();

    @Option(names = "--suite", paramLabel = "NAME", defaultValue = "confined",
            description = "which benchmarks: confined, or those of build/peers/peers.jar beside RocksDB, Netty, Okio or other "
                    + "arenas: rocksdb, netty, okio, arenas (default: ${DEFAULT-VALUE})")
    private String suite;

    @Option(names = "--full", description = "more rows, start-up and memory too, and enough forks to quote the figures")
    private boolean full;

    @Option(names = "--all", description = "every row of every benchmark")
    private boolean all;

    @Option(names = "--include", paramLabel = "REGEX", defaultValue = "",
            description = "only rows that have a match of REGEX in their title or in the benchmark's name")
    private Pattern include;

    @Option(names = "--forks", paramLabel = "N",
            description = "fresh processes for each figure (default: 1, with --full 5)")
    private Integer forks;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "build/${COMMAND-NAME}",
            description = "where the files go (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--command", paramLabel = "TEXT",
            description = "what the report names as the command to repeat (default: this one)")
    private String command;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Chart.requireFonts();
        PrintWriter terminal = spec.commandLine().getOut();
        List<JavaCommand> jvms = jvms();
        Effort effort = effort();
        BenchmarkSelection selection = new BenchmarkSelection(suite);
        List<Case> rows = rows(selection);
        List<Case> cases = rows.stream().filter(row -> row.matches(include)).flatMap(row -> jvms.stream().map(row::on)).toList();
        if (cases.isEmpty()) {
            throw new BadInput("--include " + include + ": matches nothing; titles such as \"" + rows.getFirst().title()
                    + "\" and names such as " + rows.getFirst().method() + " are matched; nothing was measured");
        }
        WholeFiles.makeDirectory("--out", out);
        try (PrintStream log = new PrintStream(out.resolve("jmh.log").toFile(), StandardCharsets.UTF_8)) {
            terminal.println("%s: %d figures, %s".formatted(selection.text("title"), cases.size(), effort));
            BenchmarkRunner runner = new BenchmarkRunner(jvms, effort, log, terminal::println);
            runner.run(cases);
            Results results = runner.results(selection.text("title"), command != null ? command : "pooledarena.Main "
                    + spec.root().commandLine().getParseResult().originalArgs().stream().map(Tool::quoted)
                            .collect(Collectors.joining(" ")));
            Map<String, byte[]> more = runner.rawJson();
            more.put(ComparisonReport.JSON_FILE, new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(results));
            ComparisonReport report = new ComparisonReport(results, selection);
            more.put(ComparisonReport.CSV_FILE, report.csv());
            WholeFiles.write(out, more, List.of()); // first: a chart could fail
            terminal.println();
            List<String> mayBe = Stream.concat(ComparisonReport.CHARTS.stream(), BenchmarkRunner.files(out).stream()).toList();
            report.document().publish(terminal, out, "report", more, mayBe);
            boolean isLogLost = log.checkError(); // a full disk is no exception of a PrintStream
            if (isLogLost) {
                spec.commandLine().getErr().println(spec.name() + ": not all of jmh.log could be written");
            }
            return results.failures().isEmpty() && !isLogLost ? 0 : Tool.EXIT_FAILED;
        }
    }

    List<JavaCommand> jvms() {
        List<JavaCommand> jvms = new ArrayList<>(List.of(JavaCommand.of(JavaCommand.STOCK, "--stock", stock, List.of()),
                JavaCommand.of(JavaCommand.PATCH, "--patched", patched, List.of())));
        for (String peer : peers) {
            JavaCommand jvm = JavaCommand.ofPeer(peer);
            if (jvms.stream().anyMatch(other -> BenchmarkRunner.file(other.name()).equals(BenchmarkRunner.file(jvm.name())))) {
                throw new BadInput("--peer " + peer + ": another java is called " + jvm.name()
                        + "; NAME= before it gives it another name; nothing was measured");
            }
            jvms.add(jvm);
        }
        return jvms;
    }

    List<Case> rows(BenchmarkSelection selection) {
        return all ? selection.all() : selection.form(full, selection.all());
    }

    /** A fork takes about 4 s. The full form has more of them, as they differ more than iterations. */
    Effort effort() {
        if (forks != null && (forks < 1 || forks > 99)) {
            throw new BadInput("--forks " + forks + ": a number from 1 to 99 is accepted; nothing was measured");
        }
        return new Effort(forks != null ? forks : full ? 5 : 1, 6, 200, 60, 20);
    }
}
