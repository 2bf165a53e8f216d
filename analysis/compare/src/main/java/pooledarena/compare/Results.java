/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import com.sun.management.OperatingSystemMXBean;
import pooledarena.text.Figures;

import module java.base;
import java.lang.management.ManagementFactory;

/**
 * What was measured. It has a form as JSON.
 *
 * @param command    what repeats it
 * @param date       when the last figure was measured
 * @param otherCores how many cores other programs kept busy meanwhile, on average; null if nothing was
 * @param jvms       stock first, the patch second
 * @param failures   lines that name what failed, and why
 */
public record Results(String title, String command, String date, Machine machine, Double otherCores,
                      Effort effort, List<JavaCommand> jvms, List<Measured> measured, List<String> failures) {

    /** How much measuring goes into each case: fresh processes, and the number and length of the iterations of each. */
    public record Effort(int forks, int warmupIterations, int warmupMillis, int iterations, int iterationMillis) {

        private static final int FEWEST = 5;

        /**
         * {@return fewer and longer iterations, if there are more threads than processors} These take turns of milliseconds. A thread
         * that has none in an iteration would have a time per operation that means nothing.
         */
        Effort shared(int threads, int processors) {
            int sharers = Math.ceilDiv(threads, processors);
            return new Effort(forks, warmupIterations, warmupMillis,
                    Math.max(iterations / sharers, Math.min(iterations, FEWEST)), iterationMillis * sharers);
        }

        @Override
        public String toString() {
            return "%s, each %d x %d ms warm-up and %d x %d ms measurement".formatted(
                    Figures.count(forks, "fork"), warmupIterations, warmupMillis, iterations, iterationMillis);
        }
    }

    /** Where the figures are from: the processor's name, or its architecture, and what of the machine Java may use. */
    public record Machine(String cpu, int cores, long memoryMebibytes, String system) {

        public static Machine current() {
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            String name = value(Path.of("/etc/os-release"), "PRETTY_NAME=\"?([^\"]*)\"?", "");
            return new Machine(cpu(Path.of("/proc/cpuinfo"), system.getArch()), system.getAvailableProcessors(),
                    system.getTotalMemorySize() >> 20, name + (name.isEmpty() ? "" : ", ")
                    + system.getName() + " " + system.getVersion() + " " + system.getArch());
        }

        /** {@return the processor's name, with the numbers that tell models of one name apart where there are any} */
        static String cpu(Path file, String otherwise) {
            String name = value(file, "model name\\s*: (.*)", otherwise);
            String family = value(file, "cpu family\\s*: (.*)", "");
            return family.isEmpty() ? name : name + " (family " + family + " model " + value(file, "model\\s*: (.*)", "") + ")";
        }

        @Override
        public String toString() {
            return "%s, %s, %.0f GiB, %s".formatted(cpu, Figures.count(cores, "core"), memoryMebibytes / 1024.0, system);
        }

        /** {@return the group of {@code line} in the first line of {@code file} that matches it, else {@code otherwise}} */
        static String value(Path file, String line, String otherwise) {
            try (var lines = Files.lines(file)) {
                return lines.filter(each -> each.matches(line)).findFirst()
                        .map(each -> each.replaceFirst(line, "$1")).orElse(otherwise);
            } catch (IOException | UncheckedIOException e) {
                return otherwise;
            }
        }
    }

    public record Measured(Case what, Outcome outcome) {}

    /** The outcomes of one quantity, by the name of the virtual machine; {@code what} is the first of these cases. */
    public record Row(Case what, Map<String, Outcome> outcomes) {

        /** {@return what {@code text} makes of the outcome on a virtual machine; a dash where there is none} */
        public String cell(String jvm, Function<Outcome, String> text) {
            return Optional.ofNullable(outcomes.get(jvm)).map(text).orElse("-");
        }

        /** {@return what {@code value} makes of the outcomes on two virtual machines; nothing unless there are both} */
        public <T> Optional<T> both(String jvm, String other, BiFunction<Outcome, Outcome, T> value) {
            return Optional.ofNullable(outcomes.get(jvm))
                    .flatMap(of -> Optional.ofNullable(outcomes.get(other)).map(than -> value.apply(of, than)));
        }

        public String unit() {
            return outcomes.values().iterator().next().unit();
        }
    }

    public List<Row> rows() {
        Map<String, Row> rows = new LinkedHashMap<>();
        measured.forEach(m -> rows.computeIfAbsent(m.what.title() + " " + m.outcome.unit(),
                _ -> new Row(m.what, new LinkedHashMap<>())).outcomes.put(m.what.jvm(), m.outcome));
        return List.copyOf(rows.values());
    }
}
