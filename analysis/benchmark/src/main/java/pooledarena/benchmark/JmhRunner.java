/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Version;
import pooledarena.benchmark.Results.Measured;
import pooledarena.io.BadInput;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Measures cases with JMH. Those of a row take turns fork by fork, so that a change of the machine's speed during the run meets
 * all of them alike. Each fork is a process of its own that has none of this process's options.
 */
public final class JmhRunner {

    /** The file for JMH's own output. */
    public static final String LOG = "jmh.log";

    static {
        // JMH would refuse to run beside another one; not only JMH disturbs figures, and how busy the machine is, is measured.
        System.setProperty("jmh.ignoreLock", "true");
    }

    private final List<Jvm> jvms;
    private final List<String> options;
    private final Effort effort;
    private final PrintStream log;
    private final Consumer<String> progress;

    /** The results of each virtual machine, in the order of the cases. */
    private final Map<String, List<RunResult>> raw = new LinkedHashMap<>();

    /** The options that every fork had so far on the first virtual machine. */
    private Set<String> forkOptions;

    /** Takes what is measured so far, after each row. */
    @FunctionalInterface
    public interface Checkpoint {
        void accept(Results soFar) throws IOException;
    }

    /**
     * @param jvms     the virtual machines, stock first
     * @param options  what every fork gets beside what its virtual machine and its benchmark ask for
     * @param effort   how much to measure
     * @param log      gets JMH's own output
     * @param progress gets a line for each row
     */
    public JmhRunner(List<Jvm> jvms, List<String> options, Effort effort, PrintStream log, Consumer<String> progress) {
        this.jvms = jvms;
        this.options = options;
        this.effort = effort;
        this.log = log;
        this.progress = progress;
    }

    /**
     * {@return where JMH's own output goes, in {@code directory}, which is made if it is missing}
     *
     * @throws BadInput if there can be no such directory
     */
    public static PrintStream log(Path directory) {
        try {
            Files.createDirectories(directory);
            return new PrintStream(Files.newOutputStream(directory.resolve(LOG)), true, UTF_8);
        } catch (IOException e) {
            throw new BadInput("--out " + directory + ": cannot be written to; a directory is accepted, and made if missing; "
                    + "nothing was measured");
        }
    }

    /** {@return the figures of {@code cases}, under the title and with the command that repeats it} */
    public Results measure(String title, String command, List<Case> cases, Checkpoint checkpoint) throws IOException {
        Optional<OtherWork> before = OtherWork.now();
        List<Measured> measured = new ArrayList<>();
        Results results = results(title, command, cases, measured, before);
        long start = System.nanoTime();
        while (measured.size() < cases.size()) {
            int first = measured.size();
            int end = first + 1;
            while (end < cases.size() && cases.get(first).isBeside(cases.get(end))) {
                end++;
            }
            measureRow(cases.subList(first, end), measured);
            Duration left = Duration.ofNanos(System.nanoTime() - start).multipliedBy(cases.size() - end).dividedBy(end);
            progress.accept(progressLine(measured.subList(first, end), end, cases.size(), left));
            results = results(title, command, cases, measured, before);
            checkpoint.accept(results);
        }
        return results;
    }

