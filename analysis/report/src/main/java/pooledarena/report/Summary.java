/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */
package pooledarena.report;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.Tally;

import java.util.ArrayList;
import java.util.Arrays;
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

    final int jvms;
    Sum all = Sum.NOTHING;

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
        List<SiteSum> sorted = new ArrayList<>(bySite.values());
        sorted.sort(SiteSum.MOST_ARENAS_FIRST);
        sites = List.copyOf(sorted);
    }

    private void add(Shape shape, Tally tally, Map<Site, SiteSum> bySite) {
        Sum sum = new Sum(tally.arenas(), tally.bytes());
        long bytes = shape.exact() ? shape.bytes() : tally.bytes() / tally.arenas();
        long allocated = shape.exact() ? shape.allocations() : tally.allocations() / tally.arenas();
        all = all.plus(sum);
        for (SizeClass size : SizeClass.values()) {
            if (size.contains(bytes)) {
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
        allocations.merge(allocated, sum, Sum::plus);
        long empty = bytes == 0 ? tally.arenas() : 0;
        long byOpener = shape.closing() == Closing.BY_OPENER ? tally.arenas() : 0;
        bySite.merge(shape.site(), new SiteSum(shape.site(), sum, empty, byOpener, shape.bytes()), SiteSum::plus);
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
