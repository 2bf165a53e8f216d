/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import pooledarena.benchmark.BenchmarkSelection;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.MeasuringCommand;
import pooledarena.benchmark.Results.Effort;
import pooledarena.io.BadInput;

import module java.base;

@Command(name = "compare",
        description = "Runs the benchmarks on the class path on a stock JDK and on one with the pooled confined arena, "
                + "prints one table, and writes report.md, report.html, charts, figures.json, the JSON of JMH for each "
                + "JDK and jmh.log.",
        footer = {"", "Example:",
                "  java --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED \\",
                "      -cp build/arena-analysis.jar:build/micro.jar \\",
                "      pooledarena.Main compare --stock /usr/lib/jvm/jdk-25 --pooled build/image \\",
                "      --peer 'tuned=build/image/bin/java -Djdk.foreign.confinedPool.depth=4'",
                "", "Exit status: 0 if all was measured, 1 if a row failed, 2 if the input was wrong."})
public final class Compare extends MeasuringCommand {

    @Option(names = "--peer", paramLabel = "JAVA",
            description = "the java of a further JDK to measure beside the two, or its home; "
                    + "NAME= before it names its columns, options after it are for this java; may be repeated")
    private List<String> peers = List.of();

    @Option(names = "--full", description = "more rows, start-up and memory too, and enough forks to quote the figures")
    private boolean full;

    @Option(names = "--all", description = "every row of every benchmark")
    private boolean all;

    @Override
    protected List<JavaCommand> jvms() {
        List<JavaCommand> jvms = new ArrayList<>(super.jvms());
        for (String peer : peers) {
            JavaCommand jvm = JavaCommand.ofPeer("--peer", peer);
            if (jvms.stream().anyMatch(other -> other.name().equals(jvm.name()))) {
                throw new BadInput("--peer " + peer + ": another java is called " + jvm.name()
                        + "; NAME= before it gives it another name; nothing was measured");
            }
            jvms.add(jvm);
        }
        return jvms;
    }

    /** A case takes about 3.5 s, of the full form 15 s: more forks, as they differ more than iterations. */
    @Override
    protected Experiment experiment() {
        return new Experiment("Pooled confined arena compared with the stock JDK",
                full ? new Effort(forks(5), 6, 200, 5, 200) : new Effort(forks(1), 6, 200, 10, 150),
                all ? BenchmarkSelection.all() : BenchmarkSelection.form(full, BenchmarkSelection.all()),
                List.of(), ComparisonReport::addTo, ComparisonReport.CHARTS);
    }
}
