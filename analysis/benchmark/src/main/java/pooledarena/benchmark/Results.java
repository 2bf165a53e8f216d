/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import pooledarena.io.BadInput;
import pooledarena.text.Document;

import java.io.IOException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was measured, or the part of it that is done, with everything that a report says. It has a form as JSON.
 *
 * @param format      {@link #FORMAT}
 * @param title       what it is about
 * @param command     what repeats it
 * @param date        when the last figure was measured
 * @param machine     where it ran
 * @param otherCores  how many of its cores other programs kept busy meanwhile, on average; null if unknown
 * @param jmhVersion  the harness
 * @param effort      how much was measured
 * @param forkOptions what every fork had of stock's
 * @param jvms        the virtual machines, stock first, pooled second
 * @param planned     how many cases JMH was to measure; more than it has if it was interrupted
 * @param measured    the figures; a filter may have left some out
 */
public record Results(String format, String title, String command, String date, Machine machine, Double otherCores,
                      String jmhVersion, Effort effort, List<String> forkOptions, List<Jvm> jvms, int planned,
                      List<Measured> measured) {

    public static final String FORMAT = "pooled-confined-arena figures, version 3";

    /** The words for {@link Outcome#error}. */
    public static final String ERROR = "± is JMH's error, half of the 99.9 % confidence interval of the mean";

    private static final String PRE_TOUCH = "-XX:+AlwaysPreTouch";

    private static final JsonMapper JSON = JsonMapper.builder()
            .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE) // only what a record has is written
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    /** A case and what it gave. */
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

    /** {@return the first case of each row, in their order} */
    public List<Case> rows() {
        List<Case> rows = new ArrayList<>();
        measured.stream().map(Measured::what).filter(c -> rows.stream().noneMatch(c::isBeside)).forEach(rows::add);
        return rows;
    }

    public boolean has(String group) {
        return measured.stream().anyMatch(m -> m.what.group().equals(group));
    }

    /** {@return the rows of {@code group}, in their order} */
    public List<String> rows(String group) {
        return distinct(group, Case::row);
    }

    /** {@return the columns of {@code group}, in their order} */
    public List<String> columns(String group) {
        return distinct(group, Case::column);
    }

    /** {@return the outcome in this place, unless it was not measured or is a failure} */
    public Optional<Outcome> get(String group, String row, String column) {
        return find(group, row, column).filter(outcome -> !outcome.isFailure());
    }

    /** {@return what {@code text} makes of the outcome in this place; failed, or a dash, where there is none} */
    public String cell(String group, String row, String column, Function<Outcome, String> text) {
        return find(group, row, column).map(outcome -> outcome.isFailure() ? "failed" : text.apply(outcome)).orElse("-");
    }

    /** {@return the speedup of {@code jvm} over stock in the row of {@code row}, unless either is missing} */
    public Optional<Outcome.Speedup> speedup(Case row, Jvm jvm) {
        return get(row.group(), row.row(), jvm.name()).flatMap(after ->
                get(row.group(), row.row(), stock().name()).map(after::speedupOver));
    }

    /** {@return why cases failed, in a line each} */
    public List<String> failures() {
        return measured.stream().filter(m -> m.outcome.isFailure()).map(m -> m.what.label() + ": " + m.outcome.failure()).toList();
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

    /** Adds what a reader should know before the figures. */
    public void addWarnings(Document document) {
        long byJmh = measured.stream().filter(m -> m.what.benchmark() != null).count();
        if (byJmh < planned) {
            document.warning("Interrupted: %d of %d figures were measured.".formatted(byJmh, planned));
        }
        disturbance().ifPresent(document::warning);
        failures().forEach(failure -> document.warning("Failed: " + failure));
    }

    /** Adds where and how the figures were measured, and the names of the {@code files} that have them. */
    public void addOrigin(Document document, String files) {
        List<String> lines = new ArrayList<>(List.of("Machine: " + machine,
                "JMH " + jmhVersion + ", " + effort + "; what is in one row takes turns"));
        if (!forkOptions.isEmpty()) {
            lines.add("Each fork has: `" + String.join(" ", forkOptions) + "`" + (forkOptions.contains(PRE_TOUCH)
                    ? " (on a heap that grows, the first touch of each page costs more than many a row that allocates)" : ""));
        }
        if (otherCores != null) {
            lines.add("Other programs kept busy meanwhile: %.2f of %d cores".formatted(otherCores, machine.cores()));
        }
        lines.addAll(List.of("Date: " + date, "To repeat: `" + command + "`", "Figures: " + files));
        document.heading("Where and how").list(lines);
        jvms.forEach(jvm -> document.paragraph(jvm.name() + ":")
                .code(String.join(" ", jvm.command("-version")) + "\n" + String.join("\n", jvm.version())));
    }

    public byte[] toJson() throws IOException {
        return JSON.writeValueAsBytes(this);
    }

    /** {@return the results in {@code json}, which was read from {@code file}} */
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

    private List<String> distinct(String group, Function<Case, String> part) {
        return measured.stream().map(Measured::what).filter(c -> c.group().equals(group)).map(part).distinct().toList();
    }

    private Optional<Outcome> find(String group, String row, String column) {
        return measured.stream()
                .filter(m -> m.what.group().equals(group) && m.what.row().equals(row) && m.what.column().equals(column))
                .map(Measured::outcome).findFirst();
    }
}
