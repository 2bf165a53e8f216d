/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import pooledarena.benchmark.Case;
import pooledarena.benchmark.Effort;
import pooledarena.benchmark.JmhRunner;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.OtherWork;
import pooledarena.benchmark.Results;
import pooledarena.io.BadInput;
import pooledarena.io.Tool;
import pooledarena.io.WholeFiles;
import pooledarena.text.ChartStyle;
import pooledarena.text.Document;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Measures the pooled arena beside other ways to keep allocation off the hot path. */
@Command(name = "peers",
        description = "Measures confined arenas of a stock JDK and of one with the pool beside RocksDB's, Netty's and "
                + "Okio's ways to memory, or other arenas; prints tables, and writes report.md, report.html, charts, figures.json, the JSON of "
                + "JMH for each JDK and jmh.log. The benchmarks and the peers' libraries must be on the class path.",
        footer = {"", "Example, after make peers-build:",
                "  java --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED \\",
                "      -cp 'build/arena-analysis.jar:build/peers/peers.jar:build/deps/peers/*' \\",
                "      pooledarena.Main peers okio --stock /usr/lib/jvm/jdk-25 --pooled build/image --include zeroing",
                "", "Exit status: 0 if all was measured, 1 if a row failed, 2 if the input was wrong."})
public final class Peers implements Callable<Integer> {

    private static final Effort EFFORT = new Effort(1, 5, 200, 5, 200);

    @Parameters(index = "0", paramLabel = "PART", description = "rocksdb, netty, okio or arenas")
    private String name;

    @Option(names = "--stock", required = true, paramLabel = "HOME", description = "home of the JDK to compare with")
    private Path stock;

    @Option(names = "--pooled", required = true, paramLabel = "HOME", description = "home of the JDK with the pool")
    private Path pooled;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "where the files go")
    private Path out;

    @Option(names = "--include", paramLabel = "REGEX", defaultValue = "",
            description = "only what has a match of REGEX in the benchmark's name, or in group, row and column")
    private String include;

    @Option(names = "--forks", paramLabel = "N", defaultValue = "1",
            description = "fresh processes for each figure (default: ${DEFAULT-VALUE})")
    private int forks;

    @Option(names = "--fork-option", paramLabel = "OPTION", description = "a Java option for every fork; may be repeated")
    private List<String> forkOptions = List.of();

    @Option(names = "--malloc-counter", paramLabel = "FILE",
            description = "the library that counts native allocations; without it they are not counted")
    private Path counter;

    @Option(names = "--command", required = true, paramLabel = "TEXT",
            description = "what the report names as the command to repeat")
    private String command;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        ChartStyle.requireFonts();
        Part part = part();
        Effort effort = EFFORT.withForks(forks);
        List<Jvm> jvms = List.of(Jvm.ofHome(Jvm.STOCK, "--stock", stock), Jvm.ofHome(Jvm.POOLED, "--pooled", pooled));
        Pattern pattern = Case.pattern(include);
        Consumer<String> progress = line -> {
            spec.commandLine().getOut().println(line);
            spec.commandLine().getOut().flush();
        };
        try (PrintStream log = JmhRunner.log(out)) {
            List<Case> cases = part.cases().stream().filter(c -> c.matches(pattern)).toList();
            boolean withExtra = !part.extra().isEmpty() && pattern.matcher(part.extra()).find();
            if (cases.isEmpty() && !withExtra) {
                throw new BadInput("--include " + include + ": matches nothing; labels such as \""
                        + part.cases().getFirst().label() + "\" and names such as "
                        + part.cases().getFirst().benchmark().substring(Programs.PACKAGE.length())
                        + " are matched; nothing was measured");
            }
            progress.accept(part.title() + ": " + cases.size() + " cases, " + effort);
            Optional<OtherWork> before = OtherWork.now();
            JmhRunner runner = new JmhRunner(jvms, forkOptions, effort, log, progress);
            Results results = runner.measure(part.title(), command, cases, _ -> { });
            Consumer<Document> extra = !withExtra ? _ -> { } : part.measureExtra(new Programs(jvms.getFirst(), jvms.getLast(),
                    forkOptions, counter == null ? null : counter.toAbsolutePath(), out));
            results = results.with(List.of(), OtherWork.coresSince(before));
            Document document = new Document(part.title());
            results.addWarnings(document);
            part.report(results, document);
            extra.accept(document);
            return write(results, document, runner, progress);
        }
    }

    private int write(Results results, Document document, JmhRunner runner, Consumer<String> progress) throws IOException {
        document.paragraph("Figures are medians of the iterations; " + Results.ERROR + ".").details();
        results.addOrigin(document, "figures.json and, as JMH wrote them and its visualizers read them, jmh-*.json");
        document.list(List.copyOf(libraries()));
        Map<String, byte[]> files = new LinkedHashMap<>(document.files("report"));
        files.put("figures.json", results.toJson());
        files.putAll(runner.rawJson(".json"));
        try (var old = Files.newDirectoryStream(out, "*.png")) {
            List<String> charts = new ArrayList<>();
            old.forEach(chart -> charts.add(chart.getFileName().toString()));
            WholeFiles.write("--out", out, files, charts);
        }
        progress.accept("\n" + document.toText() + "Wrote " + WholeFiles.list(out, files.keySet()));
        return results.failures().isEmpty() ? 0 : Tool.EXIT_FAILED;
    }

    /** {@return the versions of the peers on the class path, which are in the names of their files} */
    private static TreeSet<String> libraries() {
        TreeSet<String> names = new TreeSet<>();
        for (String entry : System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator))) {
            String file = Path.of(entry).getFileName().toString();
            if (file.matches("(?:rocksdbjni|netty-buffer|okio-jvm)-.*\\.jar")) {
                names.add(file.substring(0, file.length() - ".jar".length()));
            }
        }
        return names;
    }

    private Part part() {
        Part part = Part.ALL.get(name);
        if (part == null) {
            throw new BadInput(name + ": no such part; rocksdb, netty, okio and arenas are accepted; nothing was measured");
        }
        return part;
    }
}
