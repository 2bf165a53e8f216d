/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.report;

import pooledarena.histogram.*;
import pooledarena.recordings.Origin;
import pooledarena.recordings.Recordings;
import pooledarena.text.Chart.Axis;
import pooledarena.text.*;

import module java.base;

/**
 * The report on recordings: its tables and charts. An arena counts as the average of its row, which is exact; so one whose
 * numbers were rounded up to powers of two is at most one power from where it belongs.
 */
record ReportDocument(Histogram histogram, Tally all) {

    static final String SIZES = "sizes.png";
    static final String SITES = "sites.png";

    private static final String CALLED_BY = " < ";

    private static final int FEW = 4;

    ReportDocument(Histogram histogram) {
        this(histogram, histogram.sum((_, _) -> true));
    }

    static Document of(Recordings recordings, int top) {
        ReportDocument report = new ReportDocument(recordings.histogram());
        Document document = new Document("Recorded confined arenas")
                .list(Origin.lines(report.histogram).stream().map(Document::escape).toList());
        recordings.faults().forEach(fault -> document.warning("Left out: " + fault));
        Origin.warnings(report.histogram).forEach(document::warning);
        if (report.all.arenas() > 0) {
            report.sizes(document);
            report.sites(document, top);
            Table uses = new Table("", "arenas", "of all", "bytes", "of all");
            report.uses().forEach((name, sum) -> add(uses, name, sum, report.all));
            document.heading("How they are used").table(uses);
        }
        report.others(document, top);
        return document;
    }

    /** {@return the sums of rows by {@code key}, without those for which it is null} */
    <K> SortedMap<K, Tally> by(BiFunction<Shape, Tally, K> key) {
        SortedMap<K, Tally> sums = new TreeMap<>();
        histogram.rows().forEach((shape, tally) -> Optional.ofNullable(key.apply(shape, tally))
                .ifPresent(value -> sums.merge(value, tally, Tally::plus)));
        return sums;
    }

    /** {@return the same in the order of the keys, by their names} */
    private <K> Map<String, Tally> by(BiFunction<Shape, Tally, K> key, Function<K, String> name) {
        Map<String, Tally> named = new LinkedHashMap<>();
        by(key).forEach((value, sum) -> named.put(name.apply(value), sum));
        return named;
    }

    private static void add(Table table, String name, Tally part, Tally whole, String... more) {
        Stream<String> shares = Stream.of(name, Figures.count(part.arenas()), Figures.percent(part.arenas(), whole.arenas()),
                Figures.count(part.bytes()), Figures.percent(part.bytes(), whole.bytes()));
        table.add(Stream.concat(shares, Stream.of(more)).toArray());
    }

    private void picture(Document document, String file, String title, Map<String, Tally> parts, Tally whole, String name) {
        double bytes = Math.max(1, whole.bytes());
        Map<String, List<Double>> bars = new LinkedHashMap<>();
        bars.put("arenas", parts.values().stream().map(part -> 100.0 * part.arenas() / whole.arenas()).toList());
        bars.put("bytes", parts.values().stream().map(part -> 100 * part.bytes() / bytes).toList());
        document.picture(file, Chart.bars(title, List.copyOf(parts.keySet()), new Axis("% of " + name, false), bars),
                Origin.lines(histogram));
    }

    static double average(Tally tally) {
        return (double) tally.bytes() / Math.max(1, tally.arenas());
    }

    private void sizes(Document document) {
        document.paragraph(Figures.count(all.arenas(), "arena") + " with " + Figures.count(all.allocations(), "allocation")
                + " of " + Figures.count(all.bytes(), "byte") + ": " + Figures.significant(average(all))
                + " bytes of an arena on average, "
                + Figures.significant(average(histogram.sum((_, tally) -> tally.bytes() > 0))) + " of one that has any.");
        Table table = new Table("bytes of an arena", "arenas", "of all", "bytes", "of all", "arenas up to this");
        Map<String, Tally> parts = sizes();
        Tally upTo = Tally.NOTHING;
        for (Map.Entry<String, Tally> part : parts.entrySet()) {
            upTo = upTo.plus(part.getValue());
            add(table, part.getKey(), part.getValue(), all, Figures.percent(upTo.arenas(), all.arenas()));
        }
        picture(document.heading("Sizes").table(table), SIZES, "Confined arenas and their bytes by size", parts, all, "all");
    }

    /** {@return the arenas of each size, the smallest first} */
    Map<String, Tally> sizes() {
        return by((_, tally) -> power(tally), ReportDocument::name);
    }

    /** {@return 0 for arenas without bytes, n for those of at least 2^(n-1) and less than 2^n bytes} */
    static int power(Tally tally) {
        return Long.SIZE - Long.numberOfLeadingZeros(tally.bytes() / tally.arenas());
    }

    private static String name(int power) {
        long from = 1L << power - 1;
        return power < 2 ? Integer.toString(power)
                : power <= 10 ? from + " to " + (2 * from - 1) : "from " + Figures.bytes(from);
    }

