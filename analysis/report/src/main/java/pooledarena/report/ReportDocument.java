/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.report;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Jvm;
import pooledarena.recordings.Origin;
import pooledarena.recordings.Recordings;
import pooledarena.report.Summary.Sum;
import pooledarena.text.Document;
import pooledarena.text.Figures;
import pooledarena.text.Table;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** The words, tables and pictures of a report. */
final class ReportDocument {

    static final String ARENAS_BY_SIZE = "arenas-by-size.png";
    static final String BYTES_BY_SIZE = "bytes-by-size.png";
    static final String ARENAS_BY_BYTE = "arenas-by-byte.png";
    static final String SITES = "sites.png";
    static final List<String> PICTURES = List.of(ARENAS_BY_SIZE, BYTES_BY_SIZE, ARENAS_BY_BYTE, SITES);

    private static final String SIZE = "bytes allocated from an arena";
    private static final long FEW = 4;

    private final Recordings recordings;
    private final Summary summary;
    private final List<String> origin;
    private final int top;

    /** @param top how many call sites and programs to show */
    ReportDocument(Recordings recordings, int top) {
        this.recordings = recordings;
        this.top = top;
        summary = new Summary(recordings.histogram());
        origin = Origin.lines(recordings.histogram());
    }

    Document document() throws IOException {
        Histogram histogram = recordings.histogram();
        Document document = new Document("Confined arenas of " + Figures.count(summary.jvms, "JVM"));
        for (Recordings.Fault fault : recordings.faults()) {
            document.warning("Left out: " + fault);
        }
        Origin.warnings(histogram).forEach(document::warning);
        document.table(totals());
        if (summary.all.arenas() > 0) {
            sizes(document);
            sites(document);
            document.heading("How they are used").table(use());
        }
        document.heading("Java virtual machines").table(frequencies("Java", Origin.frequencies(histogram, Jvm::java)))
                .table(frequencies("program", Origin.frequencies(histogram, Origin::program)));
        return document;
    }

    private Table totals() {
        Sum empty = summary.classes.get(Summary.SizeClass.EMPTY);
        Table table = new Table(List.of("", "all"));
        table.add(List.of("JVMs", Figures.count(summary.jvms)));
        table.add(List.of("arenas", Figures.count(summary.all.arenas())));
        table.add(List.of("allocations", Figures.count(summary.allocated)));
        table.add(List.of("bytes", Figures.count(summary.all.bytes())));
        table.add(List.of("average bytes of an arena", Figures.significant(summary.all.average())));
        table.add(List.of("average bytes of an arena that has any", Figures.significant(
                new Sum(summary.all.arenas() - empty.arenas(), summary.all.bytes()).average())));
        return table;
    }

    private void sizes(Document document) throws IOException {
        Table classes = shares("size");
        summary.classes.forEach((size, sum) -> classes.add(line(size.title, sum)));
        List<String> names = powers();
        document.heading("Sizes").table(classes);
        document.heading("Sizes in powers of two").table(lines(names, summary.powers, true));
        picture(document, ARENAS_BY_SIZE, "Confined arenas by size", names, summary.powers, "share of arenas", Sum::arenas);
        picture(document, BYTES_BY_SIZE, "Bytes by the size of the confined arena that they are in", names, summary.powers,
                "share of bytes", Sum::bytes);
        List<String> bytes = IntStream.rangeClosed(0, Summary.EXACT).mapToObj(i -> i + (i == Summary.EXACT ? " or more" : "")).toList();
        document.heading("Sizes to the byte").paragraph("Sizes that no arena has are left out.").table(lines(bytes, summary.exact, false));
        picture(document, ARENAS_BY_BYTE, "Confined arenas by size, to the byte", bytes, summary.exact, "share of arenas", Sum::arenas);
    }

    /** {@return a line for each name, or, unless {@code empty}, each that has arenas} */
    private Table lines(List<String> names, Sum[] sums, boolean empty) {
        Table table = shares(SIZE);
        for (int i = 0; i < names.size(); i++) {
            if (empty || sums[i].arenas() > 0) {
                table.add(line(names.get(i), sums[i]));
            }
        }
        return table;
    }

    private void picture(Document document, String file, String title, List<String> names, Sum[] sums, String label,
            ToLongFunction<Sum> amount) throws IOException {
        List<BarChart.Part> parts = IntStream.range(0, names.size())
                .mapToObj(i -> new BarChart.Part(names.get(i), amount.applyAsLong(sums[i]))).toList();
        long whole = parts.stream().mapToLong(BarChart.Part::amount).sum();
        if (whole > 0) {
            document.picture(file, title, new BarChart(title, parts, SIZE, label, false).png(origin, whole));
        }
    }

