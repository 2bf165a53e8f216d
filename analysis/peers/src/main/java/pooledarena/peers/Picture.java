/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Results.Row;
import pooledarena.benchmark.Results;
import pooledarena.peers.Figure.Quantity;
import pooledarena.text.BarChart;
import pooledarena.text.Chart;
import pooledarena.text.ChartStyle;
import pooledarena.text.LineChart.Axis;
import pooledarena.text.LineChart.Point;

import module java.base;

/**
 * A chart: a line for each column, or a bar for each row.
 *
 * @param parts of bars that all have the same length: each column, by the name of what it takes more than the one
 *              before it; null where there are lines
 */
record Picture(String file, String title, Side x, Side y, Map<String, String> parts) {

    record Side(Quantity of, Axis axis) {}

    Optional<? extends Chart> chart(Results results, String group) {
        return parts != null ? bars(results.rows(group))
                : results.lines(title, x.axis, y.axis, what -> what.group().equals(group),
                        m -> new Point(x.of.of(m.what(), m.outcome()), y.of.of(m.what(), m.outcome())));
    }

    /** {@return a bar for each row that has all columns} A part below zero has no share. */
    private Optional<BarChart> bars(List<Row> all) {
        List<Row> rows = all.stream().filter(row -> row.outcomes().keySet().containsAll(parts.values())).toList();
        List<BarChart.Series> series = new ArrayList<>();
        Function<Row, Double> before = _ -> 0.0;
        for (var part : parts.entrySet()) {
            Function<Row, Double> less = before;
            Function<Row, Double> score = row -> row.outcomes().get(part.getValue()).score();
            series.add(new BarChart.Series(part.getKey(), ChartStyle.color(series.size()),
                    rows.stream().map(row -> Math.max(0, score.apply(row) - less.apply(row))).toList()));
            before = score;
        }
        List<String> names = rows.stream().map(row -> row.what().row()).toList();
        return rows.isEmpty() ? Optional.empty()
                : Optional.of(new BarChart(title, names, "share of the time", BarChart.Scale.STACKED, series));
    }
}
