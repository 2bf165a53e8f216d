/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.histogram.SlotReplay;
import pooledarena.histogram.Tally;

import module java.base;

/**
 * What the pool would have done for recorded arenas, with each setting, once its slots have grown. It serves each
 * allocation that is no larger than a slot can be. A record says how many free slots the thread must keep for such an
 * arena to find one. The one in the place is among them. All of them are taken to be such as this
 * arena leaves, a small and a large one where that goes on from one to the other.
 */
final class Replay {

    /**
     * What a setting does.
     *
     * @param served  how many arenas with bytes need no malloc
     * @param mallocs how many mallocs are left, at least: of slots, of blocks, of allocations larger than a slot
     * @param saved   the nanoseconds saved with the arenas of which it serves all; the others gain nothing
     * @param memory  of the slots that a thread keeps which has all arenas that any thread has, in bytes
     */
    record Estimate(long served, long mallocs, double saved, long memory) {

        private Estimate plus(Estimate other) {
            return new Estimate(Tally.add(served, other.served), Tally.add(mallocs, other.mallocs), saved + other.saved,
                    Math.max(memory, other.memory));
        }
    }

    /** All arenas that have bytes. */
    final long arenas;

    /** How many of them virtual threads opened. */
    final long virtual;

    /** What they take without a pool, in nanoseconds. */
    final double time;

    /** The allocations of all arenas, each of which is a malloc without a pool. */
    final long allocations;

    private final Map<Setting, Estimate> estimates = new HashMap<>();

    Replay(Histogram histogram, Costs costs) {
        arenas = histogram.sum((_, tally) -> tally.bytes() > 0).arenas();
        virtual = histogram.sum((shape, tally) -> tally.bytes() > 0 && shape.virtual()).arenas();
        allocations = histogram.sum((_, _) -> true).allocations();
        time = histogram.rows().values().stream().filter(tally -> tally.bytes() > 0).mapToDouble(costs::stock).sum();
        IntStream.range(0, SlotReplay.SIZES).forEach(index -> Stream.of(false, true).forEach(carrier -> {
            List<Arenas> shapes = histogram.rows().entrySet().stream().filter(row -> row.getKey().virtual() == carrier)
                    .map(row -> Arenas.of(row.getKey(), row.getValue(), index, costs)).toList();
            IntStream.rangeClosed(1, PoolRules.MAX_DEPTH).mapToObj(depth -> new Setting(index, depth)).forEach(setting ->
                    estimates.merge(setting, estimate(shapes, setting, carrier), Estimate::plus));
        }));
    }

    Estimate of(Setting setting) {
        return estimates.get(setting);
    }

    /** {@return what a thread does that has all arenas of platform threads, or a carrier that has all of virtual ones} */
    private static Estimate estimate(List<Arenas> shapes, Setting setting, boolean carrier) {
        int place = carrier ? 0 : 1;
        int small = PoolRules.mostSmall(setting.size(), setting.depth()) + place;
        int large = setting.depth() + place;
        NavigableMap<Long, List<Integer>> slots = new TreeMap<>(); // what an arena leaves as the n-th, up to the largest, by n
        shapes.stream().filter(each -> !each.left.isEmpty()).forEach(each ->
                slots.merge(each.slots(), each.left, BinaryOperator.maxBy(Comparator.comparing(List::getLast))));
        long memory = slots.values().stream().limit(place).mapToLong(left -> left.getLast() + PoolRules.LINE).sum()
                + memory(slots, place, false, small - place) + memory(slots, place, true, large - place);
        return shapes.stream().map(each -> each.estimate(small, large)).reduce(new Estimate(0, 0, 0, memory), Estimate::plus);
    }

    /** {@return what the small or the large slots after {@code from} arenas take, at most {@code room} of them} */
    private static long memory(NavigableMap<Long, List<Integer>> slots, long from, boolean large, long room) {
        long memory = 0;
        for (Map.Entry<Long, List<Integer>> slot : slots.entrySet()) {
            int[] sizes = slot.getValue().stream().mapToInt(each -> each).filter(each -> each > PoolRules.SMALL == large).toArray();
            long count = Math.min((slot.getKey() - from) * sizes.length, room);
            memory += Math.round(count * (IntStream.of(sizes).average().orElse(0) + PoolRules.LINE));
            room -= count;
            from = slot.getKey();
        }
        return memory;
    }

    /**
     * Arenas of one shape.
     *
     * @param left    the slots that they leave, of which the last one suffices, or none if slots serve nothing
     * @param others  the allocations that they do not serve
     * @param finding how many blocks one makes that finds what such an arena left, by their size
     * @param making  the same of one that makes a slot, too
     */
    private record Arenas(Shape shape, Tally tally, List<Integer> left, long others, NavigableMap<Integer, Long> finding,
                          NavigableMap<Integer, Long> making, Costs costs) {

        private static Arenas of(Shape shape, Tally tally, int index, Costs costs) {
            int size = SlotReplay.size(index);
            boolean wholly = shape.slotBytes() <= size && shape.alignment() <= size;
            long served = wholly ? tally.bytes() : tally.served() != null ? tally.served()[index] : 0;
            if (served == 0) {
                return new Arenas(shape, tally, List.of(), tally.allocations(), new TreeMap<>(), new TreeMap<>(), costs);
            }
            long needed = served == tally.bytes() ? shape.slotBytes() : Math.ceilDiv(served, tally.arenas());
            List<Integer> left = PoolRules.left(shape, needed, size);
            // What is not served may be as large as the largest each time: then there are so many such allocations.
            return new Arenas(shape, tally, left, Math.ceilDiv(tally.bytes() - served, shape.largest()),
                    PoolRules.blocks(left.getLast(), shape, needed, size), PoolRules.blocks(0, shape, needed, size), costs);
        }

        /** @param small how many small slots the thread keeps, and {@code large} how many large ones */
        private Estimate estimate(int small, int large) {
            Map<Integer, Long> made = shape.kept() == 0 || shape.kept() > small ? making
                    : shape.kept() <= large || !left.isEmpty() && left.getLast() <= PoolRules.SMALL ? finding
                    : making.tailMap(PoolRules.SMALL, false);
            long mallocs = Tally.add(others, Math.round(tally.arenas() * made.values().stream().mapToDouble(n -> n).sum()));
            if (others > 0 || left.isEmpty()) {
                return new Estimate(0, mallocs, 0, 0);
            }
            double saved = costs.stock(tally) - costs.pooled(tally, made)
                    - (shape.kept() == 1 ? 0 : tally.arenas() * costs.withoutPlace());
            return new Estimate(made.isEmpty() ? tally.arenas() : 0, mallocs, saved, 0);
        }

        /** {@return how many arenas of the thread had a slot at once} */
        private long slots() {
            return shape.kept() > 0 ? shape.kept() : shape.openBefore() + 1L;
        }
    }
}
