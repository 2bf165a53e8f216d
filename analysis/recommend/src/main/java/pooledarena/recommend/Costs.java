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

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What arenas cost without and with a slot, in nanoseconds: from the benchmarks {@code ConfinedArenaAlloc.one}, which opens an
 * arena, allocates once and closes it, and {@code three}, which allocates thrice. Half of what the two differ by is taken for
 * each further allocation, and of an arena's allocations all are taken to be as large as their average. A block or a slot that
 * has to be made is taken to cost what one allocation of that size does in the stock JDK.
 */
final class Costs {

    /** A larger allocation was not pooled in what was measured. */
    private static final double LARGEST_MEASURED = Setting.DEFAULT.size();

    private static final String ONE = "ConfinedArenaAlloc.one";
    private static final String THREE = "ConfinedArenaAlloc.three";

    private static final String DOCUMENT = "performance.md";

    /** The figures of doc/performance.md. */
    static final Costs DOCUMENTED = ofDocument(PoolConstants.resource(DOCUMENT));

    /** A quantity that was measured at some sizes: linear between two of them and beyond the largest, constant below the least. */
    static final class Curve {

        private final TreeMap<Double, Double> points;

        /** @param points by size, at least two */
        Curve(Map<Double, Double> points) {
            this.points = new TreeMap<>(points);
        }

        double at(double size) {
            if (size <= points.firstKey()) {
                return points.firstEntry().getValue();
            }
            var right = size > points.lastKey() ? points.lastEntry() : points.ceilingEntry(size);
            var left = points.lowerEntry(right.getKey());
            double slope = (right.getValue() - left.getValue()) / (right.getKey() - left.getKey());
            return left.getValue() + slope * (size - left.getKey());
        }
    }

    /** Where they are from. */
    final String source;

    private final Curve stockOne;
    private final Curve pooledOne;
    private final Curve stockThree;
    private final Curve pooledThree;

    /** What a slot that has no place takes longer, in nanoseconds. */
    private final double withoutPlace;

    Costs(String source, Curve stockOne, Curve pooledOne, Curve stockThree, Curve pooledThree, double withoutPlace) {
        this.source = source;
        this.stockOne = stockOne;
        this.pooledOne = pooledOne;
        this.stockThree = stockThree;
        this.pooledThree = pooledThree;
        this.withoutPlace = withoutPlace;
    }

    /**
     * {@return the costs that a comparison measured} It does not measure slots without a place; those are taken from the
     * document.
     *
     * @throws BadInput if it lacks them
     */
    static Costs of(Results results, Path file) {
        return new Costs(file + ": " + results.machine() + ", " + results.date(),
                curve(results, file, ONE, Jvm.STOCK), curve(results, file, ONE, Jvm.POOLED),
                curve(results, file, THREE, Jvm.STOCK), curve(results, file, THREE, Jvm.POOLED), DOCUMENTED.withoutPlace);
    }

    private static Curve curve(Results results, Path file, String benchmark, String jvm) {
        Map<Double, Double> points = new TreeMap<>();
        for (Results.Measured measured : results.measured()) {
            Case what = measured.what();
            if (what.benchmark() != null && what.benchmark().endsWith("." + benchmark) && what.threads() == 1
                    && what.jvm().equals(jvm) && !measured.outcome().isFailure()) {
                double size = Double.parseDouble(what.parameters().get("size"));
                if (!jvm.equals(Jvm.POOLED) || size <= LARGEST_MEASURED) {
                    points.put(size, measured.outcome().score());
                }
            }
        }
        if (points.size() < 2) {
            throw new BadInput("--costs " + file + ": has not two sizes of " + benchmark + " on " + jvm + "; a compare.json of make compare is accepted; nothing was written");
        }
        return new Curve(points);
    }

    /**
     * {@return the costs that are in tables of a Markdown text} A line has the name of a benchmark, or nothing if it is that of
     * the line before, then the size, stock's and the pool's nanoseconds. A nest has how deep it is for a name. Tables whose
     * header does not name stock are not read.
     */
    static Costs ofDocument(String markdown) {
        Map<String, NavigableMap<Double, double[]>> tables = new HashMap<>();
        String name = "";
        String before = "";
        boolean ofStock = false;
        for (String line : markdown.lines().filter(l -> l.startsWith("|")).toList()) {
            if (line.startsWith("| ---")) {
                ofStock = before.contains("stock");
            }
            before = line;
            String[] cells = line.split(" *\\| *");
            name = cells.length > 1 && cells[1].isEmpty() ? name : cells.length > 1 ? cells[1] : "";
            if (ofStock && cells.length > 4 && cells[2].matches("\\d+ B")) {
                tables.computeIfAbsent(name, _ -> new TreeMap<>()).put(Double.valueOf(cells[2].replace(" B", "")),
                        new double[] {Double.parseDouble(cells[3]), Double.parseDouble(cells[4])});
            }
        }
        NavigableMap<Double, double[]> one = tables.get(BenchmarkSelection.title(ONE));
        NavigableMap<Double, double[]> three = tables.get(BenchmarkSelection.title(THREE));
        double inPlaces = tables.get("8").firstEntry().getValue()[1];
        double all = tables.get("64").firstEntry().getValue()[1];
        return new Costs("doc/" + DOCUMENT, curve(one, 0), curve(one.headMap(LARGEST_MEASURED, true), 1), curve(three, 0),
                curve(three.headMap(LARGEST_MEASURED, true), 1), (all - inPlaces) / (64 - 8) - inPlaces / 8);
    }

    private static Curve curve(Map<Double, double[]> table, int column) {
        Map<Double, Double> points = new TreeMap<>();
        table.forEach((size, figures) -> points.put(size, figures[column]));
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
        double made = 0;
        for (Map.Entry<Integer, Long> block : blocks.entrySet()) {
            made += block.getValue() * stockOne.at(block.getKey());
        }
        return cost(tally, pooledOne, pooledThree) + tally.arenas() * made;
    }

    /** {@return what it takes them in addition to use slots that have no place} */
    double withoutPlace(Tally tally) {
        return tally.arenas() * withoutPlace;
    }

    private static double cost(Tally tally, Curve one, Curve three) {
        double allocations = Math.max(1, (double) tally.allocations() / tally.arenas());
        double size = (double) tally.bytes() / tally.arenas() / allocations;
        double further = Math.max(0, (three.at(size) - one.at(size)) / 2);
        return tally.arenas() * (one.at(size) + (allocations - 1) * further);
    }
}
