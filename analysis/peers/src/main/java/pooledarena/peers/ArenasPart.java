/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.renderer.category.StackedBarRenderer;
import org.jfree.data.category.DefaultCategoryDataset;
import pooledarena.benchmark.Case;
import pooledarena.benchmark.Columns;
import pooledarena.benchmark.HorizontalBars;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.text.ChartStyle;
import pooledarena.text.Document;
import pooledarena.text.Figures;

import module java.base;

/** Shared and automatic arenas: where does their time go, and what could a pool of memory gain at most? */
final class ArenasPart implements Part {

    private static final String GROUP = "arena";
    private static final String EMPTY = "empty";
    private static final String READY = "memory is there";
    private static final String WHOLE = "allocation";
    private static final List<String> SIZES = List.of("16", "1024", "8192");

    private static final List<String> SLOTS = List.of("64", "4096", "65536");

    /** The most bytes that a pool may keep here: already more than a program would like to miss. */
    private static final long LARGEST_POOL = 64L << 20;

    /** An arena with idle threads beside it, and with bytes of garbage that come and go with it. */
    private record Kind(String name, String method, String idle, String garbage, List<String> sizes) {

        Case in(String size, String column, String benchmark, String parameter, String value) {
            return Column.ofStock(column, benchmark, Column.STOCK).in(GROUP, name + ", " + size + " B",
                    Map.of("size", size, "garbage", garbage, parameter, value), 1);
        }
    }

    /** The outcomes of a row that has all of them. */
    private record Parts(String row, Outcome whole, Outcome ready, Outcome empty) {

        double mallocAndFree() {
            return whole.score() - ready.score();
        }

        double clearAndUse() {
            return ready.score() - empty.score();
        }

        private String decimals(double value) {
            return Figures.decimals(value, whole.score());
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind("ofShared", "shared", "0", "0", SIZES),
            new Kind("ofShared, 100 idle threads", "shared", "100", "0", List.of("1024")),
            new Kind("ofAuto", "auto", "0", "0", SIZES),
            new Kind("ofAuto, 8 KiB of garbage", "auto", "0", "8192", SIZES));

    private static final Columns<Parts> TIMES = new Columns<Parts>()
            .add("arena", Parts::row)
            .add("whole", parts -> parts.whole.scoreWithError())
            .add("CPU", parts -> parts.decimals(parts.whole.cpuNsPerOp()))
            .add("the arena alone", parts -> parts.decimals(parts.empty.score()))
            .add("clear and use", parts -> parts.decimals(parts.clearAndUse()))
            .add("malloc and free", parts -> parts.decimals(parts.mallocAndFree()))
            .add("a pool gains at most", parts -> Outcome.Speedup.format(parts.whole.score() / parts.ready.score()))
            .add("… of CPU", parts -> Outcome.Speedup.format(parts.whole.cpuNsPerOp() / parts.ready.cpuNsPerOp()));

    @Override
    public String title() {
        return "Other arenas: could a pool of memory be felt in shared and automatic ones?";
    }

    @Override
    public List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Kind kind : KINDS) {
            for (String size : kind.sizes) {
                String benchmark = "OtherArenas." + kind.method;
                cases.add(kind.in(size, WHOLE, benchmark, "idleThreads", kind.idle));
                cases.add(kind.in(size, READY, benchmark + "OnReadyMemory", "idleThreads", kind.idle));
                cases.add(kind.in(size, EMPTY, benchmark + "Empty", "idleThreads", kind.idle));
                if (kind.method.equals("auto")) {
                    SLOTS.stream().filter(slots -> Long.parseLong(slots) * Long.parseLong(size) <= LARGEST_POOL)
                            .forEach(slots -> cases.add(kind.in(size, pool(slots), "AutoArenaPool.auto", "slots", slots)));
                }
            }
        }
        return cases;
    }

    @Override
    public void report(Results results, Document document) throws IOException {
        if (!results.has(GROUP)) {
            return;
        }
        List<Parts> parts = results.rows(GROUP).stream().flatMap(row -> results.get(GROUP, row, WHOLE).flatMap(whole ->
                results.get(GROUP, row, READY).flatMap(ready -> results.get(GROUP, row, EMPTY).map(empty ->
                        new Parts(row, whole, ready, empty)))).stream()).toList();
        document.heading("Open, allocate, use, close or drop: ns/op, and its parts").table(TIMES.table(parts)).paragraph("""
                The arena alone is what opening and closing, or registering with the cleaner, takes without memory. \
                With memory that is there already, and only has to be cleared, no malloc and no free are left: that is \
                what no pool can beat, and the most that a pool could gain is the quotient. CPU is the processor time \
                of the whole process, with garbage collector and cleaner. An automatic arena's time contains its \
                waiting for the garbage collector where the limit of native memory is reached.""");
        if (!parts.isEmpty()) {
            document.picture("where-time-goes.png", "Where the time of an arena goes",
                    shares("Where the time of an arena goes", parts, results.origin()));
        }
        List<String> pooled = results.rows(GROUP).stream().filter(row ->
                results.get(GROUP, row, pool(SLOTS.getFirst())).isPresent()).toList();
        if (!pooled.isEmpty()) {
            Columns<String> columns = new Columns<String>().add("arena", row -> row);
            Stream.concat(Stream.of(WHOLE), SLOTS.stream().map(ArenasPart::pool)).forEach(column -> columns
                    .add(column.equals(WHOLE) ? "no pool" : column, row ->
                            results.cell(GROUP, row, column, o -> Figures.decimals(o.score(), o.score())))
                    .add("CPU", row -> results.cell(GROUP, row, column, o -> Figures.decimals(o.cpuNsPerOp(), o.score()))));
            document.heading("Automatic arenas with a real pool: ns/op and CPU ns/op").table(columns.table(pooled)).paragraph("""
                    The slots are there from the beginning, come back through the cleaner, and when there is none the \
                    allocation is the regular one.""");
        }
    }

    /** {@return a bar of the same length for each row, divided into the shares of its parts} A part below zero has none. */
    private static byte[] shares(String title, List<Parts> rows, List<String> origin) throws IOException {
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        rows.forEach(row -> {
            data.addValue(row.empty.score(), "the arena alone", row.row);
            data.addValue(Math.max(0, row.clearAndUse()), "clear and use", row.row);
            data.addValue(Math.max(0, row.mallocAndFree()), "malloc and free", row.row);
        });
        NumberAxis axis = ChartStyle.styled(new NumberAxis("share of the time"), 20);
        axis.setRange(0, 1);
        axis.setNumberFormatOverride(new DecimalFormat("0 %"));
        return HorizontalBars.png(title, data, new StackedBarRenderer(true), axis,
                List.of(Column.STOCK, Column.SECOND_PEER, Column.NO_POOL), origin);
    }

    private static String pool(String slots) {
        return "pool of " + slots;
    }
}
