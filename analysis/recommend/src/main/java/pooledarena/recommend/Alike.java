/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.histogram.*;
import pooledarena.model.Costs;
import pooledarena.model.PoolModel;
import pooledarena.model.PoolModel.Arena;

import module java.base;

/**
 * Arenas of rows of a recording that are much alike, as far as these tell what they allocate: the first one, the largest one, and
 * the others as large as each other, before and after the largest one, which has the alignment.
 *
 * @param shape  of some of them
 * @param others how many allocations are neither the first nor the largest, each of {@code other} bytes
 * @param scale  how many times as many allocations, and so mallocs, there are: not all of millions are looked at
 */
record Alike(Shape shape, long count, long first, long largest, long others, long other, double scale) {

    private static final long MOST = 1 << 16;
    private static final long MOST_LARGE = 1 << 10;
    private static final long MOST_BYTES = 16 << 20;

    /** {@return the arenas of a histogram that have memory} Sizes of a class, an eighth of a power of two, are their average. */
    static List<Alike> of(Histogram histogram) {
        return histogram.rows().entrySet().stream().filter(row -> row.getKey().allocations() > 0)
                .map(row -> of(row.getKey(), row.getValue()))
                .sorted(Comparator.comparing(Alike::toString)) // else what follows depends on the order of a map
                .collect(Collectors.groupingBy(Alike::key, LinkedHashMap::new, Collectors.toList()))
                .values().stream().map(Alike::average).toList();
    }

    private List<Object> key() {
        return List.of(shape.virtual(), shape.dip(), shape.earlier(), shape.closing() == Closing.UNCLOSED, shape.alignment(),
                sizeClass(first), sizeClass(largest), sizeClass(Math.round(others * scale)), sizeClass(other));
    }

    /** {@return a number for the class of a size, an eighth of a power of two with its upper end} */
    private static long sizeClass(long size) {
        int shift = Math.max(0, 60 - Long.numberOfLeadingZeros(Math.max(0, size - 1)));
        return shift == 0 ? size : shift << 8 | size - 1 >> shift;
    }

    private static Alike average(List<Alike> alike) {
        long count = alike.stream().mapToLong(Alike::count).reduce(0, Tally::add);
        ToLongFunction<ToDoubleFunction<Alike>> average = of ->
                Math.round(alike.stream().mapToDouble(row -> of.applyAsDouble(row) * row.count).sum() / count);
        return new Alike(alike.getFirst().shape, count, average.applyAsLong(Alike::first), average.applyAsLong(Alike::largest),
                average.applyAsLong(Alike::others), average.applyAsLong(Alike::other), alike.getFirst().scale);
    }

    private static Alike of(Shape shape, Tally tally) {
        long bytes = tally.bytes() / tally.arenas();
        long allocations = Math.max(1, tally.allocations() / tally.arenas());
        long first = allocations == 1 ? bytes : Math.min(shape.first(), bytes);
        long largest = allocations == 2 ? bytes - first
                : allocations > 2 && shape.largest() > first ? Math.min(shape.largest(), bytes - first) : -1;
        long others = allocations - 1 - (largest < 0 ? 0 : 1);
        long other = others == 0 ? 0 : (bytes - first - Math.max(0, largest)) / others;
        long most = Math.clamp(MOST_BYTES / Math.max(1, other), MOST_LARGE, MOST);
        return new Alike(shape, tally.arenas(), first, largest, Math.min(others, most), other,
                Math.max(1, (double) others / most));
    }

    void allocate(PoolModel pool, Arena arena) {
        long alignment = Math.clamp(Long.highestOneBit(shape.alignment()), 1, 1L << 40);
        pool.allocate(arena, first, largest < 0 ? alignment : 1, 1);
        pool.allocate(arena, other, 1, others / 2);
        if (largest >= 0) {
            pool.allocate(arena, largest, alignment, 1);
        }
        pool.allocate(arena, other, 1, others - others / 2);
    }

    /** {@return about how many blocks one has at most} */
    double work() {
        return 3 + Math.min(others, (double) others * other / 4096);
    }

    double stock(Costs costs) {
        return costs.stock().arena(1, first) + (largest < 0 ? 0 : further(costs, largest)) + others * scale * further(costs, other);
    }

    /** {@return what one more allocation takes in the stock JDK} */
    private static double further(Costs costs, double size) {
        return costs.stock().arena(2, size) - costs.stock().arena(1, size);
    }

    /**
     * {@return what one takes where the pool made so many blocks for it}
     *
     * @param size        the most bytes of a slot
     * @param notResident what its slot takes longer than the resident one
     */
    double pooled(Costs costs, int size, long mallocs, long mallocBytes, double notResident) {
        double time = 0;
        double small = 0;
        double smallBytes = 0;
        double blocks = mallocs;
        double blockBytes = mallocBytes;
        double[] counts = {1, largest < 0 ? 0 : 1, others};
        double[] sizes = {first, largest, other};
        for (int i = 0; i < counts.length; i++) {
            double all = counts[i] * (i == 2 ? scale : 1);
            if (sizes[i] <= size) {
                small += all;
                smallBytes += all * sizes[i];
            } else { // as in the stock JDK
                time += all * further(costs, sizes[i]);
                blocks -= counts[i];
                blockBytes -= counts[i] * sizes[i];
            }
        }
        if (small == 0) {
            return stock(costs);
        }
        if (blocks > 0) {
            time += scale * blocks * costs.stock().arena(1, blockBytes / blocks);
        }
        return notResident + time + costs.pooled().arena(small, smallBytes / small);
    }
}
