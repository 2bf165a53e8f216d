/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.text.Document;
import pooledarena.text.Figures;
import pooledarena.text.Table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** The report of a comparison. */
final class ComparisonReport {

    private static final String NAME = "report";

    /** The files that a report may have. */
    static final List<String> FILES = Stream.concat(Stream.of(NAME + ".md", NAME + ".html"),
            Stream.of(ComparisonChart.values()).map(chart -> chart.file)).toList();

    private static final String FIGURES = "Times and bytes are the median of the iterations; " + Results.ERROR + ". The ± of a "
            + "speedup combines those of both times (root of the sum of the squared relative errors). None of this covers what "
            + "changes from one run, or one machine, to the next.";

    private static final String PROCESSES = "Each figure is the median of the runs; " + Results.ERROR + ", where there are three "
            + "runs or more. " + """
            Start-up is that of the process, from the launcher's start to its end, with default options and the default CDS \
            archive; a launcher that is a script counts with all that it does. Objects are counted by the virtual machine's class \
            histogram, of threads that used one arena for 16 and 2,000 bytes. Resident memory of threads is what the process has \
            more than before it started them, divided by their number; its second line is what it has more than when all had \
            started and none had used an arena. The memory of open arenas, native and live objects, is what the process has more \
            with them than with threads that do the same without. These processes run interpreted and on a heap that is touched \
            before, so that neither compiler nor heap blur what threads and arenas take. The first arena of a thread is timed in \
            compiled code, in 4,000 threads one after the other, each of which has allocated objects before.""";

    private final Results results;

    ComparisonReport(Results results) {
        this.results = results;
    }

    Document document() throws IOException {
        Document document = new Document(results.title());
        results.addWarnings(document);
        if (results.rows().stream().anyMatch(row -> row.benchmark() != null)) {
            document.table(benchmarks()).paragraph(FIGURES);
        }
        if (results.has(ProcessSampler.GROUP)) {
            document.heading(ProcessSampler.GROUP).table(processes()).paragraph(PROCESSES);
        }
        document.details();
        for (ComparisonChart chart : ComparisonChart.values()) {
            Optional<byte[]> png = chart.png(results);
            png.ifPresent(bytes -> document.picture(chart.file, chart.caption, bytes));
        }
        results.addOrigin(document, "compare.json and, as JMH wrote them and its visualizers read them, jmh-*.json");
        return document;
    }

    /** {@return the contents of the report's files, by their names} */
    static Map<String, byte[]> files(Document document) {
        return new LinkedHashMap<>(document.files(NAME));
    }

    /** {@return a line for each benchmark's row} */
    Table benchmarks() {
        Jvm pooled = results.contenders().getFirst();
        List<String> header = new ArrayList<>(List.of("benchmark", "size",
                "stock ns/op", "pooled ns/op", "stock B/op", "pooled B/op", "speedup"));
        List<Jvm> peers = results.contenders().subList(1, results.contenders().size());
        peers.forEach(peer -> header.addAll(
                List.of(peer.name() + " ns/op", peer.name() + " B/op", peer.name() + " speedup")));
        Table table = new Table(header);
        for (Case row : results.rows()) {
            if (row.benchmark() != null) {
                List<String> line = new ArrayList<>(List.of(row.group(), row.row().isEmpty() ? "-" : row.row(),
                        time(row, results.stock()), time(row, pooled), bytes(row, results.stock()), bytes(row, pooled),
                        speedup(row, pooled)));
                peers.forEach(peer -> line.addAll(List.of(time(row, peer), bytes(row, peer), speedup(row, peer))));
                table.add(line);
            }
        }
        return table;
    }

    /** {@return a line for each row that was measured without JMH} */
    Table processes() {
        List<String> header = new ArrayList<>(List.of("quantity", "unit", results.stock().name()));
        results.contenders().forEach(jvm -> header.addAll(
                List.of(jvm.name(), jvm.name() + " − stock", jvm.name() + " ÷ stock")));
        Table table = new Table(header);
        for (String row : results.rows(ProcessSampler.GROUP)) {
            String unit = results.jvms().stream().flatMap(jvm -> get(row, jvm).stream()).map(Outcome::unit).findFirst().orElse("-");
            List<String> line = new ArrayList<>(List.of(row, unit, amount(row, results.stock())));
            for (Jvm jvm : results.contenders()) {
                line.add(amount(row, jvm));
                line.add(both(row, jvm, (before, after) -> (after > before ? "+" : after < before ? "−" : "")
                        + number(unit, Math.abs(after - before))));
                line.add(both(row, jvm, (before, after) -> before > 0 ? String.format(Locale.ROOT, "%.3f", after / before) : "-"));
            }
            table.add(line);
        }
        return table;
    }

    private String time(Case row, Jvm jvm) {
        return results.cell(row.group(), row.row(), jvm.name(), Outcome::scoreWithError);
    }

    private String bytes(Case row, Jvm jvm) {
        return results.cell(row.group(), row.row(), jvm.name(),
                outcome -> outcome.bytesPerOp() == null ? "-" : String.format(Locale.ROOT, "%.0f", outcome.bytesPerOp()));
    }

    private String speedup(Case row, Jvm jvm) {
        return results.speedup(row, jvm).map(Outcome.Speedup::toString).orElse("-");
    }

    private Optional<Outcome> get(String row, Jvm jvm) {
        return results.get(ProcessSampler.GROUP, row, jvm.name());
    }

    private String amount(String row, Jvm jvm) {
        return results.cell(ProcessSampler.GROUP, row, jvm.name(), outcome -> number(outcome.unit(), outcome.score())
                + (outcome.error() == null ? "" : " ± " + number(outcome.unit(), outcome.error())));
    }

    private String both(String row, Jvm jvm, BiFunction<Double, Double, String> text) {
        return get(row, results.stock()).flatMap(before ->
                get(row, jvm).map(after -> text.apply(before.score(), after.score()))).orElse("-");
    }

    private static String number(String unit, double value) {
        return unit.equals("ms") ? Figures.decimals(value, Math.abs(value) < 100 ? 1 : 10) : Figures.decimals(value, 100);
    }
}
