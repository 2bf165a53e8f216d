/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.benchmark.BenchmarkSelection;
import pooledarena.benchmark.Case;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.histogram.Tally;
import pooledarena.io.BadInput;
import pooledarena.text.DocumentedTimes;
import pooledarena.text.DocumentedTimes.Times;

import module java.base;

/**
 * What arenas cost without and with a slot, in nanoseconds. Each further allocation costs half of what one and three differ by,
 * and all allocations of an arena are as large as their average. To make a block or a slot costs what one allocation of that
 * size does in the stock JDK.
 *
 * @param source       where the figures are from
 * @param one          by size, what it takes to open an arena, allocate once and close it: at least two sizes up to the default
 * @param three        the same with three allocations
 * @param withoutPlace what a slot that has no place takes longer
 */
record Costs(String source, NavigableMap<Long, Times> one, NavigableMap<Long, Times> three, double withoutPlace) {

    private static final String ONE = "ConfinedArenaAlloc.one";
    private static final String THREE = "ConfinedArenaAlloc.three";

    static final Costs DOCUMENTED = of(DocumentedTimes.read());

    /**
     * {@return the costs that a comparison measured} It does not measure slots without a place; those are the document's.
     *
     * @throws BadInput if it lacks them
     */
    static Costs of(Results results, Path file) {
        return new Costs(file + ": " + results.machine() + ", " + results.date(), times(results, file, ONE),
                times(results, file, THREE), DOCUMENTED.withoutPlace);
    }

    private static NavigableMap<Long, Times> times(Results results, Path file, String benchmark) {
        NavigableMap<Long, Times> times = new TreeMap<>();
        for (Case row : results.measured().stream().map(Results.Measured::what).toList()) {
            Optional<Outcome> stock = results.get(row.group(), row.row(), JavaCommand.STOCK);
            Optional<Outcome> pooled = results.get(row.group(), row.row(), JavaCommand.POOLED);
            if (row.benchmark() != null && row.benchmark().endsWith("." + benchmark) && row.threads() == 1
                    && stock.isPresent() && pooled.isPresent()) {
                times.put(Long.valueOf(row.parameters().get("size")), new Times(stock.get().score(), pooled.get().score()));
            }
        }
        if (pooled(times).size() < 2) {
            throw new BadInput("--costs " + file + ": has not two sizes of " + benchmark + " up to " + Setting.DEFAULT.size()
                    + " bytes; a compare.json of make compare is accepted; nothing was written");
        }
        return times;
    }

    /** {@return the costs of a document} In its nest of 64 arenas, those beyond the 8 places have slots without one. */
    static Costs of(DocumentedTimes times) {
        double inPlaces = times.bySize().get("8").firstEntry().getValue().pooled();
        double all = times.bySize().get("64").firstEntry().getValue().pooled();
        return new Costs(DocumentedTimes.SOURCE, times.bySize().get(BenchmarkSelection.title(ONE)),
                times.bySize().get(BenchmarkSelection.title(THREE)), (all - inPlaces) / (64 - 8) - inPlaces / 8);
    }

    /** {@return the times of what was pooled where they were measured: not of larger allocations than the default size} */
    private static NavigableMap<Long, Times> pooled(NavigableMap<Long, Times> times) {
        return times.headMap((long) Setting.DEFAULT.size(), true);
    }

    double largestPooled() {
        return pooled(one).lastKey();
    }

    double stock(Tally tally) {
        return cost(tally, one, three, Times::stock);
    }

    /**
     * {@return what they cost if the pool serves all that they allocate}
     *
     * @param blocks what blocks one makes: how many, by their size
     */
    double pooled(Tally tally, Map<Integer, Long> blocks) {
        double made = blocks.entrySet().stream()
                .mapToDouble(block -> block.getValue() * at(block.getKey(), one, Times::stock)).sum();
        return cost(tally, pooled(one), pooled(three), Times::pooled) + tally.arenas() * made;
    }

    private static double cost(Tally tally, NavigableMap<Long, Times> one, NavigableMap<Long, Times> three,
            ToDoubleFunction<Times> side) {
        double allocations = Math.max(1, (double) tally.allocations() / tally.arenas());
        double size = (double) tally.bytes() / tally.arenas() / allocations;
        double further = Math.max(0, (at(size, three, side) - at(size, one, side)) / 2);
        return tally.arenas() * (at(size, one, side) + (allocations - 1) * further);
    }

    /** {@return the time for a size: linear between two that were measured and beyond the largest, constant below the least} */
    static double at(double size, NavigableMap<Long, Times> times, ToDoubleFunction<Times> side) {
        if (size <= times.firstKey()) {
            return side.applyAsDouble(times.firstEntry().getValue());
        }
        var right = size > times.lastKey() ? times.lastEntry() : times.ceilingEntry((long) Math.ceil(size));
        var left = times.lowerEntry(right.getKey());
        double from = side.applyAsDouble(left.getValue());
        double slope = (side.applyAsDouble(right.getValue()) - from) / (right.getKey() - left.getKey());
        return from + slope * (size - left.getKey());
    }
}
