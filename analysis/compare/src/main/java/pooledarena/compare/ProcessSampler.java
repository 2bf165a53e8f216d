/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results.Measured;
import pooledarena.io.ProcessRunner;
import pooledarena.io.ProcessRunner.Failed;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Measures without JMH: runs processes on the virtual machines, which take turns. */
final class ProcessSampler {

    /** The group of the cases that are measured here. */
    static final String GROUP = "Start-up and memory";

    private static final Pattern VALUE = Pattern.compile("(\\w+) (\\d+)");

    /** The class path of this process, for other directories too. */
    private static final String CLASS_PATH = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));

    private ProcessSampler() {}

    /** One run. */
    @FunctionalInterface
    interface Sample {

        /** {@return a value for each title; NaN where the system does not tell it} */
        double[] take(Jvm jvm) throws IOException, Failed;
    }

    /** {@return what {@code runs} runs on each virtual machine give for each title; one that failed is not run again} */
    static List<Measured> take(List<Jvm> jvms, int runs, List<String> titles, String unit, Sample sample) throws IOException {
        Map<Jvm, String> failures = new HashMap<>();
        Map<Jvm, double[][]> values = new LinkedHashMap<>(); // by title and run
        jvms.forEach(jvm -> values.put(jvm, new double[titles.size()][runs]));
        for (int run = 0; run < runs; run++) {
            for (Jvm jvm : jvms) {
                try {
                    double[] one = failures.containsKey(jvm) ? new double[titles.size()] : sample.take(jvm);
                    for (int title = 0; title < one.length; title++) {
                        values.get(jvm)[title][run] = one[title];
                    }
                } catch (Failed e) {
                    failures.put(jvm, e.getMessage());
                }
            }
        }
        List<Measured> measured = new ArrayList<>();
        for (int title = 0; title < titles.size(); title++) {
            for (Jvm jvm : jvms) {
                double[] samples = values.get(jvm)[title];
                measured.add(new Measured(new Case(GROUP, titles.get(title), jvm.name(), jvm.name(), null, Map.of(), 1),
                        failures.containsKey(jvm) ? Outcome.failed(failures.get(jvm))
                                : Arrays.stream(samples).anyMatch(Double::isNaN) ? Outcome.failed("this system does not tell it")
                                : Outcome.of(unit, samples)));
            }
        }
        return measured;
    }

    /** {@return the values with these names that {@code program} prints, each in a line with its name before} */
    static double[] values(Jvm jvm, List<String> options, Class<?> program, List<String> arguments, String... names)
            throws Failed {
        List<String> command = new ArrayList<>(jvm.command());
        command.addAll(options);
        command.addAll(List.of("-cp", CLASS_PATH, program.getName()));
        command.addAll(arguments);
        Map<String, Double> values = ProcessRunner.lines(command, Map.of()).stream().map(VALUE::matcher).filter(Matcher::matches)
                .collect(Collectors.toMap(value -> value.group(1), value -> Double.valueOf(value.group(2)),
                        (_, last) -> last));
        for (String name : names) {
            if (!values.containsKey(name)) {
                throw new Failed("did not print the value \"" + name + "\"");
            }
        }
        return Stream.of(names).mapToDouble(values::get).toArray();
    }
}
