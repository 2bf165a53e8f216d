/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import pooledarena.io.Tool;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What was measured beside what was estimated, reckoned by hand. */
class SavingsTest {

    private static final List<String> RUNS = List.of(
            "app,stock,0,1,1,1,1000", "app,image,0,1,1,1,100",
            "app,stock,1,5000000000,6000000000,2048,", "app,image,1,4000000000,6500000000,1024,", "app,recommended,1,3000000000,6000000000,1024,",
            "app,stock,2,5200000000,6000000000,2048,", "app,image,2,5000000000,6000000000,1024,",
            "app,stock,3,5100000000,6000000000,2048,", "app,image,3,4800000000,5900000000,1024,");

    private static final String RECOMMENDATION = """
            {"default": {"size": 8192, "mallocsSaved": 900, "nanosSaved": 700000000, "heapBytesSaved": 1000},
            "recommended": {"size": 16384, "mallocsSaved": 940, "nanosSaved": 800000000, "heapBytesSaved": 1000}}""";

    @TempDir
    private Path directory;

    @Test
    void roundsAreComparedWithThemselves() {
        Savings savings = new Savings(RUNS);
        assertEquals(List.of(1e9, 2e8, 3e8), savings.saved(new Savings.Side("app", "image"), Savings.Quantity.CPU));
        assertEquals(List.of(2e9), savings.saved(new Savings.Side("app", "recommended"), Savings.Quantity.CPU));
        assertEquals(List.of(900.0), savings.saved(new Savings.Side("app", "image"), Savings.Quantity.MALLOCS));
        assertEquals(List.of(), savings.saved(new Savings.Side("app", "recommended"), Savings.Quantity.MALLOCS));
    }

    @Test
    void theTable() throws IOException {
        writeRecommendations();
        String text = new Savings(RUNS).table(directory).toText(Integer.MAX_VALUE).replaceAll(" +", " ");
        for (String line : List.of(
                "| app | image | CPU time | 3 | 5.10 s (5.00 s to 5.20 s) | 300 ms (200 ms to 1.00 s) | 700 ms | within its spread |",
                "| app | image | elapsed time | 3 | 6.00 s (6.00 s to 6.00 s) | 0 ns (-500 ms to 100 ms) | | |",
                "| app | image | bytes of heap | 3 | 2 KiB (2 KiB to 2 KiB) | 1 KiB (1 KiB to 1 KiB) | 1000 B | yes |",
                "| app | image | mallocs | 1 | 1,000 | 900 | 900 | yes |",
                "| app | recommended | CPU time | 1 | 5.10 s (5.00 s to 5.20 s) | 2.00 s | 800 ms | no |")) {
            assertTrue(text.contains(line), line + " in\n" + text);
        }
        assertFalse(text.contains("| app | recommended | mallocs"), text);
    }

    /** Another java may be called as what the recommendation has figures of. */
    @Test
    void noEstimateForAnotherJava() throws IOException {
        writeRecommendations();
        String text = new Savings(RUNS.stream().map(line -> line.replace(",image,", ",default,")).toList()).table(directory)
                .toText(Integer.MAX_VALUE).replaceAll(" +", " ");
        assertTrue(text.contains("| app | default | mallocs | 1 | 1,000 | 900 | | |"), text);
    }

    /** As of a disk that was full. */
    @ParameterizedTest
    @ValueSource(strings = {"app", "app,stock,1,123", "app,stock,1,5000000000,6000000000,20", "app,stock,0,1,1,1,", "app,stock,x,1,1,1,"})
    void aLineThatIsCut(String line) throws Exception {
        Path runs = Files.write(directory.resolve("runs.csv"), List.of(RUNS.getFirst(), line));
        Path err = directory.resolve("err");
        Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp", System.getProperty("java.class.path"),
                Savings.class.getName(), runs.toString(), directory.toString(), directory.resolve("out").toString(), "make savings")
                .redirectError(err.toFile()).start();
        assertEquals(Tool.EXIT_BAD_INPUT, process.waitFor());
        assertEquals(runs + ", line 2: " + line + ": is not whole; accepted is program,label,round,CPU,wall,heap, with mallocs at the end "
                + "in round 0; nothing was written\n", Files.readString(err));
    }

    private void writeRecommendations() throws IOException {
        Path file = directory.resolve("recommend/app/recommend.json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, RECOMMENDATION);
    }

    /** What failed on one side is left out; of a round that was repeated the last counts. */
    @Test
    void roundsThatFailedOrWereRepeated() {
        Savings savings = new Savings(List.of("app,stock,1,50,1,1,", "app,image,1,90,1,1,", "app,image,1,40,1,1,",
                "app,image,2,30,1,1,"));
        assertEquals(List.of(10.0), savings.saved(new Savings.Side("app", "image"), Savings.Quantity.CPU));
    }

    @Test
    void theReport() throws IOException {
        writeRecommendations();
        Path runs = Files.write(directory.resolve("runs.csv"), RUNS);
        Path out = Files.createDirectory(directory.resolve("out"));
        PrintStream before = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        try {
            Savings.main(new String[] {runs.toString(), directory.toString(), out.toString(), "make savings"});
        } finally {
            System.setOut(before);
        }
        assertEquals(new Savings(RUNS).table(directory).toText(Integer.MAX_VALUE) + "\n    make savings\n\n",
                Files.readString(out.resolve("savings.md")).replaceFirst("(?s).*?(?=\n\\|)\n", ""));
    }

    @Test
    void withinAFactorOfTwo() {
        assertEquals("yes", Savings.agreement(10, List.of(5.0)));
        assertEquals("yes", Savings.agreement(10, List.of(1.0, 20.0, 30.0)));
        assertEquals("yes", Savings.agreement(-10, List.of(-6.0)));
        assertEquals("no", Savings.agreement(-10, List.of(6.0)));
        assertEquals("no", Savings.agreement(10, List.of(4.0, 4.9)));
        assertEquals("no", Savings.agreement(10, List.of(20.1, 25.0)));
        assertEquals("within its spread", Savings.agreement(10, List.of(-40.0, 1.0, 12.0)));
        assertEquals("within its spread", Savings.agreement(10, List.of(20.0, 21.0, 30.0)));
        assertEquals("within its spread", Savings.agreement(10, List.of(1.0, 2.0, 5.0)));
    }
}
