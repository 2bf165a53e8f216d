/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Results.Measured;
import pooledarena.benchmark.Sampler;
import pooledarena.probe.FirstArena;
import pooledarena.probe.OpenArenas;
import pooledarena.probe.ThreadObjects;
import pooledarena.probe.ThreadRss;

import module java.base;

/**
 * What threads and open arenas take: bytes of objects, resident memory of many threads that each used one arena, memory of
 * arenas that are open at once, and the time of a thread's first arena. All but the last run interpreted, on a heap that is
 * touched before and with the serial collector, so that neither compiler nor heap blur what is looked for.
 */
final class Footprint {

    static final String TITLE = "footprint of threads and open arenas";

    /** Threads that each used one arena for allocations of these bytes. */
    record Threads(int count, String... sizes) {

        Program program(int runs) {
            String bytes = String.join(" and ", sizes) + " B";
            return new Program(ThreadRss.class, INTERPRETED, 64,
                    Stream.concat(Stream.of(Integer.toString(count)), Stream.of(sizes)).toList(), runs, "B", List.of(
                    "resident memory of each of %,d threads that used one arena, for %s".formatted(count, bytes),
                    "… of it since the arena, %,d threads, %s".formatted(count, bytes)));
        }
    }

    /** Arenas that are open at once, of one {@code platform} thread or a {@code virtual} thread each, and their allocations. */
    record Open(String threads, int count, int allocations, int size) {

        Program program() {
            String title = "%,d open arenas with %s%,d B, %s".formatted(count,
                    allocations == 1 ? "" : "%,d x ".formatted(allocations), size,
                    threads.equals("virtual") ? "a parked virtual thread each" : "one platform thread");
            // A parked virtual thread whose code is interpreted takes 3 KB of heap. Two runs differ by less than 1 %.
            return new Program(OpenArenas.class, INTERPRETED, 768, List.of(threads, Integer.toString(count),
                    Integer.toString(allocations), Integer.toString(size)), 2, "B",
                    List.of("memory of each of " + title, "… of it native, " + title));
        }
    }

    /** A program that prints a value for each title. */
    private record Program(Class<?> main, List<String> options, int heapMebibytes, List<String> arguments, int runs, String unit,
                           List<String> titles) {

        List<Measured> measure(List<Jvm> jvms) {
            List<String> command = Stream.of(options, List.of("-XX:+UseSerialGC", "-XX:+AlwaysPreTouch",
                            "-Xms" + heapMebibytes + "m", "-Xmx" + heapMebibytes + "m", main.getName()), arguments)
                    .flatMap(List::stream).toList();
            return Sampler.measure(jvms, runs, unit, titles, ComparisonReport::process,
                    jvm -> Sampler.values(Sampler.lines(jvm, Map.of(), command), titles.size()));
        }
    }

    static final List<Threads> THREADS = List.of(new Threads(10, "16", "2000"), new Threads(1_000, "16", "2000"),
            new Threads(10_000, "16", "2000"), new Threads(4_000, "8"));

    static final List<Open> OPEN = Stream.concat(
            Stream.of("platform", "virtual").flatMap(threads ->
                    Stream.of(8, 100, 500, 1000).map(size -> new Open(threads, 100_000, 1, size))),
            Stream.of(new Open("platform", 100, 1000, 100))).toList();

    private static final List<String> INTERPRETED = List.of("-Xint");

    private Footprint() {}

    /** {@return figures of each of {@code jvms}: objects of one run, open arenas of two, the others of {@code runs}} */
    static List<Measured> measure(List<Jvm> jvms, List<Threads> threads, List<Open> open, int runs, Consumer<String> progress) {
        List<Program> programs = new ArrayList<>();
        programs.add(new Program(ThreadObjects.class, INTERPRETED, 64, List.of(), 1, "B", List.of(
                "objects of a platform thread (Thread, FieldHolder)", "object of a virtual thread",
                "Java heap kept for a platform thread that used one arena")));
        threads.forEach(each -> programs.add(each.program(runs)));
        open.forEach(arenas -> programs.add(arenas.program()));
        programs.add(new Program(FirstArena.class, List.of(), 64, List.of(), runs, "ns", List.of(
                "first arena of a thread, for 8 B", "… of it two readings of the clock")));
        List<Measured> measured = new ArrayList<>();
        for (Program program : programs) {
            measured.addAll(program.measure(jvms));
            progress.accept("Measured " + program.titles.getFirst() + ", runs on each: " + program.runs);
        }
        return measured;
    }
}
