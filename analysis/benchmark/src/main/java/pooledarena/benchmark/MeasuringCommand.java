/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import pooledarena.benchmark.Results.Measured;
import pooledarena.io.BadInput;
import pooledarena.io.Tool;
import pooledarena.io.WholeFiles;
import pooledarena.text.ChartStyle;
import pooledarena.text.Document;

import module java.base;

/** A command that measures on a stock JDK and on one with the pool: the way from its options to the files of its report. */
public abstract class MeasuringCommand implements Callable<Integer> {

    @Option(names = "--stock", required = true, paramLabel = "HOME", description = "home of the JDK to compare with")
    private Path stock;

    @Option(names = "--pooled", required = true, paramLabel = "HOME", description = "home of the JDK with the pool")
    private Path pooled;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "build/${COMMAND-NAME}",
            description = "where the files go (default: ${DEFAULT-VALUE})")
    protected Path out;

    @Option(names = "--include", paramLabel = "REGEX", defaultValue = "",
            description = "only what has a match of REGEX in the benchmark's name or in the titles of table, row and column")
    private String include;

    @Option(names = "--forks", paramLabel = "N",
            description = "fresh processes for each figure (default: 1; compare --full: 5)")
    private Integer forks;

    @Option(names = "--command", paramLabel = "TEXT",
            description = "what the report names as the command to repeat (default: this one)")
    private String command;

    @Spec
    private CommandSpec spec;

    /** What is measured without JMH, if {@code --include} matches the title. */
    public record Extra(String title, Callable<List<Measured>> measurement) {}

    /** What is measured, before {@code --include}, and the names of the files for the figures and of all possible charts. */
    public record Experiment(String title, List<String> forkOptions, List<Case> cases, List<Extra> extras, Report report,
                             String json, List<String> charts) {}

    @FunctionalInterface
    public interface Report {
        Document of(Results results) throws IOException;
    }

    /** {@return the effort without {@code --forks}} */
    protected abstract Effort effort();

    protected abstract Experiment experiment(List<Jvm> jvms);

    protected List<Jvm> jvms() {
        return List.of(Jvm.ofHome(Jvm.STOCK, "--stock", stock), Jvm.ofHome(Jvm.POOLED, "--pooled", pooled));
    }

    protected final void progress(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }

    @Override
    public final Integer call() throws Exception {
        ChartStyle.requireFonts();
        Pattern pattern = Case.pattern(include);
        Effort effort = forks == null ? effort() : effort().withForks(forks);
        List<Jvm> jvms = jvms();
        Experiment all = experiment(jvms);
        Case first = all.cases.getFirst();
        List<Case> cases = all.cases.stream().filter(each -> each.matches(pattern))
                .flatMap(each -> each.jvm() != null ? Stream.of(each) : jvms.stream().map(each::on)).toList();
        List<Extra> extras = all.extras.stream().filter(extra -> pattern.matcher(extra.title).find()).toList();
        if (cases.isEmpty() && extras.isEmpty()) {
            throw new BadInput("--include " + include + ": matches nothing; labels such as \"" + first.label()
                    + "\" and names such as " + Case.method(first.benchmark()) + " are matched; nothing was measured");
        }
        try (PrintStream log = log()) {
            String partial = all.json.replace(".json", ".partial.json");
            progress("%s: %d figures, %s".formatted(all.title, cases.size(), effort));
            progress("About %d minutes%s; if interrupted, what was measured is in %s".formatted(
                    effort.time(cases.size()).plusSeconds(59).toMinutes(),
                    extras.stream().map(extra -> ", then " + extra.title).collect(Collectors.joining()), out.resolve(partial)));
            Optional<OtherWork> before = OtherWork.now();
            JmhRunner runner = new JmhRunner(jvms, all.forkOptions, effort, log, this::progress);
            Results results = runner.measure(all.title, command != null ? command
                    : "pooledarena.Main " + String.join(" ", spec.root().commandLine().getParseResult().originalArgs()), cases,
                    soFar -> WholeFiles.writeWhole(out, Map.of(partial, soFar.toJson())));
            List<Measured> more = new ArrayList<>();
            for (Extra extra : extras) {
                more.addAll(extra.measurement.call());
            }
            results = results.with(more, OtherWork.coresSince(before));
            Document document = all.report.of(results);
            Map<String, byte[]> files = new LinkedHashMap<>(document.files("report"));
            files.put(all.json, results.toJson());
            files.putAll(runner.rawJson());
            WholeFiles.write("--out", out, files, Stream.concat(all.charts.stream(), Stream.of(partial)).toList());
            progress("\n" + document.toText() + "Wrote " + WholeFiles.list(out, files.keySet()));
            return results.failures().isEmpty() ? 0 : Tool.EXIT_FAILED;
        }
    }

    private PrintStream log() {
        try {
            Files.createDirectories(out);
            return new PrintStream(Files.newOutputStream(out.resolve("jmh.log")), true, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new BadInput("--out " + out + ": cannot be written to; a directory is accepted, and made if missing; "
                    + "nothing was measured");
        }
    }
}
