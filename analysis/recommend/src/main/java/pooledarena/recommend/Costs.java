/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.benchmark.BenchmarkSelection;
import pooledarena.benchmark.Case;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Results;
import pooledarena.histogram.Tally;
import pooledarena.io.BadInput;
import pooledarena.text.DocumentedTimes;
import pooledarena.text.DocumentedTimes.Times;

import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What arenas cost without and with a slot, in nanoseconds: from the benchmarks {@code ConfinedArenaAlloc.one}, which opens an
 * arena, allocates once and closes it, and {@code three}, which allocates thrice. Each further allocation costs half of what the
 * two differ by, and all allocations of an arena are as large as their average. To make a block or a slot costs what one
 * allocation of that size does in the stock JDK.
 *
 * @param source       where the figures are from
 * @param withoutPlace what a slot that has no place takes longer
 */
record Costs(String source, Curve stockOne, Curve pooledOne, Curve stockThree, Curve pooledThree, double withoutPlace) {

    /** In what was measured a larger allocation was not pooled. */
    private static final long LARGEST_POOLED = Setting.DEFAULT.size();

    private static final String ONE = "ConfinedArenaAlloc.one";
    private static final String THREE = "ConfinedArenaAlloc.three";

    static final Costs DOCUMENTED = of(DocumentedTimes.read());

    /** A time by size, with at least two points: linear between two and beyond the largest, constant below the least. */
    record Curve(NavigableMap<Long, Double> points) {

        double at(double size) {
            if (size <= points.firstKey()) {
                return points.firstEntry().getValue();
            }
            var right = size > points.lastKey() ? points.lastEntry() : points.ceilingEntry((long) Math.ceil(size));
            var left = points.lowerEntry(right.getKey());
            double slope = (right.getValue() - left.getValue()) / (right.getKey() - left.getKey());
            return left.getValue() + slope * (size - left.getKey());
        }
    }

    /**
     * {@return the costs that a comparison measured} It does not measure slots without a place; those are the document's.
     *
     * @throws BadInput if it lacks them
     */
    static Costs of(Results results, Path file) {
        return new Costs(file + ": " + results.machine() + ", " + results.date(),
                curve(results, file, ONE, Jvm.STOCK), curve(results, file, ONE, Jvm.POOLED),
                curve(results, file, THREE, Jvm.STOCK), curve(results, file, THREE, Jvm.POOLED), DOCUMENTED.withoutPlace);
    }

    private static Curve curve(Results results, Path file, String benchmark, String jvm) {
        NavigableMap<Long, Double> points = new TreeMap<>();
        for (Results.Measured measured : results.measured()) {
            Case what = measured.what();
            if (what.benchmark() != null && what.benchmark().endsWith("." + benchmark) && what.threads() == 1
                    && what.jvm().equals(jvm) && !measured.outcome().isFailure()) {
                long size = Long.parseLong(what.parameters().get("size"));
                if (!jvm.equals(Jvm.POOLED) || size <= LARGEST_POOLED) {
                    points.put(size, measured.outcome().score());
                }
            }
        }
        if (points.size() < 2) {
            throw new BadInput("--costs " + file + ": has not two sizes of " + benchmark + " on " + jvm
                    + "; a compare.json of make compare is accepted; nothing was written");
        }
        return new Curve(points);
    }

    /** {@return the costs of a document} In its nest of 64 arenas, those beyond the 8 places have slots without one. */
    static Costs of(DocumentedTimes times) {
        NavigableMap<Long, Times> one = times.bySize().get(BenchmarkSelection.title(ONE));
        NavigableMap<Long, Times> three = times.bySize().get(BenchmarkSelection.title(THREE));
        double inPlaces = times.bySize().get("8").firstEntry().getValue().pooled();
        double all = times.bySize().get("64").firstEntry().getValue().pooled();
        return new Costs(DocumentedTimes.SOURCE,
                curve(one, Times::stock), curve(one.headMap(LARGEST_POOLED, true), Times::pooled),
                curve(three, Times::stock), curve(three.headMap(LARGEST_POOLED, true), Times::pooled),
                (all - inPlaces) / (64 - 8) - inPlaces / 8);
    }

    private static Curve curve(NavigableMap<Long, Times> table, ToDoubleFunction<Times> side) {
        NavigableMap<Long, Double> points = new TreeMap<>();
        table.forEach((size, times) -> points.put(size, side.applyAsDouble(times)));
        return new Curve(points);
    }

    /** {@return the largest arena with a slot that was measured} */
    double largestPooled() {
        return pooledOne.points.lastKey();
    }

    /** {@return what these arenas cost without a slot} */
    double stock(Tally tally) {
        return cost(tally, stockOne, stockThree);
    }

    /**
     * {@return what they cost if the pool serves all that they allocate}
     *
     * @param blocks what blocks one makes: how many, by their size
     */
    double pooled(Tally tally, Map<Integer, Long> blocks) {
        double made = blocks.entrySet().stream().mapToDouble(block -> block.getValue() * stockOne.at(block.getKey())).sum();
        return cost(tally, pooledOne, pooledThree) + tally.arenas() * made;
    }

    private static double cost(Tally tally, Curve one, Curve three) {
        double allocations = Math.max(1, (double) tally.allocations() / tally.arenas());
        double size = (double) tally.bytes() / tally.arenas() / allocations;
        double further = Math.max(0, (three.at(size) - one.at(size)) / 2);
        return tally.arenas() * (one.at(size) + (allocations - 1) * further);
    }
}
