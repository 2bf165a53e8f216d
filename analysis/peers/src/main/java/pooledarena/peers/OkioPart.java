/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */
package pooledarena.peers;

import pooledarena.benchmark.Jvm;
import pooledarena.text.LineChart;
import pooledarena.text.Table;

import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Okio's segments: what do pools cost when threads fight for them, and what does zeroing cost? */
final class OkioPart implements Part {

    private static final String BY_THREADS = "threads";
    private static final String ZEROING = "zeroing";
    private static final List<Integer> THREADS = List.of(1, 2, 4, 16, 64);
    private static final List<String> SIZES = List.of("8", "128", "1024", "8192", "65536");

    private record Column(String name, String jvm, String benchmark, Color color) {}

    private static final Column NO_POOL = new Column("no pool", Jvm.STOCK, "SegmentPools.noPool", Palette.NO_POOL);
    private static final List<Column> POOLS = List.of(
            NO_POOL,
            new Column("synchronized", Jvm.STOCK, "SegmentPools.synchronizedPool", Palette.SECOND_PEER),
            new Column("lock-free", Jvm.STOCK, "SegmentPools.lockFreePool", Palette.THIRD_PEER),
            new Column("striped lock-free (Okio)", Jvm.STOCK, "SegmentPools.okio", Palette.PEER),
            new Column("stock arena", Jvm.STOCK, "SegmentPools.arena", Palette.STOCK),
            new Column("pooled arena", Jvm.POOLED, "SegmentPools.arena", Palette.POOLED));

    private static final Column ARRAY = new Column("new byte[n]", Jvm.STOCK, "Zeroing.array", Palette.NO_POOL);
    private static final Column ARRAY_NOT_ZEROED =
            new Column("new byte[n], not zeroed", Jvm.STOCK, "Zeroing.arrayNotZeroed", Palette.NO_POOL);
    private static final Column STOCK = new Column("stock arena", Jvm.STOCK, "Zeroing.arena", Palette.STOCK);
    private static final Column STOCK_NOT_ZEROED =
            new Column("stock arena, not zeroed", Jvm.STOCK, "Zeroing.arenaNotZeroed", Palette.STOCK);
    private static final Column POOLED = new Column("pooled arena", Jvm.POOLED, "Zeroing.arena", Palette.POOLED);
    private static final List<Column> ALLOCATIONS = List.of(ARRAY, ARRAY_NOT_ZEROED, STOCK, STOCK_NOT_ZEROED, POOLED);

    @Override
    public String title() {
        return "Okio: pools under contention, and the cost of zeroing";
    }

