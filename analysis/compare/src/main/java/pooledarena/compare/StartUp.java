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
import pooledarena.probe.EmptyMain;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * How long a process takes whose {@code main} is empty, from the start of the launcher to its end: the
 * time, and the processor time, which what else happens on the machine blurs less. The virtual machines
 * take turns, with default options, so with their CDS archive; one without such an archive fails.
 */
final class StartUp {

    static final String TITLE = "start-up of an empty main";

    /** Runs of each virtual machine that do not count: they bring its files into memory. */
    private static final int WARM_UP = 3;

    private StartUp() {}

    /** {@return time and processor time of {@code runs} starts of each of {@code jvms}} */
    static List<Quantity> measure(List<Jvm> jvms, int runs, Consumer<String> progress) throws IOException {
        Map<String, String> failures = new LinkedHashMap<>();
        Map<String, List<Double>> times = new LinkedHashMap<>();
        Map<String, List<Double>> cpuTimes = new LinkedHashMap<>();
        Path classes = Files.createTempDirectory("start-up");
        Path file = classes.resolve(EmptyMain.class.getName().replace('.', '/') + ".class");
        try {
            copy(file);
            for (int run = -WARM_UP; run < runs; run++) {
                for (Jvm jvm : jvms) {
                    if (failures.containsKey(jvm.name())) {
                        continue;
                    }
                    try {
                        if (run == -WARM_UP) {
                            requireCds(jvm);
                        }
                        OptionalLong cpuBefore = ChildrenCpu.nanos();
                        long start = System.nanoTime();
                        Program.run(jvm, "-cp", classes.toString(), EmptyMain.class.getName());
                        double time = (System.nanoTime() - start) / 1e6;
                        OptionalLong cpuAfter = ChildrenCpu.nanos();
                        if (run >= 0) {
                            times.computeIfAbsent(jvm.name(), _ -> new ArrayList<>()).add(time);
                            if (cpuBefore.isPresent() && cpuAfter.isPresent()) {
                                cpuTimes.computeIfAbsent(jvm.name(), _ -> new ArrayList<>())
                                        .add((cpuAfter.getAsLong() - cpuBefore.getAsLong()) / 1e6);
                            }
                        }
                    } catch (Program.Failed e) {
                        failures.put(jvm.name(), e.getMessage());
                    }
                }
            }
        } finally {
            Files.deleteIfExists(file);
            for (Path directory = file.getParent(); !directory.equals(classes.getParent()); directory = directory.getParent()) {
                Files.deleteIfExists(directory);
            }
        }
        List<Quantity> quantities = List.of(
                quantity(TITLE + ", time", jvms, times, failures),
                quantity(TITLE + ", processor time", jvms, cpuTimes, failures));
        progress.accept("Measured " + TITLE + ", " + runs + " times on each");
        return quantities;
    }

    private static Quantity quantity(String title, List<Jvm> jvms, Map<String, List<Double>> samples,
                                     Map<String, String> failures) {
        Map<String, Quantity.Amount> amounts = new LinkedHashMap<>();
        for (Jvm jvm : jvms) {
            String failure = failures.get(jvm.name());
            List<Double> sample = samples.get(jvm.name());
            amounts.put(jvm.name(), failure != null ? Quantity.Amount.failed(failure)
                    : sample == null ? Quantity.Amount.failed("this system does not tell it")
                    : Quantity.Amount.of(sample.stream().mapToDouble(Double::doubleValue).toArray()));
        }
        return new Quantity(title, "ms", amounts);
    }

    private static void requireCds(Jvm jvm) throws Program.Failed {
        try {
            Program.run(jvm, "-Xshare:on", "-version");
        } catch (Program.Failed e) {
            throw new Program.Failed("has no CDS archive that it can use: java -Xshare:on -version " + e.getMessage());
        }
    }

    /** The class alone, so that no jar of this tool's is opened. */
    private static void copy(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        try (InputStream in = EmptyMain.class.getResourceAsStream(EmptyMain.class.getSimpleName() + ".class")) {
            Files.copy(in, file);
        }
    }
}
