/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.report;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Tally;
import pooledarena.recordings.Origin;
import pooledarena.recordings.Recordings;
import pooledarena.report.Summary.Row;
import pooledarena.text.BarChart.Scale;
import pooledarena.text.BarChart.Series;
import pooledarena.text.BarChart;
import pooledarena.text.ChartStyle;
import pooledarena.text.Document;
import pooledarena.text.Figures;
import pooledarena.text.Table;

import module java.base;

final class ReportDocument {

    static final String SIZES = "sizes.png";
    static final String SITES = "sites.png";
    static final List<String> PICTURES = List.of(SIZES, SITES);

    private static final String TIMED = "The recorder times the first 1024 arenas of each thread, then one in 64 at random, and to a "
            + "second all that are open for longer than two.";
    private static final int FEW = 4;
    private static final int LONG_NAME = 90;

    private final Recordings recordings;
    private final Summary summary;
    private final Tally all;
    private final List<String> origin;
    private final int top;

    /** @param top how many call sites are shown */
    ReportDocument(Recordings recordings, int top) {
        this.recordings = recordings;
        this.top = top;
        summary = Summary.of(recordings.histogram());
        all = summary.all();
        origin = Origin.lines(recordings.histogram());
    }

    Document document() {
        Document document = new Document("Recorded confined arenas").list(origin);
        recordings.faults().forEach(fault -> document.warning("Left out: " + fault));
        Origin.warnings(recordings.histogram()).forEach(document::warning);
        if (all.arenas() > 0) {
            Tally withBytes = summary.sum(row -> row.bytes() > 0);
            document.paragraph(Figures.count(all.arenas(), "arena") + " with "
                    + Figures.count(all.allocations(), "allocation") + " of " + Figures.count(all.bytes(), "byte") + ": "
                    + Figures.significant(Summary.average(all)) + " bytes of an arena on average, "
                    + Figures.significant(Summary.average(withBytes)) + " of one that has any.");
            sizes(document);
            sites(document);
            document.heading("How they are used").table(use());
            document.heading("How long they are open").paragraph(TIMED).table(lifetimes());
        }
        return document;
    }

    private void sizes(Document document) {
        SortedMap<Integer, Tally> powers = summary.by(Row::power);
        Table table = new Table(List.of("bytes of an arena", "arenas", "of all", "up to this", "bytes", "of all"));
        powers.forEach((power, sum) -> {
            Tally upToThis = summary.sum(row -> row.power() <= power);
            table.add(List.of(power(power), Figures.count(sum.arenas()), Figures.percent(sum.arenas(), all.arenas()),
                    Figures.percent(upToThis.arenas(), all.arenas()), Figures.count(sum.bytes()),
                    Figures.percent(sum.bytes(), all.bytes())));
        });
        IntStream.range(0, powers.lastKey()).forEach(power -> powers.putIfAbsent(power, Summary.NOTHING));
        List<Series> bars = List.of(bars("arenas", 1, powers.values(), all, Tally::arenas),
                bars("bytes", 2, powers.values(), all, Tally::bytes));
        List<String> names = powers.keySet().stream().map(ReportDocument::power).toList();
        document.heading("Sizes").table(table).picture(SIZES, new BarChart(
                "Confined arenas and their bytes by size", names, "share", Scale.SHARES, bars), origin);
    }

    private static String power(int power) {
        long from = 1L << power - 1;
        return power < 2 ? Integer.toString(power)
                : power <= 10 ? from + " to " + (2 * from - 1) : "from " + Figures.bytes(from);
    }

    private static Series bars(String name, int color, Collection<Tally> sums, Tally whole,
            ToLongFunction<Tally> amount) {
        return new Series(name, ChartStyle.color(color), sums.stream().mapToLong(amount)
                .mapToObj(part -> part == 0 ? null : 100.0 * part / amount.applyAsLong(whole)).toList());
    }

    /** Of the arenas whose call site is known: where that is one in a hundred, these are the shares of that sample. */
    private void sites(Document document) {
        Tally located = summary.sum(row -> row.shape().site() != null);
        List<Map.Entry<String, Summary>> sites = summary.sites();
        List<Map.Entry<String, Summary>> shown = sites.stream().limit(top).toList();
        document.heading("Call sites that open the most arenas");
        if (located.arenas() < all.arenas()) {
            document.paragraph("The call site is known of " + Figures.count(located.arenas(), "arena") + ", "
                    + Figures.percent(located.arenas(), all.arenas()) + " of all. These are the shares of those.");
        }
        if (sites.size() > top) {
            document.paragraph("The first " + top + " of " + Figures.count(sites.size()) + ".");
        }
        if (sites.isEmpty()) {
            return;
        }
        Table table = new Table(List.of("call site", "arenas", "of all", "bytes", "of all", "average", "largest",
                "empty", "closed by opener")).withCode();
        shown.forEach(site -> {
            Tally sum = site.getValue().all();
            long largest = site.getValue().rows().stream().mapToLong(row -> row.shape().bytes()).max().orElseThrow();
            long empty = site.getValue().sum(row -> row.bytes() == 0).arenas();
            long byOpener = site.getValue().sum(row -> row.shape().closing() == Closing.BY_OPENER).arenas();
            table.add(List.of(site.getKey(),
                    Figures.count(sum.arenas()), Figures.percent(sum.arenas(), located.arenas()),
                    Figures.count(sum.bytes()), Figures.percent(sum.bytes(), located.bytes()),
                    Figures.significant(Summary.average(sum)), Figures.count(largest),
                    Figures.percent(empty, sum.arenas()), Figures.percent(byOpener, sum.arenas())));
        });
        String label = "share of arenas" + (located.arenas() < all.arenas() ? " whose call site is known" : "");
        List<String> names = shown.stream().map(site -> shortened(site.getKey())).toList();
        List<Tally> sums = shown.stream().map(site -> site.getValue().all()).toList();
        document.table(table).picture(SITES, new BarChart("Call sites that open the most confined arenas", names, label,
                Scale.SHARES, List.of(bars("", 1, sums, located, Tally::arenas))), origin);
    }

    /** {@return the end of the name, which tells the method} */
    private static String shortened(String name) {
        return name.length() <= LONG_NAME ? name : "…" + name.substring(name.length() - LONG_NAME + 1);
    }

    private Table use() {
        Table table = new Table(List.of("", "arenas", "of all", "bytes", "of all"));
        add(table, row -> row.shape().virtual(),
                virtual -> "opened by " + (virtual ? "virtual" : "platform") + " threads");
        add(table, row -> row.shape().closing(), closing -> switch (closing) {
            case BY_OPENER -> "closed by the method that opened them";
            case ELSEWHERE -> "closed by another method";
            case NOT_TOLD -> "closed, not told by what";
            case UNCLOSED -> "not closed";
        });
        add(table, row -> Math.min(row.allocations(), FEW), n -> n == 0 ? "without allocation"
                : "with " + (n < FEW ? Figures.count(n, "allocation") : n + " or more allocations"));
        add(table, row -> row.bytes() == 0 ? null : Math.min(row.shape().openBefore(), FEW), n ->
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

    private <K> void add(Table table, Function<Row, K> key, Function<K, String> name) {
        summary.by(key).forEach((value, sum) -> table.add(List.of(name.apply(value),
                Figures.count(sum.arenas()), Figures.percent(sum.arenas(), all.arenas()),
                Figures.count(sum.bytes()), Figures.percent(sum.bytes(), all.bytes()))));
    }
}
