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
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Reads from RocksDB: does what is allocated grow with the requests? */
final class RocksDbPart implements Part {

    private static final String ARRAYS = "byte[], JNI";
    private static final String BUFFERS = "pooled buffers, JNI";
    private static final String STOCK = "arena, FFM, stock";
    private static final String POOLED = "arena, FFM, pooled";
    private static final List<String> PATHS = List.of(ARRAYS, BUFFERS, STOCK, POOLED);
    private static final Map<String, Color> COLORS = Map.of(
            ARRAYS, Palette.NO_POOL, BUFFERS, Palette.PEER, STOCK, Palette.STOCK, POOLED, Palette.POOLED);

    private static final String BY_LOAD = "load";
    private static final String BY_RATE = "request rate";
    private static final String BY_SIZE = "size of the values";
    private static final String NATIVE = "native allocations";

    private static final List<Integer> THREADS = List.of(1, 2, 4, 8);
    private static final String VIRTUAL = "a virtual thread each";
    private static final List<Integer> PAUSES = List.of(8_000, 4_000, 2_000, 1_000, 400);
    private static final List<Integer> SIZES = List.of(16, 512, 8192);
    private static final String MIXED = "mixed";

    @Override
    public String title() {
        return "RocksDB: what a read allocates, and how many there are in a second";
    }

