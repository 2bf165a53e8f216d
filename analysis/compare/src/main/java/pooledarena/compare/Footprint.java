/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Results.Measured;
import pooledarena.probe.FirstArena;
import pooledarena.probe.OpenArenas;
import pooledarena.probe.ThreadObjects;
import pooledarena.probe.ThreadRss;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What threads and open arenas take: bytes of objects, resident memory of many threads that each used one arena, memory of
 * arenas that are open at once, and the time of a thread's first arena. All but the last run interpreted, on a heap that is
 * touched before and with the serial collector, so that neither compiler nor heap blur what is looked for.
 */
final class Footprint {

    static final String TITLE = "footprint of threads and open arenas";

    /**
     * Threads that each used one arena.
     *
     * @param count how many
     * @param sizes of the arena's allocations, in bytes
     */
    record Threads(int count, String... sizes) {}

    /**
     * Arenas that are open at once.
     *
     * @param threads     the kind of threads that have them: {@code platform} for one, {@code virtual} for one each
     * @param count       how many arenas
     * @param allocations how many in each
     * @param size        of each of these, in bytes
     */
    record Open(String threads, int count, int allocations, int size) {

        String title() {
            return "memory of each of %,d open arenas with %s%,d B, %s".formatted(count,
                    allocations == 1 ? "" : "%,d x ".formatted(allocations), size,
                    threads.equals("virtual") ? "a parked virtual thread each" : "one platform thread");
        }
    }

    static final List<Threads> THREADS = List.of(new Threads(10, "16", "2000"), new Threads(1_000, "16", "2000"),
            new Threads(10_000, "16", "2000"), new Threads(4_000, "8"));

    static final List<Open> OPEN = Stream.concat(
            Stream.of("platform", "virtual").flatMap(threads ->
                    Stream.of(8, 100, 500, 1000).map(size -> new Open(threads, 100_000, 1, size))),
            Stream.of(new Open("platform", 100, 1000, 100))).toList();

    /** Fewer runs than of the others: they take longer, and differ by less than one in a hundred. */
    private static final int OPEN_RUNS = 2;

    private static final List<String> COMPILED =
            List.of("-XX:+UseSerialGC", "-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch");
    private static final List<String> INTERPRETED =
            List.of("-Xint", "-XX:+UseSerialGC", "-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch");

    /** A parked virtual thread whose code is interpreted takes 3 KB of heap. */
    private static final List<String> INTERPRETED_LARGE =
            List.of("-Xint", "-XX:+UseSerialGC", "-Xms768m", "-Xmx768m", "-XX:+AlwaysPreTouch");

    private Footprint() {}

    /** {@return objects, memory and time on each of {@code jvms}: objects of one run, open arenas of two, the others of {@code runs}} */
    static List<Measured> measure(List<Jvm> jvms, List<Threads> threads, List<Open> open, int runs, Consumer<String> progress)
            throws IOException {
        List<Measured> measured = new ArrayList<>(ProcessSampler.take(jvms, 1, List.of(
                "objects of a platform thread (Thread, FieldHolder)", "object of a virtual thread",
                "Java heap kept for a platform thread that used one arena"), "B", jvm ->
                ProcessSampler.values(jvm, INTERPRETED, ThreadObjects.class, List.of(), "platform", "virtual", "arena")));
        progress.accept("Measured the objects of threads");
        for (Threads each : threads) {
            String sizes = String.join(" and ", each.sizes);
            measured.addAll(ProcessSampler.take(jvms, runs, List.of(
                    "resident memory of each of %,d threads that used one arena, for %s B".formatted(each.count, sizes),
                    "… of it since the arena, %,d threads, %s B".formatted(each.count, sizes)), "B", jvm -> {
                double[] bytes = ProcessSampler.values(jvm, INTERPRETED, ThreadRss.class, Stream.concat(
                        Stream.of(Integer.toString(each.count)), Stream.of(each.sizes)).toList(), "before", "started", "used");
                return new double[] {(bytes[2] - bytes[0]) / each.count, (bytes[2] - bytes[1]) / each.count};
            }));
            progress.accept("Measured the resident memory of %,d threads, %d times on each".formatted(each.count, runs));
        }
        for (Open arenas : open) {
            measured.addAll(ProcessSampler.take(jvms, OPEN_RUNS, List.of(arenas.title(), "… of it native, "
                    + arenas.title().replace("memory of each of ", "")), "B", jvm -> {
                double[] bytes = ProcessSampler.values(jvm, INTERPRETED_LARGE, OpenArenas.class, List.of(arenas.threads,
                        Integer.toString(arenas.count), Integer.toString(arenas.allocations), Integer.toString(arenas.size)),
                        "native", "heap");
                return new double[] {(bytes[0] + bytes[1]) / arenas.count, bytes[0] / arenas.count};
            }));
            progress.accept("Measured the %s, %d times on each".formatted(arenas.title(), OPEN_RUNS));
        }
        measured.addAll(ProcessSampler.take(jvms, runs, List.of(
                "first arena of a thread, for 8 B", "… of it two readings of the clock"), "ns", jvm ->
                ProcessSampler.values(jvm, COMPILED, FirstArena.class, List.of(), "first", "clock")));
        progress.accept("Measured the first arena of threads, %d times on each".formatted(runs));
        return measured;
    }
}
