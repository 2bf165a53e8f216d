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
package pooledarena.benchmark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.util.Version;
import pooledarena.io.BadInput;
import pooledarena.text.Figures;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.DoubleStream;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Measures rows on virtual machines with JMH. The virtual machines take turns within each row, fork
 * by fork, so that a change of the machine's speed during the run meets all of them alike.
 * <p>
 * JMH would refuse to run while another JMH runs on the machine. But not only JMH disturbs figures: how
 * busy the machine was is measured instead, see {@link OtherWork}.
 */
public final class Measurement {

    /** The file for JMH's own output. */
    public static final String LOG = "jmh.log";

    static {
        System.setProperty("jmh.ignoreLock", "true");
    }

    private final List<Jvm> jvms;
    private final Effort effort;
    private final PrintStream log;
    private final Consumer<String> progress;

    /** The results of each virtual machine, in the order of the rows. */
    private final Map<String, List<RunResult>> raw = new LinkedHashMap<>();

    /**
     * @param jvms     the virtual machines, stock first
     * @param effort   how much to measure
     * @param log      gets JMH's own output
     * @param progress gets a line for each finished row
     */
    public Measurement(List<Jvm> jvms, Effort effort, PrintStream log, Consumer<String> progress) {
        this.jvms = jvms;
        this.effort = effort;
        this.log = log;
        this.progress = progress;
        jvms.forEach(jvm -> raw.put(jvm.name(), new ArrayList<>()));
    }

    /** Takes what is measured so far, after each row. */
    @FunctionalInterface
    public interface Checkpoint {
        void accept(Comparison soFar) throws IOException;
    }

    /**
     * {@return the finished comparison}
     *
     * @param rows       what to measure
     * @param command    what repeats it
     * @param checkpoint gets what is measured so far, after each row
     */
    public Comparison measure(List<Row> rows, String command, Checkpoint checkpoint) throws IOException {
        Optional<OtherWork> before = OtherWork.now();
        long start = System.nanoTime();
        Comparison comparison = comparison(rows, List.of(), command, before);
        List<Comparison.Result> results = new ArrayList<>();
        for (Row row : rows) {
            results.add(measure(row));
            Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
            Duration left = elapsed.multipliedBy(rows.size() - results.size()).dividedBy(results.size());
            progress.accept(progressLine(results.size(), rows.size(), results.getLast(), left));
            comparison = comparison(rows, results, command, before);
            checkpoint.accept(comparison);
        }
        return comparison;
    }

    private Comparison comparison(List<Row> rows, List<Comparison.Result> results, String command,
                                  Optional<OtherWork> before) throws IOException {
        Map<String, JsonNode> json = new LinkedHashMap<>();
        for (var runs : raw.entrySet()) {
            json.put(runs.getKey(), json(runs.getValue()));
        }
        return new Comparison(Comparison.FORMAT, Comparison.FIELDS,
                ZonedDateTime.now().format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm xxx")),
                command, Machine.current(),
                before.flatMap(then -> OtherWork.now().map(then::coresUntil)).orElse(null),
                Version.getPlainVersion(), effort, jvms, rows.size(), List.copyOf(results), List.of(), json);
    }

    private Comparison.Result measure(Row row) {
        Map<String, List<BenchmarkResult>> forks = new LinkedHashMap<>();
        Map<String, RunResult> lastRun = new LinkedHashMap<>();
        Map<String, String> failures = new LinkedHashMap<>();
        for (int fork = 0; fork < effort.forks(); fork++) {
            for (Jvm jvm : jvms) {
                if (failures.containsKey(jvm.name())) {
                    continue;
                }
                try {
                    RunResult run = runFork(row, jvm);
                    lastRun.put(jvm.name(), run);
                    forks.computeIfAbsent(jvm.name(), _ -> new ArrayList<>()).addAll(run.getBenchmarkResults());
                } catch (RunnerException | RuntimeException e) { // the latter if the virtual machine does not start
                    failures.put(jvm.name(), reason(e));
                }
            }
        }
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        for (Jvm jvm : jvms) {
            String failure = failures.get(jvm.name());
            if (failure == null) {
                RunResult run = new RunResult(lastRun.get(jvm.name()).getParams(), forks.get(jvm.name()));
                raw.get(jvm.name()).add(run);
                outcomes.put(jvm.name(), outcome(run));
            } else {
                outcomes.put(jvm.name(), Outcome.failed(failure));
            }
        }
        return new Comparison.Result(row, outcomes);
    }

