/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results.Row;
import pooledarena.benchmark.Results;
import pooledarena.peers.Group.Figure;
import pooledarena.peers.Group.Picture;
import pooledarena.text.BarChart;
import pooledarena.text.ChartStyle;
import pooledarena.text.Figures;

import module java.base;

/** Shared and automatic arenas: where does their time go, and what could a pool of memory gain at most? */
final class ArenasPart {

    private static final String GROUP = "Open, allocate, use, close or drop";
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
            return Part.onStock(column, benchmark).in(GROUP, name + ", " + size + " B",
                    Map.of("size", size, "garbage", garbage, parameter, value), 1);
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind("ofShared", "shared", "0", "0", SIZES),
            new Kind("ofShared, 100 idle threads", "shared", "100", "0", List.of("1024")),
            new Kind("ofAuto", "auto", "0", "0", SIZES),
            new Kind("ofAuto, 8 KiB of garbage", "auto", "0", "8192", SIZES));

    static final Part PART =
            new Part("Other arenas: could a pool of memory be felt in shared and automatic ones?", groups());

    private ArenasPart() {}

    private static List<Group> groups() {
        return List.of(new Group(GROUP, cases(), List.of(
                Figure.TIME,
                Figure.of("CPU ns/op", outcome -> Figures.decimals(outcome.cpuNsPerOp(), outcome.score())),
                Figure.of("ns/op less than an allocation", WHOLE, (outcome, whole) -> Group.difference(whole, outcome)),
                Figure.of("times as fast as an allocation", WHOLE, (outcome, whole) ->
                        Outcome.times(whole.score() / outcome.score())),
                Figure.of("the same of CPU", WHOLE, (outcome, whole) ->
                        Outcome.times(whole.cpuNsPerOp() / outcome.cpuNsPerOp()))), """
                An empty arena takes what opening and closing, or registering with the cleaner, takes without memory. \
                With memory that is there already, and only has to be cleared, no malloc and no free are left: no pool \
                can gain more. CPU is the processor time of the whole process, with garbage collector and cleaner. An \
                automatic arena's time contains its waiting for the garbage collector where the limit of native memory \
                is reached. The slots of the real pools are there from the beginning and come back through the \
                cleaner; when there is none the allocation calls malloc.""",
                new Picture("where-time-goes.png", ArenasPart::shares)));
    }

    private static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Kind kind : KINDS) {
            for (String size : kind.sizes) {
                String benchmark = "OtherArenas." + kind.method;
                cases.add(kind.in(size, WHOLE, benchmark, "idleThreads", kind.idle));
                cases.add(kind.in(size, READY, benchmark + "OnReadyMemory", "idleThreads", kind.idle));
                cases.add(kind.in(size, EMPTY, benchmark + "Empty", "idleThreads", kind.idle));
                if (kind.method.equals("auto")) {
                    SLOTS.stream().filter(slots -> Long.parseLong(slots) * Long.parseLong(size) <= LARGEST_POOL)
                            .map(slots -> kind.in(size, "pool of " + slots, "AutoArenaPool.auto", "slots", slots))
                            .forEach(cases::add);
                }
            }
        }
        return cases;
    }

    /** {@return a bar of the same length for each row, divided into its parts} A part below zero has no share. */
    private static Optional<BarChart> shares(Results results) {
        List<Row> rows = results.rows(GROUP).stream()
                .filter(row -> row.has(WHOLE) && row.has(READY) && row.has(EMPTY)).toList();
        return rows.isEmpty() ? Optional.empty() : Optional.of(new BarChart("Where the time of an arena goes",
                rows.stream().map(row -> row.what().row()).toList(), "share of the time", BarChart.Scale.STACKED,
                List.of(series("the arena alone", 0, rows, row -> score(row, EMPTY)),
                        series("clear and use", 3, rows, row -> score(row, READY) - score(row, EMPTY)),
                        series("malloc and free", 5, rows, row -> score(row, WHOLE) - score(row, READY)))));
    }

    private static BarChart.Series series(String name, int color, List<Row> rows, ToDoubleFunction<Row> time) {
        return new BarChart.Series(name, ChartStyle.color(color),
                rows.stream().map(row -> Math.max(0, time.applyAsDouble(row))).toList());
    }

    private static double score(Row row, String column) {
        return row.outcomes().get(column).score();
    }
}
