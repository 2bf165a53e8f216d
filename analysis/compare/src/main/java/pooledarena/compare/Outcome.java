/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.*;
import org.openjdk.jmh.util.ListStatistics;
import org.openjdk.jmh.util.Statistics;
import pooledarena.text.Figures;

import module java.base;

/**
 * What a case gave. A time is the median of the forks, and of each fork that of its fastest iteration: what else runs on the
 * processor, even another virtual machine, which is seen nowhere, only makes iterations slower. It takes the processor for tens of
 * milliseconds, so iterations are shorter. What is measured once in a process is the median of all processes. Other figures are
 * medians of all iterations. One that was not measured is null.
 *
 * @param error             half of the distance between the quartiles, of a time those of the forks; fewer than three values give
 *                          none. A mean error would follow the one fork that was disturbed as a whole.
 * @param slowed            the median iteration's time ÷ the score; null for what is no time
 * @param bytesPerOp        Java heap allocated
 * @param gcMillisPerSecond how long the garbage collector ran
 * @param cpuNsPerOp        processor time of the whole process, garbage collector and cleaner included: the mean of all iterations,
 *                          since the system counts it in ticks of 10 ms
 */
public record Outcome(Double score, Double error, Double slowed, String unit, Double bytesPerOp,
                      Double gcMillisPerSecond, Double cpuNsPerOp) {

    /** Units of what a benchmark counts, by the name of JMH's auxiliary counter. Other counters say what they count. */
    private static final Map<String, String> UNITS = Map.of("bytes", "B", "nanos", "ns");

    /** {@return the figures of a benchmark: those of each counter, or of its time if it counts nothing} */
    static List<Outcome> of(RunResult run) {
        // The names of JMH's own secondary results have dots.
        List<String> counters = run.getSecondaryResults().keySet().stream().filter(name -> !name.contains(".")).toList();
        if (!counters.isEmpty()) {
            return counters.stream().map(name -> of(UNITS.getOrDefault(name, words(name)),
                    run.getSecondaryResults().get(name).getStatistics())).toList();
        }
        if (run.getParams().getMode() == Mode.SingleShotTime) {
            return List.of(of(run.getPrimaryResult().getScoreUnit(), run.getPrimaryResult().getStatistics()));
        }
        Statistics forks = new ListStatistics(run.getBenchmarkResults().stream().mapToDouble(Outcome::fastest).toArray());
        IterationParams iterations = run.getParams().getMeasurement();
        double seconds = iterations.getTime().convertTo(TimeUnit.MILLISECONDS) / 1e3 * iterations.getCount()
                * run.getBenchmarkResults().size();
        return List.of(new Outcome(median(forks), error(forks),
                median(run.getPrimaryResult().getStatistics()) / median(forks), run.getPrimaryResult().getScoreUnit(),
                statistics(run, "gc.alloc.rate.norm").map(Outcome::median).orElse(null),
                statistics(run, "gc.time").map(Statistics::getSum).orElse(0.0) / seconds, // missing where there was no collection
                statistics(run, ProcessorUse.OWN).map(Statistics::getMean).orElse(null)));
    }

    private static double fastest(BenchmarkResult fork) {
        return fork.getIterationResults().stream().mapToDouble(each -> each.getPrimaryResult().getScore()).min().orElseThrow();
    }

    private static String words(String name) {
        return name.replaceAll("(?=\\p{Upper})", " ").toLowerCase(Locale.ROOT);
    }

    static Outcome of(String unit, Statistics statistics) {
        return new Outcome(median(statistics), error(statistics), null, unit, null, null, null);
    }

    public String speedupOver(Outcome base) {
        double factor = base.score / score;
        String digits = factor < 10 ? "%.2f" : "%.1f";
        if (error == null || base.error == null) {
            return String.format(Locale.ROOT, digits + "x", factor);
        }
        return String.format(Locale.ROOT, digits + "x ± " + digits, factor,
                factor * Math.hypot(base.error / base.score, error / score));
    }

    public String scoreWithError() {
        return Figures.decimals(score, score) + (error == null ? "" : " ± " + Figures.decimals(error, score));
    }

    private static Optional<Statistics> statistics(RunResult run, String name) {
        return Optional.ofNullable(run.getSecondaryResults().get(name)).map(result -> result.getStatistics());
    }

    private static double median(Statistics statistics) {
        return statistics.getPercentile(50);
    }

    private static Double error(Statistics statistics) {
        return statistics.getN() < 3 ? null : (statistics.getPercentile(75) - statistics.getPercentile(25)) / 2;
    }
}
