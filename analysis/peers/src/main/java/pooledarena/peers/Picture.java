/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Results.Row;
import pooledarena.benchmark.Results;
import pooledarena.peers.Figure.Quantity;
import pooledarena.text.Chart.Axis;
import pooledarena.text.Chart.Point;
import pooledarena.text.Chart;

import module java.base;

/**
 * A chart: a line for each column, or a bar for each row.
 *
 * @param parts of bars that all have the same length: each column, by the name of what it takes more than the one
 *              before it; null where there are lines
 */
record Picture(String file, String title, Side x, Side y, Map<String, String> parts) {

    record Side(Quantity of, Axis axis) {}

    Optional<Chart> chart(Results results, String group) {
        return parts != null ? bars(results.rows(group))
                : results.lines(title, x.axis, y.axis, what -> what.group().equals(group),
                        m -> new Point(x.of.of(m.what(), m.outcome()), y.of.of(m.what(), m.outcome())));
    }

    /** {@return bars for each row that has all columns, one for each part} A part below zero has no share. */
    private Optional<Chart> bars(List<Row> all) {
        List<Row> rows = all.stream().filter(row -> row.outcomes().keySet().containsAll(parts.values())).toList();
        String whole = List.copyOf(parts.values()).getLast();
        Map<String, List<Double>> shares = new LinkedHashMap<>();
        String before = null;
        for (var part : parts.entrySet()) {
            String less = before;
            before = part.getValue();
            shares.put(part.getKey(), rows.stream().map(row -> 100 / score(row, whole)
                    * Math.max(0, score(row, part.getValue()) - (less == null ? 0 : score(row, less)))).toList());
        }
        List<String> names = rows.stream().map(row -> row.what().row()).toList();
        return rows.isEmpty() ? Optional.empty()
                : Optional.of(Chart.bars(title, names, new Axis("% of the time", false), shares));
    }

    private static double score(Row row, String column) {
        return row.outcomes().get(column).score();
    }
}
