/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.report;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.RecordedJvm;
import pooledarena.histogram.Tally;
import pooledarena.recordings.Origin;
import pooledarena.recordings.Recordings;
import pooledarena.report.Summary.Row;
import pooledarena.text.BarChart;
import pooledarena.text.Document;
import pooledarena.text.Figures;
import pooledarena.text.Table;

import module java.base;

final class ReportDocument {

    static final String ARENAS_BY_SIZE = "arenas-by-size.png";
    static final String BYTES_BY_SIZE = "bytes-by-size.png";
    static final String ARENAS_BY_BYTE = "arenas-by-byte.png";
    static final String SITES = "sites.png";
    static final List<String> PICTURES = List.of(ARENAS_BY_SIZE, BYTES_BY_SIZE, ARENAS_BY_BYTE, SITES);

    private static final String SIZE = "bytes allocated from an arena";
    private static final String LEFT_OUT = "Sizes that no arena has are left out.";
    private static final String TIMED = "The recorder times the first 1024 arenas of each thread, then one in 64 at random, and to a "
            + "second all that are open for longer than two.";
    private static final int FEW = 4;
    private static final int LONG_NAME = 90;

    private final Recordings recordings;
    private final Summary summary;
    private final Tally all;
    private final List<String> origin;
    private final int top;

    ReportDocument(Recordings recordings, int top) {
        this.recordings = recordings;
        this.top = top;
        summary = Summary.of(recordings.histogram());
        all = summary.all();
        origin = Origin.lines(recordings.histogram());
    }

    Document document() {
        Histogram histogram = recordings.histogram();
        Document document = new Document("Confined arenas of " + Figures.count(histogram.jvms().size(), "JVM"));
        recordings.faults().forEach(fault -> document.warning("Left out: " + fault));
        Origin.warnings(histogram).forEach(document::warning);
        document.table(totals());
        if (all.arenas() > 0) {
            sizes(document);
            sites(document);
            document.heading("How they are used").table(use());
            document.heading("How long they are open").paragraph(TIMED).table(lifetimes());
        }
        return document.heading("Java virtual machines").table(frequencies("Java", RecordedJvm::java))
                .table(frequencies("program", Origin::program));
    }

    private Table totals() {
        Table table = new Table(List.of("", "all"));
        table.add(List.of("JVMs", Figures.count(recordings.histogram().jvms().size())));
        table.add(List.of("arenas", Figures.count(all.arenas())));
        table.add(List.of("allocations", Figures.count(all.allocations())));
        table.add(List.of("bytes", Figures.count(all.bytes())));
        table.add(List.of("average bytes of an arena", Figures.significant(Summary.average(all))));
        table.add(List.of("average bytes of an arena that has any",
                Figures.significant(Summary.average(summary.sum(row -> row.bytes() > 0)))));
        return table;
    }

    private void sizes(Document document) {
        Map<String, Tally> classes = new LinkedHashMap<>();
        classes.put("0 bytes", summary.sum(row -> row.bytes() == 0));
        for (int below : new int[] {16, 32, 64}) {
            classes.put("up to " + (below - 1) + " bytes", summary.sum(row -> row.bytes() < below));
        }
        classes.put("below 64 KiB", summary.sum(row -> row.bytes() < 64 << 10));
        classes.put("from 64 KiB", summary.sum(row -> row.bytes() >= 64 << 10));
        classes.put("from 512 KiB", summary.sum(row -> row.bytes() >= 512 << 10));
        document.heading("Sizes").table(add(shares("size"), classes, name -> name));
        SortedMap<Integer, Tally> powers = summary.by(Row::power);
        document.heading("Sizes in powers of two").paragraph(LEFT_OUT)
                .table(add(shares(SIZE), powers, ReportDocument::power));
        List<String> names = IntStream.rangeClosed(0, powers.lastKey()).mapToObj(ReportDocument::power).toList();
        picture(document, ARENAS_BY_SIZE, "Confined arenas by size", names, powers, "share of arenas", Tally::arenas);
        picture(document, BYTES_BY_SIZE, "Bytes by the size of the confined arena that they are in", names, powers,
                "share of bytes", Tally::bytes);
        SortedMap<Integer, Tally> exact = summary.by(Row::exact);
        List<String> bytes = IntStream.rangeClosed(0, Summary.EXACT)
                .mapToObj(i -> i + (i == Summary.EXACT ? " or more" : "")).toList();
        document.heading("Sizes to the byte").paragraph(LEFT_OUT).table(add(shares(SIZE), exact, bytes::get));
        picture(document, ARENAS_BY_BYTE, "Confined arenas by size, to the byte", bytes, exact, "share of arenas",
                Tally::arenas);
    }

    private static String power(int power) {
        long from = 1L << power - 1;
        return power < 2 ? Integer.toString(power)
                : power <= 10 ? from + " to " + (2 * from - 1) : "from " + Figures.bytes(from);
    }

    /** Adds a bar for each of {@code names}, by its index in {@code sums}, unless all are 0. */
    private void picture(Document document, String file, String title, List<String> names, Map<Integer, Tally> sums,
            String label, ToLongFunction<Tally> amount) {
        List<Long> parts = new ArrayList<>(Collections.nCopies(names.size(), 0L));
        sums.forEach((index, sum) -> parts.set(index, amount.applyAsLong(sum)));
        long whole = amount.applyAsLong(all);
        if (whole > 0) {
            document.picture(file, BarChart.ofShares(title, SIZE, label, true, names, parts, whole), origin);
        }
    }

