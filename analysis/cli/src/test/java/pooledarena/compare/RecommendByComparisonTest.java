/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.CommandLine;
import pooledarena.compare.Results.Effort;
import pooledarena.compare.Results.Machine;
import pooledarena.recordings.Histograms;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What compare writes, recommend reads. */
class RecommendByComparisonTest {

    @TempDir
    private Path directory;

    @Test
    void timesOfThisMachine() throws IOException {
        List<JavaCommand> jvms = List.of(jvm(JavaCommand.STOCK), jvm(JavaCommand.PATCH));
        BenchmarkSelection selection = new BenchmarkSelection("confined");
        List<Results.Measured> measured = new ArrayList<>();
        Map<String, List<String>> sizes = Map.of("Alloc.one", List.of("5", "100", "8192"), "Alloc.three", List.of("5", "100"),
                "Nested.eight", List.of("5"), "Virtual.allocate", List.of("5"), "Escape.allocateNotInlined", List.of("5"),
                "StructReturn.twoRegisters", List.of("0"));
        sizes.forEach((method, all) -> all.forEach(size -> {
            String name = "ConfinedArena" + method;
            Case row = new Case(selection.known(name).title(), size + " B", null, "bench." + name, Map.of("size", size), 1);
            measured.add(new Results.Measured(row.on(jvms.get(0)), new Outcome(1.0, null, 1.0, "ns/op", 48.0, 0.0, 100.0)));
            measured.add(new Results.Measured(row.on(jvms.get(1)), new Outcome(1.0, null, 1.0, "ns/op", 0.0, 0.0, 25.0)));
        }));
        Results results = new Results("A comparison", "make compare", "2026-01-02", new Machine("", 2, 8192, ""),
                null, new Effort(1, 1, 1, 1, 1), jvms, measured, List.of());
        Path figures = Files.write(directory.resolve("figures.json"), new ObjectMapper().writeValueAsBytes(results));
        Path recording = Histograms.write(Histograms.of(1, Map.of(Histograms.shape(null, 20, 0), 1000L)),
                directory.resolve("recorded/1.json"));
        Path out = directory.resolve("out");
        CommandLine result = CommandLine.run("recommend", recording.toString(), "--out", out.toString(), "--costs",
                figures.toString());
        assertEquals(0, result.status(), result.err());
        JsonNode json = new ObjectMapper().readTree(out.resolve("recommend.json").toFile());
        assertEquals(List.of(100_000L, 75_000L, 48_000L), Stream.of("/stockNanos", "/default/nanosSaved", "/default/heapBytesSaved")
                .map(name -> json.at(name).asLong()).toList());
    }

    private static JavaCommand jvm(String name) {
        return new JavaCommand(name, "/jdk/" + name + "/bin/java", List.of(), List.of("openjdk version \"25.0.3\" 2026-04-21"));
    }
}
