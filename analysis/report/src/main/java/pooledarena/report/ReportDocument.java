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
import pooledarena.text.Chart.Axis;
import pooledarena.text.Chart;
import pooledarena.text.Document;
import pooledarena.text.Figures;
import pooledarena.text.Table;

import module java.base;

/** The report on recordings: its tables and charts. */
final class ReportDocument {

    static final String SIZES = "sizes.png";
    static final String SITES = "sites.png";

    private static final int FEW = 4;

    private ReportDocument() {}

    /** @param top how many call sites are shown */
    static Document of(Recordings recordings, int top) {
        Histogram histogram = recordings.histogram();
        List<String> origin = Origin.lines(histogram);
        Document document = new Document("Recorded confined arenas").list(origin);
        recordings.faults().forEach(fault -> document.warning("Left out: " + fault));
        Origin.warnings(histogram).forEach(document::warning);
        Summary summary = Summary.of(histogram);
        Tally all = summary.all();
        if (all.arenas() == 0) {
            return document;
        }
        document.paragraph(Figures.count(all.arenas(), "arena") + " with "
                + Figures.count(all.allocations(), "allocation") + " of " + Figures.count(all.bytes(), "byte") + ": "
                + Figures.significant(Summary.average(all)) + " bytes of an arena on average, "
                + Figures.significant(Summary.average(summary.sum(row -> row.bytes() > 0))) + " of one that has any.");
        sizes(document, summary, origin);
        document.heading("Call sites that open the most arenas");
        Tally located = summary.sum(row -> row.shape().site() != null);
        if (located.arenas() < all.arenas()) {
            document.paragraph("The call site is known of " + Figures.count(located.arenas(), "arena") + ", "
                    + Figures.percent(located.arenas(), all.arenas()) + " of all. These are the shares of those.");
        }
        if (located.arenas() > 0) {
            sites(document, summary.sites(), located, top, origin);
        }
        return document.heading("How they are used").table(use(summary));
    }

    private static Table table(String first, String... more) {
        Stream<String> shares = Stream.of(first, "arenas", "of all", "bytes", "of all");
        return new Table(Stream.concat(shares, Stream.of(more)).toList());
    }

    private static void add(Table table, String name, Tally part, Tally whole, String... more) {
        Stream<String> shares = Stream.of(name, Figures.count(part.arenas()),
                Figures.percent(part.arenas(), whole.arenas()), Figures.count(part.bytes()),
                Figures.percent(part.bytes(), whole.bytes()));
        table.add(Stream.concat(shares, Stream.of(more)).toList());
    }

    private static void sizes(Document document, Summary summary, List<String> origin) {
        Tally all = summary.all();
        SortedMap<Integer, Tally> powers = summary.by(Row::power);
        Table table = table("bytes of an arena", "arenas up to this");
        powers.forEach((power, sum) -> add(table, power(power), sum, all,
                Figures.percent(summary.sum(row -> row.power() <= power).arenas(), all.arenas())));
        IntStream.range(0, powers.lastKey()).forEach(power -> powers.putIfAbsent(power, Summary.NOTHING));
        Map<String, List<Double>> bars = new LinkedHashMap<>();
        bars.put("arenas", percents(powers.values(), all, Tally::arenas));
        bars.put("bytes", percents(powers.values(), all, Tally::bytes));
        List<String> names = powers.keySet().stream().map(ReportDocument::power).toList();
        document.heading("Sizes").table(table).picture(SIZES, Chart.bars("Confined arenas and their bytes by size",
                names, new Axis("% of all", false), bars), origin);
    }

    private static String power(int power) {
        long from = 1L << power - 1;
        return power < 2 ? Integer.toString(power)
                : power <= 10 ? from + " to " + (2 * from - 1) : "from " + Figures.bytes(from);
    }

    private static List<Double> percents(Collection<Tally> parts, Tally whole, ToLongFunction<Tally> amount) {
        return parts.stream().mapToLong(amount)
                .mapToObj(part -> part == 0 ? null : 100.0 * part / amount.applyAsLong(whole)).toList();
    }

    /** @param located all arenas whose call site is known; where that is one in a hundred, shares are of that sample */
    private static void sites(Document document, List<Map.Entry<String, Summary>> sites, Tally located, int top,
            List<String> origin) {
        if (sites.size() > top) {
            document.paragraph("The first " + top + " of " + Figures.count(sites.size()) + ".");
        }
        Table table = table("call site", "average", "largest", "empty", "closed by opener");
        List<String> names = new ArrayList<>();
        List<Tally> sums = new ArrayList<>();
        sites.stream().limit(top).forEach(site -> {
            Summary rows = site.getValue();
            Tally sum = rows.all();
            long largest = rows.rows().stream().mapToLong(row -> row.shape().bytes()).max().orElseThrow();
            long empty = rows.sum(row -> row.bytes() == 0).arenas();
            long byOpener = rows.sum(row -> row.shape().closing() == Closing.BY_OPENER).arenas();
            add(table, "`" + site.getKey() + "`", sum, located, Figures.significant(Summary.average(sum)),
                    Figures.count(largest), Figures.percent(empty, sum.arenas()),
                    Figures.percent(byOpener, sum.arenas()));
            names.add(site.getKey().replaceFirst("^.+(?=.{89}$)", "…")); // the end tells the method
            sums.add(sum);
        });
        document.table(table).picture(SITES, Chart.bars("Call sites that open the most confined arenas", names,
                new Axis("% of the arenas whose call site is known", false),
                Map.of("arenas", percents(sums, located, Tally::arenas))), origin);
    }

    private static Table use(Summary summary) {
        Table table = table("");
        use(table, summary, row -> row.shape().virtual(),
                virtual -> "opened by " + (virtual ? "virtual" : "platform") + " threads");
        use(table, summary, row -> row.shape().closing(), closing -> switch (closing) {
            case BY_OPENER -> "closed by the method that opened them";
            case ELSEWHERE -> "closed by another method";
            case NOT_TOLD -> "closed, not told by what";
            case UNCLOSED -> "not closed";
        });
        use(table, summary, row -> Math.min(row.allocations(), FEW), n -> n == 0 ? "without allocation"
                : "with " + (n < FEW ? Figures.count(n, "allocation") : n + " or more allocations"));
        use(table, summary, row -> row.bytes() == 0 ? null : Math.min(row.shape().openBefore(), FEW), n ->
                "with bytes, while " + (n == 0 ? "no other" : n < FEW ? Figures.count(n, "other")
                        : n + " or more others") + " of the thread had some");
        return table;
    }

    private static <K> void use(Table table, Summary summary, Function<Row, K> key, Function<K, String> name) {
        summary.by(key).forEach((value, sum) -> add(table, name.apply(value), sum, summary.all()));
    }
}
