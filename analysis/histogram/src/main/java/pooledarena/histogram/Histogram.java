/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import module java.base;

/**
 * All confined arenas of some Java virtual machines, counted by {@link Shape}. Histograms can be merged in any order and
 * grouping with the same result: rows of equal shape are added, and the virtual machines are sorted.
 */
public record Histogram(List<RecordedJvm> jvms, Map<Shape, Tally> rows, Dropped dropped, Map<OtherArenas, Long> others) {

    public static final String FORMAT = "pooled-confined-arena histogram";

    public static final int VERSION = 9;

    /** Without arenas of other kinds. */
    public Histogram(List<RecordedJvm> jvms, Map<Shape, Tally> rows, Dropped dropped) {
        this(jvms, rows, dropped, Map.of());
    }

    public Histogram {
        jvms = jvms.stream().sorted(Comparator.comparing(RecordedJvm::id)).toList();
        rows = Collections.unmodifiableMap(rows);
        others = Collections.unmodifiableMap(others);
    }

    /**
     * {@return all together} Each is asked for when the one before is merged, so memory follows the rows that differ. No virtual
     * machine may be in two of them, as its arenas would count twice.
     */
    public static Histogram merged(Iterable<Histogram> histograms) {
        List<RecordedJvm> jvms = new ArrayList<>();
        Map<Shape, Tally> rows = new HashMap<>();
        Map<OtherArenas, Long> others = new HashMap<>();
        Dropped dropped = Dropped.NOTHING;
        for (Histogram histogram : histograms) {
            jvms.addAll(histogram.jvms);
            histogram.rows.forEach((shape, tally) -> rows.merge(shape, tally, Tally::plus));
            histogram.others.forEach((arenas, count) -> others.merge(arenas, count, Tally::add));
            dropped = dropped.plus(histogram.dropped);
        }
        return new Histogram(jvms, rows, dropped, others);
    }

    /** {@return how many arenas of other kinds there are} */
    public long allOthers() {
        return others.values().stream().reduce(0L, Tally::add);
    }

    public Tally sum(BiPredicate<Shape, Tally> which) {
        return rows.entrySet().stream().filter(row -> which.test(row.getKey(), row.getValue())).map(Map.Entry::getValue)
                .reduce(Tally.NOTHING, Tally::plus);
    }
}
