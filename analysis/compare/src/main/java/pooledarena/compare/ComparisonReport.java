/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import org.openjdk.jmh.util.ListStatistics;
import org.openjdk.jmh.util.Version;
import pooledarena.compare.Results.Row;
import pooledarena.text.Chart.Axis;
import pooledarena.text.Chart.Point;
import pooledarena.text.*;

import module java.base;

record ComparisonReport(Results results, BenchmarkSelection selection) {

    static final String JSON_FILE = "figures.json";
    static final String CSV_FILE = "figures.csv";
    private static final String SPEEDUP = "speedup.png";

    /** A chart of more bars takes too much memory. */
    private static final int MOST_BARS = 1200;

    /** What lines in charts are over: a parameter of benchmarks, or the number of threads. */
    private static final Map<String, String> OVER = Map.of("size", "bytes allocated", "threads", "threads");

    static final List<String> CHARTS =
            Stream.concat(Stream.of(SPEEDUP), OVER.keySet().stream().map(ComparisonReport::file)).toList();

    /** From this many busy cores on, other programs are said to spoil the figures; a system at rest takes less. */
    private static final double TOO_MUCH = 0.1;

    /** From this on the median iteration is so much slower than the fastest that a whole fork may have been slowed. */
    private static final double TOO_SLOW = 1.1;

    Document document() {
        Document document = new Document(results.title());
        disturbance().ifPresent(document::warning);
        results.failures().forEach(failure -> document.warning("Failed: " + failure));
        if (!rows(true).isEmpty()) {
            document.table(times()).paragraph("A time is that of the fastest iteration of a fork, and the median of the forks: "
                    + "what else uses the processor only makes iterations slower. An iteration is short, so the fastest has no "
                    + "garbage collection; " + JSON_FILE + " says how long the collector ran. Bytes are the median of the "
                    + "iterations. With three forks or more, ± is half of the distance between the quartiles of the forks; that "
                    + "of a quotient combines those of both times (root of the sum of the squared relative distances). One fork "
                    + "does not tell a ratio near 1 from 1. " + selection.text("times"));
        }
        if (!rows(false).isEmpty()) {
            document.heading(selection.text("heading")).table(others()).paragraph(selection.text("others"));
        }
        document.details();
        speedups().ifPresent(chart -> document.picture(SPEEDUP, chart, origin()));
        OVER.keySet().stream().sorted().forEach(over -> lines(over)
                .ifPresent(chart -> document.picture(file(over), chart, origin())));
        document.heading("Where and how").list(List.of("Machine: " + results.machine(),
                "JMH " + Version.getPlainVersion() + ", " + results.effort()
                        + "; the virtual machines of a row take turns, iteration by iteration, or process by process where one "
                        + "measures once",
                "Other programs kept busy meanwhile: " + (results.otherCores() == null ? "not known"
                        : "%.2f of %d cores".formatted(results.otherCores(), results.machine().cores())),
                "The median iteration took " + (slowed().isEmpty() ? "a time that is not known"
                        : "%.2f times that of the fastest".formatted(slowed().getAsDouble())),
                "Date: " + results.date(), "To repeat: `" + results.command() + "`",
                "Class path: " + System.getProperty("java.class.path"),
                "Figures: " + CSV_FILE + ", " + JSON_FILE + " and, as JMH wrote them and its visualizers read them, jmh-*.json"));
        results.jvms().forEach(jvm -> document.paragraph(jvm.name() + ":")
                .code(String.join(" ", jvm.command("-version")) + "\n" + String.join("\n", jvm.version())));
        return document;
    }

    private static String file(String over) {
        return "time-by-" + over + ".png";
    }

    /** {@return lines that say where the figures are from, and whether they may be quoted} */
    List<String> origin() {
        return Stream.of(Stream.of(results.machine() + "; " + results.date()), results.jvms().stream().map(jvm -> jvm.name() + ": "
                + jvm.version().getLast()), disturbance().stream()).flatMap(lines -> lines).toList();
    }

    private Optional<String> disturbance() {
        if (results.otherCores() != null && results.otherCores() >= TOO_MUCH) {
            return Optional.of("Not to be quoted: other programs kept %.2f of %d cores busy during the measurement."
                    .formatted(results.otherCores(), results.machine().cores()));
        }
        return slowed().isEmpty() || slowed().getAsDouble() < TOO_SLOW ? Optional.empty()
                : Optional.of("Slowed from outside: the median iteration took %.2f times the time of the fastest. Some forks may have "
                        .formatted(slowed().getAsDouble()) + "no undisturbed iteration; five forks or more make that rare.");
    }

