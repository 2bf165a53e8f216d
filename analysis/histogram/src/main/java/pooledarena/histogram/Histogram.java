/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All confined arenas of some Java virtual machines, counted by {@link Shape}. Histograms can be merged in any order and
 * grouping with the same result: rows of equal shape are added, and the virtual machines are sorted.
 *
 * @param jvms    the virtual machines
 * @param rows    their arenas
 * @param dropped what is missing
 */
public record Histogram(List<Jvm> jvms, Map<Shape, Tally> rows, Dropped dropped) {

    /** What a file says it is. */
    public static final String FORMAT = "pooled-confined-arena histogram";

    /** The version of the format that is written and read. */
    public static final int VERSION = 3;

    /** The names of lifetimes: each but the last is the time that arenas were open less than, and not less than the one before. */
    public static final List<String> LIFETIMES =
            List.of("1 us", "10 us", "100 us", "1 ms", "10 ms", "100 ms", "1 s", "10 s", "longer");

    /** The histogram of no virtual machine, which changes nothing it is merged with. */
    public static final Histogram EMPTY = new Histogram(List.of(), Map.of(), Dropped.NOTHING);

    // No lambda, as in all that the recorder takes along: each would have to be linked when a JVM starts.
    private static final Comparator<Jvm> BY_ID = new Comparator<>() {
        @Override
        public int compare(Jvm a, Jvm b) {
            return a.id().compareTo(b.id());
        }
    };

    public Histogram {
        List<Jvm> sorted = new ArrayList<>(jvms);
        sorted.sort(BY_ID);
        jvms = List.copyOf(sorted);
        rows = Map.copyOf(rows);
    }

    /** {@return the index in {@link #LIFETIMES} of a time} */
    public static int lifetime(long nanoseconds) {
        int index = 0;
        for (long limit = 1_000; index < LIFETIMES.size() - 1 && nanoseconds >= limit; limit *= 10) {
            index++;
        }
        return index;
    }

    /**
     * {@return both together}
     *
     * @throws IllegalArgumentException if a virtual machine is in both, as its arenas would count twice
     */
    public Histogram merge(Histogram other) {
        Set<String> ids = new HashSet<>();
        jvms.forEach(jvm -> ids.add(jvm.id()));
        for (Jvm jvm : other.jvms) {
            if (ids.contains(jvm.id())) {
                throw new IllegalArgumentException("both have the virtual machine " + jvm.id());
            }
        }
        List<Jvm> allJvms = new ArrayList<>(jvms);
        allJvms.addAll(other.jvms);
        Map<Shape, Tally> allRows = new HashMap<>(rows);
        other.rows.forEach((shape, tally) -> allRows.merge(shape, tally, Tally::plus));
        return new Histogram(allJvms, allRows, dropped.plus(other.dropped));
    }
}
