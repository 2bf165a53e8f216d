/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.report;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.CommandLine;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.HistogramReader;
import pooledarena.histogram.Shape;
import pooledarena.io.Tool;
import pooledarena.recordings.Histograms;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Files of many virtual machines: what is kept of them is the rows that differ. */
class FleetTest {

    private static final int FILES = 4000;
    private static final int ROWS = 150;

    @TempDir
    private Path directory;

    /** One after the other, these files would take 100 MiB and more. */
    @Test
    void memoryFollowsRowsAndNotFiles() throws Exception {
        Map<Shape, Long> arenas = new HashMap<>();
        for (int bytes = 1; bytes <= ROWS; bytes++) {
            arenas.put(Histograms.shape(Histograms.SITE, bytes, 0), (long) bytes);
        }
        Path fleet = directory.resolve("fleet");
        Path first = Histograms.write(Histograms.of(1, arenas), fleet.resolve("1.json"));
        String json = Files.readString(first);
        for (int pid = 2; pid <= FILES; pid++) {
            Files.writeString(fleet.resolve(pid + ".json"), json.replace("\"pid\": 1,", "\"pid\": " + pid + ","));
        }
        Path cut = Files.writeString(fleet.resolve("cut.json"), json.substring(0, json.length() - 3));
        Path merged = directory.resolve("all.json");
        Path err = directory.resolve("err");
        Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-Xmx48m", "-Djava.awt.headless=true", "-cp",
                System.getProperty("java.class.path"), CommandLine.class.getName(), "report", fleet.toString(), "--out",
                directory.resolve("out").toString(), "--merge", merged.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(err.toFile()).start();
        assertEquals(Tool.EXIT_FAILED, process.waitFor(), Files.readString(err));
        assertTrue(Files.readString(err).startsWith(cut + ": is not whole JSON: line "), Files.readString(err));
        assertEquals(1, Files.readAllLines(err).size(), Files.readString(err));
        Histogram all = HistogramReader.read(merged);
        assertEquals(FILES, all.jvms().size());
        assertEquals(arenas.keySet(), all.rows().keySet());
        assertEquals((long) FILES * ROWS * (ROWS + 1) / 2, all.sum((_, _) -> true).arenas());
    }
}
