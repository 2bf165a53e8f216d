/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.junit.jupiter.api.Test;
import pooledarena.io.BadInput;
import pooledarena.io.WholeFiles;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BenchmarkSelectionTest {

    private static final BenchmarkSelection CONFINED = new BenchmarkSelection("confined");

    @Test
    void aRowIsNamedByItsParametersAndThreads() {
        assertEquals("", BenchmarkSelection.size(Map.of(), 1, ""));
        assertEquals("2 threads", BenchmarkSelection.size(Map.of(), 2, ""));
        assertEquals("8 deep", BenchmarkSelection.size(Map.of("depth", "8"), 1, ""));
        assertEquals("64 held, 5 B", BenchmarkSelection.size(Map.of("size", "5", "held", "64"), 1, ""));
        assertEquals("100 allocations, 5 B", BenchmarkSelection.size(Map.of("count", "100", "size", "5"), 1, ""));
        assertEquals("1000 parked, 5 B", BenchmarkSelection.size(Map.of("ended", "0", "parked", "1000", "size", "5"), 1, ""));
        assertEquals("7 carriers ended, 0 parked", BenchmarkSelection.size(Map.of("ended", "7", "parked", "0"), 1, ""));
        assertEquals("500 B beside, 8192+8 B",
                BenchmarkSelection.size(Map.of("beside", "500", "count", "1", "size", "8192+8"), 1, ""));
        assertEquals("ffmArena, 512 bytes in values",
                BenchmarkSelection.size(Map.of("path", "ffmArena", "pause", "0", "values", "512"), 1, ""));
        assertEquals("8 B of garbage, 2 threads", BenchmarkSelection.size(Map.of("size", "5", "garbage", "8"), 2, "size"));
        assertEquals("5 B", BenchmarkSelection.size(Map.of("size", "5"), 4, "threads"));
        assertEquals("5 B, 4 threads", BenchmarkSelection.size(Map.of("size", "5"), 4, ""));
    }

    @Test
    void everyRowOfEveryBenchmarkIsThere() {
        assertEquals(List.of("MeasuredBenchmarks.array, 1024 B", "MeasuredBenchmarks.array, 16 B",
                        "MeasuredBenchmarks.broken, 1024 B", "MeasuredBenchmarks.broken, 16 B", "MeasuredBenchmarks.once",
                        "MeasuredBenchmarks.options"),
                CONFINED.all().stream().map(Case::title).sorted().toList());
    }

    /** A benchmark that is not known is called by its name. */
    @Test
    void titles() {
        assertEquals("nested arenas", CONFINED.known("ConfinedArenaDepth.nested").title());
        assertEquals("Other.nested", CONFINED.known("Other.nested").title());
        assertEquals(List.of("size", "", ""), Stream.of("ConfinedArenaAlloc.one", "ConfinedArenaAlloc.three", "Other.nested")
                .map(name -> CONFINED.known(name).over()).toList());
    }

    /** The short form has the rows with a star, the full form all; a row with an x has as many threads. */
    @Test
    void forms() {
        List<String> wanted = KNOWN.stream().flatMap(line -> Stream.of(line[2].split(" ")))
                .filter(row -> !row.isEmpty()).toList();
        List<Case> all = KNOWN.stream().flatMap(line -> Stream.of(line[2].replaceAll("[*]|x\\d+", "").split(" "))
                .filter(row -> !row.isEmpty()).map(row -> row(line[0], row))).toList();
        List<Case> few = CONFINED.form(false, all);
        List<Case> full = CONFINED.form(true, all);
        assertEquals(wanted.stream().filter(row -> row.endsWith("*")).count(), few.size());
        assertEquals(wanted.size(), full.size());
        assertTrue(full.containsAll(few));
        assertEquals("open, allocate, close, 5 B", few.getFirst().title());
        assertEquals("open, allocate, close, 1 B", full.getFirst().title());
        List<String> titles = full.stream().map(Case::title).toList();
        for (String title : List.of("empty arena, not inlined", "nested arenas, 8 parked, 100 B",
                "open, allocate, close, 100 B, 8 threads")) {
            assertTrue(titles.contains(title), title + " in " + titles);
        }
        assertEquals(8, full.get(titles.indexOf("open, allocate, close, 100 B, 8 threads")).threads());
        BadInput e = assertThrows(BadInput.class, () -> CONFINED.form(true, all.subList(0, all.size() - 1)));
        assertTrue(e.getMessage().contains(" lack ConfinedArenaFootprint.openBesideShortOnVirtualThreads 8192,1,8,"),
                e.getMessage());
    }

    /** {@return the lines of a suite's file that name a benchmark: name, title, rows} */
    private static List<String[]> lines(String suite) {
        return WholeFiles.resource(BenchmarkSelection.class, suite + ".txt").lines().filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" \\| ", 4)).filter(cells -> cells.length > 2).toList();
    }

    private static final List<String[]> KNOWN = lines("confined");

    @Test
    void texts() {
        assertEquals("Start-up, threads and memory", CONFINED.text("heading"));
        assertTrue(CONFINED.text("others").matches("Each figure .* the default CDS archive\\. .*"), CONFINED.text("others"));
        assertEquals("", CONFINED.text("nothing"));
        BadInput e = assertThrows(BadInput.class, () -> new BenchmarkSelection("mysql"));
        assertEquals("--suite mysql: accepted are confined, rocksdb, netty, okio, arenas; nothing was measured", e.getMessage());
    }

    /** Parameters are what the source of a benchmark names; threads follow an x, also after a value that has one. */
    @Test
    void threadsOfARow() {
        Case mixed = new Case("", "", null, "p.RocksDbRead.request", Map.of("path", "mixed"), 1);
        BenchmarkSelection rocksDb = new BenchmarkSelection("rocksdb");
        BadInput e = assertThrows(BadInput.class, () -> rocksDb.form(true, List.of(mixed)));
        assertTrue(e.getMessage().contains("lack RocksDbRead.request jniArrays,0,mixed,"), e.getMessage());
    }

    /** Each method of a class under test/micro that is a benchmark has a line with rows, and each line such a method. */
    @Test
    void everyBenchmarkHasRows() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Path.of("../../test/micro/org/openjdk/bench/java/lang/foreign"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                sources.put(file.getFileName().toString().replace(".java", ""), Files.readString(file));
            }
        }
        Set<String> benchmarks = new TreeSet<>();
        sources.forEach((name, source) -> {
            Matcher parent = Pattern.compile("class " + name + " extends (\\w+)").matcher(source);
            if (!source.contains("abstract class " + name)) {
                Pattern.compile("(?s)@Benchmark\\b.*?public \\S+ (\\w+)\\(")
                        .matcher(parent.find() ? sources.getOrDefault(parent.group(1), source) : source).results()
                        .forEach(method -> benchmarks.add(name + "." + method.group(1)));
            }
        });
        Set<String> withRows = new TreeSet<>();
        for (String suite : BenchmarkSelection.SUITES) {
            for (String[] line : lines(suite)) {
                if (!line[2].isBlank()) {
                    withRows.add(line[0]);
                    Set<String> values = parameters(sources, line[0].replaceFirst("\\..*", ""));
                    for (String row : line[2].split(" ")) {
                        assertTrue(values.containsAll(List.of(row.replaceFirst("(x\\d+)?\\*?$", "").split(","))), line[0] + " " + row);
                    }
                }
            }
        }
        assertEquals(Set.of(), withRows.stream().filter(name -> !benchmarks.contains(name)).collect(Collectors.toSet()));
        benchmarks.removeAll(withRows);
        assertEquals(Set.of(), benchmarks);
    }

    /** {@return the values of the parameters of that class and of those that it extends, and what a row without any has} */
    private static Set<String> parameters(Map<String, String> sources, String name) {
        Set<String> values = new TreeSet<>(Set.of("-"));
        for (String source = sources.get(name); source != null; ) {
            Pattern.compile("@Param\\(\\{?([^)}]*)").matcher(source).results().flatMap(each ->
                    Pattern.compile("\"([^\"]*)\"").matcher(each.group(1)).results()).forEach(value -> values.add(value.group(1)));
            Matcher parent = Pattern.compile("class \\w+ extends (\\w+)").matcher(source);
            source = parent.find() ? sources.get(parent.group(1)) : null;
        }
        return values;
    }

    private static Case row(String name, String row) {
        String[] values = row.equals("-") ? new String[0] : row.split(",");
        List<String> names = List.of("ended", "parked", "size").subList(3 - values.length, 3);
        Map<String, String> parameters = new TreeMap<>();
        names.forEach(each -> parameters.put(each, values[names.indexOf(each)]));
        return new Case(CONFINED.known(name).title(), BenchmarkSelection.size(parameters, 1, ""), null, "p." + name,
                parameters, 1);
    }

    @Test
    void titleAndSizeAreMatchedAndBenchmarkAndSize() {
        Case row = new Case("open, close", "5 B", null, "p.Alloc.one", Map.of("size", "5"), 1);
        for (String expression : List.of("", "close, 5 B", "Alloc.one 5 B$", "^open")) {
            assertTrue(row.matches(Pattern.compile(expression)), expression);
        }
        assertFalse(row.matches(Pattern.compile("stock")));
    }
}
