/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import pooledarena.benchmark.Case;
import pooledarena.benchmark.MeasuringCommand;
import pooledarena.benchmark.Results.Effort;
import pooledarena.benchmark.Results;
import pooledarena.io.BadInput;
import pooledarena.io.WholeFiles;

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

    /** Each has a file beside this class, which says what is measured and how the report shows it. */
    static final List<String> PARTS = List.of("rocksdb", "netty", "okio", "arenas");

    @Parameters(index = "0", paramLabel = "PART", description = "rocksdb, netty, okio or arenas")
    private String name;

    /** What is measured beside one of the peers. */
    record Part(String title, List<Group> groups) {

        static Part of(String name) {
            Object yaml = new Yaml().load(WholeFiles.resource(Peers.class, name + ".yaml"));
            return new ObjectMapper().convertValue(yaml, Part.class);
        }

        List<Case> cases() {
            return groups.stream().flatMap(group -> group.cases().stream()).toList();
        }
    }

    @Override
    protected Experiment experiment() {
        if (!PARTS.contains(name)) {
            throw new BadInput(name
                    + ": no such part; rocksdb, netty, okio and arenas are accepted; nothing was measured");
        }
        Part part = Part.of(name);
        return new Experiment(part.title, new Effort(forks(1), 5, 200, 5, 200), part.cases(),
                part.groups.stream().flatMap(group -> group.extra(out).stream()).toList(),
                (document, results) -> {
                    part.groups.forEach(group -> group.addTo(document, results));
                    document.paragraph("Figures are medians of the iterations; " + Results.ERROR + ".").details();
                },
                part.groups.stream().map(Group::picture).filter(Objects::nonNull).map(Picture::file).toList());
    }
}
