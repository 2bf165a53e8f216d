/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.text.Document;
import pooledarena.text.LineChart;
import pooledarena.text.LineChart.Axis;
import pooledarena.text.Table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Reads from RocksDB: does what is allocated grow with the requests? */
final class RocksDbPart implements Part {

    /** The ways to read, with the names that the benchmarks have for them. */
    private static final Map<Column, String> PATHS = new LinkedHashMap<>();

    static {
        PATHS.put(Column.ofStock("byte[], JNI", "RocksDbRead.request", Column.NO_POOL), "jniArrays");
        PATHS.put(Column.ofStock("pooled buffers, JNI", "RocksDbRead.request", Column.PEER), "jniPooledBuffers");
        PATHS.put(Column.ofStock("arena, FFM, stock", "RocksDbRead.request", Column.STOCK), "ffmArena");
        PATHS.put(Column.ofPooled("arena, FFM, pooled", "RocksDbRead.request"), "ffmArena");
    }

    private static final String BY_LOAD = "load";
    private static final String BY_RATE = "request rate";
    private static final String BY_SIZE = "size of the values";

    private static final List<Integer> THREADS = List.of(1, 2, 4, 8);
    private static final List<String> PAUSES = List.of("8000", "4000", "2000", "1000", "400");
    private static final List<String> SIZES = List.of("16", "512", "8192");
    private static final String MIXED = "mixed";

    /** A column of a table, and what stands there of an outcome. */
    private record Figure(String name, Function<Outcome, String> text) {}

    private static final Figure RATE = new Figure("requests/s", outcome -> "%,.0f".formatted(outcome.score()));
    private static final Figure BYTES = new Figure("B/request", outcome -> "%.0f".formatted(outcome.bytesPerOp()));
    private static final Figure MEBIBYTES = new Figure("MiB/s", outcome -> "%.1f".formatted(outcome.mebibytesPerSecond()));

    @Override
    public String title() {
        return "RocksDB: what a read allocates, and how many there are in a second";
    }

    @Override
    public List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (int threads : THREADS) {
            addRow(cases, BY_LOAD, threads + (threads == 1 ? " thread" : " threads"), MIXED, "0", threads, "");
        }
        addRow(cases, BY_LOAD, "a virtual thread each", MIXED, "0", 1, "sOnVirtualThreads");
        PAUSES.forEach(pause -> addRow(cases, BY_RATE, pause + " between", MIXED, pause, 1, ""));
        SIZES.forEach(size -> addRow(cases, BY_SIZE, size + " B", size, "0", 1, ""));
        return cases;
    }

    private static void addRow(List<Case> cases, String group, String row, String values, String pause, int threads, String suffix) {
        PATHS.forEach((path, parameter) -> cases.add(
                new Column(path.name(), path.jvm(), path.benchmark() + suffix, path.color(), false).in(group, row,
                        Map.of("path", parameter, "values", values, "pause", pause), threads)));
    }

    @Override
    public String extra() {
        return "native allocations";
    }

    @Override
    public void report(Results results, Document document) throws IOException {
        if (results.has(BY_LOAD)) {
            document.heading("By load, values of 16 to 8192 bytes").table(table(results, BY_LOAD, "load", RATE,
                    new Figure("±", outcome -> outcome.error() == null ? "-" : "%,.0f".formatted(outcome.error())),
                    BYTES, MEBIBYTES, new Figure("GC ms/s", outcome -> "%.2f".formatted(outcome.gcMillisPerSecond())))).paragraph("""
                    B/request and MiB/s are what was allocated on the Java heap, GC is the time that the collector ran. \
                    What is left in every path is the object made of the value, 24 B, and what virtual threads take \
                    themselves.""");
            Part.picture(document, "threads.png", results, new LineChart("Requests by threads", new Axis("threads", true),
                    new Axis("thousand requests per second", false), Column.series(results, BY_LOAD, List.copyOf(PATHS.keySet()),
                    outcome -> outcome.score() / 1e3, UnaryOperator.identity()), null, false));
        }
        if (results.has(BY_RATE)) {
            document.heading("Allocation rate by request rate, one thread").table(table(results, BY_RATE, "work between requests",
                    RATE, MEBIBYTES))
                    .paragraph("The thread has something else to do between two requests, the more the fewer requests there are.");
            Part.picture(document, "allocation-rate.png", results, new LineChart(
                    "What is allocated on the Java heap, by request rate",
                    new Axis("thousand requests per second, one thread", false),
                    new Axis("MiB allocated per second", false), rates(results), null, false));
        }
        if (results.has(BY_SIZE)) {
            document.heading("By size of the values, one thread")
                    .table(table(results, BY_SIZE, "values", RATE, BYTES));
        }
    }

    /** {@return a line for each row and path} */
    private static Table table(Results results, String group, String corner, Figure... figures) {
        List<String> header = new ArrayList<>(List.of(corner, "path"));
        Stream.of(figures).map(Figure::name).forEach(header::add);
        Table table = new Table(header);
        for (String row : results.rows(group)) {
            for (String path : results.columns(group)) {
                List<String> line = new ArrayList<>(List.of(row.replace(" between", ""), path));
                Stream.of(figures).forEach(figure -> line.add(results.cell(group, row, path, figure.text)));
                table.add(line);
            }
        }
        return table;
    }

    /** {@return bytes by requests, with the thread that has nothing else to do as the last point} */
    private static List<LineChart.Series> rates(Results results) {
        List<LineChart.Series> series = new ArrayList<>();
        for (Column path : PATHS.keySet()) {
            List<LineChart.Point> points = new ArrayList<>();
            results.measured().stream()
                    .filter(m -> m.what().column().equals(path.name()) && !m.outcome().isFailure())
                    .filter(m -> m.what().group().equals(BY_RATE) || m.what().label().startsWith(BY_LOAD + ", 1 thread,"))
                    .forEach(m -> points.add(new LineChart.Point(m.outcome().score() / 1e3, m.outcome().mebibytesPerSecond())));
            points.sort(Comparator.comparingDouble(LineChart.Point::x));
            if (!points.isEmpty()) {
                series.add(new LineChart.Series(path.name(), path.color(), false, null, points));
            }
        }
        return series;
    }

    @Override
    public Consumer<Document> measureExtra(Programs programs) throws IOException {
        String heading = "Native allocations of a request, values of 16 to 8192 bytes";
        if (programs.counter() == null) {
            return document -> document.heading(heading)
                    .paragraph("Not counted: there is no library that counts them; make builds it where there is a C compiler.");
        }
        Table table = new Table(List.of("path", "by the virtual machine", "by RocksDB", "together"));
        for (var path : PATHS.entrySet()) {
            Map<String, Double> counts = new HashMap<>();
            Jvm jvm = path.getKey().jvm().equals(Jvm.POOLED) ? programs.pooled() : programs.stock();
            for (String line : programs.run(jvm, Map.of("LD_PRELOAD", programs.counter().toString()),
                    List.of(Programs.PACKAGE + "MallocCount", MIXED, path.getValue()))) {
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
            table.add(List.of(path.getKey().name(), "%.2f".formatted(vm), "%.2f".formatted(rocksDb), "%.2f".formatted(vm + rocksDb)));
        }
        return document -> document.heading(heading).table(table).paragraph("""
                Calls of malloc and its like on the requesting thread, counted one by one over 100,000 requests after as \
                many to warm up. The virtual machine's are those that libjvm.so makes.""");
    }
}
