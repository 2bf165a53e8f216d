/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recordings;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import pooledarena.CommandLine;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.HistogramWriter;
import pooledarena.io.Tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What both commands that read recordings say of files that are not good. */
class LeftOutTest {

    private static final Histogram A = Histograms.of(1, Map.of(Histograms.shape(Histograms.SITE, 5, 0), 3L));

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"report", "recommend"})
    void eachFaultIsNamedAndTheRestGoesOn(String command) throws IOException {
        Path good = Histograms.write(A, directory.resolve("in/good.json"));
        String json = Files.readString(good);
        Path cut = Files.writeString(directory.resolve("in/cut.json"), json.substring(0, json.length() / 2));
        Path empty = Files.createFile(directory.resolve("in/empty.json"));
        Path foreign = Files.writeString(directory.resolve("in/foreign.json"), "{\"name\": \"x\"}");
        Path newer = Files.writeString(directory.resolve("in/newer.json"), json.replace("\"version\": " + Histogram.VERSION, "\"version\": 700"));
        Path binary = Files.write(directory.resolve("in/binary.json"), new byte[] {0, 0, -1, -2, 0, 65, 0, 0, 1, 2, 3, 4});
        Path none = Files.createDirectory(directory.resolve("none"));
        Path missing = directory.resolve("missing");
        CommandLine result = CommandLine.run(command, directory.resolve("in").toString(), none.toString(), missing.toString(),
                "--out", directory.resolve("out").toString());
        assertEquals(Tool.EXIT_FAILED, result.status(), result.err());
        List<String> lines = result.err().lines().toList();
        assertEquals(7, lines.size(), result.err());
        assertTrue(result.err().contains(command + ": " + cut + ": is not whole JSON: line "), result.err());
        for (String line : List.of(empty + ": is empty", foreign + ": is not a \"pooled-confined-arena histogram\"",
                newer + ": has version 700; this tool reads version " + Histogram.VERSION, none + ": has no files *.json", missing + ": is not there")) {
            assertTrue(lines.contains(command + ": " + line + "; it is left out"), line + " in " + result.err());
        }
        assertTrue(lines.stream().anyMatch(line -> line.startsWith(command + ": " + binary + ": ")), result.err());
        String markdown = Files.readString(directory.resolve("out").resolve(command + ".md")).replace('\n', ' ');
        assertTrue(markdown.contains("**Left out: " + newer + ": has version 7"), markdown);
        assertTrue(result.out().matches("(?s).*\\b3 (confined )?arenas.*"), result.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"report", "recommend"})
    void nothingIsWrittenIfNothingIsRead(String command) throws IOException {
        Path empty = Files.createFile(directory.resolve("empty.json"));
        CommandLine result = CommandLine.run(command, empty.toString(), "--out", directory.resolve("out").toString());
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", command + ": " + empty + ": is empty; it is left out\n" + command
                + ": there is nothing to read; accepted are histogram files of the recorder and directories that have some; "
                + "nothing was written\n"), result);
        assertTrue(Files.notExists(directory.resolve("out")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"report", "recommend"})
    void anOutputThatIsAFile(String command) throws IOException {
        Path in = Histograms.write(A, directory.resolve("a.json"));
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", command + ": --out " + in + ": cannot be written to "
                + "(it is there already, and is no directory); a directory is accepted, and made if missing; nothing was done\n"),
                CommandLine.run(command, in.toString(), "--out", in.toString()));
    }

    /** A recording that no recorder writes: its arenas have bytes, and allocations of which the largest has none. */
    @ParameterizedTest
    @ValueSource(strings = {"report", "recommend"})
    void aCraftedRecording(String command) throws IOException {
        String json = Files.readString(Histograms.write(A, directory.resolve("a.json")));
        Map<String, Integer> values = Map.of("site", 0, "virtual", 0, "closing", 0, "first", 0, "largest", 0, "exact", 1, "alignment", 1);
        String row = HistogramWriter.COLUMNS.stream().map(column -> Integer.toString(values.getOrDefault(column, 16)))
                .collect(Collectors.joining(", "));
        Path crafted = Files.writeString(directory.resolve("crafted.json"), json.replaceFirst("(?s)(\"rows\": \\[\n)[^]]*]", "$1[" + row + "]"));
        CommandLine result = CommandLine.run(command, crafted.toString(), "--out", directory.resolve("out").toString());
        assertEquals(new CommandLine(0, result.out(), ""), result);
        assertTrue(result.out().matches("(?s).*\\b16 (confined )?arenas.*"), result.out());
    }
}
