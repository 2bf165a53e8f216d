/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;
import pooledarena.io.BadInput;
import pooledarena.io.WholeFiles;

import module java.base;

/**
 * The benchmarks of a comparison, their titles, and the rows of its short and of its full form, as a file beside this class
 * says, of those that are on the class path.
 */
public final class BenchmarkSelection {

    /** Each has a file NAME.txt. */
    public static final List<String> SUITES = List.of("confined", "rocksdb", "netty", "okio", "arenas");

    /**
     * A benchmark.
     *
     * @param name of class and method
     * @param over what its line in a chart is over: a parameter, or the number of threads; empty if it has none
     */
    public record Known(String name, String title, List<String> rows, String over) {}

    private static final Map<String, String> UNITS = Map.ofEntries(Map.entry("size", "B"), Map.entry("length", "chars"),
            Map.entry("depth", "deep"), Map.entry("beside", "B beside"), Map.entry("ended", "carriers ended"),
            Map.entry("count", "allocations"), Map.entry("others", "other arenas"), Map.entry("garbage", "B of garbage"),
            Map.entry("idleThreads", "idle threads"), Map.entry("pause", "between requests"),
            Map.entry("values", "bytes in values"), Map.entry("path", ""), Map.entry("code", ""));

    /** What a row need not say. */
    private static final Set<String> USUAL = Set.of("0 carriers ended", "1 allocations", "0 B of garbage", "0 idle threads",
            "0 between requests", "1 ways");

    private final Map<String, String> texts = new HashMap<>();
    private final List<Known> known = new ArrayList<>();

    public BenchmarkSelection(String suite) {
        if (!SUITES.contains(suite)) {
            throw new BadInput("--suite " + suite + ": accepted are " + String.join(", ", SUITES) + "; nothing was measured");
        }
        WholeFiles.resource(BenchmarkSelection.class, suite + ".txt").lines().filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" \\| ", 4)).forEach(cells -> {
                    if (cells.length == 2) {
                        texts.merge(cells[0], cells[1], (text, line) -> text + " " + line);
                    } else {
                        known.add(new Known(cells[0], cells[1], List.of(cells[2].split(" ")), cells.length == 4 ? cells[3] : ""));
                    }
                });
    }

    /** {@return a text of the report: its title, the heading of what is no time, or what is to be known of either} */
    public String text(String name) {
        return texts.getOrDefault(name, "");
    }

    /** {@return the benchmark of that name, which is also the title of one that the file lacks} */
    public Known known(String name) {
        return known.stream().filter(each -> each.name.equals(name)).findFirst().orElse(new Known(name, name, List.of(), ""));
    }

    public List<Case> all() {
        if (BenchmarkSelection.class.getResource(BenchmarkList.BENCHMARK_LIST) == null) {
            throw new BadInput("there are no benchmarks on the class path; put micro.jar there; nothing was measured");
        }
        return entries().flatMap(this::rows).toList();
    }

    /** {@return whether a benchmark says itself how often it runs in a process, as what it measures is seen once} */
    static boolean isSingleShot(String benchmark) {
        return entries().anyMatch(entry -> entry.getUsername().equals(benchmark) && entry.getMode() == Mode.SingleShotTime);
    }

    /** {@return those of {@code all} that the full form has, or the short one, which has the rows with a star} */
    public List<Case> form(boolean full, List<Case> all) {
        return known.stream().flatMap(each -> each.rows.stream().filter(row -> full || row.endsWith("*"))
                .map(row -> select(each.name, row.replace("*", "").split("x(?=\\d+$)"), all))).toList();
    }

    /** {@return the values of the parameters {@code but} one, and the threads, with their units, without what is usual} */
    public static String size(Map<String, String> parameters, int threads, String but) {
        List<String> parts = new ArrayList<>();
        new TreeMap<>(parameters).forEach((name, value) ->
                parts.add(name.equals(but) ? "" : (value + " " + UNITS.getOrDefault(name, name)).strip()));
        parts.add(threads == 1 || but.equals("threads") ? "" : threads + " threads");
        return parts.stream().filter(part -> !part.isEmpty() && !USUAL.contains(part)).collect(Collectors.joining(", "));
    }

    /** {@return the row with these values, and with as many threads as may follow them} */
    private Case select(String name, String[] wanted, List<Case> all) {
        Case row = all.stream().filter(each -> each.method().equals(name) && wanted[0].equals(
                        each.parameters().isEmpty() ? "-" : String.join(",", each.parameters().values())))
                .findFirst().orElseThrow(() -> new BadInput("the benchmarks on the class path lack " + name + " "
                        + wanted[0] + ", which is asked for; put a jar of the same sources there; nothing was measured"));
        return wanted.length == 1 ? row : row(row.benchmark(), row.parameters(), Integer.parseInt(wanted[1]));
    }

    private static Stream<BenchmarkListEntry> entries() {
        OutputFormat silent = OutputFormatFactory.createFormatInstance(
                new PrintStream(OutputStream.nullOutputStream()), VerboseMode.SILENT);
        return BenchmarkList.defaultList().getAll(silent, List.of()).stream();
    }

    private Stream<Case> rows(BenchmarkListEntry entry) {
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

    private Case row(String benchmark, Map<String, String> parameters, int threads) {
        Case plain = new Case("", "", null, benchmark, parameters, threads);
        return new Case(known(plain.method()).title, size(parameters, threads, ""), null, benchmark, parameters, threads);
    }
}
