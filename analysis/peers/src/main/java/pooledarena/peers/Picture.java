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
 * @param parts of bars: each column, by the name of what it takes more than the one before it; null where there are lines
 */
record Picture(String file, String title, Side x, Side y, Map<String, String> parts) {

    record Side(Quantity of, Axis axis) {}

    Optional<Chart> chart(Results results, String group) {
        return parts != null ? bars(results.rows(group))
                : results.lines(title, x.axis, y.axis, what -> what.group().equals(group),
                        m -> new Point(x.of.of(m.what(), m.outcome()), y.of.of(m.what(), m.outcome())));
    }

    /** {@return bars for each row that has all columns, one for each part} */
    private Optional<Chart> bars(List<Row> all) {
        List<Row> rows = all.stream().filter(row -> row.outcomes().keySet().containsAll(parts.values())).toList();
        Map<String, List<Double>> shares = new LinkedHashMap<>();
        parts.keySet().forEach(part -> shares.put(part, rows.stream().map(row -> 100 * time(row, part)
                / parts.keySet().stream().mapToDouble(each -> time(row, each)).sum()).toList()));
        List<String> names = rows.stream().map(row -> row.what().row()).toList();
        return rows.isEmpty() ? Optional.empty()
                : Optional.of(Chart.bars(title, names, new Axis("% of the time", false), shares));
    }

    /** {@return what a part takes: nothing, where chance makes its column less than the one before} */
    private double time(Row row, String part) {
        List<String> columns = List.copyOf(parts.values());
        int i = columns.indexOf(parts.get(part));
        double before = i == 0 ? 0 : row.outcomes().get(columns.get(i - 1)).score();
        return Math.max(0, row.outcomes().get(columns.get(i)).score() - before);
    }
}
