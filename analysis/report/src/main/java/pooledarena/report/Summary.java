/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.report;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.Tally;

import module java.base;

/**
 * Sums over the rows of a histogram. A row whose numbers were rounded up counts by the average of its arenas, which is exact; so
 * each of these is at most one power of two from where it belongs.
 */
record Summary(List<Row> rows) {

    /** The byte-exact histogram has a bar for each size below this, and one for all others. */
    static final int EXACT = 64;

    /** Arenas and the bytes that were asked of them; neither grows beyond {@link Long#MAX_VALUE}. */
    record Sum(long arenas, long bytes) {

        static final Sum NOTHING = new Sum(0, 0);

        Sum plus(Sum other) {
            return new Sum(Tally.add(arenas, other.arenas), Tally.add(bytes, other.bytes));
        }

        double average() {
            return arenas == 0 ? 0 : (double) bytes / arenas;
        }
    }

    /** Arenas of a call site: all, those without bytes, those closed in the method that opened them, the largest. */
    record SiteSum(Site site, Sum sum, long empty, long byOpener, long most) {

        SiteSum plus(SiteSum other) {
            return new SiteSum(site, sum.plus(other.sum), empty + other.empty, byOpener + other.byOpener,
                    Math.max(most, other.most));
        }

        String name() {
            return site.className() + "." + site.method() + (site.line() < 0 ? "" : ":" + site.line())
                    + (site.indirect() ? " (reflection)" : "");
        }
    }

    /** Arenas of one shape, with the bytes and the allocations of one. */
    record Row(Shape shape, Sum sum, long bytes, long allocations) {

        private static Row of(Shape shape, Tally tally) {
            return new Row(shape, new Sum(tally.arenas(), tally.bytes()),
                    shape.exact() ? shape.bytes() : tally.bytes() / tally.arenas(),
                    shape.exact() ? shape.allocations() : tally.allocations() / tally.arenas());
        }

        private SiteSum ofSite() {
            return new SiteSum(shape.site(), sum, bytes == 0 ? sum.arenas : 0,
                    shape.closing() == Closing.BY_OPENER ? sum.arenas : 0, shape.bytes());
        }

        /** {@return 0 for arenas without bytes, n for those of at least 2^(n-1) and less than 2^n bytes} */
        int power() {
            return Long.SIZE - Long.numberOfLeadingZeros(bytes);
        }

        /** {@return the bytes of one, or {@link #EXACT} if they are more} */
        int exact() {
            return (int) Math.min(bytes, EXACT);
        }
    }

    static Summary of(Histogram histogram) {
        return new Summary(histogram.rows().entrySet().stream().map(row -> Row.of(row.getKey(), row.getValue())).toList());
    }

    Sum sum(Predicate<Row> which) {
        return rows.stream().filter(which).map(Row::sum).reduce(Sum.NOTHING, Sum::plus);
    }

    /** {@return the sums by {@code key}, without those for which it is null} */
    <K> SortedMap<K, Sum> by(Function<Row, K> key) {
        SortedMap<K, Sum> sums = new TreeMap<>();
        rows.stream().filter(row -> key.apply(row) != null).forEach(row -> sums.merge(key.apply(row), row.sum, Sum::plus));
        return sums;
    }

    /** {@return the sums by call site, the one with the most arenas first} */
    List<SiteSum> sites() {
        Map<Site, SiteSum> sites = new HashMap<>();
        rows.stream().filter(row -> row.shape.site() != null)
                .forEach(row -> sites.merge(row.shape.site(), row.ofSite(), SiteSum::plus));
        return sites.values().stream().sorted(Comparator.<SiteSum>comparingLong(s -> s.sum.arenas).reversed()
                .thenComparing(SiteSum::name)).toList();
    }
}
