/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import pooledarena.benchmark.Effort;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.MeasuringCommand;
import pooledarena.benchmark.Results;
import pooledarena.io.BadInput;
import pooledarena.text.Document;

import module java.base;

@Command(name = "peers",
        description = "Measures confined arenas of a stock JDK and of one with the pool beside RocksDB's, Netty's and "
                + "Okio's ways to memory, or other arenas; prints tables, and writes report.md, report.html, charts, "
                + "figures.json, the JSON of JMH for each JDK and jmh.log. The benchmarks and the peers' libraries "
                + "must be on the class path.",
        footer = {"", "Example, after make peers-build:",
                "  java --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED \\",
                "      -cp 'build/arena-analysis.jar:build/peers/peers.jar:build/deps/peers/*' \\",
                "      pooledarena.Main peers okio --stock /usr/lib/jvm/jdk-25 --pooled build/image --include Zeroing",
                "", "Exit status: 0 if all was measured, 1 if a row failed, 2 if the input was wrong."})
public final class Peers extends MeasuringCommand {

    static final Map<String, Part> PARTS = Map.of("rocksdb", RocksDbPart.PART, "netty", NettyPart.PART,
            "okio", OkioPart.PART, "arenas", ArenasPart.PART);

    @Parameters(index = "0", paramLabel = "PART", description = "rocksdb, netty, okio or arenas")
    private String name;

    @Override
    protected Experiment experiment(List<JavaCommand> jvms) {
        Part part = PARTS.get(name);
        if (part == null) {
            throw new BadInput(name
                    + ": no such part; rocksdb, netty, okio and arenas are accepted; nothing was measured");
        }
        List<Group> groups = part.groups();
        return new Experiment(part.title(), new Effort(1, 5, 200, 5, 200),
                groups.stream().flatMap(group -> group.cases().stream()).toList(), part.extras().apply(jvms, out),
                (document, results) -> addTo(document, results, groups), "figures.json",
                groups.stream().flatMap(group -> Stream.of(group.pictures())).map(Group.Picture::file).toList());
    }

    private static void addTo(Document document, Results results, List<Group> groups) {
        groups.forEach(group -> group.addTo(document, results));
        document.paragraph("Figures are medians of the iterations; " + Results.ERROR + ".").details();
    }
}
