/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.*;
import pooledarena.compare.Results.*;

import module java.base;

/**
 * Runs JMH fork by fork. The forks of a row, one of each virtual machine, run at the same time and {@linkplain Turns take turns}.
 * Those that are measured once in a process run one after the other. A fork has none of this process's options. A case that failed
 * once is not run again, and the others go on.
 */
public final class BenchmarkRunner {

    static {
        // JMH would refuse to run beside another one. Not only JMH disturbs figures; other work is measured.
        System.setProperty("jmh.ignoreLock", "true");
    }

    private final List<JavaCommand> jvms;
    private final Effort effort;
    private final PrintStream log;
    private final Consumer<String> progress;
    private final Map<Case, RunResult> measured = new LinkedHashMap<>();
    private final List<String> failures = new ArrayList<>();

    /** {@code log} gets JMH's own output, {@code progress} a line for each row that was measured. */
    public BenchmarkRunner(List<JavaCommand> jvms, Effort effort, PrintStream log, Consumer<String> progress) {
        this.jvms = jvms;
        this.effort = effort;
        this.log = log;
        this.progress = progress;
    }

    public void run(List<Case> cases) throws IOException {
        long start = System.nanoTime();
        int done = 0;
        for (List<Case> row : cases.stream().collect(
                Collectors.groupingBy(Case::title, LinkedHashMap::new, Collectors.toList())).values()) {
            StringJoiner figures = new StringJoiner(", ").setEmptyValue("failed");
            takeTurns(row).forEach((each, forks) -> {
                RunResult whole = new RunResult(forks.getFirst().getParams(),
                        forks.stream().flatMap(fork -> fork.getBenchmarkResults().stream()).toList());
                measured.put(each, whole);
                Outcome.of(whole).forEach(outcome ->
                        figures.add(each.jvm() + " " + outcome.scoreWithError() + " " + outcome.unit()));
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

    /** {@return the forks of each case of a row, unless one failed} */
    private Map<Case, List<RunResult>> takeTurns(List<Case> row) throws IOException {
        Map<Case, List<RunResult>> taken = new LinkedHashMap<>();
        row.forEach(each -> taken.put(each, new ArrayList<>()));
        boolean isSingleShot = BenchmarkSelection.isSingleShot(row.getFirst().benchmark());
        for (int round = 0; round < effort.forks(); round++) {
            Turns turns = new Turns();
            try (ExecutorService threads = isSingleShot ? Executors.newSingleThreadExecutor() : Executors.newCachedThreadPool()) {
                Map<Case, Turns.Fork> order = new LinkedHashMap<>();
                for (Case each : taken.keySet()) {
                    order.put(each, isSingleShot ? null : turns.add()); // all before a fork waits for its turn
                }
                Map<Case, Future<RunResult>> forks = new LinkedHashMap<>();
                order.forEach((each, turn) -> forks.put(each, threads.submit(() -> fork(each, turn))));
                turns.run();
                forks.forEach((each, fork) -> {
                    try {
                        taken.get(each).add(fork.get());
                    } catch (ExecutionException | InterruptedException e) {
                        taken.remove(each);
                        failures.add(each.title() + ", " + each.jvm() + ": " + reason(e));
                    }
                });
            }
        }
        return taken;
    }

    public Results results(String title, String command) {
        OptionalDouble otherCores = measured.values().stream()
                .filter(run -> run.getSecondaryResults().containsKey(ProcessorUse.OTHERS))
                .mapToDouble(run -> run.getSecondaryResults().get(ProcessorUse.OTHERS).getScore()).average();
        List<Measured> outcomes = new ArrayList<>();
        measured.forEach((each, run) -> Outcome.of(run).forEach(outcome -> outcomes.add(new Measured(each, outcome))));
        return new Results(title, command,
                ZonedDateTime.now().format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm xxx")), Machine.current(),
                otherCores.isPresent() ? Math.max(0, otherCores.getAsDouble()) : null, effort, jvms, outcomes, failures);
    }

    /** {@return JMH's own JSON of each virtual machine, which JMH's visualizers read, by the names of files} */
    public Map<String, byte[]> rawJson() {
        Map<String, byte[]> files = new LinkedHashMap<>();
        measured.keySet().stream().collect(Collectors.groupingBy(Case::jvm, LinkedHashMap::new,
                Collectors.mapping(measured::get, Collectors.toList()))).forEach((jvm, runs) -> {
            ByteArrayOutputStream json = new ByteArrayOutputStream();
            try (PrintStream out = new PrintStream(json, false, StandardCharsets.UTF_8)) {
                ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(runs);
            }
            // Each fork was a run of its own to JMH.
            files.put(file(jvm), json.toString(StandardCharsets.UTF_8)
                    .replace("\"forks\" : 1,", "\"forks\" : " + effort.forks() + ",").getBytes(StandardCharsets.UTF_8));
        });
        return files;
    }

    static String file(String jvm) {
        return "jmh-" + jvm.replaceAll("[^\\w.-]+", "_") + ".json";
    }

    /** {@return the names of such files that a directory has} */
    static List<String> files(Path directory) {
        return List.of(directory.toFile().list((_, name) -> name.matches("jmh-.*\\.json")));
    }

    /** {@return what a fork measured; it waits for its turns, unless {@code turn} is null} */
    private RunResult fork(Case what, Turns.Fork turn) throws RunnerException, IOException {
        JavaCommand jvm = jvms.stream().filter(each -> each.name().equals(what.jvm())).findFirst().orElseThrow();
        List<String> jvmArgs = new ArrayList<>(jvm.options());
        int processors = Runtime.getRuntime().availableProcessors();
        if (what.threads() > processors) {
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
        if (turn != null) {
            Effort each = effort.shared(what.threads(), processors);
            builder.warmupIterations(each.warmupIterations())
                    .warmupTime(TimeValue.milliseconds(each.warmupMillis()))
                    .measurementIterations(each.iterations())
                    .measurementTime(TimeValue.milliseconds(each.iterationMillis()))
                    .addProfiler(Turns.Turn.class.getName(), turn.port()) // around the others; of a class JMH takes the canonical name
                    .addProfiler(ProcessorUse.class) // around the other, which counts what it allocates, too
                    .addProfiler(GCProfiler.class);
        }
        what.parameters().forEach(builder::param);
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (turn; PrintStream out = new PrintStream(output, false, StandardCharsets.UTF_8)) {
            return new Runner(builder.build(), OutputFormatFactory.createFormatInstance(out, VerboseMode.NORMAL)).runSingle();
        } finally {
            synchronized (log) {
                output.writeTo(log); // whole, since forks run at the same time
            }
        }
    }

    private static String reason(Throwable e) {
        if (e.getCause() != null || e.getSuppressed().length > 0) {
            return reason(e.getCause() != null ? e.getCause() : e.getSuppressed()[0]);
        }
        return e.toString().replaceAll("\\s+", " ");
    }
}