    private RunResult runFork(Row row, Jvm jvm) throws RunnerException {
        return new Fork(row.benchmark(), row.parameters(), row.threads(), jvm, options(row, jvm)).run(effort, log);
    }

    /**
     * {@return the expression that what is measured must match somewhere}
     *
     * @param include the value of the option {@code --include}; null if there is none
     * @throws BadInput if it is no regular expression
     */
    public static Pattern pattern(String include) {
        try {
            return Pattern.compile(include == null ? "" : include);
        } catch (PatternSyntaxException e) {
            throw new BadInput("--include " + include + ": " + e.getDescription()
                    + "; a Java regular expression is accepted; nothing was measured");
        }
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

    private static List<String> options(Row row, Jvm jvm) {
        List<String> options = new ArrayList<>(jvm.options());
        int cores = Runtime.getRuntime().availableProcessors();
        if (row.threads() > cores) {
            // Benchmark threads never yield while they measure, so virtual ones need a carrier each.
            options.add("-Djdk.virtualThreadScheduler.parallelism=" + row.threads());
        }
        return options;
    }

    private static Outcome outcome(RunResult run) {
        Result<?> bytes = run.getSecondaryResults().get("gc.alloc.rate.norm");
        return Outcome.of(iterations(run.getPrimaryResult()), bytes == null ? new double[0] : iterations(bytes));
    }

    /** {@return the value of each iteration} */
    public static double[] iterations(Result<?> result) {
        DoubleStream.Builder values = DoubleStream.builder();
        result.getStatistics().getRawData().forEachRemaining(value -> {
            for (long i = 0; i < value.getValue(); i++) {
                values.add(value.getKey());
            }
        });
        return values.build().toArray();
    }

    /** {@return the innermost reason of {@code e} in one line} */
    public static String reason(Exception e) {
        Throwable innermost = e;
        while (true) {
            if (innermost.getCause() != null) {
                innermost = innermost.getCause();
            } else if (innermost.getSuppressed().length > 0) {
                innermost = innermost.getSuppressed()[0];
            } else {
                break;
            }
        }
        String message = innermost instanceof RunnerException || innermost.getClass() == RuntimeException.class
                ? innermost.getMessage() : innermost.toString();
        return message.lines().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("unknown");
    }

    private JsonNode json(List<RunResult> runs) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, false, UTF_8)) {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(runs);
        }
        JsonNode json = Comparison.parse(bytes.toByteArray());
        // Each fork was a run of its own to JMH.
        json.forEach(run -> ((ObjectNode) run).put("forks", effort.forks()));
        return json;
    }

    private static String progressLine(int done, int rows, Comparison.Result result, Duration left) {
        StringBuilder line = new StringBuilder("[%2d/%d] %s:".formatted(done, rows, result.row().label()));
        String separator = " ";
        for (var outcome : result.outcomes().entrySet()) {
            line.append(separator).append(outcome.getKey()).append(' ').append(outcome.getValue().isFailure()
                    ? "failed" : Figures.time(outcome.getValue().nsPerOp(), outcome.getValue().nsPerOp()) + " ns");
            separator = ", ";
        }
        return line.append(left.isZero() ? "" : "; %d:%02d left".formatted(left.toMinutes(), left.toSecondsPart()))
                .toString();
    }
}
