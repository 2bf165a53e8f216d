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

import pooledarena.probe.ThreadObjects;
import pooledarena.probe.ThreadRss;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What threads take: bytes of their objects, and resident memory of many that each used one arena. The
 * processes run interpreted, on a small heap that is touched before and with the serial collector, so
 * that neither compiler nor heap blur what the threads take; the virtual machines take turns.
 */
final class Footprint {

    static final String TITLE = "footprint of threads";

    static final List<Integer> THREADS = List.of(10, 1_000, 10_000);

    private Footprint() {}

    /** {@return objects and resident memory on each of {@code jvms}, the latter of {@code runs} runs} */
    static List<Quantity> measure(List<Jvm> jvms, List<Integer> threads, int runs, Consumer<String> progress)
            throws IOException {
        List<Quantity> quantities = new ArrayList<>(objects(jvms));
        progress.accept("Measured the objects of threads");
        for (int count : threads) {
            quantities.addAll(resident(jvms, count, runs));
            progress.accept("Measured the resident memory of %,d threads, %d times on each".formatted(count, runs));
        }
        return quantities;
    }

    private static List<Quantity> objects(List<Jvm> jvms) throws IOException {
        Map<String, Quantity.Amount> platform = new LinkedHashMap<>();
        Map<String, Quantity.Amount> virtual = new LinkedHashMap<>();
        Map<String, Quantity.Amount> arena = new LinkedHashMap<>();
        for (Jvm jvm : jvms) {
            try {
                Map<String, Long> bytes = run(jvm, ThreadObjects.class);
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

    private static List<Quantity> resident(List<Jvm> jvms, int count, int runs) throws IOException {
        Map<String, String> failures = new LinkedHashMap<>();
        Map<String, double[]> whole = new LinkedHashMap<>();
        Map<String, double[]> sinceArena = new LinkedHashMap<>();
        for (int run = 0; run < runs; run++) {
            for (Jvm jvm : jvms) {
                if (failures.containsKey(jvm.name())) {
                    continue;
                }
                try {
                    Map<String, Long> kibibytes = run(jvm, ThreadRss.class, Integer.toString(count));
                    double used = value(kibibytes, "used");
                    whole.computeIfAbsent(jvm.name(), _ -> new double[runs])[run] =
                            (used - value(kibibytes, "before")) / count;
                    sinceArena.computeIfAbsent(jvm.name(), _ -> new double[runs])[run] =
                            (used - value(kibibytes, "started")) / count;
                } catch (Program.Failed e) {
                    failures.put(jvm.name(), e.getMessage());
                }
            }
        }
        return List.of(
                quantity("resident memory of each of %,d threads that used one arena".formatted(count), jvms, whole, failures),
                quantity("… of it since the arena, %,d threads".formatted(count), jvms, sinceArena, failures));
    }

    private static Quantity quantity(String title, List<Jvm> jvms, Map<String, double[]> samples,
                                     Map<String, String> failures) {
        Map<String, Quantity.Amount> amounts = new LinkedHashMap<>();
        for (Jvm jvm : jvms) {
            String failure = failures.get(jvm.name());
            amounts.put(jvm.name(), failure != null
                    ? Quantity.Amount.failed(failure) : Quantity.Amount.of(samples.get(jvm.name())));
        }
        return new Quantity(title, "KiB", amounts);
    }

    private static Map<String, Long> run(Jvm jvm, Class<?> program, String... arguments) throws IOException, Program.Failed {
        List<String> all = new ArrayList<>(List.of("-Xint", "-XX:+UseSerialGC", "-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch",
                "-cp", Program.CLASS_PATH, program.getName()));
        all.addAll(List.of(arguments));
        return Program.values(jvm, all.toArray(String[]::new));
    }

    private static double value(Map<String, Long> values, String name) throws Program.Failed {
        Long value = values.get(name);
        if (value == null) {
            throw new Program.Failed("did not print the value \"" + name + "\"");
        }
        return value;
    }
}
