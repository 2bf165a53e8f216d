/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.openjdk.jmh.util.Version;
import pooledarena.text.Chart.Axis;
import pooledarena.text.Chart.Point;
import pooledarena.text.Chart;
import pooledarena.text.Document;
import pooledarena.text.Figures;

import module java.base;

/**
 * What was measured, with everything that a report says. It has a form as JSON.
 *
 * @param command    what repeats it
 * @param date       when the last figure was measured
 * @param otherCores how many cores other programs kept busy meanwhile, on average; null if nothing was
 * @param jvms       stock first, pooled second
 * @param failures   lines that name what failed, and why
 */
public record Results(String title, String command, String date, Machine machine, Double otherCores,
                      Effort effort, List<JavaCommand> jvms, List<Measured> measured, List<String> failures) {

    static final String JSON_FILE = "figures.json";

    /** The words for {@link Outcome#error}. */
    public static final String ERROR = "± is JMH's error, half of the 99.9 % confidence interval of the mean";

    /** From this many busy cores on, other programs are said to spoil the figures; a system at rest takes less. */
    private static final double TOO_MUCH = 0.1;

    /** How much measuring goes into each case: fresh processes, and the number and length of the iterations of each. */
    public record Effort(int forks, int warmupIterations, int warmupMillis, int iterations, int iterationMillis) {

        @Override
        public String toString() {
            return "%s, each %d x %d ms warm-up and %d x %d ms measurement".formatted(
                    Figures.count(forks, "fork"), warmupIterations, warmupMillis, iterations, iterationMillis);
        }
    }

    public record Measured(Case what, Outcome outcome) {}

    /** The outcomes of what is compared in a row, by column; {@code what} is the first of these cases. */
    public record Row(Case what, Map<String, Outcome> outcomes) {

        /** {@return what {@code text} makes of the outcome in a column; a dash where there is none} */
        public String cell(String column, Function<Outcome, String> text) {
            return has(column) ? text.apply(outcomes.get(column)) : "-";
        }

        /** {@return what {@code text} makes of the outcomes in two columns; a dash unless there are both} */
        public String cell(String column, String other, BiFunction<Outcome, Outcome, String> text) {
            return has(column) && has(other) ? text.apply(outcomes.get(column), outcomes.get(other)) : "-";
        }

        public boolean has(String column) {
            return outcomes.containsKey(column);
        }

        public String unit() {
            return outcomes.values().iterator().next().unit();
        }
    }

    public JavaCommand stock() {
        return jvms.getFirst();
    }

    /** {@return the virtual machines that are compared with stock} */
    public List<JavaCommand> contenders() {
        return jvms.subList(1, jvms.size());
    }

    /** {@return the rows that the cases {@code which} make} */
    public List<Row> rows(Predicate<Case> which) {
        Map<String, Row> rows = new LinkedHashMap<>();
        measured.stream().filter(m -> which.test(m.what)).forEach(m -> rows
                .computeIfAbsent(m.what.title(), _ -> new Row(m.what, new LinkedHashMap<>()))
                .outcomes.put(m.what.column(), m.outcome));
        return List.copyOf(rows.values());
    }

    public List<Row> rows(String group) {
        return rows(what -> what.group().equals(group));
    }

    /** {@return a chart with a line through {@code rows} for each column, if one has two points} */
    public Optional<Chart> lines(String title, Axis x, Axis y, Predicate<Case> rows, Function<Measured, Point> point) {
        Map<String, List<Point>> lines = measured.stream().filter(m -> rows.test(m.what)).collect(Collectors.groupingBy(
                m -> m.what.column(), LinkedHashMap::new, Collectors.mapping(point, Collectors.toList())));
        return lines.values().stream().anyMatch(points -> points.size() > 1)
                ? Optional.of(Chart.lines(title, x, y, lines)) : Optional.empty();
    }

    /** {@return lines that say where the figures are from, and whether they may be quoted} */
    public List<String> origin() {
        return Stream.of(Stream.of(machine + "; " + date), jvms.stream().map(jvm -> jvm.name() + ": "
                + jvm.version().getLast()), disturbance().stream()).flatMap(lines -> lines).toList();
    }

    private Optional<String> disturbance() {
        return otherCores == null || otherCores < TOO_MUCH ? Optional.empty()
                : Optional.of("Not to be quoted: other programs kept %.2f of %d cores busy during the measurement."
                        .formatted(otherCores, machine.cores()));
    }

    /** {@return the report: what spoils the figures, then {@code report}, then where and how they were measured} */
    public Document document(BiConsumer<Document, Results> report) {
        Document document = new Document(title);
        disturbance().ifPresent(document::warning);
        failures.forEach(failure -> document.warning("Failed: " + failure));
        report.accept(document, this);
        document.heading("Where and how").list(List.of("Machine: " + machine,
                "JMH " + Version.getPlainVersion() + ", " + effort + "; what is in one row takes turns",
                "Other programs kept busy meanwhile: " + (otherCores == null ? "not known"
                        : "%.2f of %d cores".formatted(otherCores, machine.cores())),
                "Date: " + date, "To repeat: `" + command + "`",
                "Class path: " + System.getProperty("java.class.path"),
                "Figures: " + JSON_FILE + " and, as JMH wrote them and its visualizers read them, jmh-*.json"));
        jvms.forEach(jvm -> document.paragraph(jvm.name() + ":")
                .code(String.join(" ", jvm.command("-version")) + "\n" + String.join("\n", jvm.version())));
        return document;
    }

    public byte[] toJson() throws IOException {
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(this);
    }
}
