/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.CommandLine;
import pooledarena.Script;
import pooledarena.io.Tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Wrong input gets one line and status 2. */
class CompareTest {

    private static final String JDK = System.getProperty("java.home");

    @TempDir
    private Path directory;

    @Test
    void aPathThatIsNotAJdk() {
        assertOneLine("compare: --stock " + directory + ": java -version cannot be run; "
                        + "the java of a JDK 25 or newer, or its home directory, is accepted; nothing was measured",
                "compare", "--stock", directory.toString(), "--patched", JDK);
    }

    @Test
    void aJavaThatIsTooOld() throws IOException {
        Script.write(directory.resolve("bin/java"), "echo 'openjdk version \"17.0.1\" 2021-10-19' >&2");
        assertOneLine("compare: --patched " + directory + ": Java 17.0.1; "
                        + "the java of a JDK 25 or newer, or its home directory, is accepted; nothing was measured",
                "compare", "--stock", JDK, "--patched", directory.toString());
    }

    @Test
    void aPeerThatDoesNotStart() throws IOException {
        Path java = Script.write(directory.resolve("java"), "exit 3");
        assertOneLine("compare: --peer " + java + ": java -version ended with status 3; "
                + "the java of a JDK 25 or newer, or its home directory, is accepted; nothing was measured", "compare", "--stock", JDK, "--patched", JDK, "--peer", java.toString());
    }

    @Test
    void aPeerThatIsNoProgram() {
        assertOneLine("compare: --peer nowhere: java -version cannot be run; "
                        + "the java of a JDK 25 or newer, or its home directory, is accepted; nothing was measured",
                "compare", "--stock", JDK, "--patched", JDK, "--peer", "nowhere");
    }

    @Test
    void twoPeersOfOneName() {
        String java = JDK + "/bin/java";
        assertOneLine("compare: --peer a=" + java + ": another java is called a; NAME= before it gives it another name; "
                        + "nothing was measured",
                "compare", "--stock", JDK, "--patched", JDK, "--peer", "a=" + JDK, "--peer", "a=" + java);
        // their files would have one name
        assertOneLine("compare: --peer a_b=" + java + ": another java is called a_b; NAME= before it gives it another name; "
                        + "nothing was measured",
                "compare", "--stock", JDK, "--patched", JDK, "--peer", "a b=" + JDK, "--peer", "a_b=" + java);
    }

    @Test
    void anExpressionThatMatchesNothing() {
        assertOneLine("compare: --include nothing: matches nothing; titles such as "
                        + "\"MeasuredBenchmarks.array, 16 B\" and names such as MeasuredBenchmarks.array are matched; nothing was "
                        + "measured",
                "compare", "--stock", JDK, "--patched", JDK, "--all", "--include", "nothing");
    }

    @Test
    void noForks() {
        assertOneLine("compare: --forks 0: a number from 1 to 99 is accepted; nothing was measured",
                "compare", "--stock", JDK, "--patched", JDK, "--all", "--forks", "0");
    }

    @Test
    void anExpressionThatIsNone() {
        assertOneLine("compare: Invalid value for option '--include': cannot convert '[' to Pattern "
                        + "(java.util.regex.PatternSyntaxException: Unclosed character class near index 0 (see arena-analysis "
                        + "compare --help)", "compare", "--stock", JDK, "--patched", JDK, "--all", "--include", "[");
    }

    @Test
    void benchmarksOfOtherSources() {
        assertOneLine("compare: the benchmarks on the class path lack ConfinedArenaAlloc.one 5, which is asked for; put a "
                + "jar of the same sources there; nothing was measured",
                "compare", "--stock", JDK, "--patched", JDK);
    }

