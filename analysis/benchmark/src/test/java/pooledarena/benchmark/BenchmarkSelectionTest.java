/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import org.junit.jupiter.api.Test;
import pooledarena.io.BadInput;
import pooledarena.io.WholeFiles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BenchmarkSelectionTest {

    @Test
    void aRowIsNamedByItsParametersAndThreads() {
        assertEquals("", BenchmarkSelection.size(Map.of(), 1));
        assertEquals("2 threads", BenchmarkSelection.size(Map.of(), 2));
        assertEquals("8 deep", BenchmarkSelection.size(Map.of("depth", "8"), 1));
        assertEquals("64 held, 5 B", BenchmarkSelection.size(Map.of("size", "5", "held", "64"), 1));
        assertEquals("100 allocations, 5 B", BenchmarkSelection.size(Map.of("count", "100", "size", "5"), 1));
        assertEquals("1000 parked, 5 B", BenchmarkSelection.size(Map.of("ended", "0", "parked", "1000", "size", "5"), 1));
        assertEquals("7 carriers ended, 0 parked", BenchmarkSelection.size(Map.of("ended", "7", "parked", "0"), 1));
        assertEquals("500 B beside, 8192+8 B",
                BenchmarkSelection.size(Map.of("beside", "500", "count", "1", "size", "8192+8"), 1));
        assertEquals("5 B, 4 threads", BenchmarkSelection.size(Map.of("size", "5"), 4));
    }

    @Test
    void everyRowOfEveryBenchmarkIsThere() {
        assertEquals(List.of("MeasuredBenchmarks.array, 1024 B", "MeasuredBenchmarks.array, 16 B",
                        "MeasuredBenchmarks.broken, 1024 B", "MeasuredBenchmarks.broken, 16 B", "MeasuredBenchmarks.once",
                        "MeasuredBenchmarks.options"),
                BenchmarkSelection.all().stream().map(Case::label).sorted().toList());
    }

    /** A benchmark that is not known is called by its name. */
    @Test
    void titles() {
        assertEquals("nested arenas", BenchmarkSelection.title("ConfinedArenaDepth.nested"));
        assertEquals("Other.nested", BenchmarkSelection.title("Other.nested"));
    }

    /** The short form has the rows with a star, the full form all; a row with an x has as many threads. */
    @Test
    void forms() {
        List<String> wanted = KNOWN.stream().flatMap(line -> Stream.of(line[2].split(" ")))
                .filter(row -> !row.isEmpty()).toList();
        List<Case> all = KNOWN.stream().flatMap(line -> Stream.of(line[2].replaceAll("[*]|x\\d+", "").split(" "))
                .filter(row -> !row.isEmpty()).map(row -> row(line[0], row))).toList();
        List<Case> few = BenchmarkSelection.form(false, all);
        List<Case> full = BenchmarkSelection.form(true, all);
        assertEquals(wanted.stream().filter(row -> row.endsWith("*")).count(), few.size());
        assertEquals(wanted.size(), full.size());
        assertTrue(full.containsAll(few));
        assertEquals("open, allocate, close, 5 B", few.getFirst().label());
        assertEquals("open, allocate, close, 1 B", full.getFirst().label());
        List<String> labels = full.stream().map(Case::label).toList();
        for (String label : List.of("empty arena", "nested arenas, 8 parked, 100 B", "open, allocate, close, 100 B, 8 threads")) {
            assertTrue(labels.contains(label), label + " in " + labels);
        }
        assertEquals(8, full.get(labels.indexOf("open, allocate, close, 100 B, 8 threads")).threads());
        BadInput e = assertThrows(BadInput.class, () -> BenchmarkSelection.form(true, all.subList(0, all.size() - 1)));
        assertTrue(e.getMessage().contains(" lack ConfinedArenaFootprint.openBesideShortOnVirtualThreads 8192,1,8,"),
                e.getMessage());
    }

    /** The lines of benchmarks.txt: name, title, rows. */
    private static final List<String[]> KNOWN = WholeFiles.resource(BenchmarkSelection.class, "benchmarks.txt").lines()
            .filter(line -> !line.startsWith("#")).map(line -> line.split(" \\| ?", 3)).toList();

    /** Each method of a class under test/micro that is a benchmark has a line with rows. */
    @Test
    void everyBenchmarkHasRows() throws IOException {
        List<String> benchmarks = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of("../../test/micro/org/openjdk/bench/java/lang/foreign"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Matcher method = Pattern.compile("(?s)@Benchmark\\b.*?public \\S+ (\\w+)\\(").matcher(Files.readString(file));
                method.results().forEach(found -> benchmarks.add(
                        file.getFileName().toString().replace(".java", ".") + found.group(1)));
            }
        }
        List<String> withRows = KNOWN.stream().filter(line -> !line[2].isBlank()).map(line -> line[0]).toList();
        assertEquals(List.of(), withRows.stream().filter(name -> !benchmarks.contains(name)).toList());
        benchmarks.removeAll(withRows);
        assertEquals(List.of(), benchmarks);
    }

    private static Case row(String name, String row) {
        String[] values = row.equals("-") ? new String[0] : row.split(",");
        List<String> names = List.of("ended", "parked", "size").subList(3 - values.length, 3);
        Map<String, String> parameters = new TreeMap<>();
        names.forEach(each -> parameters.put(each, values[names.indexOf(each)]));
        return new Case(BenchmarkSelection.title(name), BenchmarkSelection.size(parameters, 1), "", null, "p." + name,
                parameters, 1);
    }

    @Test
    void titleAndSizeAreMatchedAndBenchmarkAndSize() {
        Case row = new Case("open, close", "5 B", "", null, "p.Alloc.one", Map.of("size", "5"), 1);
        for (String expression : List.of("", "close, 5 B", "Alloc.one 5 B$", "^open")) {
            assertTrue(row.matches(Pattern.compile(expression)), expression);
        }
        assertFalse(row.matches(Pattern.compile("stock")));
    }
}
