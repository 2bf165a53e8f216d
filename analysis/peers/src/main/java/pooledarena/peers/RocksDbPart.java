/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.MeasuringCommand.Extra;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Sampler;
import pooledarena.peers.Group.Figure;
import pooledarena.peers.Group.Picture;
import pooledarena.text.Figures;
import pooledarena.text.LineChart.Axis;
import pooledarena.text.LineChart.Point;

import module java.base;

/** Reads from RocksDB: does what is allocated grow with the requests? */
final class RocksDbPart {

    /** A way to read, and the name that the benchmarks have for it. */
    private record ReadPath(String name, String jvm, String parameter) {}

    private static final List<ReadPath> PATHS = List.of(
            new ReadPath("byte[], JNI", JavaCommand.STOCK, "jniArrays"),
            new ReadPath("pooled buffers, JNI", JavaCommand.STOCK, "jniPooledBuffers"),
            new ReadPath("arena, FFM, stock", JavaCommand.STOCK, "ffmArena"),
            new ReadPath("arena, FFM, pooled", JavaCommand.POOLED, "ffmArena"));

    /** Counts native allocations where it is preloaded; missing where nothing could compile it. */
    private static final Path MALLOC_COUNTER = Path.of("build/peers/libcountmalloc.so");

    private static final String LOAD = "By load, values of 16 to 8192 bytes";
    private static final String VIRTUAL = "A virtual thread for each request";
    private static final String RATE = "By request rate, one thread";
    private static final String SIZE = "By size of the values, one thread";
    private static final String MALLOCS = "Native allocations of a request, values of 16 to 8192 bytes";
    private static final String MIXED = "mixed";

    private static final List<Figure> FIGURES = List.of(
            Figure.of("requests/s", Outcome::scoreWithError),
            Figure.of("B/request", "%.0f", Outcome::bytesPerOp),
            Figure.of("MiB/s", "%.1f", RocksDbPart::mebibytesPerSecond),
            Figure.of("GC ms/s", "%.2f", Outcome::gcMillisPerSecond));

    static final Part PART = new Part(
            "RocksDB: what a read allocates, and how many there are in a second", groups(), RocksDbPart::extras);

    private RocksDbPart() {}

    private static List<Group> groups() {
        return List.of(
                new Group(LOAD, Stream.of(1, 2, 4, 8).flatMap(threads ->
                        cases(LOAD, Figures.count(threads, "thread"), MIXED, "0", threads, "")).toList(), FIGURES, """
                        B/request and MiB/s are what was allocated on the Java heap, GC is the time that the collector \
                        ran. What is left in every path is the object made of the value, 24 B.""",
                        Picture.lines("threads.png", "Requests by threads", new Axis("threads", true),
                                new Axis("thousand requests per second", false), LOAD,
                                m -> new Point(m.what().threads(), m.outcome().score() / 1e3))),
                new Group(VIRTUAL, cases(VIRTUAL, "one after the other", MIXED, "0", 1, "sOnVirtualThreads")
                        .toList(), FIGURES, "What virtual threads take themselves is in all paths."),
                new Group(RATE, Stream.of("0", "400", "1000", "2000", "4000", "8000")
                        .flatMap(pause -> cases(RATE, pause + " between", MIXED, pause, 1, "")).toList(), FIGURES, """
                        The thread has something else to do between requests, the more the fewer requests there are.""",
                        Picture.lines("allocation-rate.png", "What is allocated on the Java heap, by request rate",
                                new Axis("thousand requests per second, one thread", false),
                                new Axis("MiB allocated per second", false), RATE,
                                m -> new Point(m.outcome().score() / 1e3, mebibytesPerSecond(m.outcome())))),
                new Group(SIZE, Stream.of("16", "512", "8192")
                        .flatMap(size -> cases(SIZE, size + " B", size, "0", 1, "")).toList(), FIGURES,
                        "All requests are for values of one size."),
                new Group(MALLOCS, List.of(), List.of(Figure.of("path", "%.2f", Outcome::score)), """
                        Calls of malloc and its like on the requesting thread, counted one by one over 100,000 \
                        requests after as many to warm up. The virtual machine's are those that libjvm.so makes."""));
    }

    private static Stream<Case> cases(String group, String row, String values, String pause, int threads,
                                      String suffix) {
        return PATHS.stream().map(path -> new Case(group, row, path.name, path.jvm,
                Part.PACKAGE + "RocksDbRead.request" + suffix,
                Map.of("path", path.parameter, "values", values, "pause", pause), threads));
    }

    private static double mebibytesPerSecond(Outcome outcome) {
        return outcome.score() * outcome.bytesPerOp() / (1 << 20);
    }

    private static List<Extra> extras(List<JavaCommand> jvms, Path out) {
        return Files.exists(MALLOC_COUNTER)
                ? List.of(new Extra(MALLOCS, sampler -> countMallocs(sampler, jvms))) : List.of();
    }

    private static void countMallocs(Sampler sampler, List<JavaCommand> jvms) {
        List<String> columns = List.of("by the virtual machine", "by RocksDB", "together");
        Map<String, String> preloaded = Map.of("LD_PRELOAD", MALLOC_COUNTER.toAbsolutePath().toString());
        Function<ReadPath, JavaCommand> jvm = path -> JavaCommand.named(path.jvm, jvms);
        sampler.measure(PATHS, 1, "mallocs", columns,
                (path, column) -> Case.ofProcess(MALLOCS, path.name, column, jvm.apply(path)),
                path -> jvm.apply(path).values(columns.size(), preloaded, List.of("--enable-native-access=ALL-UNNAMED",
                        Part.PACKAGE + "MallocCount", MIXED, path.parameter)));
    }
}
