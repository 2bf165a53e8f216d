/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;
import pooledarena.io.BadInput;
import pooledarena.io.WholeFiles;

import module java.base;

/** The benchmarks on the class path, their titles, and the rows of the short and of the full form of a comparison. */
public final class BenchmarkSelection {

    /** A line of benchmarks.txt, which says what the rows are. */
    private record Known(String name, String title, List<String> rows) {}

    private static final List<Known> KNOWN = WholeFiles.resource(BenchmarkSelection.class, "benchmarks.txt").lines()
            .filter(line -> !line.startsWith("#")).map(line -> line.split(" \\| ?", 3))
            .map(cells -> new Known(cells[0], cells[1], List.of(cells[2].split(" ")))).toList();

    private static final Map<String, String> UNITS = Map.of("size", "B", "length", "chars", "depth", "deep",
            "beside", "B beside", "ended", "carriers ended", "count", "allocations", "others", "other arenas");

    private BenchmarkSelection() {}

    /** {@return the title of a benchmark, which is a class and a method} */
    public static String title(String name) {
        return KNOWN.stream().filter(known -> known.name.equals(name)).findFirst().map(Known::title).orElse(name);
    }

    /** {@return every row that the benchmarks on the class path have} */
    public static List<Case> all() {
        if (BenchmarkSelection.class.getResource(BenchmarkList.BENCHMARK_LIST) == null) {
            throw new BadInput("there are no benchmarks on the class path; put micro.jar there; nothing was measured");
        }
        return entries().flatMap(BenchmarkSelection::rows).toList();
    }

    /** {@return whether a benchmark says itself how often it runs in a process, as what it measures is seen once} */
    static boolean isSingleShot(String benchmark) {
        return entries().anyMatch(entry -> entry.getUsername().equals(benchmark)
                && entry.getMode() == Mode.SingleShotTime);
    }

    /** {@return those of {@code all} that the short or the full form has} */
    public static List<Case> form(boolean full, List<Case> all) {
        return KNOWN.stream().flatMap(known -> known.rows.stream()
                .filter(row -> full ? !row.isEmpty() : row.endsWith("*"))
                .map(row -> select(known.name, row.replace("*", "").split("x"), all))).toList();
    }

    /** {@return parameters and threads with their units, without zero ended carriers, one allocation and one thread} */
    static String size(Map<String, String> parameters, int threads) {
        List<String> parts = new ArrayList<>();
        new TreeMap<>(parameters).forEach((name, value) -> parts.add(value + " " + UNITS.getOrDefault(name, name)));
        parts.removeAll(List.of("0 " + UNITS.get("ended"), "1 " + UNITS.get("count")));
        if (threads > 1) {
            parts.add(threads + " threads");
        }
        return String.join(", ", parts);
    }

    /** {@return the row with these values, and with as many threads as may follow them} */
    private static Case select(String name, String[] wanted, List<Case> all) {
        Case row = all.stream().filter(each -> Case.method(each.benchmark()).equals(name) && wanted[0].equals(
                        each.parameters().isEmpty() ? "-" : String.join(",", each.parameters().values())))
                .findFirst().orElseThrow(() -> new BadInput("the benchmarks on the class path lack " + name + " "
                        + wanted[0] + ", which is asked for; put a micro.jar of the same sources there; nothing was "
                        + "measured"));
        return wanted.length == 1 ? row : row(row.benchmark(), row.parameters(), Integer.parseInt(wanted[1]));
    }

    private static Stream<BenchmarkListEntry> entries() {
        OutputFormat silent = OutputFormatFactory.createFormatInstance(
                new PrintStream(OutputStream.nullOutputStream()), VerboseMode.SILENT);
        return BenchmarkList.defaultList().getAll(silent, List.of()).stream();
    }

    private static Stream<Case> rows(BenchmarkListEntry entry) {
        List<Map<String, String>> combinations = List.of(Map.of());
        for (var parameter : new TreeMap<>(entry.getParams().orElse(Map.of())).entrySet()) {
            combinations = combinations.stream().flatMap(combination -> Stream.of(parameter.getValue()).map(value -> {
                Map<String, String> extended = new TreeMap<>(combination);
                extended.put(parameter.getKey(), value);
                return extended;
            })).toList();
        }
        return combinations.stream().map(values -> row(entry.getUsername(), values, entry.getThreads().orElse(1)));
    }

    private static Case row(String benchmark, Map<String, String> parameters, int threads) {
        return new Case(title(Case.method(benchmark)), size(parameters, threads), "", null, benchmark, parameters,
                threads);
    }
}
