/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.AverageTimeResult;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.IterationResultMetaData;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.WorkloadParams;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.ListStatistics;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

class OutcomeTest {

    @Test
    void anEvenNumberOfIterationsHasItsMedianBetweenTheMiddleTwo() {
        assertEquals(3, outcome("ns/op", 4, 1, 2, 8).score());
    }

    /** The quartiles of five values are between the first two and the last two, those of three are the first and the last. */
    @Test
    void theErrorIsHalfOfTheDistanceOfTheQuartiles() {
        assertEquals(1.5, outcome("ns/op", 5, 2, 3, 1, 4).error());
        assertEquals(1, outcome("ns", 7, 9, 8).error());
    }

    @Test
    void twoRunsHaveNoError() {
        Outcome outcome = outcome("B", 10, 20);
        assertNull(outcome.error());
        assertEquals("15.0", outcome.scoreWithError());
    }

    @Test
    void speedupCombinesBothErrors() {
        // Relative errors of 3 % and 4 % make 5 %.
        assertEquals("2.00x ± 0.10", outcome(50, 2).speedupOver(outcome(100, 3)));
        assertEquals("12.3x ± 0.6", outcome(10, 0.3).speedupOver(outcome(123.4, 4.936)));
    }

    /** A sum of 18 ms in three forks, each of which had 4 iterations of 50 ms, is 30 ms in a second. */
    @Test
    void theFiguresOfABenchmark() {
        Outcome outcome = Outcome.of(run(Map.of("gc.alloc.rate.norm", 24.0, "gc.time", 1.5, "cpu.norm", 30.0))).getFirst();
        assertEquals(11, outcome.score()); // the median of 10, 11 and 20
        assertEquals(outcome("ns/op", 10, 11, 20).error(), outcome.error(), 1e-9);
        assertEquals(14.5 / 11, outcome.slowed(), 1e-9);
        assertEquals("ns/op", outcome.unit());
        assertEquals(List.of(24.0, 30.0), List.of(outcome.bytesPerOp(), outcome.cpuNsPerOp()));
        assertEquals(30, outcome.gcMillisPerSecond(), 1e-9);
        Outcome bare = Outcome.of(run(Map.of())).getFirst();
        assertEquals(0.0, bare.gcMillisPerSecond()); // JMH says nothing where there was no collection
        assertNull(bare.bytesPerOp());
        assertNull(bare.cpuNsPerOp());
    }

    /** Each process measures once, so there is no fastest iteration, and nothing else is measured. */
    @Test
    void aSingleShotIsTheMedianOfItsProcesses() {
        Outcome outcome = Outcome.of(run(Mode.SingleShotTime, Map.of())).getFirst();
        assertEquals(new Outcome(14.5, 5.25, null, "ns/op", null, null, null), outcome);
    }

    /** The system counts processor time in ticks of 10 ms, so iterations of 20 ms have one, two or three of them. */
    @Test
    void processorTimeIsTheMeanOfTheIterations() {
        RunResult run = run(Map.of());
        run.getBenchmarkResults().forEach(fork -> List.copyOf(fork.getIterationResults()).getFirst()
                .addResult(new ScalarResult("cpu.norm", 40, "", AggregationPolicy.AVG)));
        run.getBenchmarkResults().forEach(fork -> fork.getIterationResults().stream().skip(1).forEach(iteration ->
                iteration.addResult(new ScalarResult("cpu.norm", 20, "", AggregationPolicy.AVG))));
        assertEquals(25, Outcome.of(run).getFirst().cpuNsPerOp());
    }

    /** A benchmark that counts has a figure for each counter, and none of its time. */
    @Test
    void whatABenchmarkCounts() {
        assertEquals(List.of(outcome("B", 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7)), Outcome.of(run(Map.of("bytes", 7.0))));
        assertEquals(List.of("ns"), units(Map.of("nanos", 7.0)));
        assertEquals(List.of("atomic operations", "calls"), units(new TreeMap<>(Map.of("calls", 2.0, "atomicOperations", 1.0))));
    }

    private static List<String> units(Map<String, Double> counters) {
        return Outcome.of(run(counters)).stream().map(Outcome::unit).sorted().toList();
    }

    /** {@return three forks of four iterations of 50 ms, with times and, in each iteration, the other figures} */
    private static RunResult run(Map<String, Double> others) {
        return run(Mode.AverageTime, others);
    }

    private static RunResult run(Mode mode, Map<String, Double> others) {
        IterationParams iterations = new IterationParams(IterationType.MEASUREMENT, 4, TimeValue.milliseconds(50), 1);
        BenchmarkParams params = new BenchmarkParams("p.Alloc.one", "", false, 1, new int[] {1}, List.of(), 1, 0, iterations,
                iterations, mode, new WorkloadParams(), TimeUnit.NANOSECONDS, 1, "", List.of(), "", "", "", "",
                TimeValue.NONE);
        List<BenchmarkResult> forks = Stream.of(new int[] {10, 11, 12, 13}, new int[] {100, 11, 14, 15},
                new int[] {20, 21, 200, 22}).map(times ->
                new BenchmarkResult(params, IntStream.of(times).mapToObj(time -> {
                    IterationResult iteration = new IterationResult(params, iterations, new IterationResultMetaData(1, 1));
                    iteration.addResult(new AverageTimeResult(ResultRole.PRIMARY, "one", 1, time, TimeUnit.NANOSECONDS));
                    others.forEach((name, value) ->
                            iteration.addResult(new ScalarResult(name, value, "", AggregationPolicy.AVG)));
                    return iteration;
                }).toList())).toList();
        return new RunResult(params, forks);
    }

    @Test
    void factors() {
        assertEquals("10.0x ± 0.0", outcome(10, 0).speedupOver(outcome(100, 0)));
        assertEquals("2.00x", outcome("ns/op", 50).speedupOver(outcome("ns/op", 100)));
        assertEquals("20.0x", outcome("ns/op", 5).speedupOver(outcome(100, 1)));
        assertEquals("100 ± 3", outcome(100, 3).scoreWithError());
    }

    private static Outcome outcome(double score, double error) {
        return new Outcome(score, error, null, "ns/op", null, null, null);
    }

    private static Outcome outcome(String unit, double... values) {
        return Outcome.of(unit, new ListStatistics(values));
    }
}
