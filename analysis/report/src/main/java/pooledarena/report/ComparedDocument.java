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

/** Two recordings side by side. */
record ComparedDocument(ReportDocument before, ReportDocument after) {

    static Document of(Recordings before, Recordings after, int top) {
        Document document = new Document("Recorded confined arenas, before and after");
        origin(document, "before", before);
        origin(document, "after", after);
        return new ComparedDocument(new ReportDocument(before.histogram()), new ReportDocument(after.histogram()))
                .addTo(document, top);
    }

    private Document addTo(Document document, int top) {
        // Rows of equal shape stay two, as a row counts by its average.
        Map<Shape, Tally> rows = new IdentityHashMap<>(before.histogram().rows());
        rows.putAll(after.histogram().rows());
        ReportDocument both = new ReportDocument(new Histogram(List.of(), rows, Dropped.NOTHING));
        document.table(totals());
        if (both.all().arenas() == 0) {
            return document;
        }
        List<String> sizes = List.copyOf(both.sizes().keySet());
        Map<String, List<Double>> bars = new LinkedHashMap<>();
        bars.put("before", shares(before, sizes));
        bars.put("after", shares(after, sizes));
        document.heading("Sizes").table(table("bytes of an arena", sizes, ReportDocument::sizes))
                .picture(ReportDocument.SIZES, Chart.bars("Confined arenas by size", sizes, new Axis("% of arenas", false), bars),
                        List.of());
        Map<String, Tally> sitesBefore = sites(before);
        Map<String, Tally> sitesAfter = sites(after);
        List<String> sites = both.sites().keySet().stream().sorted(Comparator.comparingLong(site ->
                -Math.abs(of(sitesAfter, site).arenas() - of(sitesBefore, site).arenas()))).toList();
        document.heading("Call sites of which the number of arenas changed most");
        if (before.located().arenas() < before.all().arenas() || after.located().arenas() < after.all().arenas()) {
            document.paragraph("The call site is known of " + Figures.percent(before.located().arenas(), before.all().arenas())
                    + " of the arenas before and " + Figures.percent(after.located().arenas(), after.all().arenas())
                    + " after. The others are taken to be from the same call sites.");
        }
        if (sites.size() > top) {
            document.paragraph("The first " + top + " of " + Figures.count(sites.size()) + ".");
        }
        document.table(table("call site", sites.subList(0, Math.min(top, sites.size())), ComparedDocument::sites));
        return document.heading("How they are used").table(table("", both.uses().keySet(), ReportDocument::uses));
    }

    /** {@return the call sites with as many arenas as if each were told, since two recordings may tell of samples that differ} */
    private static Map<String, Tally> sites(ReportDocument report) {
        double scale = (double) report.all().arenas() / Math.max(1, report.located().arenas());
        Map<String, Tally> sites = report.sites();
        sites.replaceAll((_, told) -> new Tally(Math.round(told.arenas() * scale), Math.round(told.bytes() * scale),
                Math.round(told.allocations() * scale)));
        return sites;
    }

    private static void origin(Document document, String when, Recordings recordings) {
        document.list(Origin.lines(recordings.histogram()).stream().map(line -> when + ": " + Document.escape(line)).toList());
        recordings.faults().forEach(fault -> document.warning("Left out " + when + ": " + fault));
        Origin.warnings(recordings.histogram()).forEach(warning -> document.warning(when + ": " + warning));
    }

    private Table totals() {
        Table table = new Table("", "before", "after", "change");
        DoubleFunction<String> count = n -> Figures.count((long) n);
        total(table, "JVMs", count, report -> report.histogram().jvms().size());
        if (Stream.of(before, after).flatMap(report -> report.histogram().jvms().stream()).noneMatch(RecordedJvm::attached)) {
            total(table, "time that they ran", Figures::time, report -> {
                Duration time = Origin.time(report.histogram().jvms());
                return time.toSeconds() * 1e9 + time.getNano();
            });
        }
        total(table, "arenas", count, report -> report.all().arenas());
        total(table, "allocations", count, report -> report.all().allocations());
        total(table, "bytes", count, report -> report.all().bytes());
        total(table, "bytes of an arena", Figures::significant, report -> ReportDocument.average(report.all()));
        total(table, "arenas of other kinds", count, report -> report.histogram().allOthers());
        return table;
    }

    private void total(Table table, String name, DoubleFunction<String> figure, ToDoubleFunction<ReportDocument> value) {
        double one = value.applyAsDouble(before);
        double other = value.applyAsDouble(after);
        table.add(name, figure.apply(one), figure.apply(other), change(one, other));
    }

    private Table table(String first, Collection<String> names, Function<ReportDocument, Map<String, Tally>> parts) {
        Table table = new Table(first, "arenas before", "of all", "arenas after", "of all", "change", "bytes before",
                "bytes after", "change");
        Map<String, Tally> partsBefore = parts.apply(before);
        Map<String, Tally> partsAfter = parts.apply(after);
        for (String name : names) {
            Tally one = of(partsBefore, name);
            Tally other = of(partsAfter, name);
            table.add(first.equals("call site") ? "`" + name + "`" : name,
                    Figures.count(one.arenas()), Figures.percent(one.arenas(), before.all().arenas()),
                    Figures.count(other.arenas()), Figures.percent(other.arenas(), after.all().arenas()),
                    change(one.arenas(), other.arenas()), Figures.count(one.bytes()), Figures.count(other.bytes()),
                    change(one.bytes(), other.bytes()));
        }
        return table;
    }

    private static List<Double> shares(ReportDocument report, List<String> sizes) {
        Map<String, Tally> parts = report.sizes();
        return sizes.stream().map(size -> 100.0 * of(parts, size).arenas() / Math.max(1, report.all().arenas())).toList();
    }

    private static Tally of(Map<String, Tally> parts, String name) {
        return parts.getOrDefault(name, Tally.NOTHING);
    }

    static String change(double before, double after) {
        double percent = 100 * (after - before) / before;
        return before == after ? "0 %" : before == 0 ? "new" : after == 0 ? "gone" : (after > before ? "+" : "")
                + (Math.abs(percent) < 1 ? Figures.percent(after - before, before) : Figures.significant(percent) + " %");
    }
}
