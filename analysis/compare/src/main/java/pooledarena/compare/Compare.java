/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import pooledarena.benchmark.BenchmarkSelection;
import pooledarena.benchmark.Case;
import pooledarena.benchmark.Effort;
import pooledarena.benchmark.JmhRunner;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Machine;
import pooledarena.benchmark.OtherWork;
import pooledarena.benchmark.Results.Measured;
import pooledarena.benchmark.Results;
import pooledarena.io.BadInput;
import pooledarena.io.Tool;
import pooledarena.io.WholeFiles;
import pooledarena.text.ChartStyle;
import pooledarena.text.Document;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs the benchmarks on the stock JDK, on the pooled one and on any peers, and reports. */
@Command(name = "compare",
        description = "Runs the benchmarks on the class path on a stock JDK and on one with the pooled confined arena, "
                + "prints one table, and writes report.md, report.html, charts, compare.json, the JSON of JMH for each JDK and jmh.log.",
        footer = {"", "Example:",
                "  java --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED \\",
                "      -cp build/arena-analysis.jar:build/micro.jar \\",
                "      pooledarena.Main compare --stock /usr/lib/jvm/jdk-25 --pooled build/image \\",
                "      --peer 'tuned=build/image/bin/java -Djdk.foreign.confinedPool.depth=4'",
                "", "Exit status: 0 if all was measured, 1 if a row failed, 2 if the input was wrong."})
public final class Compare implements Callable<Integer> {

    private static final String MAIN = "pooledarena.Main";
    private static final String JSON = "compare";

    /** The ending of what was measured so far, if it is under way or was interrupted; the other files are of one before. */
    private static final String PARTIAL = ".partial.json";

    private static final int START_UP_RUNS = 100;
    private static final Duration START_UP_RUNS_TIME = Duration.ofSeconds(8);
    private static final int FOOTPRINT_RUNS = 5;
    private static final Duration FOOTPRINT_TIME = Duration.ofSeconds(150);

    @Option(names = "--stock", required = true, paramLabel = "HOME", description = "home of the JDK to compare with")
    private Path stock;

    @Option(names = "--pooled", required = true, paramLabel = "HOME", description = "home of the JDK with the pool")
    private Path pooled;

