/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Command;
import pooledarena.CommandLine;
import pooledarena.benchmark.Results.Effort;
import pooledarena.io.Tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A command with three rows, one of which is measured on stock only, and two counts, one of which fails. */
class MeasuringCommandTest {

    private static final String JDK = System.getProperty("java.home");

    @Command(name = "trial")
    static final class Trial extends MeasuringCommand {

        @Override
        protected Experiment experiment() {
            List<Case> cases = BenchmarkSelection.all().stream().filter(row -> !row.label().contains("broken")).toList();
            Case once = cases.stream().filter(row -> row.label().endsWith(".once")).findFirst().orElseThrow();
            List<Case> all = new ArrayList<>(cases);
            all.add(new Case("on stock", "", "stock", "stock", once.benchmark(), once.parameters(), 1));
            return new Experiment("A trial", new Effort(forks(3), 1, 10, 1, 10), all, List.of(extra("counted"), extra("failing")),
                    (document, results) -> document.paragraph("Rows: " + results.rows(_ -> true).size() + "."),
                    List.of("old.png"));
        }

        private static Extra extra(String title) {
            return new Extra(title, measurement -> measurement.processes(List.of(title), 1, "B", List.of("value"),
                    (row, column) -> Case.ofProcess(row, "", column, measurement.jvm("pooled")), row -> {
                        if (row.equals("failing")) {
                            throw new IOException("on purpose");
                        }
                        return new double[] {42};
                    }));
        }
    }

    @TempDir
    private Path directory;
    private Path out;

    @BeforeEach
    void prepare() throws IOException {
        out = Files.createDirectory(directory.resolve("out"));
        Files.createFile(out.resolve("old.png"));
    }

    private CommandLine run(String... options) {
        List<String> all = new ArrayList<>(List.of("trial", "--stock", JDK, "--pooled", JDK));
        all.addAll(List.of(options));
        if (!all.contains("--out")) {
            all.addAll(List.of("--out", out.toString()));
        }
        return CommandLine.run(Trial.class, all.toArray(String[]::new));
    }

    private static List<String> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void whatIsCountedWithoutBenchmarks() throws IOException {
        CommandLine result = run("--include", "^counted");
        assertEquals(0, result.status(), result.err());
        assertEquals(List.of("figures.json", "jmh.log", "report.html", "report.md"), files(out));
        assertTrue(result.out().startsWith("A trial: 0 figures, 3 forks, "), result.out());
        assertTrue(result.out().contains("; then counted\nMeasured counted\n\n# A trial\n"), result.out());
        String report = Files.readString(out.resolve("report.md"));
        assertTrue(report.contains("Rows: 1."), report);
        assertTrue(report.contains("To repeat: `pooledarena.Main trial --stock " + JDK), report);
        Results results = new ObjectMapper().readValue(out.resolve("figures.json").toFile(), Results.class);
        assertEquals(List.of(42.0), results.measured().stream().map(measured -> measured.outcome().score()).toList());
        assertEquals(List.of("stock", "pooled"), results.jvms().stream().map(JavaCommand::name).toList());
    }

    @Test
    void whatFailed() throws IOException {
        CommandLine result = run("--include", "counted|failing", "--command", "make trial", "--forks", "99");
        assertEquals(Tool.EXIT_FAILED, result.status());
        assertTrue(result.out().contains("99 forks"), result.out());
        String report = Files.readString(out.resolve("report.md"));
        assertTrue(report.contains("**Failed: failing, value: on purpose**"), report);
        assertTrue(report.contains("To repeat: `make trial`"), report);
    }

    /** The row that names no virtual machine is measured on both, the other one on its own. */
    @Test
    void onWhichVirtualMachines() throws IOException {
        CommandLine result = run("--include", "once|on stock", "--forks", "1");
        assertEquals(0, result.status(), result.err());
        assertTrue(result.out().startsWith("A trial: 3 figures, 1 fork, "), result.out());
        assertEquals(List.of("figures.json", "jmh-pooled.json", "jmh-stock.json", "jmh.log", "report.html", "report.md"),
                files(out));
        Results results = new ObjectMapper().readValue(out.resolve("figures.json").toFile(), Results.class);
        assertEquals(List.of("MeasuredBenchmarks.once, stock", "MeasuredBenchmarks.once, pooled", "on stock, stock"),
                results.measured().stream().map(measured -> measured.what().label()).toList());
    }

    @Test
    void whatIsRefused() throws IOException {
        assertRefused("--forks 0: a number from 1 to 99 is accepted; nothing was measured", "--forks", "0");
        assertRefused("--forks 100: a number from 1 to 99 is accepted; nothing was measured", "--forks", "100");
        assertRefused("--include nothing: matches nothing; labels such as \"MeasuredBenchmarks.array, 16 B\" and names such as "
                + "MeasuredBenchmarks.array are matched; nothing was measured", "--include", "nothing");
        Path file = Files.createFile(directory.resolve("file"));
        assertRefused("--out " + file
                + ": cannot be written to; a directory is accepted, and made if missing; nothing was written",
                "--out", file.toString());
        assertEquals(List.of("old.png"), files(out));
    }

    private void assertRefused(String line, String option, String value) {
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "trial: " + line + "\n"), run(option, value));
        assertFalse(Files.exists(out.resolve("jmh.log")));
    }
}
