/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.Statistics;
import pooledarena.text.Figures;

import module java.base;

/**
 * What a case gave. Figures are medians of the iterations: on a machine that does other work
 * too, a few disturbed ones drag a mean anywhere. One that was not measured is null.
 *
 * @param error             half of JMH's 99.9 % confidence interval of the score; fewer than three values give none
 * @param bytesPerOp        Java heap allocated
 * @param gcMillisPerSecond how long the garbage collector ran
 * @param cpuNsPerOp        processor time of the whole process, garbage collector and cleaner included
 */
public record Outcome(Double score, Double error, String unit, Double bytesPerOp, Double gcMillisPerSecond,
                      Double cpuNsPerOp) {

    private static final double CONFIDENCE = 0.999;

    /** Units of what a benchmark counts, by the name of JMH's auxiliary counter. Other counters say what they count. */
    private static final Map<String, String> UNITS = Map.of("bytes", "B", "nanos", "ns");

    /** {@return the figures of a benchmark: those of each counter, or of its time if it counts nothing} */
    static List<Outcome> of(RunResult run) {
        // The names of JMH's own secondary results have dots.
        List<String> counters = run.getSecondaryResults().keySet().stream().filter(name -> !name.contains(".")).toList();
        if (!counters.isEmpty()) {
            return counters.stream().map(name -> of(UNITS.getOrDefault(name, words(name)), statistics(run, name))).toList();
        }
        Statistics score = run.getPrimaryResult().getStatistics();
        Statistics gcMillis = statistics(run, "gc.time"); // missing where there was no collection
        IterationParams fork = run.getParams().getMeasurement();
        double seconds = fork.getTime().convertTo(TimeUnit.MILLISECONDS) / 1e3 * fork.getCount()
                * run.getBenchmarkResults().size();
        return List.of(new Outcome(median(score), error(score), run.getPrimaryResult().getScoreUnit(),
                median(statistics(run, "gc.alloc.rate.norm")),
                gcMillis == null ? 0 : gcMillis.getSum() / seconds,
                median(statistics(run, ProcessorUse.OWN))));
    }

    private static String words(String name) {
        return name.replaceAll("(?=\\p{Upper})", " ").toLowerCase(Locale.ROOT);
    }

    static Outcome of(String unit, Statistics statistics) {
        return new Outcome(median(statistics), error(statistics), unit, null, null, null);
    }

    public String speedupOver(Outcome base) {
        double factor = base.score / score;
        double error = factor * Math.hypot(base.relativeError(), relativeError());
        return String.format(Locale.ROOT, factor < 10 ? "%.2fx ± %.2f" : "%.1fx ± %.1f", factor, error);
    }

    public String scoreWithError() {
        return Figures.decimals(score, score) + (error == null ? "" : " ± " + Figures.decimals(error, score));
    }

    private double relativeError() {
        return error == null ? 0 : error / score;
    }

    private static Statistics statistics(RunResult run, String name) {
        Result<?> result = run.getSecondaryResults().get(name);
        return result == null ? null : result.getStatistics();
    }

    private static Double median(Statistics statistics) {
        return statistics == null ? null : statistics.getPercentile(50);
    }

    private static Double error(Statistics statistics) {
        return statistics.getN() < 3 ? null : statistics.getMeanErrorAt(CONFIDENCE);
    }
}