    private void sites(Document document, int top) {
        document.heading("Call sites that open the most arenas");
        Tally located = located();
        if (located.arenas() < all.arenas()) {
            document.paragraph("The call site is known of " + Figures.count(located.arenas(), "arena") + ", "
                    + Figures.percent(located.arenas(), all.arenas()) + " of all. These are the shares of those.");
        }
        Map<String, Tally> sites = sites();
        if (sites.isEmpty()) {
            return;
        }
        if (sites.size() > top) {
            document.paragraph("The first " + top + " of " + Figures.count(sites.size()) + ".");
        }
        Map<String, Tally> empty = by((shape, tally) -> tally.bytes() == 0 ? name(shape.site()) : null);
        Map<String, Tally> byOpener = by((shape, _) -> shape.closing() == Closing.BY_OPENER ? name(shape.site()) : null);
        Map<String, Long> largest = new HashMap<>();
        histogram.rows().forEach((shape, tally) -> { // a shape may be rounded up, a sum is not
            if (shape.site() != null) {
                largest.merge(name(shape.site()), Math.min(shape.bytes(), tally.bytes()), Math::max);
            }
        });
        Table table = new Table("call site", "arenas", "of all", "bytes", "of all", "average", "largest", "empty",
                "closed by opener");
        Map<String, Tally> parts = new LinkedHashMap<>();
        sites.keySet().stream().sorted(Comparator.comparing(site -> -sites.get(site).arenas())).limit(top).forEach(site -> {
            Tally sum = sites.get(site);
            add(table, "`" + site + "`", sum, located, Figures.significant(average(sum)), Figures.count(largest.get(site)),
                    Figures.percent(empty.getOrDefault(site, Tally.NOTHING).arenas(), sum.arenas()),
                    Figures.percent(byOpener.getOrDefault(site, Tally.NOTHING).arenas(), sum.arenas()));
            // The end tells the method; of several frames, the first ones matter. Names that then are alike have the line's number.
            String cut = site.replaceFirst(site.contains(CALLED_BY) ? "(?<=^.{89}).+" : "^.+(?=.{89}$)", "…");
            parts.put(parts.containsKey(cut) ? cut + " (line " + (parts.size() + 1) + ")" : cut, sum);
        });
        picture(document.table(table), SITES, "Call sites that open the most confined arenas, and their bytes", parts, located,
                "the arenas whose call site is known");
    }

    /** {@return the arenas whose call site is known} */
    Tally located() {
        return histogram.sum((shape, _) -> shape.site() != null);
    }

    Map<String, Tally> sites() {
        return by((shape, _) -> name(shape.site()));
    }

    /** {@return the call site with its callers, or null if it is not known} */
    static String name(Site site) {
        return site == null ? null : frames(site).collect(Collectors.joining(CALLED_BY));
    }

    /** {@return the arenas whose call site is known by stack, a line for each, as tools read it that draw flame graphs} */
    String collapsed() {
        return by((shape, _) -> shape.site() == null ? null : String.join(";", frames(shape.site()).toList().reversed()))
                .entrySet().stream().map(stack -> Document.printable(stack.getKey()) + " " + stack.getValue().arenas() + "\n")
                .collect(Collectors.joining());
    }

    private static Stream<String> frames(Site site) {
        return Stream.concat(Stream.of(site.frame() + (site.indirect() ? " (reflection)" : "")), site.callers().stream());
    }

    private void others(Document document, int top) {
        if (histogram.others().isEmpty()) {
            return;
        }
        document.heading("Arenas of other kinds").paragraph("These are never pooled. Of the global arena, it is how often it was "
                + "asked for." + (histogram.others().size() > top ? " The first " + top + " of "
                        + Figures.count(histogram.others().size()) + "." : ""));
        Table table = new Table("call site", "kind", "arenas");
        histogram.others().entrySet().stream().sorted(Map.Entry.<OtherArenas, Long>comparingByValue().reversed()
                .thenComparing(each -> each.getKey().kind() + name(each.getKey().site()))).limit(top).forEach(each -> table.add(
                        each.getKey().site() == null ? "not known" : "`" + name(each.getKey().site()) + "`",
                        each.getKey().kind().name().toLowerCase(Locale.ROOT), Figures.count(each.getValue())));
        document.table(table);
    }

    Map<String, Tally> uses() {
        Map<String, Tally> uses =
                by((shape, _) -> shape.virtual(), virtual -> "opened by " + (virtual ? "virtual" : "platform") + " threads");
        uses.putAll(by((shape, _) -> shape.closing(), closing -> switch (closing) {
            case BY_OPENER -> "closed by the method that opened them";
            case ELSEWHERE -> "closed by another method";
            case NOT_TOLD -> "closed, not told by what";
            case UNCLOSED -> "not closed";
        }));
        uses.putAll(by((_, tally) -> Math.min(tally.allocations() / tally.arenas(), FEW), n -> n == 0 ? "without allocation"
                : "with " + (n < FEW ? Figures.count(n, "allocation") : n + " or more allocations")));
        uses.putAll(by((shape, tally) -> tally.bytes() == 0 ? null : Math.min(shape.openBefore(), FEW), n ->
                "with bytes, while " + (n == 0 ? "no other" : n < FEW ? Figures.count(n, "other") : n + " or more others")
                        + " of the thread had some"));
        return uses;
    }
}
