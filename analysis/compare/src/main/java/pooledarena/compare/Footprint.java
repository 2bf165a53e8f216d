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
package pooledarena.compare;

import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Quantity;
import pooledarena.probe.FirstArena;
import pooledarena.probe.OpenArenas;
import pooledarena.probe.ThreadObjects;
import pooledarena.probe.ThreadRss;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What threads and open arenas take: bytes of objects, resident memory of many threads that each used one arena, memory of
 * arenas that are open at once, and the time of a thread's first arena. All but the last run interpreted, on a heap that is
 * touched before and with the serial collector, so that neither compiler nor heap blur what is looked for; the virtual
 * machines take turns.
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

    private static final List<String> FIRST_TITLES = List.of(
            "first arena of a thread, for 8 B", "… of it two readings of the clock");

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

    /** {@return objects, memory and time on each of {@code jvms}, objects of one run, open arenas of two, the others of {@code runs}} */
    static List<Quantity> measure(List<Jvm> jvms, List<Threads> threads, List<Open> open, int runs, Consumer<String> progress)
            throws IOException {
        List<Quantity> quantities = new ArrayList<>(objects(jvms));
        progress.accept("Measured the objects of threads");
        for (Threads each : threads) {
            quantities.addAll(resident(jvms, each, runs));
            progress.accept("Measured the resident memory of %,d threads, %d times on each".formatted(each.count, runs));
        }
        for (Open arenas : open) {
            quantities.addAll(open(jvms, arenas, OPEN_RUNS));
            progress.accept("Measured the %s, %d times on each".formatted(arenas.title(), OPEN_RUNS));
        }
        quantities.addAll(samples(jvms, runs, FIRST_TITLES, "ns", jvm -> {
            Map<String, Long> nanos = Program.values(jvm, with(COMPILED, FirstArena.class));
            return new double[] {value(nanos, "first"), value(nanos, "clock")};
        }));
        progress.accept("Measured the first arena of threads, %d times on each".formatted(runs));
        return quantities;
    }

    private static List<Quantity> objects(List<Jvm> jvms) throws IOException {
        Map<String, Quantity.Amount> platform = new LinkedHashMap<>();
        Map<String, Quantity.Amount> virtual = new LinkedHashMap<>();
        Map<String, Quantity.Amount> arena = new LinkedHashMap<>();
        for (Jvm jvm : jvms) {
            try {
                Map<String, Long> bytes = Program.values(jvm, with(INTERPRETED, ThreadObjects.class));
                platform.put(jvm.name(), Quantity.Amount.of(value(bytes, "platform")));
                virtual.put(jvm.name(), Quantity.Amount.of(value(bytes, "virtual")));
                arena.put(jvm.name(), Quantity.Amount.of(value(bytes, "arena")));
            } catch (Program.Failed e) {
                List.of(platform, virtual, arena).forEach(amounts ->
                        amounts.put(jvm.name(), Quantity.Amount.failed(e.getMessage())));
            }
        }
        return List.of(
                new Quantity("objects of a platform thread (Thread, FieldHolder)", "B", platform),
                new Quantity("object of a virtual thread", "B", virtual),
                new Quantity("Java heap kept for a platform thread that used one arena", "B", arena));
    }

    private static List<Quantity> resident(List<Jvm> jvms, Threads threads, int runs) throws IOException {
        String sizes = String.join(" and ", threads.sizes);
        return samples(jvms, runs, List.of(
                "resident memory of each of %,d threads that used one arena, for %s B".formatted(threads.count, sizes),
                "… of it since the arena, %,d threads, %s B".formatted(threads.count, sizes)), "B", jvm -> {
            String[] arguments = Stream.concat(Stream.of(Integer.toString(threads.count)), Stream.of(threads.sizes))
                    .toArray(String[]::new);
            Map<String, Long> bytes = Program.values(jvm, with(INTERPRETED, ThreadRss.class, arguments));
            double used = value(bytes, "used");
            return new double[] {(used - value(bytes, "before")) / threads.count,
                    (used - value(bytes, "started")) / threads.count};
        });
    }

    private static List<Quantity> open(List<Jvm> jvms, Open arenas, int runs) throws IOException {
        return samples(jvms, runs, List.of(arenas.title(), "… of it native"), "B",
                jvm -> {
            Map<String, Long> bytes = Program.values(jvm, with(INTERPRETED_LARGE, OpenArenas.class, arenas.threads,
                    Integer.toString(arenas.count), Integer.toString(arenas.allocations), Integer.toString(arenas.size)));
            double nativeBytes = value(bytes, "native");
            return new double[] {(nativeBytes + value(bytes, "heap")) / arenas.count, nativeBytes / arenas.count};
        });
    }

    /** Something that a program tells in one run. */
    @FunctionalInterface
    private interface Probe {

        /** {@return a value for each quantity} */
        double[] run(Jvm jvm) throws IOException, Program.Failed;
    }

    /** {@return a quantity for each title} */
    private static List<Quantity> samples(List<Jvm> jvms, int runs, List<String> titles, String unit, Probe probe)
            throws IOException {
        Map<String, String> failures = new LinkedHashMap<>();
        Map<String, double[][]> samples = new LinkedHashMap<>(); // by title and run
        jvms.forEach(jvm -> samples.put(jvm.name(), new double[titles.size()][runs]));
        for (int run = 0; run < runs; run++) {
            for (Jvm jvm : jvms) {
                if (failures.containsKey(jvm.name())) {
                    continue;
                }
                try {
                    double[] values = probe.run(jvm);
                    for (int i = 0; i < values.length; i++) {
                        samples.get(jvm.name())[i][run] = values[i];
                    }
                } catch (Program.Failed e) {
                    failures.put(jvm.name(), e.getMessage());
                }
            }
        }
        List<Quantity> quantities = new ArrayList<>();
        for (int i = 0; i < titles.size(); i++) {
            Map<String, Quantity.Amount> amounts = new LinkedHashMap<>();
            for (Jvm jvm : jvms) {
                String failure = failures.get(jvm.name());
                amounts.put(jvm.name(), failure != null
                        ? Quantity.Amount.failed(failure) : Quantity.Amount.of(samples.get(jvm.name())[i]));
            }
            quantities.add(new Quantity(titles.get(i), unit, amounts));
        }
        return quantities;
    }

    private static String[] with(List<String> options, Class<?> program, String... arguments) {
        return Stream.of(options, List.of("-cp", Program.CLASS_PATH, program.getName()), List.of(arguments))
                .flatMap(List::stream).toArray(String[]::new);
    }

    private static double value(Map<String, Long> values, String name) throws Program.Failed {
        Long value = values.get(name);
        if (value == null) {
            throw new Program.Failed("did not print the value \"" + name + "\"");
        }
        return value;
    }
}