    @Test
    void anOutputThatIsAFile() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertOneLine("compare: --out " + file + ": cannot be written to (it is there already, and is no directory); "
                        + "a directory is accepted, and made if missing; nothing was done",
                "compare", "--stock", JDK, "--patched", JDK, "--all", "--out", file.toString());
    }

    @Test
    void anOptionThatIsMissingOrUnknown() {
        assertOneLine("compare: Missing required options: '--stock=HOME', '--patched=HOME' (see arena-analysis compare --help)",
                "compare");
        assertOneLine("compare: Unknown option: '--nonsense' (see arena-analysis compare --help)",
                "compare", "--stock", JDK, "--patched", JDK, "--nonsense");
    }

    private static Compare parsed(String... options) {
        Compare compare = new Compare();
        new picocli.CommandLine(compare).parseArgs(
                Stream.concat(Stream.of("--stock", JDK, "--patched", JDK), Stream.of(options)).toArray(String[]::new));
        return compare;
    }

    /** The full form has more forks, unless the user says how many. */
    @Test
    void howMuchIsMeasured() {
        assertEquals(1, parsed("--all").effort().forks());
        assertEquals(5, parsed("--all", "--full").effort().forks());
        assertEquals(7, parsed("--all", "--full", "--forks", "7").effort().forks());
        assertEquals(7, parsed("--all", "--forks", "7").effort().forks());
        BenchmarkSelection selection = new BenchmarkSelection("confined");
        assertEquals(selection.all(), parsed("--all").rows(selection));
    }

    @Test
    void peersComeAfterTheTwo() throws IOException {
        Path java = Script.write(directory.resolve("java"), "echo 'openjdk version \"26\"'");
        assertEquals(List.of("stock", "patch", "JDK 26", "tuned"),
                parsed("--peer", java.toString(), "--peer", "tuned=" + java + " -Da").jvms().stream()
                        .map(JavaCommand::name).toList());
    }

    /** Both sides of one row, as short as the command can. */
    @Test
    void measuresAndWrites() throws IOException {
        Path out = directory.resolve("out");
        CommandLine result = CommandLine.run("compare", "--stock", JDK, "--patched", JDK, "--all", "--include", "array 16",
                "--out", out.toString());
        assertEquals(0, result.status(), result.err());
        assertEquals(List.of("figures.csv", "figures.json", "jmh-patch.json", "jmh-stock.json", "jmh.log", "report.html", "report.md",
                "speedup.png"), files(out));
        assertEquals(2, new ObjectMapper().readTree(Files.readAllBytes(out.resolve("figures.json"))).get("measured").size());
        String report = Files.readString(out.resolve("report.md"));
        assertTrue(report.contains(" --all --include 'array 16' --out "), report);
    }

    /** The figures are written all the same. */
    @Test
    void aLogThatCannotBeWritten() throws IOException {
        Path out = Files.createDirectory(directory.resolve("out"));
        Path log = Files.createSymbolicLink(out.resolve("jmh.log"), Path.of("/dev/full"));
        CommandLine result = CommandLine.run("compare", "--stock", JDK, "--patched", JDK, "--all", "--include", "once",
                "--forks", "1", "--out", out.toString());
        assertEquals(Tool.EXIT_FAILED, result.status(), result.err());
        Files.delete(log); // or JUnit warns of it
        assertEquals("compare: not all of jmh.log could be written\n", result.err());
        assertTrue(result.out().contains("| MeasuredBenchmarks.once, B "), result.out());
    }

    /** A row that fails is named, and the others are measured; what an earlier run left is gone. */
    @Test
    void aRowThatFails() throws IOException {
        Path out = Files.createDirectory(directory.resolve("out"));
        Files.createFile(out.resolve("time-by-size.png"));
        Files.createFile(out.resolve("jmh-tuned.json"));
        CommandLine result = CommandLine.run("compare", "--stock", JDK, "--patched", JDK, "--all", "--include",
                "broken 16|once", "--forks", "1", "--command", "make trial", "--out", out.toString());
        assertEquals(Tool.EXIT_FAILED, result.status(), result.err());
        assertTrue(result.out().startsWith("Pooled confined arena compared with the stock JDK: 4 figures, 1 fork, "), result.out());
        assertEquals(List.of("figures.csv", "figures.json", "jmh-patch.json", "jmh-stock.json", "jmh.log", "report.html", "report.md"),
                files(out));
        String report = Files.readString(out.resolve("report.md"));
        assertTrue(report.contains(
                "**Failed: MeasuredBenchmarks.broken, 16 B, stock: java.lang.IllegalStateException: broken on"), report);
        assertTrue(report.contains("| MeasuredBenchmarks.once, B "), report);
        assertTrue(report.contains("To repeat: `make trial`"), report);
    }

    /** The suite's own benchmarks are asked for. */
    @Test
    void anotherSuite() {
        assertOneLine("compare: the benchmarks on the class path lack SegmentPools.noPool -, which is asked for; put a jar "
                + "of the same sources there; nothing was measured", "compare", "--stock", JDK, "--patched", JDK, "--suite", "okio");
    }

    private static List<String> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static void assertOneLine(String line, String... args) {
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", line + "\n"), CommandLine.run(args));
    }
}
