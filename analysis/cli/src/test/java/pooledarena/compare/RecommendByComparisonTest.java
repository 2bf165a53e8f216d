/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.CommandLine;
import pooledarena.benchmark.BenchmarkSelection;
import pooledarena.benchmark.Case;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.Machine;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.benchmark.Results.Effort;
import pooledarena.recordings.Histograms;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What compare writes, recommend reads. */
class RecommendByComparisonTest {

    @TempDir
    private Path directory;

    @Test
    void timesOfThisMachine() throws IOException {
        List<JavaCommand> jvms = List.of(jvm(JavaCommand.STOCK), jvm(JavaCommand.POOLED));
        BenchmarkSelection selection = new BenchmarkSelection("confined");
        List<Results.Measured> measured = new ArrayList<>();
        for (String method : List.of("one", "three")) {
            for (String size : List.of("5", "100", "2000")) {
                String name = "ConfinedArenaAlloc." + method;
                Case row = new Case(selection.title(name), size + " B", null, "bench." + name, Map.of("size", size), 1);
                measured.add(new Results.Measured(row.on(jvms.get(0)), new Outcome(100.0, null, "ns/op", 0.0, null, null)));
                measured.add(new Results.Measured(row.on(jvms.get(1)), new Outcome(25.0, null, "ns/op", 0.0, null, null)));
            }
        }
        Results results = new Results("A comparison", "make compare", "2026-01-02", new Machine("", 2, 8192, ""),
                null, new Effort(1, 1, 1, 1, 1), jvms, measured, List.of());
        Path report = Files.writeString(directory.resolve("report.md"),
                new ComparisonReport(results, selection).document().toMarkdown());
        Path recording = Histograms.write(Histograms.of(1, Map.of(Histograms.shape(null, 20, 0), 1000L)),
                directory.resolve("recorded/1.json"));
        Path out = directory.resolve("out");
        CommandLine result = CommandLine.run("recommend", recording.toString(), "--out", out.toString(),
                "--costs", report.toString());
        assertEquals(0, result.status(), result.err());
        assertTrue(Files.readAllLines(out.resolve("settings.csv")).getLast().endsWith(",100000,75000"));
    }

    private static JavaCommand jvm(String name) {
        return new JavaCommand(name, "/jdk/" + name + "/bin/java", List.of(), List.of("openjdk version \"25.0.3\" 2026-04-21"));
    }
}
