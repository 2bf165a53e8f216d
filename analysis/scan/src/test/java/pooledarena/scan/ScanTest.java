/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.CommandLine;
import pooledarena.io.Tool;
import pooledarena.scan.Opening.ClosingPaths;
import pooledarena.scan.Opening.Escape;
import pooledarena.model.Costs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The command, as it is typed: what it prints, what it writes and its exit status. */
class ScanTest {

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Path jar;
    private Path other;

    @BeforeEach
    void files() throws IOException {
        jar = ScanFiles.zip(directory.resolve("two.jar"), Map.of("p/A.class", ScanFiles.opening("p/A", 2)));
        other = ScanFiles.zip(directory.resolve("three.jar"), Map.of("p/A.class", ScanFiles.opening("p/A", 3)));
    }

    /** Runs the command, with its files in the directory unless the words say otherwise. */
    private int run(Object... words) {
        Stream<?> command = Arrays.asList(words).contains("--out")
                ? Stream.of("scan") : Stream.of("scan", "--out", directory);
        PrintStream oldOut = System.out;
        PrintStream oldErr = System.err;
        System.setOut(new PrintStream(out, true, UTF_8));
        System.setErr(new PrintStream(err, true, UTF_8));
        try {
            return CommandLine.status(Stream.concat(command, Stream.of(words)).map(Object::toString)
                    .toArray(String[]::new));
        } finally {
            System.setOut(oldOut);
            System.setErr(oldErr);
        }
    }

    /** {@return what it printed as errors, without progress} */
    private String errors() {
        return err.toString(UTF_8).replaceAll("scan: \\d+ s, .*\n", "");
    }

    private String text() {
        return out.toString(UTF_8);
    }

    /** {@return the cells of the printed table's line that begins with a cell} */
    private static List<String> line(String text, String first) {
        return text.lines().filter(line -> line.startsWith("| " + first + " ")).findFirst().stream()
                .flatMap(line -> Stream.of(line.split("\\|"))).map(String::strip).filter(cell -> !cell.isEmpty()).toList();
    }

    @Test
    void theTable() {
        assertEquals(0, run(jar, other));
        assertEquals("", errors());
        assertEquals(List.of("library", "classes", "with FFM", "opens", "structured", "leaks on exc.", "escapes", "leaks",
                "allocates", "constant", "<= 64 B", "<= 8 KiB"), line(text(), "library"));
        assertEquals(List.of("two.jar", "1", "1", "2", "0", "2", "0", "0", "2", "2", "2", "2"), line(text(), "two.jar"));
        assertEquals(List.of("three.jar", "1", "1", "3", "0", "3", "0", "0", "3", "3", "3", "3"), line(text(), "three.jar"));
        assertEquals(List.of("2 of 2", "2", "2", "5", "0", "5", "0", "0", "5", "5", "5", "5"), line(text(), "2 of 2"));
        assertEquals(List.of("closing: leaks on exception", "5", "100 %"), line(text(), "closing:"));
        assertEquals(List.of("allocates a constant size", "5", "100 %"), line(text(), "allocates"));
        assertEquals(List.of("<= 0", "0", "0 %", "0", "0 %"), line(text(), "<= 0"));
        assertEquals(List.of("<= 8", "5", "100 %", "5", "100 %"), line(text(), "<= 8"));
        assertTrue(text().replaceAll("\\s+", " ").contains("An arena's bytes are how large a slot must be for all its "
                + "allocations in view, with the gaps that alignment leaves between them."), text());
    }

    @Test
    void theFiles() throws IOException {
        Path files = directory.resolve("a/b");
        assertEquals(0, run("--out", files, jar, other));
        assertTrue(text().startsWith(Files.readString(files.resolve("scan.md"))));
        assertTrue(Files.readString(files.resolve("scan.html")).contains("<td>three.jar</td>"));
        assertEquals(List.of("library,opened at,closing,escapes,nesting,allocations,most bytes",
                "two.jar,p.A.open,leaks on exception,,0,1 B,1"),
                Files.readAllLines(files.resolve("openings.csv")).subList(0, 2));
        assertEquals(1 + 5, Files.readAllLines(files.resolve("openings.csv")).size());
        JsonNode json = new ObjectMapper().readTree(files.resolve("scan.json").toFile());
        assertEquals(ScanReport.FORMAT, json.get("format").asText());
        assertEquals("three.jar", json.at("/libraries/1/name").asText());
        assertEquals(1, json.at("/libraries/1/openings/2/mostBytes").asInt());
        assertEquals(1, json.at("/libraries/1/openings/2/allocations/0/bytes").asInt());
        try (Stream<Path> all = Files.list(files)) {
            assertEquals(4, all.count());
        }
    }

