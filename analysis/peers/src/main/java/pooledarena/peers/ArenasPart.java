/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.text.Document;
import pooledarena.text.Figures;
import pooledarena.text.Table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Shared and automatic arenas: where does their time go, and what could a pool of memory gain at most? */
final class ArenasPart implements Part {

    private static final String GROUP = "arena";
    private static final String EMPTY = "empty";
    private static final String READY = "memory is there";
    private static final String WHOLE = "allocation";
    private static final List<String> SIZES = List.of("16", "1024", "8192");

    /** Sizes of the pool of automatic arenas. */
    private static final List<String> SLOTS = List.of("64", "4096", "65536");

    /** The most bytes that a pool may keep here: already more than a program would like to miss. */
    private static final long LARGEST_POOL = 64L << 20;

    /**
     * What is measured in one row.
     *
     * @param name    of the arena
     * @param method  the beginning of the names of its benchmarks
     * @param idle    threads that are there beside the benchmark's
     * @param garbage bytes on the heap that come and go with each arena
     * @param sizes   what is allocated
     */
    private record Kind(String name, String method, String idle, String garbage, List<String> sizes) {

        Case measured(String size, String column, String benchmark, Map<String, String> more) {
            Map<String, String> parameters = new LinkedHashMap<>(Map.of("size", size, "garbage", garbage));
            parameters.putAll(more);
            return Column.ofStock(column, benchmark, Column.STOCK).in(GROUP, name + ", " + size + " B", parameters, 1);
        }
    }

    /** The outcomes of a row that has all of them. */
    private record Parts(String row, Outcome whole, Outcome ready, Outcome empty) {}

    private static final List<Kind> KINDS = List.of(
            new Kind("ofShared", "shared", "0", "0", SIZES),
            new Kind("ofShared, 100 idle threads", "shared", "100", "0", List.of("1024")),
            new Kind("ofAuto", "auto", "0", "0", SIZES),
            new Kind("ofAuto, 8 KiB of garbage", "auto", "0", "8192", SIZES));

    @Override
    public String title() {
        return "Other arenas: could a pool of memory be felt in shared and automatic ones?";
    }

    @Override
    public List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Kind kind : KINDS) {
            Map<String, String> idle = Map.of("idleThreads", kind.idle);
            for (String size : kind.sizes) {
                cases.add(kind.measured(size, WHOLE, "OtherArenas." + kind.method, idle));
                cases.add(kind.measured(size, READY, "OtherArenas." + kind.method + "OnReadyMemory", idle));
                cases.add(kind.measured(size, EMPTY, "OtherArenas." + kind.method + "Empty", idle));
                if (kind.method.equals("auto")) {
                    SLOTS.stream().filter(slots -> Long.parseLong(slots) * Long.parseLong(size) <= LARGEST_POOL).forEach(slots ->
                            cases.add(kind.measured(size, pool(slots), "AutoArenaPool.auto", Map.of("slots", slots))));
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
        List<Parts> parts = parts(results);
        document.heading("Open, allocate, use, close or drop: ns/op, and its parts").table(table(parts)).paragraph("""
                The arena alone is what opening and closing, or registering with the cleaner, takes without memory. \
                With memory that is there already, and only has to be cleared, no malloc and no free are left: that is \
                what no pool can beat, and the most that a pool could gain is the quotient. CPU is the processor time \
                of the whole process, with garbage collector and cleaner. An automatic arena's time contains its \
                waiting for the garbage collector where the limit of native memory is reached.""");
        if (!parts.isEmpty()) {
            document.picture("where-time-goes.png", "Where the time of an arena goes",
                    ShareChart.png("Where the time of an arena goes", shares(parts), results.origin()));
        }
        if (results.columns(GROUP).contains(pool(SLOTS.getFirst()))) {
            document.heading("Automatic arenas with a real pool: ns/op and CPU ns/op").table(poolTable(results)).paragraph("""
                    The slots are there from the beginning, come back through the cleaner, and when there is none the \
                    allocation is the regular one.""");
        }
    }

    private static String pool(String slots) {
        return "pool of " + slots;
    }

    private static List<Parts> parts(Results results) {
        return results.rows(GROUP).stream().flatMap(row -> results.get(GROUP, row, WHOLE).flatMap(whole ->
                results.get(GROUP, row, READY).flatMap(ready -> results.get(GROUP, row, EMPTY).map(empty ->
                        new Parts(row, whole, ready, empty)))).stream()).toList();
    }

    static Table table(Results results) {
        return table(parts(results));
    }

    private static Table table(List<Parts> rows) {
        Table table = new Table(List.of("arena", "whole", "CPU", "the arena alone", "clear and use", "malloc and free",
                "a pool gains at most", "… of CPU"));
        for (Parts parts : rows) {
            double time = parts.whole.score();
            double ready = parts.ready.score();
            table.add(List.of(parts.row, parts.whole.scoreWithError(),
                    Figures.decimals(parts.whole.cpuNsPerOp(), time),
                    Figures.decimals(parts.empty.score(), time),
                    Figures.decimals(ready - parts.empty.score(), time),
                    Figures.decimals(time - ready, time),
                    Outcome.Speedup.format(time / ready),
                    Outcome.Speedup.format(parts.whole.cpuNsPerOp() / parts.ready.cpuNsPerOp())));
        }
        return table;
    }

    private static Table poolTable(Results results) {
        List<String> columns = Stream.concat(Stream.of(WHOLE), SLOTS.stream().map(ArenasPart::pool)).toList();
        List<String> header = new ArrayList<>(List.of("arena"));
        columns.forEach(column -> header.addAll(List.of(column.equals(WHOLE) ? "no pool" : column, "CPU")));
        Table table = new Table(header);
        for (String row : results.rows(GROUP)) {
            if (results.get(GROUP, row, pool(SLOTS.getFirst())).isPresent()) {
                List<String> line = new ArrayList<>(List.of(row));
                columns.forEach(column -> line.addAll(List.of(
                        results.cell(GROUP, row, column, o -> Figures.decimals(o.score(), o.score())),
                        results.cell(GROUP, row, column, o -> Figures.decimals(o.cpuNsPerOp(), o.score())))));
                table.add(line);
            }
        }
        return table;
    }

    /** {@return the parts of each row, none below zero} */
    private static Map<String, Map<String, Double>> shares(List<Parts> rows) {
        Map<String, Map<String, Double>> shares = new LinkedHashMap<>();
        for (Parts parts : rows) {
            Map<String, Double> times = new LinkedHashMap<>();
            times.put("the arena alone", parts.empty.score());
            times.put("clear and use", Math.max(0, parts.ready.score() - parts.empty.score()));
            times.put("malloc and free", Math.max(0, parts.whole.score() - parts.ready.score()));
            shares.put(parts.row, times);
        }
        return shares;
    }
}
