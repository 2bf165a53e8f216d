/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import org.openjdk.jmh.profile.GCProfiler;
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
import pooledarena.benchmark.Results.Effort;
import pooledarena.benchmark.Results.Measured;

import module java.base;

/**
 * Takes samples in turn, so that a change of the machine's speed affects all that is compared alike: with JMH fork by
 * fork, each of which has none of this process's options, and without. What failed once is not sampled again, and the
 * others go on.
 *
 * @param log      gets JMH's own output
 * @param progress gets a line for each row that JMH has measured
 * @param measured what did not fail
 * @param failures a line for each case that did
 * @param raw      JMH's results on each virtual machine, in the order of the cases
 */
public record Measurement(List<JavaCommand> jvms, Effort effort, PrintStream log, Consumer<String> progress,
                          List<Measured> measured, List<String> failures, Map<String, List<RunResult>> raw) {

    static {
        // JMH would refuse to run beside another one. Not only JMH disturbs figures; other work is measured.
        System.setProperty("jmh.ignoreLock", "true");
    }

    @FunctionalInterface
    public interface Sample<K, V> {
        V of(K each) throws IOException;
    }

    public Measurement(List<JavaCommand> jvms, Effort effort, PrintStream log, Consumer<String> progress) {
        this(jvms, effort, log, progress, new ArrayList<>(), new ArrayList<>(), new LinkedHashMap<>());
    }

    public JavaCommand jvm(String name) {
        return jvms.stream().filter(jvm -> jvm.name().equals(name)).findFirst().orElseThrow();
    }

    /** Measures with JMH. */
    void benchmarks(List<Case> cases) {
        long start = System.nanoTime();
        int done = 0;
        for (List<Case> row : cases.stream().collect(
                Collectors.groupingBy(Case::title, LinkedHashMap::new, Collectors.toList())).values()) {
            StringJoiner figures = new StringJoiner(", ").setEmptyValue("failed");
            takeTurns(row, effort.forks(), Case::label, this::fork).forEach((each, forks) -> {
                RunResult whole = new RunResult(forks.getFirst().getParams(),
                        forks.stream().flatMap(fork -> fork.getBenchmarkResults().stream()).toList());
                raw.computeIfAbsent(each.jvm(), _ -> new ArrayList<>()).add(whole);
                Outcome outcome = Outcome.of(whole);
                measured.add(new Measured(each, outcome));
                figures.add(each.column() + " " + outcome.scoreWithError() + " " + outcome.unit());
            });
            done += row.size();
            progress.accept("[%d/%d] %s: %s; %s left".formatted(done, cases.size(), row.getFirst().title(),
                    figures, timeLeft(System.nanoTime() - start, done, cases.size())));
        }
    }

    static String timeLeft(long nanos, int done, int all) {
        Duration left = Duration.ofNanos(nanos / done * (all - done));
        return "%d:%02d".formatted(left.toMinutes(), left.toSecondsPart());
    }

    /** Measures without JMH: each sample has a value for each of {@code names}. */
    public <K> void processes(List<K> all, int rounds, String unit, List<String> names,
                              BiFunction<K, String, Case> place, Sample<K, double[]> sample) {
        takeTurns(all, rounds, each -> place.apply(each, names.getFirst()).label(), sample).forEach((each, samples) -> {
            for (int i = 0; i < names.size(); i++) {
                int value = i;
                measured.add(new Measured(place.apply(each, names.get(i)),
                        Outcome.of(unit, samples.stream().mapToDouble(values -> values[value]).toArray())));
            }
        });
    }

    /** {@return what each of {@code all} gave in its turns, unless it failed} */
    private <K, V> Map<K, List<V>> takeTurns(List<K> all, int rounds, Function<K, String> label, Sample<K, V> sample) {
        Map<K, List<V>> taken = new LinkedHashMap<>();
        all.forEach(each -> taken.put(each, new ArrayList<>()));
        for (int round = 0; round < rounds; round++) {
            for (K each : List.copyOf(taken.keySet())) {
                try {
                    taken.get(each).add(sample.of(each));
                } catch (IOException e) {
                    taken.remove(each);
                    failures.add(label.apply(each) + ": " + e.getMessage());
                }
            }
        }
        return taken;
    }

    public Results results(String title, String command) {
        OptionalDouble otherCores = raw.values().stream().flatMap(List::stream)
                .filter(run -> run.getSecondaryResults().containsKey(ProcessorUse.OTHERS))
                .mapToDouble(run -> run.getSecondaryResults().get(ProcessorUse.OTHERS).getScore()).average();
        return new Results(title, command,
                ZonedDateTime.now().format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm xxx")), Machine.current(),
                otherCores.isPresent() ? otherCores.getAsDouble() : null, effort, jvms, measured, failures);
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

    private RunResult fork(Case what) throws IOException {
        JavaCommand jvm = jvm(what.jvm());
        List<String> jvmArgs = new ArrayList<>(jvm.options());
        if (what.threads() > Runtime.getRuntime().availableProcessors()) {
            // Benchmark threads never yield while they measure, so virtual ones need a carrier each.
            jvmArgs.add("-Djdk.virtualThreadScheduler.parallelism=" + what.threads());
        }
        ChainedOptionsBuilder builder = new OptionsBuilder()
                .include("^" + Pattern.quote(what.benchmark()) + "$")
                .jvm(jvm.launcher())
                .jvmArgs(jvmArgs.toArray(String[]::new))
                .threads(what.threads())
                .forks(1)
                .warmupForks(0)
                .shouldFailOnError(true);
        if (!BenchmarkSelection.isSingleShot(what.benchmark())) {
            builder.warmupIterations(effort.warmupIterations())
                    .warmupTime(TimeValue.milliseconds(effort.warmupMillis()))
                    .measurementIterations(effort.iterations())
                    .measurementTime(TimeValue.milliseconds(effort.iterationMillis()))
                    .addProfiler(ProcessorUse.class) // around the other, which counts what it allocates, too
                    .addProfiler(GCProfiler.class);
        }
        what.parameters().forEach(builder::param);
        try {
            OutputFormat format = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
            return new Runner(builder.build(), format).runSingle();
        } catch (RunnerException | RuntimeException e) { // the latter if the virtual machine does not start
            throw new IOException(reason(e), e);
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
