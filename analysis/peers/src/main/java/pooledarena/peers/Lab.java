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
package pooledarena.peers;

import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;
import pooledarena.benchmark.Effort;
import pooledarena.benchmark.Fork;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Measurement;
import pooledarena.benchmark.Median;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/**
 * Where cases are measured. Those of a row take turns fork by fork, so that a change of the machine's speed during the
 * run meets all of them alike.
 *
 * @param jvms    the virtual machines, by their names
 * @param options what every fork gets beside what its benchmark asks for
 * @param effort  how much to measure
 * @param filter  only cases are measured whose label or benchmark has a match
 * @param counter the library that counts allocations of native memory; null if there is none
 * @param out     the directory for what a part writes itself
 * @param log     gets JMH's own output
 * @param progress gets a line for each case
 */
record Lab(Map<String, Jvm> jvms, List<String> options, Effort effort, Pattern filter, Path counter, Path out,
           PrintStream log, Consumer<String> progress) {

    static {
        // JMH would refuse to run beside another one; how busy the machine is, is measured instead.
        System.setProperty("jmh.ignoreLock", "true");
    }

    Jvm stock() {
        return jvms.get(Jvm.STOCK);
    }

    Jvm pooled() {
        return jvms.get(Jvm.POOLED);
    }

    /** {@return whether {@code label} is asked for} */
    boolean wants(String label) {
        return filter.matcher(label).find();
    }

    boolean wants(Case candidate) {
        return wants(candidate.label()) || wants(candidate.benchmark());
    }

    /** {@return the figures of those of {@code candidates} that are asked for} */
    Results measure(List<Case> candidates) {
        List<Case> cases = candidates.stream().filter(this::wants).toList();
        Results results = new Results();
        long start = System.nanoTime();
        for (int first = 0; first < cases.size(); ) {
            int end = first + 1;
            while (end < cases.size() && cases.get(first).isBeside(cases.get(end))) {
                end++;
            }
            measureRow(cases.subList(first, end), results);
            for (Case measured : cases.subList(first, end)) {
                progress.accept("[%3d/%d] %s: %s".formatted(++first, cases.size(), measured.label(),
                        text(results.all().get(measured))));
            }
            Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
            Duration left = elapsed.multipliedBy(cases.size() - first).dividedBy(first);
            if (first < cases.size()) {
                progress.accept("%d:%02d left".formatted(left.toMinutes(), left.toSecondsPart()));
            }
        }
        return results;
    }

    /** {@return what a program prints on the virtual machine {@code jvm} with this process's class path} */
    List<String> run(Jvm jvm, Map<String, String> environment, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(jvm.command());
        command.addAll(options);
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow",
                "-cp", System.getProperty("java.class.path")));
        command.addAll(arguments);
        return Child.lines(command, environment);
    }

    private void measureRow(List<Case> row, Results results) {
        Map<Case, List<RunResult>> forks = new LinkedHashMap<>();
        Map<Case, String> failures = new LinkedHashMap<>();
        for (int fork = 0; fork < effort.forks(); fork++) {
            for (Case measured : row) {
                if (!failures.containsKey(measured)) {
                    try {
                        forks.computeIfAbsent(measured, _ -> new ArrayList<>()).add(runFork(measured));
                    } catch (RunnerException | RuntimeException e) { // the latter if the virtual machine does not start
                        failures.put(measured, Measurement.reason(e));
                    }
                }
            }
        }
        for (Case measured : row) {
            results.put(measured, failures.containsKey(measured)
                    ? Figures.failed(failures.get(measured)) : figures(forks.get(measured)));
        }
    }

    private RunResult runFork(Case measured) throws RunnerException {
        Jvm jvm = jvms.get(measured.jvm());
        List<String> jvmArgs = new ArrayList<>(jvm.options());
        jvmArgs.addAll(options);
        return new Fork(measured.qualifiedBenchmark(), measured.parameters(), measured.threads(), jvm, jvmArgs)
                .run(effort, log, ProcessTime.class);
    }

    private Figures figures(List<RunResult> forks) {
        Median score = Median.of(forks.stream()
                .flatMapToDouble(fork -> DoubleStream.of(Measurement.iterations(fork.getPrimaryResult()))).toArray());
        double mebibytes = median(forks, "gc.alloc.rate");
        return new Figures(score.value(), score.deviation(), forks.getFirst().getPrimaryResult().getScoreUnit(),
                median(forks, "gc.alloc.rate.norm"), mebibytes * (1 << 20), sum(forks, "gc.time"), sum(forks, "gc.count"),
                (double) forks.size() * effort.iterations() * effort.iterationMillis(), median(forks, ProcessTime.RESULT), null);
    }

    private static double median(List<RunResult> forks, String name) {
        return Median.of(values(forks, name).toArray()).value();
    }

    /** {@return the sum of a result that is left out where it is zero} */
    private static double sum(List<RunResult> forks, String name) {
        return values(forks, name).sum();
    }

    private static DoubleStream values(List<RunResult> forks, String name) {
        return forks.stream().flatMapToDouble(fork -> {
            Result<?> result = fork.getSecondaryResults().get(name);
            return result == null ? DoubleStream.empty() : DoubleStream.of(Measurement.iterations(result));
        });
    }

    private static String text(Figures figures) {
        return figures.isFailure() ? "failed: " + figures.failure()
                : figures.unit().equals("ops/s") ? "%,.0f /s".formatted(figures.score())
                : pooledarena.text.Figures.time(figures.score(), figures.score()) + " " + figures.unit();
    }
}
