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
package pooledarena.recommend;

import pooledarena.BadInput;
import pooledarena.compare.Comparison;
import pooledarena.compare.Jvm;
import pooledarena.histogram.Tally;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * What arenas cost without and with a slot, in nanoseconds: from the benchmarks {@code ConfinedArenaAlloc.one}, which opens an
 * arena, allocates once and closes it, and {@code three}, which allocates thrice. Half of what the two differ by is taken for
 * each further allocation, and of an arena's allocations all are taken to be as large as their average. A block that an arena
 * goes on in when its slot is full is taken to cost what one allocation of that size does in the stock JDK.
 */
final class Costs {

    /** A larger allocation was not pooled in what was measured. */
    private static final double LARGEST_MEASURED = Setting.DEFAULT.size();

    private static final String ONE = ".ConfinedArenaAlloc.one";
    private static final String THREE = ".ConfinedArenaAlloc.three";

    /** What a slot that has no place takes longer, in nanoseconds: from {@code ConfinedArenaDepth} with 64 and with 8 arenas. */
    private static final double WITHOUT_PLACE = 8;

    /** Up to here a further block is twice as large as the one before. */
    private static final int MAX_DOUBLED = 16 * 1024;

    /** The figures of doc/performance.md, "Measured". */
    static final Costs DOCUMENTED = new Costs("doc/performance.md: an Intel Xeon (Sapphire Rapids), Temurin 25.0.3+9",
            new Curve(Map.of(5.0, 22.3, 20.0, 22.8, 100.0, 26.2, 451.0, 26.3, 2000.0, 61.7, 8192.0, 91.3, 16384.0, 117.0,
                    65536.0, 1186.0)),
            new Curve(Map.of(5.0, 1.14, 20.0, 1.52, 100.0, 3.88, 451.0, 5.64, 2000.0, 10.2, 8192.0, 35.0)),
            new Curve(Map.of(5.0, 92.9, 100.0, 97.5, 451.0, 107.0, 2000.0, 219.0)),
            new Curve(Map.of(5.0, 2.39, 100.0, 6.09, 451.0, 9.00, 2000.0, 27.7)));

    /** Where they are from. */
    final String source;

    private final Curve stockOne;
    private final Curve pooledOne;
    private final Curve stockThree;
    private final Curve pooledThree;

    Costs(String source, Curve stockOne, Curve pooledOne, Curve stockThree, Curve pooledThree) {
        this.source = source;
        this.stockOne = stockOne;
        this.pooledOne = pooledOne;
        this.stockThree = stockThree;
        this.pooledThree = pooledThree;
    }

    /**
     * {@return the costs that a comparison measured}
     *
     * @throws BadInput if it lacks them
     */
    static Costs of(Comparison comparison, Path file) {
        return new Costs(file + ": " + comparison.machine() + ", " + comparison.date(),
                curve(comparison, file, ONE, Jvm.STOCK), curve(comparison, file, ONE, Jvm.POOLED),
                curve(comparison, file, THREE, Jvm.STOCK), curve(comparison, file, THREE, Jvm.POOLED));
    }

    private static Curve curve(Comparison comparison, Path file, String benchmark, String jvm) {
        Map<Double, Double> points = new TreeMap<>();
        for (Comparison.Result result : comparison.rows()) {
            if (result.row().benchmark().endsWith(benchmark) && result.row().threads() == 1
                    && result.outcomes().get(jvm).nsPerOp() != null) {
                double size = Double.parseDouble(result.row().parameters().get("size"));
                if (!jvm.equals(Jvm.POOLED) || size <= LARGEST_MEASURED) {
                    points.put(size, result.outcomes().get(jvm).nsPerOp());
                }
            }
        }
        if (points.size() < 2) {
            throw new BadInput("--costs " + file + ": has not two sizes of" + benchmark.replace('.', ' ').replaceFirst(" (\\w+) ", " $1.")
                    + " on " + jvm + "; a compare.json of make compare is accepted; nothing was written");
        }
        return new Curve(points);
    }

    /** {@return what these arenas cost without a slot} */
    double stock(Tally tally) {
        return cost(tally, stockOne, stockThree);
    }

    /**
     * {@return what they cost if the pool serves all that they allocate}
     *
     * @param slotBytes how large a slot must be for all of one arena's
     * @param size      how large a slot can be
     * @param placed    whether the slots are in places of the thread's
     */
    double pooled(Tally tally, long slotBytes, int size, boolean placed) {
        return cost(tally, pooledOne, pooledThree)
                + tally.arenas() * (blocks(slotBytes - size, size) + (placed ? 0 : WITHOUT_PLACE));
    }

    /** {@return what the blocks of one arena cost that follow a slot and have so many bytes} */
    private double blocks(long byteSize, int size) {
        int most = Math.max(size, MAX_DOUBLED);
        double nanos = 0;
        long left = byteSize;
        int capacity = Math.min(2 * size, most);
        for (; left > 0 && capacity < most; capacity = Math.min(2 * capacity, most)) {
            nanos += stockOne.at(capacity);
            left -= capacity;
        }
        return nanos + Math.ceilDiv(Math.max(0, left), most) * stockOne.at(most);
    }

    private static double cost(Tally tally, Curve one, Curve three) {
        double allocations = Math.max(1, (double) tally.allocations() / tally.arenas());
        double size = (double) tally.bytes() / tally.arenas() / allocations;
        double further = Math.max(0, (three.at(size) - one.at(size)) / 2);
        return tally.arenas() * (one.at(size) + (allocations - 1) * further);
    }
}
