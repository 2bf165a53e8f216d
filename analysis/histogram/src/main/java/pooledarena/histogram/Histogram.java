/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import module java.base;

/**
 * All confined arenas of some Java virtual machines, counted by {@link Shape}. Histograms can be merged in any order and
 * grouping with the same result: rows of equal shape are added, and the virtual machines are sorted.
 *
 * @param lifetimes how many arenas were open for a time, by its index in {@link #LIFETIMES}: an estimate, as the recorder takes
 *                  the time of a sample, where each arena stands for as many as it was one of
 */
public record Histogram(List<RecordedJvm> jvms, Map<Shape, Tally> rows, List<Long> lifetimes, Dropped dropped) {

    public static final String FORMAT = "pooled-confined-arena histogram";

    public static final int VERSION = 5;

    /** The names of lifetimes: each is the time that arenas were open less than, and not less than the one before. */
    public static final List<String> LIFETIMES =
            List.of("1 us", "10 us", "100 us", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "longer");

    /** What no arena had. */
    public static final List<Long> NO_LIFETIMES = Collections.nCopies(LIFETIMES.size(), 0L);

    public Histogram {
        List<RecordedJvm> sorted = new ArrayList<>(jvms);
        sorted.sort(null);
        jvms = List.copyOf(sorted);
        rows = Collections.unmodifiableMap(rows);
        lifetimes = List.copyOf(lifetimes);
    }

    /** {@return the index in {@link #LIFETIMES} of a time} */
    public static int lifetime(long nanoseconds) {
        int index = 0;
        for (long limit = 1_000; index < LIFETIMES.size() - 1 && nanoseconds >= limit; limit *= 10) {
            index++;
        }
        return index;
    }

    /** {@return all together} No virtual machine may be in two of them, as its arenas would count twice. */
    public static Histogram merged(List<Histogram> histograms) {
        List<RecordedJvm> jvms = new ArrayList<>();
        Map<Shape, Tally> rows = new HashMap<>();
        List<Long> lifetimes = new ArrayList<>(NO_LIFETIMES);
        Dropped dropped = Dropped.NOTHING;
        for (Histogram histogram : histograms) {
            jvms.addAll(histogram.jvms);
            histogram.rows.forEach((shape, tally) -> rows.merge(shape, tally, Tally::plus));
            for (int i = 0; i < LIFETIMES.size(); i++) {
                lifetimes.set(i, Tally.add(lifetimes.get(i), histogram.lifetimes.get(i)));
            }
            dropped = dropped.plus(histogram.dropped);
        }
        return new Histogram(jvms, rows, lifetimes, dropped);
    }
}