    private OptionalDouble slowed() {
        double[] slowed = results.measured().stream().map(measured -> measured.outcome().slowed()).filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue).toArray();
        return slowed.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(new ListStatistics(slowed).getPercentile(50));
    }

    Table times() {
        Map<String, Function<Row, String>> columns = new LinkedHashMap<>();
        columns.put("benchmark", row -> row.what().group());
        columns.put("size", row -> row.what().row().isEmpty() ? "-" : row.what().row());
        addFigures(columns, " ns/op", Outcome::scoreWithError, outcome -> outcome.bytesPerOp() == null ? "-"
                : String.format(Locale.ROOT, "%.0f", outcome.bytesPerOp()), Outcome::speedupOver);
        return Table.of(rows(true), columns);
    }

    /** {@return all figures, with those of each virtual machine ÷ the patch's, as CSV; empty cells for what was not measured} */
    byte[] csv() throws IOException {
        Map<String, Function<Row, String>> columns = new LinkedHashMap<>();
        columns.put("benchmark", row -> row.what().group());
        columns.put("case", row -> row.what().row());
        columns.put("unit", Row::unit);
        addFigures(columns, "", outcome -> digits(outcome.score()), outcome -> digits(outcome.bytesPerOp()),
                (patch, other) -> digits(other.score() / patch.score()));
        CsvSchema.Builder schema = CsvSchema.builder();
        columns.keySet().forEach(schema::addColumn);
        return new CsvMapper().writer(schema.build().withHeader()).writeValueAsBytes(results.rows().stream()
                .map(row -> columns.values().stream().map(cell -> cell.apply(row)).map(cell -> cell.equals("-") ? "" : cell).toList())
                .toList());
    }

    private void addFigures(Map<String, Function<Row, String>> columns, String unit, Function<Outcome, String> score,
                            Function<Outcome, String> bytes, BiFunction<Outcome, Outcome, String> ratio) {
        results.jvms().forEach(jvm -> columns.put(jvm.name() + unit, row -> row.cell(jvm.name(), score)));
        results.jvms().forEach(jvm -> columns.put(jvm.name() + " B/op", row -> row.cell(jvm.name(), bytes)));
        allBut(JavaCommand.PATCH).forEach(jvm -> columns.put(jvm + " ÷ patch",
                row -> row.both(JavaCommand.PATCH, jvm, ratio).orElse("-")));
    }

    private static String digits(Double value) {
        return value == null || !Double.isFinite(value) ? "-" : new BigDecimal(value).round(new MathContext(4)).toPlainString();
    }

    private List<String> allBut(String name) {
        return results.jvms().stream().map(JavaCommand::name).filter(jvm -> !jvm.equals(name)).toList();
    }

    Table others() {
        Map<String, Function<Row, String>> columns = new LinkedHashMap<>();
        columns.put("quantity", row -> row.what().title() + ", " + row.unit());
        results.jvms().forEach(jvm -> columns.put(jvm.name(), row -> row.cell(jvm.name(), Outcome::scoreWithError)));
        allBut(JavaCommand.STOCK).forEach(jvm -> columns.put(jvm + " ÷ stock",
                row -> row.both(jvm, JavaCommand.STOCK, (after, before) -> before.score() > 0
                        ? String.format(Locale.ROOT, "%.3f", after.score() / before.score()) : "-").orElse("-")));
        return Table.of(rows(false), columns);
    }

    private List<Row> rows(boolean times) {
        return results.rows().stream().filter(row -> row.unit().equals("ns/op") == times).toList();
    }

    /** {@return a bar for each row and contender; none where either side failed} */
    Optional<Chart> speedups() {
        List<Row> rows = rows(true);
        List<String> names = rows.stream().map(row -> row.what().title()
                + (row.outcomes().size() == results.jvms().size() ? "" : " (failed)")).toList();
        Map<String, List<Double>> factors = new LinkedHashMap<>();
        allBut(JavaCommand.STOCK).forEach(jvm -> factors.put(jvm, rows.stream().map(row ->
                row.both(jvm, JavaCommand.STOCK, (after, before) -> before.score() / after.score()).orElse(null)).toList()));
        return rows.size() * factors.size() > MOST_BARS || factors.values().stream().flatMap(List::stream).allMatch(Objects::isNull)
                ? Optional.empty() : Optional.of(Chart.bars("How many times as fast as on the stock JDK", names,
                        new Axis("stock time ÷ time (1x: as fast as stock; logarithmic)", true), factors));
    }

    /** {@return lines of times over the quantity: one for what is alike but for that and has two points} */
    Optional<Chart> lines(String over) {
        List<Row> rows = rows(true).stream().filter(row -> selection.known(row.what().method()).over().equals(over)).toList();
        boolean isOne = rows.stream().map(row -> row.what().group()).distinct().count() == 1;
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        for (Row row : rows) {
            String others = BenchmarkSelection.size(row.what().parameters(), row.what().threads(), over);
            double x = over.equals("threads") ? row.what().threads() : Double.parseDouble(row.what().parameters().get(over));
            row.outcomes().forEach((jvm, outcome) -> lines.computeIfAbsent(Stream.of(isOne ? "" : row.what().group(), others, jvm)
                    .filter(part -> !part.isEmpty()).collect(Collectors.joining(", ")), _ -> new ArrayList<>())
                    .add(new Point(x, outcome.score())));
        }
        lines.values().removeIf(points -> points.size() < 2);
        return lines.isEmpty() ? Optional.empty() : Optional.of(Chart.lines(selection.text(over),
                new Axis(OVER.get(over), true), new Axis("ns per operation", true), lines));
    }
}
