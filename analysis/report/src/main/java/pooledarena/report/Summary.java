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

import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The figures of a report: sums over the rows of a histogram. A row whose numbers were rounded up counts by the average of its
 * arenas, which is exact; so each of these is at most one power of two from where it belongs.
 */
final class Summary {

    /** The byte-exact histogram has a bar for each size below this, and one for all others. */
    static final int EXACT = 64;

    /** Arenas and the bytes that were asked of them; neither grows beyond {@link Long#MAX_VALUE}. */
    record Sum(long arenas, long bytes) {

        static final Sum NOTHING = new Sum(0, 0);

        Sum plus(Sum other) {
            return new Sum(Tally.add(arenas, other.arenas), Tally.add(bytes, other.bytes));
        }

        /** {@return the average of an arena; 0 if there is none} */
        double average() {
            return arenas == 0 ? 0 : (double) bytes / arenas;
        }
    }

    /** The arenas of a call site: all, those without bytes, those closed in the method that opened them, the bytes of the largest. */
    record SiteSum(Site site, Sum sum, long empty, long byOpener, long most) {

        SiteSum plus(SiteSum other) {
            return new SiteSum(site, sum.plus(other.sum), empty + other.empty, byOpener + other.byOpener, Math.max(most, other.most));
        }

        String name() {
            return site.className() + "." + site.method() + (site.line() < 0 ? "" : ":" + site.line())
                    + (site.indirect() ? " (reflection)" : "");
        }
    }

    /** The sizes that a report gives shares of. They overlap. */
    enum SizeClass {

        EMPTY("0 bytes", 0, 1), UP_TO_15("up to 15 bytes", 0, 16), UP_TO_31("up to 31 bytes", 0, 32), UP_TO_63("up to 63 bytes", 0, 64),
        BELOW_64_KIB("below 64 KiB", 0, 64 << 10), FROM_64_KIB("from 64 KiB", 64 << 10, Long.MAX_VALUE),
        FROM_512_KIB("from 512 KiB", 512 << 10, Long.MAX_VALUE);

        final String title;
        private final long from;
        private final long below;

        SizeClass(String title, long from, long below) {
            this.title = title;
            this.from = from;
            this.below = below;
        }
    }

    final int jvms;
    Sum all = Sum.NOTHING;

    /** Of all arenas. */
    long allocated;

    /** Those whose call site is known. */
    Sum located = Sum.NOTHING;

    /** By size class. */
    final Map<SizeClass, Sum> classes = new EnumMap<>(SizeClass.class);

    /** By size in powers of two: at 0 those without bytes, at n those of at least 2^(n-1) and less than 2^n bytes. */
    final Sum[] powers = new Sum[Long.SIZE];

    /** By size in bytes; at {@link #EXACT} all larger ones. */
    final Sum[] exact = new Sum[EXACT + 1];

    /** By kind of thread; the first are platform threads. */
    final Sum[] threads = new Sum[2];

    /** By how they ended. */
    final Map<Closing, Sum> closings = new EnumMap<>(Closing.class);

    /** By lifetime, an index into {@link Histogram#LIFETIMES}. */
    final Sum[] lifetimes = new Sum[Histogram.LIFETIMES.size()];

    /** Those with bytes, by how many other arenas of their thread had memory before them. */
    final TreeMap<Long, Sum> openBefore = new TreeMap<>();

    /** By their number of allocations. */
    final TreeMap<Long, Sum> allocations = new TreeMap<>();

    /** By call site, the one with the most arenas first. */
    final List<SiteSum> sites;

    Summary(Histogram histogram) {
        jvms = histogram.jvms().size();
        for (SizeClass size : SizeClass.values()) {
            classes.put(size, Sum.NOTHING);
        }
        for (Closing closing : Closing.values()) {
            closings.put(closing, Sum.NOTHING);
        }
        for (Sum[] sums : List.of(powers, exact, threads, lifetimes)) {
            Arrays.fill(sums, Sum.NOTHING);
        }
        Map<Site, SiteSum> bySite = new HashMap<>();
        histogram.rows().forEach((shape, tally) -> add(shape, tally, bySite));
        sites = bySite.values().stream().sorted(Comparator.<SiteSum>comparingLong(s -> s.sum.arenas).reversed()
                .thenComparing(SiteSum::name)).toList();
    }

    private void add(Shape shape, Tally tally, Map<Site, SiteSum> bySite) {
        Sum sum = new Sum(tally.arenas(), tally.bytes());
        long bytes = shape.exact() ? shape.bytes() : tally.bytes() / tally.arenas();
        all = all.plus(sum);
        allocated = Tally.add(allocated, tally.allocations());
        for (SizeClass size : SizeClass.values()) {
            if (bytes >= size.from && bytes < size.below) {
                classes.merge(size, sum, Sum::plus);
            }
        }
        add(powers, Long.SIZE - Long.numberOfLeadingZeros(bytes), sum);
        add(exact, (int) Math.min(bytes, EXACT), sum);
        add(threads, shape.virtual() ? 1 : 0, sum);
        add(lifetimes, shape.lifetime(), sum);
        closings.merge(shape.closing(), sum, Sum::plus);
        if (bytes > 0) {
            openBefore.merge((long) shape.openBefore(), sum, Sum::plus);
        }
        allocations.merge(shape.exact() ? shape.allocations() : tally.allocations() / tally.arenas(), sum, Sum::plus);
        if (shape.site() != null) {
            located = located.plus(sum);
            bySite.merge(shape.site(), new SiteSum(shape.site(), sum, bytes == 0 ? tally.arenas() : 0,
                    shape.closing() == Closing.BY_OPENER ? tally.arenas() : 0, shape.bytes()), SiteSum::plus);
        }
    }

    private static void add(Sum[] sums, int index, Sum sum) {
        sums[index] = sums[index].plus(sum);
    }

    /** {@return the index in {@link #powers} of the largest arenas} */
    int largestPower() {
        int largest = powers.length - 1;
        while (largest > 0 && powers[largest].arenas() == 0) {
            largest--;
        }
        return largest;
    }
}