    @Override
    public List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (int threads : THREADS) {
            String row = threads + (threads == 1 ? " thread" : " threads");
            POOLS.forEach(pool -> cases.add(
                    new Case(BY_THREADS, row, pool.name, pool.jvm, pool.benchmark, Map.of(), threads)));
        }
        for (String size : SIZES) {
            ALLOCATIONS.forEach(column -> cases.add(
                    Case.of(ZEROING, size + " B", column.name, column.jvm, column.benchmark, Map.of("size", size))));
        }
        return cases;
    }

    @Override
    public List<Section> report(Results results, Lab lab) {
        List<Section> sections = new ArrayList<>();
        if (results.has(BY_THREADS)) {
            sections.add(new Section("Take 8 KiB, write one byte, give them back: million times per second, all threads together",
                    """
                    The arenas clear all 8 KiB each time, as does no pool; the other pools hand out what was in use before.""", byThreads(results),
                    Section.Chart.of("contention.png", new LineChart(
                            "Take 8 KiB, write one byte, give them back: how often",
                            new LineChart.Axis("threads", true),
                            new LineChart.Axis("million times per second, all threads together", true),
                            rates(results), null, false))));
        }
        if (results.has(ZEROING)) {
            sections.add(new Section("Allocate n bytes, write one, drop them: ns/op, and what of it is zeroing", """
                    Of array and stock arena, zeroing is the difference to a form inside the JDK that does not zero; of \
                    the pooled arena, which clears at close, the difference to 8 B. Differences below the error can be \
                    negative. 65536 B do not fit a slot.""", zeroing(results),
                    Section.Chart.of("zeroing.png", new LineChart(
                            "Allocate n bytes, write one, drop them: time by size; dashed without zeroing",
                            new LineChart.Axis("bytes", true), new LineChart.Axis("ns per operation", true),
                            times(results), null, false))));
        }
        return sections;
    }

    private static List<LineChart.Series> times(Results results) {
        return ALLOCATIONS.stream().filter(column -> results.columns(ZEROING).contains(column.name))
                .map(column -> results.series(ZEROING, column.name, column.color, column.name.contains("not zeroed"),
                        Figures::score)).toList();
    }

    /** {@return how often all threads together did it, by their number} */
    private static List<LineChart.Series> rates(Results results) {
        return POOLS.stream().map(pool -> {
            List<LineChart.Point> points = new ArrayList<>();
            results.rows(BY_THREADS).forEach(row -> results.get(BY_THREADS, row, pool.name).ifPresent(f ->
                    points.add(new LineChart.Point(threads(row), threads(row) * 1e3 / f.score()))));
            return new LineChart.Series(pool.name, pool.color, false, null, points);
        }).filter(series -> !series.points().isEmpty()).toList();
    }

    private static double threads(String row) {
        return Double.parseDouble(row.split(" ")[0]);
    }

    private static String rate(double value) {
        return String.format(value < 1 ? "%.2f" : "%.1f", value);
    }

    private static Table byThreads(Results results) {
        List<String> columns = results.columns(BY_THREADS);
        List<String> header = new ArrayList<>(List.of("threads"));
        header.addAll(columns);
        columns.stream().filter(column -> !column.equals(NO_POOL.name)).forEach(column -> header.add(column + ": speedup"));
        Table table = new Table(header);
        for (String row : results.rows(BY_THREADS)) {
            List<String> line = new ArrayList<>(List.of(row.split(" ")[0]));
            double threads = threads(row);
            columns.forEach(column -> line.add(results.cell(BY_THREADS, row, column, f -> rate(threads * 1e3 / f.score()))));
            var base = results.get(BY_THREADS, row, NO_POOL.name);
            columns.stream().filter(column -> !column.equals(NO_POOL.name)).forEach(column -> line.add(
                    base.map(b -> results.cell(BY_THREADS, row, column, f -> rate(b.score() / f.score()) + "x"))
                            .orElse("-")));
            table.add(line);
        }
        return table;
    }

    private static Table zeroing(Results results) {
        Table table = new Table(List.of("n", ARRAY.name, "zeroing", STOCK.name, "zeroing", POOLED.name, "zeroing"));
        String smallest = SIZES.getFirst() + " B";
        for (String row : results.rows(ZEROING)) {
            table.add(List.of(row,
                    results.cell(ZEROING, row, ARRAY.name, OkioPart::time),
                    difference(results, row, ARRAY.name, row, ARRAY_NOT_ZEROED.name),
                    results.cell(ZEROING, row, STOCK.name, OkioPart::time),
                    difference(results, row, STOCK.name, row, STOCK_NOT_ZEROED.name),
                    results.cell(ZEROING, row, POOLED.name, OkioPart::time),
                    row.equals("65536 B") ? "-" : difference(results, row, POOLED.name, smallest, POOLED.name)));
        }
        return table;
    }

    private static String difference(Results results, String row, String column, String otherRow, String otherColumn) {
        return results.get(ZEROING, row, column).flatMap(f -> results.get(ZEROING, otherRow, otherColumn)
                .map(other -> pooledarena.text.Figures.time(f.score() - other.score(), f.score()))).orElse("-");
    }

    private static String time(Figures figures) {
        return pooledarena.text.Figures.time(figures.score(), figures.score()) + " ± " + pooledarena.text.Figures.time(figures.deviation(), figures.score());
    }
}
