/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.histogram.Tally;
import pooledarena.io.BadInput;
import pooledarena.text.DocumentedTimes;
import pooledarena.text.DocumentedTimes.Times;

import module java.base;

/**
 * What arenas cost without and with a slot, in nanoseconds. Each further allocation costs half of what one and three
 * differ by, and all allocations of an arena are as large as their average. To make a block or a slot costs what one
 * allocation of that size does in the stock JDK.
 *
 * @param source       where the figures are from
 * @param one          by size, what opening an arena, one allocation and closing take: two sizes up to the default
 * @param three        the same with three allocations
 * @param notResident what a slot that is not the resident one takes longer
 */
record Costs(String source, NavigableMap<Long, Times> one, NavigableMap<Long, Times> three, double notResident) {

    static final Costs DOCUMENTED = of(DocumentedTimes.read());

    /** {@return the costs of a document} Of its two nested arenas, the inner one has not the resident slot. */
    static Costs of(DocumentedTimes times) {
        var one = times.bySize().get(DocumentedTimes.ONE);
        double nested = times.bySize().get("two nested arenas").firstEntry().getValue().pooled();
        return new Costs(DocumentedTimes.SOURCE, one, times.bySize().get(DocumentedTimes.THREE),
                nested - 2 * one.firstEntry().getValue().pooled());
    }

    /** {@return the costs that a comparison measured} Slots that are not resident take what they do in the document. */
    static Costs of(Path report) {
        String fault = "cannot be read";
        try {
            var times = DocumentedTimes.of(Files.readString(report)).bySize();
            Optional<String> lacking = Stream.of(DocumentedTimes.ONE, DocumentedTimes.THREE)
                    .filter(name -> pooled(times.getOrDefault(name, new TreeMap<>())).size() < 2).findFirst();
            if (lacking.isEmpty()) {
                return new Costs(report.toString(), times.get(DocumentedTimes.ONE), times.get(DocumentedTimes.THREE),
                        DOCUMENTED.notResident);
            }
            fault = "has not two sizes of \"" + lacking.get() + "\" up to " + Setting.DEFAULT.size() + " bytes";
        } catch (IOException e) {
            // as the fault says
        }
        throw new BadInput("--costs " + report + ": " + fault
                + "; a report.md of make compare is accepted; nothing was written");
    }

    /** {@return the times of what was pooled where they were measured: of allocations up to the default size} */
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

    /** {@return the time for a size: linear between measured ones and beyond the largest, constant below the least} */
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