    /** {@return the names of the sizes in powers of two, up to the largest that there is} */
    private List<String> powers() {
        List<String> names = new ArrayList<>(List.of("0", "1"));
        for (int i = 2; i <= summary.largestPower(); i++) {
            long from = 1L << i - 1;
            names.add(i <= 10 ? from + " to " + (2 * from - 1) : "from " + Figures.bytes(from));
        }
        return names.subList(0, summary.largestPower() + 1);
    }

    /** Of the arenas whose call site is known: a recorder that looks at one in a hundred tells the shares of that sample. */
    private void sites(Document document) throws IOException {
        Sum all = summary.located;
        Table table = new Table(List.of("call site", "arenas", "of all", "bytes", "of all", "average", "largest", "empty",
                "closed by opener")).withCode();
        List<BarChart.Part> parts = new ArrayList<>();
        for (Summary.SiteSum site : summary.sites.subList(0, Math.min(top, summary.sites.size()))) {
            long arenas = site.sum().arenas();
            table.add(List.of(site.name(), Figures.count(arenas), Figures.percent(arenas, all.arenas()),
                    Figures.count(site.sum().bytes()), Figures.percent(site.sum().bytes(), all.bytes()),
                    Figures.significant(site.sum().average()), Figures.count(site.most()), Figures.percent(site.empty(), arenas),
                    Figures.percent(site.byOpener(), arenas)));
            parts.add(new BarChart.Part(site.name(), arenas));
        }
        document.heading("Call sites that open the most arenas");
        if (all.arenas() < summary.all.arenas()) {
            document.paragraph("The call site is known of " + Figures.count(all.arenas(), "arena") + ", " + Figures.percent(all.arenas(),
                    summary.all.arenas()) + " of all. These are the shares of those.");
        }
        if (parts.isEmpty()) {
            return;
        }
        if (summary.sites.size() > top) {
            document.paragraph("The first " + top + " of " + Figures.count(summary.sites.size()) + ".");
        }
        document.table(table).picture(SITES, "Call sites", new BarChart("Call sites that open the most confined arenas", parts, null,
                all.arenas() < summary.all.arenas() ? "share of arenas whose call site is known" : "share of arenas", true)
                .png(origin, all.arenas()));
    }

    private Table use() {
        Table table = shares("");
        table.add(line("opened by platform threads", summary.threads[0]));
        table.add(line("opened by virtual threads", summary.threads[1]));
        for (Map.Entry<Closing, Sum> closing : summary.closings.entrySet()) {
            if (closing.getValue().arenas() > 0) {
                table.add(line(switch (closing.getKey()) {
                    case BY_OPENER -> "closed by the method that opened them";
                    case ELSEWHERE -> "closed by another method";
                    case NOT_TOLD -> "closed, not told by what";
                    case UNCLOSED -> "not closed";
                }, closing.getValue()));
            }
        }
        for (int i = 0; i < summary.lifetimes.length; i++) {
            if (summary.lifetimes[i].arenas() > 0) {
                String name = Histogram.LIFETIMES.get(i);
                table.add(line(i < summary.lifetimes.length - 1 ? "open for less than " + name : "open for longer", summary.lifetimes[i]));
            }
        }
        counts(table, summary.allocations, n -> n == 0 ? "without allocation" : "with " + Figures.count(n, "allocation"),
                n -> "with " + n + " or more allocations");
        counts(table, summary.openBefore, n -> "with bytes, while " + (n == 0 ? "no other" : Figures.count(n, "other"))
                + " of the thread had some", n -> "with bytes, while " + n + " or more others of the thread had some");
        return table;
    }

    /** Adds a line for each small number, and one for all others together. */
    private void counts(Table table, SortedMap<Long, Sum> sums, LongFunction<String> name, LongFunction<String> orMore) {
        sums.headMap(FEW).forEach((n, sum) -> table.add(line(name.apply(n), sum)));
        Sum more = sums.tailMap(FEW).values().stream().reduce(Sum.NOTHING, Sum::plus);
        if (more.arenas() > 0) {
            table.add(line(orMore.apply(FEW), more));
        }
    }

    private Table shares(String name) {
        return new Table(List.of(name, "arenas", "of all", "bytes", "of all"));
    }

    private List<String> line(String name, Sum sum) {
        return List.of(name, Figures.count(sum.arenas()), Figures.percent(sum.arenas(), summary.all.arenas()),
                Figures.count(sum.bytes()), Figures.percent(sum.bytes(), summary.all.bytes()));
    }

    private Table frequencies(String what, Map<String, Long> counts) {
        Table table = new Table(List.of(what, "JVMs"));
        counts.entrySet().stream().limit(top).forEach(entry -> table.add(List.of(entry.getKey(), Figures.count(entry.getValue()))));
        if (counts.size() > top) {
            long others = counts.values().stream().skip(top).mapToLong(Long::longValue).sum();
            table.add(List.of(Figures.count(counts.size() - top, "other"), Figures.count(others)));
        }
        return table;
    }
}