    @Override
    public List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (int threads : THREADS) {
            String row = threads + (threads == 1 ? " thread" : " threads");
            PATHS.forEach(path -> cases.add(request(BY_LOAD, row, path, MIXED, 0, threads)));
        }
        PATHS.forEach(path -> cases.add(new Case(BY_LOAD, VIRTUAL, path, jvm(path), "RocksDbRead.requestsOnVirtualThreads",
                parameters(path, MIXED, 0), 1)));
        for (int pause : PAUSES) {
            PATHS.forEach(path -> cases.add(request(BY_RATE, pause + " between", path, MIXED, pause, 1)));
        }
        for (int size : SIZES) {
            PATHS.forEach(path -> cases.add(request(BY_SIZE, size + " B", path, String.valueOf(size), 0, 1)));
        }
        return cases;
    }

    @Override
    public List<String> extras() {
        return List.of(NATIVE);
    }

    @Override
    public List<Section> report(Results results, Lab lab) throws IOException {
        List<Section> sections = new ArrayList<>();
        if (results.has(BY_LOAD)) {
            sections.add(new Section("By load, values of 16 to 8192 bytes", """
                    B/request and MiB/s are what was allocated on the Java heap, GC is the time that the collector ran. \
                    What is left in every path is the object made of the value, 24 B, and what virtual threads take \
                    themselves.""", byLoad(results), Section.Chart.of("threads.png", new LineChart(
                    "Requests by threads", new LineChart.Axis("threads", true),
                    new LineChart.Axis("thousand requests per second", false),
                    series(results, BY_LOAD, f -> f.score() / 1e3), null, false))));
        }
        if (results.has(BY_RATE)) {
            sections.add(new Section("Allocation rate by request rate, one thread", """
                    The thread has something else to do between two requests, the more the fewer requests there are.""",
                    byRate(results), Section.Chart.of("allocation-rate.png", new LineChart(
                    "What is allocated on the Java heap, by request rate",
                    new LineChart.Axis("thousand requests per second, one thread", false),
                    new LineChart.Axis("MiB allocated per second", false), rates(results), null, false))));
        }
        if (results.has(BY_SIZE)) {
            sections.add(new Section("By size of the values, one thread", "", bySize(results)));
        }
        if (lab.wants(NATIVE)) {
            sections.add(nativeAllocations(lab));
        }
        return sections;
    }

    private static Case request(String group, String row, String path, String values, int pause, int threads) {
        return new Case(group, row, path, jvm(path), "RocksDbRead.request", parameters(path, values, pause), threads);
    }

    private static String jvm(String path) {
        return path.equals(POOLED) ? Jvm.POOLED : Jvm.STOCK;
    }

    private static String parameter(String path) {
        return switch (path) {
            case ARRAYS -> "jniArrays";
            case BUFFERS -> "jniPooledBuffers";
            default -> "ffmArena";
        };
    }

    private static Map<String, String> parameters(String path, String values, int pause) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("path", parameter(path));
        parameters.put("values", values);
        parameters.put("pause", String.valueOf(pause));
        return parameters;
    }

    private static Table byLoad(Results results) {
        Table table = new Table(List.of("load", "path", "requests/s", "±", "B/request", "MiB/s", "GC ms/s"));
        for (String row : results.rows(BY_LOAD)) {
            for (String path : results.columns(BY_LOAD)) {
                table.add(List.of(row, path,
                        results.cell(BY_LOAD, row, path, f -> "%,.0f".formatted(f.score())),
                        results.cell(BY_LOAD, row, path, f -> "%,.0f".formatted(f.deviation())),
                        results.cell(BY_LOAD, row, path, f -> "%.0f".formatted(f.bytesPerOp())),
                        results.cell(BY_LOAD, row, path, f -> "%.1f".formatted(f.mebibytesPerSecond())),
                        results.cell(BY_LOAD, row, path, f -> "%.2f".formatted(f.gcMillisPerSecond()))));
            }
        }
        return table;
    }

    private static Table byRate(Results results) {
        Table table = new Table(List.of("work between requests", "path", "requests/s", "MiB/s"));
        for (String row : results.rows(BY_RATE)) {
            for (String path : results.columns(BY_RATE)) {
                table.add(List.of(row.split(" ")[0], path,
                        results.cell(BY_RATE, row, path, f -> "%,.0f".formatted(f.score())),
                        results.cell(BY_RATE, row, path, f -> "%.1f".formatted(f.mebibytesPerSecond()))));
            }
        }
        return table;
    }

    private static Table bySize(Results results) {
        List<String> header = new ArrayList<>(List.of("values"));
        Map<String, Function<Figures, String>> columns = new LinkedHashMap<>();
        columns.put("requests/s", f -> "%,.0f".formatted(f.score()));
        columns.put("B/request", f -> "%.0f".formatted(f.bytesPerOp()));
        columns.keySet().forEach(column -> results.columns(BY_SIZE).forEach(path -> header.add(path + ": " + column)));
        Table table = new Table(header);
        for (String row : results.rows(BY_SIZE)) {
            List<String> line = new ArrayList<>(List.of(row));
            columns.values().forEach(text -> results.columns(BY_SIZE).forEach(path ->
                    line.add(results.cell(BY_SIZE, row, path, text))));
            table.add(line);
        }
        return table;
    }

    private static List<LineChart.Series> series(Results results, String group, ToDoubleFunction<Figures> y) {
        return results.columns(group).stream()
                .map(path -> results.series(group, path, COLORS.get(path), false, y))
                .toList();
    }

    /** {@return {@code rates} with the thread that has nothing else to do as the last point} */
    private static List<LineChart.Series> rates(Results results) {
        List<LineChart.Series> series = new ArrayList<>();
        for (String path : results.columns(BY_RATE)) {
            List<LineChart.Point> points = new ArrayList<>();
            results.rows(BY_RATE).forEach(row -> results.get(BY_RATE, row, path).map(RocksDbPart::rate).ifPresent(points::add));
            results.get(BY_LOAD, "1 thread", path).map(RocksDbPart::rate).ifPresent(points::add);
            points.sort(Comparator.comparingDouble(LineChart.Point::x));
            series.add(new LineChart.Series(path, COLORS.get(path), false, null, points));
        }
        return series;
    }

    private static LineChart.Point rate(Figures figures) {
        return new LineChart.Point(figures.score() / 1e3, figures.mebibytesPerSecond());
    }

    private static Section nativeAllocations(Lab lab) throws IOException {
        String heading = "Native allocations of a request, values of 16 to 8192 bytes";
        if (lab.counter() == null) {
            return new Section(heading, "Not counted: there is no library that counts them; make builds it where there is "
                    + "a C compiler.", null);
        }
        Table table = new Table(List.of("path", "by the virtual machine", "by RocksDB", "together"));
        for (String path : PATHS) {
            Map<String, Double> counts = new HashMap<>();
            for (String line : lab.run(lab.jvms().get(jvm(path)), Map.of("LD_PRELOAD", lab.counter().toString()),
                    List.of("org.openjdk.bench.java.lang.foreign.peers.MallocCount", MIXED, parameter(path)))) {
                if (line.matches("\\w+_(?:requests|vm|rocksdb) \\d+")) {
                    counts.put(line.substring(line.indexOf('_') + 1, line.indexOf(' ')),
                            Double.valueOf(line.substring(line.indexOf(' ') + 1)));
                }
            }
            if (counts.size() != 3) {
                throw new IOException("the program that counts native allocations has printed no counts");
            }
            double vm = counts.get("vm") / counts.get("requests");
            double rocksDb = counts.get("rocksdb") / counts.get("requests");
            table.add(List.of(path, "%.2f".formatted(vm), "%.2f".formatted(rocksDb), "%.2f".formatted(vm + rocksDb)));
        }
        return new Section(heading, """
                Calls of malloc and its like on the requesting thread, counted one by one over 100,000 requests after as \
                many to warm up. The virtual machine's are those that libjvm.so makes.""", table);
    }
}
