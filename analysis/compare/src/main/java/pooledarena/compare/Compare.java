/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import pooledarena.benchmark.BenchmarkSelection;
import pooledarena.benchmark.Effort;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.MeasuringCommand;

import module java.base;

@Command(name = "compare",
        description = "Runs the benchmarks on the class path on a stock JDK and on one with the pooled confined arena, "
                + "prints one table, and writes report.md, report.html, charts, compare.json, the JSON of JMH for each JDK and "
                + "jmh.log.",
        footer = {"", "Example:",
                "  java --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED \\",
                "      -cp build/arena-analysis.jar:build/micro.jar \\",
                "      pooledarena.Main compare --stock /usr/lib/jvm/jdk-25 --pooled build/image \\",
                "      --peer 'tuned=build/image/bin/java -Djdk.foreign.confinedPool.depth=4'",
                "", "Exit status: 0 if all was measured, 1 if a row failed, 2 if the input was wrong."})
public final class Compare extends MeasuringCommand {

    private static final int START_UP_RUNS = 100;
    private static final int FOOTPRINT_RUNS = 5;

    @Option(names = "--peer", paramLabel = "JAVA",
            description = "the java of a further JDK to measure beside the two, or its home; "
                    + "NAME= before it names its columns, options after it are for this java; may be repeated")
    private List<String> peers = List.of();

    @Option(names = "--full", description = "more rows, start-up and memory too, and enough forks to quote the figures")
    private boolean full;

    @Option(names = "--all", description = "every row of every benchmark")
    private boolean all;

    @Override
    protected Effort effort() {
        return full ? Effort.FULL : Effort.SHORT;
    }

    @Override
    protected List<Jvm> jvms() {
        List<Jvm> jvms = new ArrayList<>(super.jvms());
        for (String peer : peers) {
            Jvm jvm = Jvm.ofPeer("--peer", peer);
            boolean nameTaken = jvms.stream().anyMatch(other -> other.name().equals(jvm.name()));
            jvms.add(nameTaken ? jvm.renamed(jvm.name() + " (" + (jvms.size() - 1) + ")") : jvm);
        }
        return jvms;
    }

    @Override
    protected Experiment experiment(List<Jvm> jvms) {
        List<Extra> processes = !full ? List.of() : List.of(
                new Extra(StartUp.TITLE, () -> StartUp.measure(jvms, START_UP_RUNS, this::progress)),
                new Extra(Footprint.TITLE, () ->
                        Footprint.measure(jvms, Footprint.THREADS, Footprint.OPEN, FOOTPRINT_RUNS, this::progress)));
        return new Experiment("Pooled confined arena compared with the stock JDK", List.of(),
                all ? BenchmarkSelection.all() : BenchmarkSelection.form(full), processes,
                results -> new ComparisonReport(results).document(), "compare.json", ComparisonChart.FILES);
    }
}
