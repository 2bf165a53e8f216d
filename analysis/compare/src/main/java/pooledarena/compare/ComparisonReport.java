/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.benchmark.BenchmarkSelection;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results.Row;
import pooledarena.benchmark.Results;
import pooledarena.text.Chart.Axis;
import pooledarena.text.Chart.Point;
import pooledarena.text.Chart;
import pooledarena.text.Document;
import pooledarena.text.Table;

import module java.base;

/** The report of a comparison. */
final class ComparisonReport {

    private static final String SPEEDUP = "speedup.png";
    private static final String TIME_BY_SIZE = "time-by-size.png";

    static final List<String> CHARTS = List.of(SPEEDUP, TIME_BY_SIZE);

    private ComparisonReport() {}

    static void addTo(Document document, Results results) {
        if (!rows(results, true).isEmpty()) {
            document.table(times(results)).paragraph("Times and bytes are the median of the iterations; "
                    + Results.ERROR + ". The ± of a speedup combines those of both times (root of the sum of the "
                    + "squared relative errors). None of this covers what changes from run to run.");
        }
        if (!rows(results, false).isEmpty()) {
            document.heading("Start-up, threads and memory").table(others(results)).paragraph("""
                    Each figure is the median of the runs. Start-up is the time of a process whose main is empty, with the \
                    default CDS archive. The memory of arenas, heap and native, is what a process has more with them than \
                    with threads that do the same without. These processes run interpreted and on a heap that is touched \
                    before, so that neither compiler nor heap blur what arenas take. The first arena of a thread is timed \
                    in compiled code, in 4,000 threads, one after another. The processor time for a thread is that of the \
                    whole process, from the start of short threads to their end, by their number.""");
        }
        document.details();
        speedups(results).ifPresent(chart -> document.picture(SPEEDUP, chart, results.origin()));
        timeBySize(results).ifPresent(chart -> document.picture(TIME_BY_SIZE, chart, results.origin()));
    }

    static Table times(Results results) {
        String stock = results.stock().name();
        Map<String, Function<Row, String>> columns = new LinkedHashMap<>();
        columns.put("benchmark", row -> row.what().group());
        columns.put("size", row -> row.what().row().isEmpty() ? "-" : row.what().row());
        results.jvms().forEach(jvm -> columns.put(jvm.name() + " ns/op",
                row -> row.cell(jvm.name(), Outcome::scoreWithError)));
        results.jvms().forEach(jvm -> columns.put(jvm.name() + " B/op",
                row -> row.cell(jvm.name(), outcome -> String.format(Locale.ROOT, "%.0f", outcome.bytesPerOp()))));
        results.contenders().forEach(jvm -> columns.put(jvm.name() + " speedup",
                row -> row.cell(jvm.name(), stock, Outcome::speedupOver)));
        return Table.of(rows(results, true), columns);
    }

    static Table others(Results results) {
        String stock = results.stock().name();
        Map<String, Function<Row, String>> columns = new LinkedHashMap<>();
        columns.put("quantity", row -> row.what().title() + ", " + row.unit());
        results.jvms().forEach(jvm -> columns.put(jvm.name(), row -> row.cell(jvm.name(), Outcome::scoreWithError)));
        results.contenders().forEach(jvm -> columns.put(jvm.name() + " ÷ stock",
                row -> row.cell(jvm.name(), stock, (after, before) -> before.score() > 0
                        ? String.format(Locale.ROOT, "%.3f", after.score() / before.score()) : "-")));
        return Table.of(rows(results, false), columns);
    }

    /** {@return the rows that are times of operations, or all others} */
    private static List<Row> rows(Results results, boolean times) {
        return results.rows(_ -> true).stream().filter(row -> row.unit().equals("ns/op") == times).toList();
    }

    /** {@return a bar for each row and contender; none where either side failed} */
    static Optional<Chart> speedups(Results results) {
        String stock = results.stock().name();
        List<Row> rows = rows(results, true);
        List<String> names = rows.stream().map(row -> row.what().title()
                + (results.jvms().stream().allMatch(jvm -> row.has(jvm.name())) ? "" : " (failed)")).toList();
        Map<String, List<Double>> factors = new LinkedHashMap<>();
        results.contenders().forEach(jvm -> factors.put(jvm.name(),
                rows.stream().map(row -> factor(row, jvm.name(), stock)).toList()));
        return factors.values().stream().flatMap(List::stream).allMatch(Objects::isNull) ? Optional.empty()
                : Optional.of(Chart.bars("Confined arenas: how many times as fast as the stock JDK", names,
                        new Axis("stock time ÷ time (1x: as fast as stock; logarithmic)", true), factors));
    }

    /** {@return a line for each virtual machine, on one thread} */
    static Optional<Chart> timeBySize(Results results) {
        String group = BenchmarkSelection.title("ConfinedArenaAlloc.one");
        return results.lines("Open a confined arena, allocate once, close: time", new Axis("bytes allocated", true),
                new Axis("ns per operation", true), what -> what.group().equals(group) && what.threads() == 1,
                m -> new Point(m.what().number("size"), m.outcome().score()));
    }

    private static Double factor(Row row, String jvm, String stock) {
        return row.has(jvm) && row.has(stock)
                ? row.outcomes().get(stock).score() / row.outcomes().get(jvm).score() : null;
    }
}
