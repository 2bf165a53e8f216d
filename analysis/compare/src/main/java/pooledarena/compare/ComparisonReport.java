/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results.Row;
import pooledarena.benchmark.Results;
import pooledarena.text.Document;
import pooledarena.text.Table;

import module java.base;

/** The report of a comparison. */
final class ComparisonReport {

    private ComparisonReport() {}

    static void addTo(Document document, Results results) {
        if (!results.rows().isEmpty()) {
            document.table(benchmarks(results)).paragraph("Times and bytes are the median of the iterations; "
                    + Results.ERROR + ". The ± of a speedup combines those of both times (root of the sum of the "
                    + "squared relative errors). None of this covers what changes from run to run.");
        }
        if (!results.rows(ProcessFigures.GROUP).isEmpty()) {
            document.heading(ProcessFigures.GROUP).table(processes(results))
                    .paragraph("Each figure is the median of the runs. " + ProcessFigures.ABOUT);
        }
        document.details();
        for (ComparisonChart chart : ComparisonChart.values()) {
            chart.of(results).ifPresent(drawn -> document.picture(chart.file, drawn, results.origin()));
        }
    }

    static Table benchmarks(Results results) {
        String stock = results.stock().name();
        String pooled = results.contenders().getFirst().name();
        Map<String, Function<Row, String>> columns = new LinkedHashMap<>();
        columns.put("benchmark", Row::group);
        columns.put("size", row -> row.name().isEmpty() ? "-" : row.name());
        columns.put("stock ns/op", row -> row.cell(stock, Outcome::scoreWithError));
        columns.put("pooled ns/op", row -> row.cell(pooled, Outcome::scoreWithError));
        columns.put("stock B/op", row -> bytes(row, stock));
        columns.put("pooled B/op", row -> bytes(row, pooled));
        columns.put("speedup", row -> speedup(row, pooled, stock));
        for (JavaCommand peer : results.contenders().subList(1, results.contenders().size())) {
            columns.put(peer.name() + " ns/op", row -> row.cell(peer.name(), Outcome::scoreWithError));
            columns.put(peer.name() + " B/op", row -> bytes(row, peer.name()));
            columns.put(peer.name() + " speedup", row -> speedup(row, peer.name(), stock));
        }
        return Table.of(results.rows(what -> what.benchmark() != null), columns);
    }

    static Table processes(Results results) {
        String stock = results.stock().name();
        Map<String, Function<Row, String>> columns = new LinkedHashMap<>();
        columns.put("quantity", Row::name);
        columns.put(stock, row -> row.cell(stock, Outcome::scoreWithError));
        for (JavaCommand jvm : results.contenders()) {
            columns.put(jvm.name(), row -> row.cell(jvm.name(), Outcome::scoreWithError));
            columns.put(jvm.name() + " ÷ stock", row -> row.cell(jvm.name(), stock, (after, before) ->
                    before.score() > 0 ? String.format(Locale.ROOT, "%.3f", after.score() / before.score()) : "-"));
        }
        return Table.of(results.rows(ProcessFigures.GROUP), columns);
    }

    private static String bytes(Row row, String jvm) {
        return row.cell(jvm, outcome -> String.format(Locale.ROOT, "%.0f", outcome.bytesPerOp()));
    }

    private static String speedup(Row row, String jvm, String stock) {
        return row.cell(jvm, stock, (after, before) -> after.speedupOver(before).toString());
    }
}