    /** Of the arenas whose call site is known: where that is one in a hundred, these are the shares of that sample. */
    private void sites(Document document) {
        Tally located = summary.sum(row -> row.shape().site() != null);
        List<Map.Entry<String, Summary>> sites = summary.sites();
        Table table = new Table(List.of("call site", "arenas", "of all", "bytes", "of all", "average", "largest",
                "empty", "closed by opener")).withCode();
        List<String> names = new ArrayList<>();
        List<Long> arenas = new ArrayList<>();
        sites.stream().limit(top).forEach(site -> {
            Tally sum = site.getValue().all();
            long largest = site.getValue().rows().stream().mapToLong(row -> row.shape().bytes()).max().orElseThrow();
            long empty = site.getValue().sum(row -> row.bytes() == 0).arenas();
            long byOpener = site.getValue().sum(row -> row.shape().closing() == Closing.BY_OPENER).arenas();
            table.add(List.of(site.getKey(),
                    Figures.count(sum.arenas()), Figures.percent(sum.arenas(), located.arenas()),
                    Figures.count(sum.bytes()), Figures.percent(sum.bytes(), located.bytes()),
                    Figures.significant(Summary.average(sum)), Figures.count(largest),
                    Figures.percent(empty, sum.arenas()), Figures.percent(byOpener, sum.arenas())));
            names.add(shortened(site.getKey()));
            arenas.add(sum.arenas());
        });
        document.heading("Call sites that open the most arenas");
        if (located.arenas() < all.arenas()) {
            document.paragraph("The call site is known of " + Figures.count(located.arenas(), "arena") + ", "
                    + Figures.percent(located.arenas(), all.arenas()) + " of all. These are the shares of those.");
        }
        if (sites.size() > top) {
            document.paragraph("The first " + top + " of " + Figures.count(sites.size()) + ".");
        }
        if (!sites.isEmpty()) {
            String label = "share of arenas" + (located.arenas() < all.arenas() ? " whose call site is known" : "");
            document.table(table).picture(SITES, BarChart.ofShares("Call sites that open the most confined arenas",
                    null, label, false, names, arenas, located.arenas()), origin);
        }
    }

    /** {@return the end of the name, which tells the method} */
    private static String shortened(String name) {
        return name.length() <= LONG_NAME ? name : "…" + name.substring(name.length() - LONG_NAME + 1);
    }

    private Table use() {
        Table table = shares("");
        add(table, summary.by(row -> row.shape().virtual()),
                virtual -> "opened by " + (virtual ? "virtual" : "platform") + " threads");
        add(table, summary.by(row -> row.shape().closing()), closing -> switch (closing) {
            case BY_OPENER -> "closed by the method that opened them";
            case ELSEWHERE -> "closed by another method";
            case NOT_TOLD -> "closed, not told by what";
            case UNCLOSED -> "not closed";
        });
        add(table, summary.by(row -> Math.min(row.allocations(), FEW)), n -> n == 0 ? "without allocation"
                : "with " + (n < FEW ? Figures.count(n, "allocation") : n + " or more allocations"));
        add(table, summary.by(row -> row.bytes() == 0 ? null : Math.min(row.shape().openBefore(), FEW)), n ->
                "with bytes, while " + (n == 0 ? "no other" : n < FEW ? Figures.count(n, "other")
                        : n + " or more others") + " of the thread had some");
        return table;
    }

    private Table lifetimes() {
        List<Long> arenas = recordings.histogram().lifetimes();
        long timed = arenas.stream().reduce(0L, Tally::add);
        Table table = new Table(List.of("open for", "of all arenas"));
        for (int i = 0; i < arenas.size(); i++) {
            if (arenas.get(i) > 0) {
                table.add(List.of((i < arenas.size() - 1 ? "less than " : "") + Histogram.LIFETIMES.get(i),
                        Figures.percent(arenas.get(i), timed)));
            }
        }
        return table;
    }

    private Table shares(String name) {
        return new Table(List.of(name, "arenas", "of all", "bytes", "of all"));
    }

    private <K> Table add(Table table, Map<K, Tally> sums, Function<K, String> name) {
        sums.forEach((key, sum) -> table.add(List.of(name.apply(key),
                Figures.count(sum.arenas()), Figures.percent(sum.arenas(), all.arenas()),
                Figures.count(sum.bytes()), Figures.percent(sum.bytes(), all.bytes()))));
        return table;
    }

    private Table frequencies(String what, Function<RecordedJvm, String> value) {
        Map<String, Long> counts = Origin.frequencies(recordings.histogram(), value);
        Table table = new Table(List.of(what, "JVMs"));
        counts.entrySet().stream().limit(top)
                .forEach(entry -> table.add(List.of(entry.getKey(), Figures.count(entry.getValue()))));
        if (counts.size() > top) {
            long others = counts.values().stream().skip(top).mapToLong(Long::longValue).sum();
            table.add(List.of(Figures.count(counts.size() - top, "other"), Figures.count(others)));
        }
        return table;
    }
}
