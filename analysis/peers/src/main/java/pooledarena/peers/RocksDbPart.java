/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Columns;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.MeasuringCommand.Extra;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results.Measured;
import pooledarena.benchmark.Results;
import pooledarena.benchmark.Sampler;
import pooledarena.text.Document;
import pooledarena.text.LineChart.Axis;
import pooledarena.text.LineChart.Point;

import module java.base;

/** Reads from RocksDB: does what is allocated grow with the requests? */
final class RocksDbPart implements Part {

    /** A way to read, with the name that the benchmarks have for it. */
    private record ReadPath(String parameter, Column column) {}

    private static final List<ReadPath> PATHS = List.of(
            new ReadPath("jniArrays", Column.ofStock("byte[], JNI", "RocksDbRead.request", Column.NO_POOL)),
            new ReadPath("jniPooledBuffers", Column.ofStock("pooled buffers, JNI", "RocksDbRead.request", Column.PEER)),
            new ReadPath("ffmArena", Column.ofStock("arena, FFM, stock", "RocksDbRead.request", Column.STOCK)),
            new ReadPath("ffmArena", Column.ofPooled("arena, FFM, pooled", "RocksDbRead.request")));
    private static final List<Column> COLUMNS = PATHS.stream().map(ReadPath::column).toList();

    private static final String BY_LOAD = "load";
    private static final String BY_RATE = "request rate";
    private static final String BY_SIZE = "size of the values";
    private static final String MALLOCS = "native allocations";

    private static final List<Integer> THREADS = List.of(1, 2, 4, 8);
    private static final List<String> PAUSES = List.of("8000", "4000", "2000", "1000", "400");
    private static final List<String> SIZES = List.of("16", "512", "8192");
    private static final String MIXED = "mixed";

    private static final Function<Measured, String> RATE = figure(outcome -> "%,.0f".formatted(outcome.score()));
    private static final Function<Measured, String> BYTES = figure(outcome -> "%.0f".formatted(outcome.bytesPerOp()));
    private static final Function<Measured, String> MEBIBYTES =
            figure(outcome -> "%.1f".formatted(outcome.mebibytesPerSecond()));

    @Override
    public String title() {
        return "RocksDB: what a read allocates, and how many there are in a second";
    }

    @Override
    public List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        THREADS.forEach(threads -> addRow(cases, BY_LOAD, Column.threads(threads), MIXED, "0", threads, ""));
        addRow(cases, BY_LOAD, "a virtual thread each", MIXED, "0", 1, "sOnVirtualThreads");
        PAUSES.forEach(pause -> addRow(cases, BY_RATE, pause + " between", MIXED, pause, 1, ""));
        SIZES.forEach(size -> addRow(cases, BY_SIZE, size + " B", size, "0", 1, ""));
        return cases;
    }

    private static void addRow(List<Case> cases, String group, String row, String values, String pause, int threads,
                               String suffix) {
        PATHS.forEach(path -> cases.add(new Case(group, row, path.column.name(), path.column.jvm(), Column.PACKAGE
                + path.column.benchmark() + suffix, Map.of("path", path.parameter, "values", values, "pause", pause), threads)));
    }

    @Override
    public List<Extra> extras(List<Jvm> jvms, Programs programs) {
        List<String> columns = List.of("by the virtual machine", "by RocksDB", "together");
        return List.of(new Extra(MALLOCS, () -> programs.counter() == null ? List.of()
                : Sampler.measure(PATHS, 1, "mallocs", columns, (path, column) ->
                        Case.ofProcess(MALLOCS, path.column.name(), column, Jvm.named(path.column.jvm(), jvms)), path -> {
                    double[] counts = Sampler.values(programs.lines(Jvm.named(path.column.jvm(), jvms),
                            Map.of("LD_PRELOAD", programs.counter().toAbsolutePath().toString()),
                            Column.PACKAGE + "MallocCount", MIXED, path.parameter), 3);
                    return new double[] {counts[1] / counts[0], counts[2] / counts[0], (counts[1] + counts[2]) / counts[0]};
                })));
    }

    @Override
    public void report(Results results, Document document) throws IOException {
        if (results.has(BY_LOAD)) {
            document.heading("By load, values of 16 to 8192 bytes").table(columns("load")
                    .add("±", figure(outcome -> outcome.error() == null ? "-" : "%,.0f".formatted(outcome.error())))
                    .add("B/request", BYTES).add("MiB/s", MEBIBYTES)
                    .add("GC ms/s", figure(outcome -> "%.2f".formatted(outcome.gcMillisPerSecond())))
                    .table(results.of(BY_LOAD).toList())).paragraph("""
                    B/request and MiB/s are what was allocated on the Java heap, GC is the time that the collector ran. \
                    What is left in every path is the object made of the value, 24 B, and what virtual threads take \
                    themselves.""");
            Column.chart(document, "threads.png", results, "Requests by threads",
                    new Axis("threads", true), new Axis("thousand requests per second", false), COLUMNS,
                    what -> what.group().equals(BY_LOAD) && what.row().endsWith(what.threads() == 1 ? "1 thread" : "threads"),
                    m -> new Point(m.what().threads(), m.outcome().score() / 1e3));
        }
        if (results.has(BY_RATE)) {
            document.heading("Allocation rate by request rate, one thread")
                    .table(columns("work between requests").add("MiB/s", MEBIBYTES).table(results.of(BY_RATE).toList()))
                    .paragraph("The thread has something else to do between requests, the more the fewer requests there are.");
            // The thread that has nothing else to do is the last point.
            Column.chart(document, "allocation-rate.png", results, "What is allocated on the Java heap, by request rate",
                    new Axis("thousand requests per second, one thread", false),
                    new Axis("MiB allocated per second", false), COLUMNS,
                    what -> what.group().equals(BY_RATE) || what.title().equals(BY_LOAD + ", 1 thread"),
                    m -> new Point(m.outcome().score() / 1e3, m.outcome().mebibytesPerSecond()));
        }
        if (results.has(BY_SIZE)) {
            document.heading("By size of the values, one thread")
                    .table(columns("values").add("B/request", BYTES).table(results.of(BY_SIZE).toList()));
        }
        if (results.has(MALLOCS)) {
            document.heading("Native allocations of a request, values of 16 to 8192 bytes")
                    .table(Column.table(results, MALLOCS, "path", outcome -> "%.2f".formatted(outcome.score()))).paragraph("""
                    Calls of malloc and its like on the requesting thread, counted one by one over 100,000 requests after as \
                    many to warm up. The virtual machine's are those that libjvm.so makes.""");
        } else {
            document.paragraph("Native allocations were not counted. That takes a library, which make builds where there is a C "
                    + "compiler, and an --include that matches \"" + MALLOCS + "\".");
        }
    }

    private static Columns<Measured> columns(String corner) {
        return new Columns<Measured>().add(corner, m -> m.what().row().replace(" between", ""))
                .add("path", m -> m.what().column()).add("requests/s", RATE);
    }

    private static Function<Measured, String> figure(Function<Outcome, String> text) {
        return m -> m.outcome().text(text);
    }
}
