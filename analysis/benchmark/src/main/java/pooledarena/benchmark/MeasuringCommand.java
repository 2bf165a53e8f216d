/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import pooledarena.benchmark.Results.Effort;
import pooledarena.io.BadInput;
import pooledarena.io.Tool;
import pooledarena.io.WholeFiles;
import pooledarena.text.Chart;
import pooledarena.text.Document;

import module java.base;

/** A command that measures on a stock JDK and on one with the pool: from its options to the files of its report. */
public abstract class MeasuringCommand implements Callable<Integer> {

    @Option(names = "--stock", required = true, paramLabel = "HOME", description = "home of the JDK to compare with")
    private Path stock;

    @Option(names = "--pooled", required = true, paramLabel = "HOME", description = "home of the JDK with the pool")
    private Path pooled;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "build/${COMMAND-NAME}",
            description = "where the files go (default: ${DEFAULT-VALUE})")
    protected Path out;

    @Option(names = "--include", paramLabel = "REGEX", defaultValue = "",
            description = "only what has a match of REGEX in the benchmark's name or in the titles of table, row and "
                    + "column")
    private Pattern include;

    @Option(names = "--forks", paramLabel = "N",
            description = "fresh processes for each figure (default: 1; compare --full: 5)")
    private Integer forks;

    @Option(names = "--command", paramLabel = "TEXT",
            description = "what the report names as the command to repeat (default: this one)")
    private String command;

    @Spec
    private CommandSpec spec;

    /** What is measured without JMH, if {@code --include} matches the title. */
    public record Extra(String title, Consumer<Measurement> how) {}

    /**
     * What is measured, before {@code --include}, and the files that all possible charts go to.
     *
     * @param report adds what the results say to a document, and calls {@link Document#details} where details begin
     */
    public record Experiment(String title, Effort effort, List<Case> cases, List<Extra> extras,
                             BiConsumer<Document, Results> report, List<String> charts) {}

    protected abstract Experiment experiment();

    protected List<JavaCommand> jvms() {
        return List.of(JavaCommand.of(JavaCommand.STOCK, "--stock", stock, List.of()),
                JavaCommand.of(JavaCommand.POOLED, "--pooled", pooled, List.of()));
    }

    /** {@return how many forks the user asked for, or else {@code usual}} */
    protected final int forks(int usual) {
        if (forks != null && (forks < 1 || forks > 99)) {
            throw new BadInput("--forks " + forks + ": a number from 1 to 99 is accepted; nothing was measured");
        }
        return forks == null ? usual : forks;
    }

    @Override
    public final Integer call() throws Exception {
        Chart.requireFonts();
        PrintWriter terminal = spec.commandLine().getOut();
        List<JavaCommand> jvms = jvms();
        Experiment all = experiment();
        List<Case> cases = all.cases.stream().filter(each -> each.matches(include))
                .flatMap(each -> each.jvm() != null ? Stream.of(each) : jvms.stream().map(each::on)).toList();
        List<Extra> extras = all.extras.stream().filter(extra -> include.matcher(extra.title).find()).toList();
        if (cases.isEmpty() && extras.isEmpty()) {
            Case first = all.cases.getFirst();
            throw new BadInput("--include " + include + ": matches nothing; labels such as \"" + first.label()
                    + "\" and names such as " + Case.method(first.benchmark()) + " are matched; nothing was measured");
        }
        WholeFiles.write("--out", out, Map.of(), List.of()); // makes it, or fails before the measurement
        try (PrintStream log = new PrintStream(out.resolve("jmh.log").toFile(), StandardCharsets.UTF_8)) {
            terminal.println("%s: %d figures, %s%s".formatted(all.title, cases.size(), all.effort,
                    extras.stream().map(extra -> "; then " + extra.title).collect(Collectors.joining())));
            Measurement measurement = new Measurement(jvms, all.effort, log, terminal::println);
            measurement.benchmarks(cases);
            for (Extra extra : extras) {
                extra.how.accept(measurement);
                terminal.println("Measured " + extra.title);
            }
            Results results = measurement.results(all.title, command != null ? command : "pooledarena.Main "
                    + String.join(" ", spec.root().commandLine().getParseResult().originalArgs()));
            Document document = results.document(all.report);
            Map<String, byte[]> files = document.files("report");
            files.put(Results.JSON_FILE, results.toJson());
            files.putAll(measurement.rawJson());
            terminal.println();
            document.publish(terminal, out, files, all.charts);
            return results.failures().isEmpty() ? 0 : Tool.EXIT_FAILED;
        }
    }
}
