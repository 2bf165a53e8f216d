/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Columns;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.text.Document;
import pooledarena.text.Figures;
import pooledarena.text.LineChart.Axis;
import pooledarena.text.LineChart.Point;
import pooledarena.text.Table;

import module java.base;

/** Okio's segments: what do pools cost when threads fight for them, and what does zeroing cost? */
final class OkioPart implements Part {

    private static final String BY_THREADS = "threads";
    private static final String ZEROING = "zeroing";
    private static final List<Integer> THREADS = List.of(1, 2, 4, 16, 64);
    private static final List<String> SIZES = List.of("8", "128", "1024", "8192", "65536");

    private static final Column NO_POOL = Column.ofStock("no pool", "SegmentPools.noPool", Column.NO_POOL);
    private static final List<Column> POOLS = List.of(
            NO_POOL,
            Column.ofStock("synchronized", "SegmentPools.synchronizedPool", Column.SECOND_PEER),
            Column.ofStock("lock-free", "SegmentPools.lockFreePool", Column.THIRD_PEER),
            Column.ofStock("striped lock-free (Okio)", "SegmentPools.okio", Column.PEER),
            Column.ofStock("stock arena", "SegmentPools.arena", Column.STOCK),
            Column.ofPooled("pooled arena", "SegmentPools.arena"));

    private static final Column ARRAY = Column.ofStock("new byte[n]", "Zeroing.array", Column.NO_POOL);
    private static final Column ARRAY_NOT_ZEROED =
            Column.ofStock("new byte[n], not zeroed", "Zeroing.arrayNotZeroed", Column.NO_POOL).dashedLine();
    private static final Column STOCK = Column.ofStock("stock arena", "Zeroing.arena", Column.STOCK);
    private static final Column STOCK_NOT_ZEROED =
            Column.ofStock("stock arena, not zeroed", "Zeroing.arenaNotZeroed", Column.STOCK).dashedLine();
    private static final Column POOLED = Column.ofPooled("pooled arena", "Zeroing.arena");
    private static final List<Column> ALLOCATIONS = List.of(ARRAY, ARRAY_NOT_ZEROED, STOCK, STOCK_NOT_ZEROED, POOLED);

    @Override
    public String title() {
        return "Okio: pools under contention, and the cost of zeroing";
    }

    @Override
    public List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        THREADS.forEach(threads -> POOLS.forEach(pool ->
                cases.add(pool.in(BY_THREADS, Column.threads(threads), Map.of(), threads))));
        SIZES.forEach(size -> ALLOCATIONS.forEach(column ->
                cases.add(column.in(ZEROING, size + " B", Map.of("size", size), 1))));
        return cases;
    }

    @Override
    public void report(Results results, Document document) throws IOException {
        if (results.has(BY_THREADS)) {
            document.heading("Take 8 KiB, write one byte, give them back: million times per second, all threads together")
                    .table(byThreads(results))
                    .paragraph("The arenas clear all 8 KiB each time, as does no pool; the other pools hand out what was in use "
                            + "before.");
            Column.chart(document, "contention.png", results, "Take 8 KiB, write one byte, give them back: how often",
                    new Axis("threads", true), new Axis("million times per second, all threads together", true),
                    POOLS, what -> what.group().equals(BY_THREADS),
                    m -> new Point(m.what().threads(), millions(m.what().row(), m.outcome())));
        }
        if (results.has(ZEROING)) {
            document.heading("Allocate n bytes, write one, drop them: ns/op, and what of it is zeroing").table(zeroing(results))
                    .paragraph("""
                    Of array and stock arena, zeroing is the difference to a form inside the JDK that does not zero; of the \
                    pooled arena, which clears at close, the difference to 8 B. Differences below the error can be negative. \
                    65536 B do not fit a slot.""");
            Column.chart(document, "zeroing.png", results,
                    "Allocate n bytes, write one, drop them: time by size; dashed without zeroing", new Axis("bytes", true),
                    new Axis("ns per operation", true), ALLOCATIONS, what -> what.group().equals(ZEROING),
                    m -> new Point(Column.number(m.what().row()), m.outcome().score()));
        }
    }

    /** {@return how often all threads together do it in a second, in millions} */
    private static double millions(String threads, Outcome outcome) {
        return Column.number(threads) * 1e3 / outcome.score();
    }

    private static String rate(double value) {
        return String.format(value < 1 ? "%.2f" : "%.1f", value);
    }

    private static Table byThreads(Results results) {
        Columns<String> columns = new Columns<String>().add("threads", row -> row.split(" ")[0]);
        List<String> pools = results.columns(BY_THREADS);
        pools.forEach(pool -> columns.add(pool, row ->
                results.cell(BY_THREADS, row, pool, outcome -> rate(millions(row, outcome)))));
        pools.stream().filter(pool -> !pool.equals(NO_POOL.name())).forEach(pool -> columns.add(pool + ": speedup", row ->
                results.get(BY_THREADS, row, NO_POOL.name()).map(base -> results.cell(BY_THREADS, row, pool,
                        outcome -> rate(base.score() / outcome.score()) + "x")).orElse("-")));
        return columns.table(results.rows(BY_THREADS));
    }

    private static Table zeroing(Results results) {
        Columns<String> columns = new Columns<String>().add("n", row -> row);
        for (Column column : List.of(ARRAY, STOCK, POOLED)) {
            columns.add(column.name(), row -> results.cell(ZEROING, row, column.name(), Outcome::scoreWithError))
                    .add("zeroing", row -> column == ARRAY ? difference(results, row, ARRAY, row, ARRAY_NOT_ZEROED)
                            : column == STOCK ? difference(results, row, STOCK, row, STOCK_NOT_ZEROED)
                            : row.equals("65536 B") ? "-" : difference(results, row, POOLED, SIZES.getFirst() + " B", POOLED));
        }
        return columns.table(results.rows(ZEROING));
    }

    private static String difference(Results results, String row, Column column, String otherRow, Column otherColumn) {
        return results.get(ZEROING, row, column.name()).flatMap(one -> results.get(ZEROING, otherRow, otherColumn.name())
                .map(other -> Figures.decimals(one.score() - other.score(), one.score()))).orElse("-");
    }
}