    @Test
    void cellsWithCommas() throws IOException {
        Opening opening = new Opening("p.A.m:3", ClosingPaths.STRUCTURED, Set.of(),
                0, List.of(new Allocation("allocate", "p.A.m:3", 8L, "a,\"b\"", false)));
        ScanReport report = new ScanReport(List.of(new LibraryScan("l", 1, 1, Map.of(), List.of(opening), List.of(), List.of())),
                Costs.documented());
        assertTrue(new String(report.csv(), UTF_8).endsWith("\nl,p.A.m:3,structured,,0,\"8 B a,\"\"b\"\"\",8\n"));
    }

    @Test
    void theRestGoesOn() {
        assertEquals(Tool.EXIT_FAILED, run(jar, "nowhere.jar", other));
        assertEquals("scan: nowhere.jar: neither a file nor a module; " + Inputs.ACCEPTED + "\n", errors());
        assertTrue(out.toString(UTF_8).contains("\n| three.jar "));
    }

    /** The name of a file must not control the terminal. */
    @Test
    void aFaultWithControlCharacters() throws IOException {
        Path none = ScanFiles.zip(directory.resolve("\033[31m\nnone.jar"), Map.of("a.txt", new byte[1]));
        assertEquals(0, run(none, jar));
        assertEquals("scan: ?[31m?none.jar: has no classes\n", errors());
    }

    @Test
    void nothingToScan() {
        Path files = directory.resolve("out");
        assertEquals(Tool.EXIT_BAD_INPUT, run("nowhere.jar", "--out", files));
        assertTrue(errors().endsWith("\nscan: there was nothing to scan; nothing was written\n"), errors());
        assertEquals("", out.toString(UTF_8));
        assertFalse(Files.exists(files.resolve("scan.json")));
    }

    /** That is no failure if there is something else to scan. */
    @Test
    void noClasses() throws IOException {
        Path none = ScanFiles.zip(directory.resolve("none.jar"), Map.of("a.txt", new byte[1]));
        assertEquals(Tool.EXIT_BAD_INPUT, run(none));
        assertEquals("scan: none.jar: has no classes\nscan: there was nothing to scan; nothing was written\n", errors());
        assertEquals("", out.toString(UTF_8));
        err.reset();
        assertEquals(0, run(none, jar));
        assertEquals("scan: none.jar: has no classes\n", errors());
        assertTrue(out.toString(UTF_8).contains("\n| two.jar "));
    }

