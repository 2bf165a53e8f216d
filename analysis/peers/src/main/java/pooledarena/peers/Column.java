/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Columns;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results.Measured;
import pooledarena.benchmark.Results;
import pooledarena.text.ChartStyle;
import pooledarena.text.Document;
import pooledarena.text.LineChart.Axis;
import pooledarena.text.LineChart.Point;
import pooledarena.text.LineChart.Series;
import pooledarena.text.LineChart;
import pooledarena.text.Table;

import java.awt.Color;
import module java.base;

/** What is compared in a group of tables: a benchmark, which is a class and a method, on a virtual machine. */
record Column(String name, String jvm, String benchmark, Color color, boolean dashed) {

    static final String PACKAGE = "org.openjdk.bench.java.lang.foreign.peers.";

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
        return new Case(group, row, name, jvm, PACKAGE + benchmark, parameters, threads);
    }

    static String threads(int count) {
        return count + (count == 1 ? " thread" : " threads");
    }

    /** {@return the number that a row of sizes or threads begins with} */
    static double number(String row) {
        return Double.parseDouble(row.split(" ")[0]);
    }

    /** {@return a table of one figure: a line for each row of {@code group}, a column for each of its columns} */
    static Table table(Results results, String group, String corner, Function<Outcome, String> text) {
        Columns<String> columns = new Columns<String>().add(corner, row -> row);
        results.columns(group).forEach(name -> columns.add(name, row -> results.cell(group, row, name, text)));
        return columns.table(results.rows(group));
    }

    /** Adds a chart of what was measured of {@code columns} in {@code rows}, unless there are too few points for an axis. */
    static void chart(Document document, String file, Results results, String title, Axis x, Axis y, List<Column> columns,
                      Predicate<Case> rows, Function<Measured, Point> point) throws IOException {
        List<Series> lines = columns.stream().map(column -> new Series(column.name, column.color, column.dashed, null,
                        results.points(what -> what.column().equals(column.name) && rows.test(what), point)))
                .filter(line -> !line.points().isEmpty()).toList();
        if (lines.stream().flatMap(line -> line.points().stream()).map(Point::x).distinct().count() >= 2) {
            document.picture(file, title, new LineChart(title, x, y, lines, null, false).png(results.origin()));
        }
    }
}