    /** {@return JMH's own JSON of each virtual machine, which JMH's visualizers read, by the names of files with this ending} */
    public Map<String, byte[]> rawJson(String ending) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (var runs : raw.entrySet()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (PrintStream out = new PrintStream(bytes, false, UTF_8)) {
                ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(runs.getValue());
            }
            JsonNode json = mapper.readTree(bytes.toByteArray());
            // Each fork was a run of its own to JMH.
            json.forEach(run -> ((ObjectNode) run).put("forks", effort.forks()));
            files.put("jmh-" + runs.getKey().replaceAll("[^\\w.-]+", "_") + ending,
                    mapper.writerWithDefaultPrettyPrinter().writeValueAsBytes(json));
        }
        return files;
    }

    private Results results(String title, String command, List<Case> cases, List<Measured> measured, Optional<OtherWork> before) {
        return new Results(Results.FORMAT, title, command, Results.now(), Machine.current(), OtherWork.coresSince(before),
                Version.getPlainVersion(), effort, forkOptions == null ? List.of() : List.copyOf(forkOptions), jvms, cases.size(),
                List.copyOf(measured));
    }

    private void measureRow(List<Case> row, List<Measured> measured) {
        Map<Case, List<RunResult>> forks = new LinkedHashMap<>();
        Map<Case, String> failures = new LinkedHashMap<>();
        for (int fork = 0; fork < effort.forks(); fork++) {
            for (Case each : row) {
                if (!failures.containsKey(each)) {
                    try {
                        forks.computeIfAbsent(each, _ -> new ArrayList<>()).add(runFork(each));
                    } catch (RunnerException | RuntimeException e) { // the latter if the virtual machine does not start
                        failures.put(each, reason(e));
                    }
                }
            }
        }
        for (Case each : row) {
            measured.add(new Measured(each, failures.containsKey(each)
                    ? Outcome.failed(failures.get(each)) : outcome(each, forks.get(each))));
        }
    }

    private Outcome outcome(Case measured, List<RunResult> forks) {
        List<BenchmarkResult> results = forks.stream().flatMap(fork -> fork.getBenchmarkResults().stream()).toList();
        RunResult whole = new RunResult(forks.getFirst().getParams(), results);
        raw.computeIfAbsent(measured.jvm(), _ -> new ArrayList<>()).add(whole);
        if (measured.jvm().equals(jvms.getFirst().name())) {
            Set<String> these = new LinkedHashSet<>(whole.getParams().getJvmArgs());
            if (forkOptions == null) {
                forkOptions = these;
            } else {
                forkOptions.retainAll(these);
            }
        }
        return Outcome.of(whole, (double) forks.size() * effort.iterations() * effort.iterationMillis());
    }

    private RunResult runFork(Case measured) throws RunnerException {
        Jvm jvm = jvms.stream().filter(j -> j.name().equals(measured.jvm())).findFirst().orElseThrow();
        List<String> jvmArgs = new ArrayList<>(jvm.options());
        jvmArgs.addAll(options);
        if (measured.threads() > Runtime.getRuntime().availableProcessors()) {
            // Benchmark threads never yield while they measure, so virtual ones need a carrier each.
            jvmArgs.add("-Djdk.virtualThreadScheduler.parallelism=" + measured.threads());
        }
        ChainedOptionsBuilder builder = new OptionsBuilder()
                .include("^" + Pattern.quote(measured.benchmark()) + "$")
                .jvm(jvm.launcher())
                .jvmArgs(jvmArgs.toArray(String[]::new))
                .threads(measured.threads())
                .forks(1)
                .warmupForks(0)
                .warmupIterations(effort.warmupIterations())
                .warmupTime(TimeValue.milliseconds(effort.warmupMillis()))
                .measurementIterations(effort.iterations())
                .measurementTime(TimeValue.milliseconds(effort.iterationMillis()))
                .addProfiler(GCProfiler.class)
                .addProfiler(ProcessTime.class)
                .shouldFailOnError(true);
        measured.parameters().forEach(builder::param);
        var results = new Runner(builder.build(), OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL)).run();
        if (results.size() != 1) {
            throw new RunnerException(results.size() + " results instead of one");
        }
        return results.iterator().next();
    }

    /** {@return the innermost reason of {@code e} in one line} */
    private static String reason(Throwable e) {
        Throwable inner = e.getCause() != null ? e.getCause() : e.getSuppressed().length > 0 ? e.getSuppressed()[0] : null;
        if (inner != null) {
            return reason(inner);
        }
        String message = e instanceof RunnerException || e.getClass() == RuntimeException.class ? e.getMessage() : e.toString();
        return message.lines().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("unknown");
    }

    private static String progressLine(List<Measured> row, int done, int all, Duration left) {
        Case first = row.getFirst().what();
        List<String> outcomes = row.stream().map(m -> m.what().column() + " "
                + (m.outcome().isFailure() ? "failed" : m.outcome().scoreWithError() + " " + m.outcome().unit())).toList();
        return "[%d/%d] %s: %s%s".formatted(done, all, first.group() + (first.row().isEmpty() ? "" : ", " + first.row()),
                String.join(", ", outcomes), left.isZero() ? "" : "; %d:%02d left".formatted(left.toMinutes(), left.toSecondsPart()));
    }
}
