/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import pooledarena.benchmark.Results.Measured;
import pooledarena.io.ProcessRunner.Failed;

import module java.base;

/**
 * Measures cases with JMH. Those of a row take turns fork by fork. Each fork is a process of its own that has none of
 * this process's options.
 *
 * @param sampler  gets what was measured
 * @param log      gets JMH's own output
 * @param progress gets a line for each row
 * @param raw      gets JMH's results on each virtual machine, in the order of the cases
 */
record JmhRunner(List<JavaCommand> jvms, Effort effort, Sampler sampler, PrintStream log, Consumer<String> progress,
                 Map<String, List<RunResult>> raw) {

    static {
        // JMH would refuse to run beside another one. Not only JMH disturbs figures; other work is measured.
        System.setProperty("jmh.ignoreLock", "true");
    }

    void measure(List<Case> cases) {
        long start = System.nanoTime();
        int done = 0;
        for (List<Case> row : cases.stream().collect(
                Collectors.groupingBy(Case::title, LinkedHashMap::new, Collectors.toList())).values()) {
            StringJoiner figures = new StringJoiner(", ").setEmptyValue("failed");
            sampler.takeTurns(row, effort.forks(), Case::label, this::runFork, (each, forks) -> {
                Outcome outcome = outcome(each, forks);
                sampler.measured().add(new Measured(each, outcome));
                figures.add(each.column() + " " + outcome.scoreWithError() + " " + outcome.unit());
            });
            done += row.size();
            Duration left = Duration.ofNanos((System.nanoTime() - start) / done * (cases.size() - done));
            progress.accept("[%d/%d] %s: %s; %d:%02d left".formatted(done, cases.size(), row.getFirst().title(),
                    figures, left.toMinutes(), left.toSecondsPart()));
        }
    }

    /** {@return JMH's own JSON of each virtual machine, which JMH's visualizers read, by the names of files} */
    Map<String, byte[]> rawJson() {
        Map<String, byte[]> files = new LinkedHashMap<>();
        raw.forEach((jvm, runs) -> {
            ByteArrayOutputStream json = new ByteArrayOutputStream();
            try (PrintStream out = new PrintStream(json, false, StandardCharsets.UTF_8)) {
                ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(runs);
            }
            // Each fork was a run of its own to JMH.
            files.put("jmh-" + jvm.replaceAll("[^\\w.-]+", "_") + ".json", json.toString(StandardCharsets.UTF_8)
                    .replace("\"forks\" : 1,", "\"forks\" : " + effort.forks() + ",").getBytes(StandardCharsets.UTF_8));
        });
        return files;
    }

    /** {@return how many cores other programs kept busy during the measurement, on average; null without one} */
    Double otherCores() {
        OptionalDouble mean = raw.values().stream().flatMap(List::stream)
                .mapToDouble(run -> run.getSecondaryResults().get(ProcessorUse.OTHERS).getScore()).average();
        return mean.isPresent() ? mean.getAsDouble() : null;
    }

    private Outcome outcome(Case measured, List<RunResult> forks) {
        List<BenchmarkResult> results = forks.stream().flatMap(fork -> fork.getBenchmarkResults().stream()).toList();
        RunResult whole = new RunResult(forks.getFirst().getParams(), results);
        raw.computeIfAbsent(measured.jvm(), _ -> new ArrayList<>()).add(whole);
        return Outcome.of(whole);
    }

    private RunResult runFork(Case measured) throws Failed {
        JavaCommand jvm = JavaCommand.named(measured.jvm(), jvms);
        List<String> jvmArgs = new ArrayList<>(jvm.options());
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
                .addProfiler(ProcessorUse.class) // around the other, which counts what it allocates, too
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true);
        measured.parameters().forEach(builder::param);
        try {
            OutputFormat format = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
            return new Runner(builder.build(), format).runSingle();
        } catch (RunnerException | RuntimeException e) { // the latter if the virtual machine does not start
            throw new Failed(reason(e));
        }
    }

    /** {@return the innermost reason of {@code e} in one line} */
    private static String reason(Throwable e) {
        if (e.getCause() != null || e.getSuppressed().length > 0) {
            return reason(e.getCause() != null ? e.getCause() : e.getSuppressed()[0]);
        }
        return e.toString().replaceAll("\\s+", " ");
    }
}
