/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results.Measured;
import pooledarena.benchmark.Results.Row;
import pooledarena.benchmark.Results;
import pooledarena.text.Chart;
import pooledarena.text.Document;
import pooledarena.text.Figures;
import pooledarena.text.LineChart.Axis;
import pooledarena.text.LineChart.Point;
import pooledarena.text.Table;

import module java.base;

/**
 * What belongs together in a part: the cases, and how the report shows them, with a table for each figure.
 *
 * @param cases   none if they are measured without JMH
 * @param about   what a reader must know of the figures
 */
record Group(String name, List<Case> cases, List<Figure> figures, String about, Picture... pictures) {

    /** What a table says of a column in a row. */
    record Figure(String unit, BiFunction<Row, String, String> cell) {

        static final Figure TIME = of("ns/op", Outcome::scoreWithError);

        static Figure of(String unit, Function<Outcome, String> text) {
            return new Figure(unit, (row, column) -> row.cell(column, text));
        }

        static Figure of(String unit, String format, ToDoubleFunction<Outcome> figure) {
            return of(unit, outcome -> String.format(Locale.ROOT, format, figure.applyAsDouble(outcome)));
        }

        /** {@return a figure that compares a column with that of the same row that is called {@code base}} */
        static Figure of(String unit, String base, BiFunction<Outcome, Outcome, String> text) {
            return new Figure(unit, (row, column) -> row.cell(column, base, text));
        }
    }

    /** A chart, if there is enough for it. */
    record Picture(String file, Function<Results, Optional<? extends Chart>> chart) {

        static Picture lines(String file, String title, Axis x, Axis y, String group,
                             Function<Measured, Point> point) {
            return new Picture(file, results ->
                    results.lines(title, x, y, what -> what.group().equals(group), point));
        }
    }

    static String difference(Outcome more, Outcome less) {
        return Figures.decimals(more.score() - less.score(), more.score());
    }

    void addTo(Document document, Results results) {
        List<Row> rows = results.rows(name);
        if (rows.isEmpty()) {
            document.paragraph("Not measured: " + name + ".");
            return;
        }
        document.heading(name);
        List<String> names = rows.stream().flatMap(row -> row.outcomes().keySet().stream()).distinct().toList();
        for (Figure figure : figures) {
            Map<String, Function<Row, String>> columns = new LinkedHashMap<>();
            columns.put(figure.unit, row -> row.what().row());
            names.stream().filter(column -> rows.stream().anyMatch(row -> !figure.cell.apply(row, column).equals("-")))
                    .forEach(column -> columns.put(column, row -> figure.cell.apply(row, column)));
            document.table(Table.of(rows, columns));
        }
        document.paragraph(about);
        for (Picture picture : pictures) {
            picture.chart.apply(results).ifPresent(chart -> document.picture(picture.file, chart, results.origin()));
        }
    }
}
