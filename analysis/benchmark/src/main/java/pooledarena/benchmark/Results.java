/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import pooledarena.io.BadInput;
import pooledarena.text.Document;
import pooledarena.text.LineChart.Point;

import module java.base;

/**
 * What was measured, or the part of it that is done, with everything that a report says. It has a form as JSON.
 *
 * @param command     what repeats it
 * @param date        when the last figure was measured
 * @param otherCores  how many cores other programs kept busy meanwhile, on average; null if unknown
 * @param forkOptions what every fork of stock had
 * @param jvms        stock first, pooled second
 * @param planned     how many cases JMH was to measure; more than there are if it was interrupted
 */
public record Results(String format, String title, String command, String date, Machine machine, Double otherCores,
                      String jmhVersion, Effort effort, List<String> forkOptions, List<Jvm> jvms, int planned,
                      List<Measured> measured) {

    public static final String FORMAT = "pooled-confined-arena figures, version 3";

    /** The words for {@link Outcome#error}. */
    public static final String ERROR = "± is JMH's error, half of the 99.9 % confidence interval of the mean";

    private static final JsonMapper JSON = JsonMapper.builder()
            .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE) // only what a record has is written
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    public record Measured(Case what, Outcome outcome) {}

    /** {@return this with more cases, that were not measured with JMH, and with the cores of the whole time} */
    public Results with(List<Measured> more, Double newOtherCores) {
        return new Results(format, title, command, now(), machine, newOtherCores, jmhVersion, effort, forkOptions, jvms, planned,
                Stream.concat(measured.stream(), more.stream()).toList());
    }

    static String now() {
        return ZonedDateTime.now().format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm xxx"));
    }

    public Jvm stock() {
        return jvms.getFirst();
    }

    /** {@return the virtual machines that are compared with stock} */
    public List<Jvm> contenders() {
        return jvms.subList(1, jvms.size());
    }

    /** {@return the rows that JMH measured on stock and others} */
    public List<Case> rows() {
        return byJmh().filter(row -> row.jvm().equals(stock().name())).toList();
    }

    public boolean has(String group) {
        return of(group).findAny().isPresent();
    }

    public List<String> rows(String group) {
        return of(group).map(m -> m.what.row()).distinct().toList();
    }

    public List<String> columns(String group) {
        return of(group).map(m -> m.what.column()).distinct().toList();
    }

    public Stream<Measured> of(String group) {
        return measured.stream().filter(m -> m.what.group().equals(group));
    }

    /** {@return the outcome in this place, unless it was not measured or is a failure} */
    public Optional<Outcome> get(String group, String row, String column) {
        return find(group, row, column).filter(outcome -> !outcome.isFailure());
    }

    /** {@return what {@code text} makes of the outcome in this place; failed, or a dash, where there is none} */
    public String cell(String group, String row, String column, Function<Outcome, String> text) {
        return find(group, row, column).map(outcome -> outcome.text(text)).orElse("-");
    }

    /** {@return the speedup of {@code jvm} over stock in the row of {@code row}, unless either is missing} */
    public Optional<Outcome.Speedup> speedup(Case row, Jvm jvm) {
        return get(row.group(), row.row(), jvm.name()).flatMap(after ->
                get(row.group(), row.row(), stock().name()).map(after::speedupOver));
    }

    /** {@return the points of a line through what did not fail of {@code which}, from left to right} */
    public List<Point> points(Predicate<Case> which, Function<Measured, Point> point) {
        return measured.stream().filter(m -> which.test(m.what) && !m.outcome.isFailure()).map(point)
                .sorted(Comparator.comparingDouble(Point::x)).toList();
    }

    public List<String> failures() {
        return measured.stream().filter(m -> m.outcome.isFailure())
                .map(m -> m.what.label() + ": " + m.outcome.failure()).toList();
    }

    /** {@return lines that say where the figures are from, and whether they may be quoted} */
    public List<String> origin() {
        String builds = jvms.stream().map(jvm -> jvm.name() + ": " + jvm.build()).collect(Collectors.joining("; "));
        return Stream.concat(Stream.of(machine + "; " + date, builds), disturbance().stream()).toList();
    }

    private Optional<String> disturbance() {
        return otherCores == null || otherCores < OtherWork.TOO_MUCH ? Optional.empty()
                : Optional.of("Not to be quoted: other programs kept %.2f of %d cores busy during the measurement."
                        .formatted(otherCores, machine.cores()));
    }

    public void addWarnings(Document document) {
        if (byJmh().count() < planned) {
            document.warning("Interrupted: %d of %d figures were measured.".formatted(byJmh().count(), planned));
        }
        disturbance().ifPresent(document::warning);
        failures().forEach(failure -> document.warning("Failed: " + failure));
    }

    /** Adds where and how the figures were measured, which {@code file} and JMH's own files have. */
    public void addOrigin(Document document, String file) {
        document.heading("Where and how").list(List.of("Machine: " + machine,
                "JMH " + jmhVersion + ", " + effort + "; what is in one row takes turns",
                "Each fork has: `" + String.join(" ", forkOptions) + "`",
                "Other programs kept busy meanwhile: " + (otherCores == null ? "not known on this system"
                        : "%.2f of %d cores".formatted(otherCores, machine.cores())),
                "Date: " + date, "To repeat: `" + command + "`",
                "Figures: " + file + " and, as JMH wrote them and its visualizers read them, jmh-*.json"));
        jvms.forEach(jvm -> document.paragraph(jvm.name() + ":")
                .code(String.join(" ", jvm.command("-version")) + "\n" + String.join("\n", jvm.version())));
    }

    public byte[] toJson() throws IOException {
        return JSON.writeValueAsBytes(this);
    }

    public static Results fromJson(byte[] json, String file) {
        try {
            Results results = JSON.readValue(json, Results.class);
            if (FORMAT.equals(results.format)) {
                return results;
            }
        } catch (IOException e) {
            // Told below: what is wrong inside does not help who gave the wrong file.
        }
        throw new BadInput(file + ": not \"" + FORMAT + "\"; the compare.json that the compare command wrote "
                + "is accepted; nothing was written");
    }

    private Stream<Case> byJmh() {
        return measured.stream().map(Measured::what).filter(what -> what.benchmark() != null);
    }

    private Optional<Outcome> find(String group, String row, String column) {
        return of(group).filter(m -> m.what.row().equals(row) && m.what.column().equals(column))
                .map(Measured::outcome).findFirst();
    }
}
