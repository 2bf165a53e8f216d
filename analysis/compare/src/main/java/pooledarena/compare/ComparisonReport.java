/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Columns;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.text.Document;
import pooledarena.text.Figures;
import pooledarena.text.Table;

import module java.base;

/** The report of a comparison. */
final class ComparisonReport {

    /** The group of what is measured without JMH. */
    static final String PROCESSES = "Start-up and memory";

    private static final String ABOUT_BENCHMARKS = "Times and bytes are the median of the iterations; " + Results.ERROR
            + ". The ± of a speedup combines those of both times (root of the sum of the squared relative errors). None of this "
            + "covers what changes from one run, or one machine, to the next.";

    private static final String ABOUT_PROCESSES = "Each figure is the median of the runs; " + Results.ERROR + ", where there are "
            + "three runs or more. " + """
            Start-up is that of the process, from the launcher's start to its end, with default options and the default CDS \
            archive; a launcher that is a script counts with all that it does. Objects are counted by the virtual machine's \
            class histogram, of threads that used one arena for 16 and 2,000 bytes. Resident memory of threads is what the \
            process has more than before it started them, divided by their number; its second line is what it has more than \
            when all had started and none had used an arena. The memory of open arenas, native and live objects, is what the \
            process has more with them than with threads that do the same without. These processes run interpreted and on a \
            heap that is touched before, so that neither compiler nor heap blur what threads and arenas take. The first arena \
            of a thread is timed in compiled code, in 4,000 threads one after the other, each of which has allocated objects \
            before.""";

    private final Results results;

    ComparisonReport(Results results) {
        this.results = results;
    }

    /** {@return where a figure stands that is measured without JMH} */
    static Case process(Jvm jvm, String row) {
        return Case.ofProcess(PROCESSES, row, jvm.name(), jvm);
    }

    Document document() throws IOException {
        Document document = new Document(results.title());
        results.addWarnings(document);
        if (!results.rows().isEmpty()) {
            document.table(benchmarks()).paragraph(ABOUT_BENCHMARKS);
        }
        if (results.has(PROCESSES)) {
            document.heading(PROCESSES).table(processes()).paragraph(ABOUT_PROCESSES);
        }
        document.details();
        for (ComparisonChart chart : ComparisonChart.values()) {
            chart.png(results).ifPresent(png -> document.picture(chart.file, chart.caption, png));
        }
        results.addOrigin(document, "compare.json");
        return document;
    }

    Table benchmarks() {
        Jvm stock = results.stock();
        Jvm pooled = results.contenders().getFirst();
        Columns<Case> columns = new Columns<Case>()
                .add("benchmark", Case::group)
                .add("size", row -> row.row().isEmpty() ? "-" : row.row())
                .add("stock ns/op", row -> time(row, stock))
                .add("pooled ns/op", row -> time(row, pooled))
                .add("stock B/op", row -> bytes(row, stock))
                .add("pooled B/op", row -> bytes(row, pooled))
                .add("speedup", row -> speedup(row, pooled));
        for (Jvm peer : results.contenders().subList(1, results.contenders().size())) {
            columns.add(peer.name() + " ns/op", row -> time(row, peer))
                    .add(peer.name() + " B/op", row -> bytes(row, peer))
                    .add(peer.name() + " speedup", row -> speedup(row, peer));
        }
        return columns.table(results.rows());
    }

    Table processes() {
        Jvm stock = results.stock();
        Columns<String> columns = new Columns<String>().add("quantity", row -> row).add("unit", this::unit)
                .add(stock.name(), row -> amount(row, stock));
        for (Jvm jvm : results.contenders()) {
            columns.add(jvm.name(), row -> amount(row, jvm))
                    .add(jvm.name() + " − stock", row -> both(row, jvm, (before, after) ->
                            (after > before ? "+" : after < before ? "−" : "") + number(unit(row), Math.abs(after - before))))
                    .add(jvm.name() + " ÷ stock", row -> both(row, jvm, (before, after) ->
                            before > 0 ? String.format(Locale.ROOT, "%.3f", after / before) : "-"));
        }
        return columns.table(results.rows(PROCESSES));
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

    private String unit(String row) {
        return results.of(PROCESSES).filter(m -> m.what().row().equals(row) && !m.outcome().isFailure())
                .map(m -> m.outcome().unit()).findFirst().orElse("-");
    }

    private String amount(String row, Jvm jvm) {
        return results.cell(PROCESSES, row, jvm.name(), outcome -> number(outcome.unit(), outcome.score())
                + (outcome.error() == null ? "" : " ± " + number(outcome.unit(), outcome.error())));
    }

    private String both(String row, Jvm jvm, BiFunction<Double, Double, String> text) {
        return results.get(PROCESSES, row, results.stock().name()).flatMap(before ->
                results.get(PROCESSES, row, jvm.name()).map(after -> text.apply(before.score(), after.score()))).orElse("-");
    }

    private static String number(String unit, double value) {
        return unit.equals("ms") ? Figures.decimals(value, Math.abs(value) < 100 ? 1 : 10) : Figures.decimals(value, 100);
    }
}