    /** A class file that comes only when there was a word of it. */
    @Test
    void progress() throws Exception {
        Path pipe = directory.resolve("Late.class");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).inheritIO().start().waitFor());
        Thread writer = Thread.startVirtualThread(() -> {
            try {
                for (int i = 0; i < 600 && !err.toString(UTF_8).contains("Late.class"); i++) {
                    Thread.sleep(100);
                }
                Files.write(pipe, ScanFiles.opening("p/Late", 1));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        assertEquals(0, run(jar, pipe));
        writer.join();
        assertTrue(err.toString(UTF_8).matches("(?s).*scan: \\d+ s, Late.class, 2 of 2\n.*"), err.toString(UTF_8));
        assertEquals(List.of("Late.class", "1", "1", "1", "0", "1", "0", "0", "1", "1", "1", "1"), line(text(), "Late.class"));
    }

    @Test
    void noArenas() throws IOException {
        assertEquals(0, run(ScanFiles.zip(directory.resolve("no.jar"), Map.of("p/A.class", ScanFiles.opening("p/A", 0)))));
        assertEquals("library,opened at,closing,escapes,nesting,allocations,most bytes\n",
                Files.readString(directory.resolve("openings.csv")));
        assertTrue(out.toString(UTF_8).contains("\nNo confined arena is opened by a call in the bytecode; one opened by reflection is not seen.\n"), out.toString(UTF_8));
    }

    @Test
    void wrongOptions() throws IOException {
        assertEquals(Tool.EXIT_BAD_INPUT, run("--out", directory));
        assertEquals("scan: Missing required parameter: 'FILE|DIR|MODULE' (see arena-analysis scan --help)\n", errors());
        err.reset();
        Path file = Files.createFile(directory.resolve("file"));
        assertEquals(Tool.EXIT_BAD_INPUT, run("--out", file, jar));
        assertEquals("scan: --out " + file + ": cannot be written to (it is there already, and is no directory); "
                + "a directory is accepted, and made if missing; nothing was done\n", errors());
        String first = errors();
        err.reset();
        assertEquals(Tool.EXIT_BAD_INPUT, run("--out", file, "nowhere.jar")); // before it is looked for
        assertEquals(first, errors());
    }

    @Test
    void help() {
        assertEquals(0, run("--help"));
        assertTrue(out.toString(UTF_8).contains("java -jar arena-analysis.jar scan app.jar lib\n"));
        assertTrue(out.toString(UTF_8).contains("not on some that an\nexception takes; escapes,"), out.toString(UTF_8));
    }

    /** All counts, by hand: the samples that {@link SamplesTest} looks at one by one. */
    @Test
    void totals() {
        Opening known = ScanFiles.scan(directory, Map.of("p/A.class", ScanFiles.opening("p/A", 2))).openings().getFirst();
        Opening escaped = new Opening(known.site(), ClosingPaths.ESCAPES, Set.of(Escape.STORED_IN_A_FIELD, Escape.PASSED_ON),
                2, List.of(
                new Allocation("allocateFrom", known.site(), null, "string", true),
                new Allocation("allocate", known.site(), null, "i4", false),
                new Allocation("allocateFrom", known.site(), null, "j8", false),
                new Allocation("downcall", known.site(), null, null, false),
                new Allocation("allocate", known.site(), null, null, false),
                new Allocation("allocate", known.site(), 100L, null, false)));
        String text = new ScanReport(List.of(
                new LibraryScan("a", 5, 2, Map.of("ofAuto", 2), List.of(known, known, escaped), List.of(), List.of()),
                new LibraryScan("b", 5, 0, Map.of("ofAuto", 1, "global", 1), List.of(), List.of(), List.of())),
                Costs.documented()).document().toText(Integer.MAX_VALUE);
        assertEquals(List.of("1 of 2", "10", "2", "3", "0", "2", "1", "0", "8", "3", "2", "3"), line(text, "1 of 2"));
        assertEquals("""
                | opens: ofConfined | 3 | |
                | opens: global | 1 | |
                | opens: ofAuto | 3 | |
                | closing: escapes | 1 | 33.3 % |
                | closing: leaks on exception | 2 | 66.7 % |
                | escape: passed on | 1 | 33.3 % |
                | escape: stored in a field | 1 | 33.3 % |
                | nested in another of the same method | 1 | 33.3 % |
                | allocates a constant size | 3 | 37.5 % |
                | allocates arrays | 2 | 25.0 % |
                | allocates more than once, perhaps | 1 | 12.5 % |
                | allocates other computed sizes | 1 | 12.5 % |
                | allocates strings | 1 | 12.5 % |
                | allocates structs returned by native functions | 1 | 12.5 % |
                """, text.lines().filter(line -> line.matches("\\| (opens:|closing|escape:|nested|allocates).*"))
                .map(line -> line.replaceAll(" +", " ") + "\n").collect(Collectors.joining()));
        assertEquals(List.of("| <= 8 | 2 | 66.7 % | 2 | 100 % |", "| <= 128 | 3 | 100 % | 2 | 100 % |", "| known | 3 | | 2 | |",
                "| not known | 5 | | 1 | |"), text.lines().filter(line -> line.matches("\\| (<= 8|<= 128|known|not known) .*"))
                        .map(line -> line.replaceAll(" +", " ")).toList());
    }
}
