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
import pooledarena.text.Table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

        String row(String size) {
            return name + ", " + size + " B";
        }
    }

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
            for (String size : kind.sizes) {
                cases.add(benchmark(kind, size, WHOLE, "OtherArenas." + kind.method, Map.of()));
                cases.add(benchmark(kind, size, READY, "OtherArenas." + kind.method + "OnReadyMemory", Map.of()));
                cases.add(benchmark(kind, size, EMPTY, "OtherArenas." + kind.method + "Empty", Map.of()));
                if (kind.method.equals("auto")) {
                    SLOTS.stream().filter(slots -> Long.parseLong(slots) * Long.parseLong(size) <= LARGEST_POOL)
                            .forEach(slots -> cases.add(
                                    benchmark(kind, size, pool(slots), "AutoArenaPool.auto", Map.of("slots", slots))));
                }
            }
        }
        return cases;
    }

    @Override
    public List<Section> report(Results results, Lab lab) {
        List<Section> sections = new ArrayList<>();
        if (results.has(GROUP)) {
            sections.add(new Section("Open, allocate, use, close or drop: ns/op, and its parts", """
                    The arena alone is what opening and closing, or registering with the cleaner, takes without memory. \
                    With memory that is there already, and only has to be cleared, no malloc and no free are left: that is \
                    what no pool can beat, and the most that a pool could gain is the quotient. CPU is the processor time \
                    of the whole process, with garbage collector and cleaner. An automatic arena's time contains its \
                    waiting for the garbage collector where the limit of native memory is reached.""", table(results),
                    shares(results).isEmpty() ? null : new Section.Chart("where-time-goes.png", origin -> ShareChart.png(
                            "Where the time of an arena goes", shares(results), origin))));
            if (results.columns(GROUP).contains(pool(SLOTS.getFirst()))) {
                sections.add(new Section("Automatic arenas with a real pool: ns/op and CPU ns/op", """
                        The slots are there from the beginning, come back through the cleaner, and when there is none the \
                        allocation is the regular one.""", poolTable(results)));
            }
        }
        return sections;
    }

    private static Case benchmark(Kind kind, String size, String column, String benchmark, Map<String, String> more) {
        Map<String, String> parameters = new LinkedHashMap<>(Map.of("size", size, "garbage", kind.garbage));
        if (benchmark.startsWith("OtherArenas")) {
            parameters.put("idleThreads", kind.idle);
        }
        parameters.putAll(more);
        return Case.of(GROUP, kind.row(size), column, Jvm.STOCK, benchmark, parameters);
    }

    private static String pool(String slots) {
        return "pool of " + slots;
    }

    private static Table table(Results results) {
        Table table = new Table(List.of("arena", "whole", "CPU", "the arena alone", "clear and use", "malloc and free",
                "a pool gains at most", "… of CPU"));
        for (String row : results.rows(GROUP)) {
            Optional<Figures> whole = results.get(GROUP, row, WHOLE);
            Optional<Figures> ready = results.get(GROUP, row, READY);
            Optional<Figures> empty = results.get(GROUP, row, EMPTY);
            if (whole.isEmpty() || ready.isEmpty() || empty.isEmpty()) {
                continue;
            }
            double time = whole.get().score();
            table.add(List.of(row,
                    pooledarena.text.Figures.time(time, time) + " ± " + pooledarena.text.Figures.time(whole.get().deviation(), time),
                    pooledarena.text.Figures.time(whole.get().cpuNsPerOp(), time),
                    pooledarena.text.Figures.time(empty.get().score(), time),
                    pooledarena.text.Figures.time(ready.get().score() - empty.get().score(), time),
                    pooledarena.text.Figures.time(time - ready.get().score(), time),
                    "%.2fx".formatted(time / ready.get().score()),
                    "%.2fx".formatted(whole.get().cpuNsPerOp() / ready.get().cpuNsPerOp())));
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
                        results.cell(GROUP, row, column, f -> pooledarena.text.Figures.time(f.score(), f.score())),
                        results.cell(GROUP, row, column, f -> pooledarena.text.Figures.time(f.cpuNsPerOp(), f.score())))));
                table.add(line);
            }
        }
        return table;
    }

    /** {@return the parts of each row that has all of them, none below zero} */
    private static Map<String, Map<String, Double>> shares(Results results) {
        Map<String, Map<String, Double>> shares = new LinkedHashMap<>();
        for (String row : results.rows(GROUP)) {
            Optional<Figures> whole = results.get(GROUP, row, WHOLE);
            Optional<Figures> ready = results.get(GROUP, row, READY);
            Optional<Figures> empty = results.get(GROUP, row, EMPTY);
            if (whole.isPresent() && ready.isPresent() && empty.isPresent()) {
                Map<String, Double> parts = new LinkedHashMap<>();
                parts.put("the arena alone", empty.get().score());
                parts.put("clear and use", Math.max(0, ready.get().score() - empty.get().score()));
                parts.put("malloc and free", Math.max(0, whole.get().score() - ready.get().score()));
                shares.put(row, parts);
            }
        }
        return shares;
    }
}