    @Option(names = "--peer", paramLabel = "JAVA",
            description = "the java of a further JDK to measure beside the two, or its home; "
                    + "NAME= before it names its columns, options after it are for this java; may be repeated")
    private List<String> peers = List.of();

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "build/compare",
            description = "where the files go (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--include", paramLabel = "REGEX",
            description = "only what has a match of REGEX in the benchmark's name or in the title")
    private String include;

    @Option(names = "--full", description = "more rows, start-up and memory too, and enough forks to quote the figures")
    private boolean full;

    @Option(names = "--forks", paramLabel = "N",
            description = "fresh processes for each row and java (default: 1, with --full 5)")
    private Integer forks;

    @Option(names = "--all", description = "every row of every benchmark")
    private boolean all;

    @Option(names = "--command", paramLabel = "TEXT",
            description = "what the report names as the command to repeat (default: this one)")
    private String command;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        ChartStyle.requireFonts();
        Pattern pattern = Case.pattern(include);
        Effort effort = full ? Effort.FULL : Effort.SHORT;
        if (forks != null) {
            effort = effort.withForks(forks);
        }
        List<Jvm> jvms = jvms();
        boolean withStartUp = full && pattern.matcher(StartUp.TITLE).find();
        boolean withFootprint = full && pattern.matcher(Footprint.TITLE).find();
        List<Case> cases = rows(pattern, withStartUp || withFootprint).stream()
                .flatMap(row -> jvms.stream().map(row::on)).toList();
        return compare(cases, withStartUp, withFootprint, jvms, effort);
    }

    private int compare(List<Case> cases, boolean withStartUp, boolean withFootprint, List<Jvm> jvms, Effort effort)
            throws IOException {
        Consumer<String> progress = line -> {
            spec.commandLine().getOut().println(line);
            spec.commandLine().getOut().flush();
        };
        try (PrintStream log = JmhRunner.log(out)) {
            Duration estimate = effort.time(cases.size())
                    .plus(withStartUp ? START_UP_RUNS_TIME.multipliedBy(jvms.size()) : Duration.ZERO)
                    .plus(withFootprint ? FOOTPRINT_TIME.multipliedBy(jvms.size()) : Duration.ZERO);
            progress.accept("Measuring %d rows%s%s on %s: %s".formatted(cases.size() / jvms.size(),
                    withStartUp ? ", start-up" : "", withFootprint ? ", footprint" : "",
                    jvms.stream().map(Jvm::name).collect(Collectors.joining(", ")), effort));
            progress.accept("About %d minutes; if interrupted, what was measured is in %s, which the command render takes"
                    .formatted(estimate.plusSeconds(59).toMinutes(), out.resolve(JSON + PARTIAL)));
            warnIfBusy(progress);
            Optional<OtherWork> before = OtherWork.now();
            JmhRunner runner = new JmhRunner(jvms, List.of(), effort, log, progress);
            Results results = runner.measure("Pooled confined arena compared with the stock JDK",
                    command != null ? command : ownCommand(), cases, soFar -> {
                        Map<String, byte[]> files = runner.rawJson(PARTIAL);
                        files.put(JSON + PARTIAL, soFar.toJson());
                        WholeFiles.writeWhole(out, files);
                    });
            List<Measured> processes = new ArrayList<>();
            if (withStartUp) {
                processes.addAll(StartUp.measure(jvms, START_UP_RUNS, progress));
            }
            if (withFootprint) {
                processes.addAll(Footprint.measure(jvms, Footprint.THREADS, Footprint.OPEN, FOOTPRINT_RUNS, progress));
            }
            results = results.with(processes, OtherWork.coresSince(before));
            Document document = new ComparisonReport(results).document();
            Map<String, byte[]> files = ComparisonReport.files(document);
            files.put(JSON + ".json", results.toJson());
            files.putAll(runner.rawJson(".json"));
            WholeFiles.write("--out", out, files, ComparisonReport.FILES);
            Files.deleteIfExists(out.resolve(JSON + PARTIAL));
            for (String raw : runner.rawJson(PARTIAL).keySet()) {
                Files.deleteIfExists(out.resolve(raw));
            }
            progress.accept("\n" + document.toText() + "Wrote " + WholeFiles.list(out, files.keySet()));
            return results.failures().isEmpty() ? 0 : Tool.EXIT_FAILED;
        }
    }

    /** Looks for a second, which is long enough to see another program compute. */
    private static void warnIfBusy(Consumer<String> progress) {
        Optional<OtherWork> before = OtherWork.now();
        try {
            Thread.sleep(1_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Double cores = OtherWork.coresSince(before);
        if (cores != null && cores >= OtherWork.TOO_MUCH) {
            progress.accept("Other programs keep %.1f of %d cores busy just now, which spoils figures; measuring all the same"
                    .formatted(cores, Machine.current().cores()));
        }
    }

    private List<Jvm> jvms() {
        List<Jvm> jvms = new ArrayList<>();
        jvms.add(Jvm.ofHome(Jvm.STOCK, "--stock", stock));
        jvms.add(Jvm.ofHome(Jvm.POOLED, "--pooled", pooled));
        peers.forEach(peer -> jvms.add(Jvm.ofPeer("--peer", peer)));
        Set<String> names = new HashSet<>();
        jvms.replaceAll(jvm -> {
            String name = jvm.name();
            for (int i = 2; !names.add(name); i++) {
                name = jvm.name() + " (" + i + ")";
            }
            return jvm.renamed(name);
        });
        return jvms;
    }

    private List<Case> rows(Pattern pattern, boolean mayBeNone) {
        List<Case> known = BenchmarkSelection.all();
        List<Case> candidates = all ? known
                : full ? BenchmarkSelection.fullForm(known, Runtime.getRuntime().availableProcessors())
                : BenchmarkSelection.shortForm(known);
        List<Case> rows = candidates.stream().filter(row -> row.matches(pattern)).toList();
        if (rows.isEmpty() && !mayBeNone) {
            long others = known.stream().filter(row -> row.matches(pattern)).count();
            throw new BadInput("--include " + include + ": matches no row"
                    + (others > 0 ? " of this form, but " + others + " with --all" : "")
                    + "; names such as ConfinedArenaAlloc.one and titles such as \""
                    + candidates.getFirst().label() + "\" are matched; nothing was measured");
        }
        return rows;
    }

    /** {@return this command with what the shell needs; the options keep Java silent about ways to native memory} */
    private String ownCommand() {
        String classPath = System.getProperty("java.class.path");
        return Stream.concat(
                        Stream.of("java", "--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED",
                                "-cp", classPath, MAIN),
                        spec.root().commandLine().getParseResult().originalArgs().stream())
                .map(word -> word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }
}
