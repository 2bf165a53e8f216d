/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.text.ChartStyle;
import pooledarena.text.LineChart;
import pooledarena.text.Table;

import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;

/**
 * What is compared in a group of tables.
 *
 * @param name      above the column
 * @param jvm       the name of the virtual machine
 * @param benchmark class and method, without the package
 * @param color     of its line in charts
 * @param dashed    whether that line is
 */
record Column(String name, String jvm, String benchmark, Color color, boolean dashed) {

    static final Color STOCK = ChartStyle.color(0);
    static final Color POOLED = ChartStyle.color(1);
    static final Color PEER = ChartStyle.color(2);
    static final Color SECOND_PEER = ChartStyle.color(3);
    static final Color THIRD_PEER = ChartStyle.color(4);
    static final Color NO_POOL = new Color(0xc0392b);

    static Column ofStock(String name, String benchmark, Color color) {
        return new Column(name, Jvm.STOCK, benchmark, color, false);
    }

    static Column ofPooled(String name, String benchmark) {
        return new Column(name, Jvm.POOLED, benchmark, POOLED, false);
    }

    Column dashedLine() {
        return new Column(name, jvm, benchmark, color, true);
    }

    Case in(String group, String row, Map<String, String> parameters, int threads) {
        return new Case(group, row, name, jvm, Programs.PACKAGE + benchmark, parameters, threads);
    }

    /** {@return a table of one figure: a line for each row of {@code group}, a column for each of its columns} */
    static Table table(Results results, String group, String corner, Function<Outcome, String> text) {
        List<String> header = new ArrayList<>(List.of(corner));
        header.addAll(results.columns(group));
        Table table = new Table(header);
        for (String row : results.rows(group)) {
            List<String> line = new ArrayList<>(List.of(row));
            results.columns(group).forEach(column -> line.add(results.cell(group, row, column, text)));
            table.add(line);
        }
        return table;
    }

    /**
     * {@return the lines of a chart through those of {@code columns} that were measured, over the rows whose names begin with a
     * number}
     *
     * @param point what to make of that number and y
     */
    static List<LineChart.Series> series(Results results, String group, List<Column> columns, ToDoubleFunction<Outcome> y,
                                         UnaryOperator<LineChart.Point> point) {
        List<LineChart.Series> series = new ArrayList<>();
        for (Column column : columns) {
            List<LineChart.Point> points = new ArrayList<>();
            for (String row : results.rows(group)) {
                String x = row.split(" ")[0];
                if (x.matches("\\d+")) {
                    results.get(group, row, column.name).ifPresent(outcome ->
                            points.add(point.apply(new LineChart.Point(Double.parseDouble(x), y.applyAsDouble(outcome)))));
                }
            }
            if (!points.isEmpty()) {
                series.add(new LineChart.Series(column.name, column.color, column.dashed, null, points));
            }
        }
        return series;
    }
}
