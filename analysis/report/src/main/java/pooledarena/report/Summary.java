/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.report;

import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.Tally;

import module java.base;

/** Sums over rows of a histogram. */
record Summary(List<Row> rows) {

    static final Tally NOTHING = new Tally(0, 0, 0, null);

    /**
     * Arenas of one shape. Each counts as their average, which is exact; so one whose numbers were rounded up to powers
     * of two is at most one power from where it belongs.
     */
    record Row(Shape shape, Tally tally) {

        long bytes() {
            return tally.bytes() / tally.arenas();
        }

        long allocations() {
            return tally.allocations() / tally.arenas();
        }

        /** {@return 0 for arenas without bytes, n for those of at least 2^(n-1) and less than 2^n bytes} */
        int power() {
            return Long.SIZE - Long.numberOfLeadingZeros(bytes());
        }

        private String site() {
            Site site = shape.site();
            return site.className() + "." + site.method() + (site.line() < 0 ? "" : ":" + site.line())
                    + (site.indirect() ? " (reflection)" : "");
        }
    }

    static Summary of(Histogram histogram) {
        return new Summary(histogram.rows().entrySet().stream()
                .map(row -> new Row(row.getKey(), row.getValue())).toList());
    }

    Tally sum(Predicate<Row> which) {
        return rows.stream().filter(which).map(Row::tally).reduce(NOTHING, Tally::plus);
    }

    Tally all() {
        return sum(_ -> true);
    }

    /** {@return the average bytes of an arena} */
    static double average(Tally tally) {
        return tally.arenas() == 0 ? 0 : (double) tally.bytes() / tally.arenas();
    }

    /** {@return the sums by {@code key}, without those for which it is null} */
    <K> SortedMap<K, Tally> by(Function<Row, K> key) {
        return rows.stream().filter(row -> key.apply(row) != null)
                .collect(Collectors.toMap(key, Row::tally, Tally::plus, TreeMap::new));
    }

    /** {@return what is known of each call site by its name, the one with the most arenas first} */
    List<Map.Entry<String, Summary>> sites() {
        Map<String, List<Row>> sites = rows.stream().filter(row -> row.shape.site() != null)
                .collect(Collectors.groupingBy(Row::site, TreeMap::new, Collectors.toList()));
        return sites.entrySet().stream().map(site -> Map.entry(site.getKey(), new Summary(site.getValue())))
                .sorted(Comparator.comparing(site -> -site.getValue().all().arenas())).toList();
    }
}
