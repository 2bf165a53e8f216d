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
 * arena to find one; how many it keeps follows from their capacities. Those in places are among them: as many as the
 * depth on a platform thread, and a carrier's spare slot. A slot is taken to be one that such an arena has left, or all that it
 * has left where it had no place.
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
                    estimates.merge(setting, estimate(shapes, setting, carrier ? 1 : setting.depth()), Estimate::plus));
        }));
    }

    Estimate of(Setting setting) {
        return estimates.get(setting);
    }

    /** {@return what a thread does that has all arenas of platform threads, or a carrier that has all of virtual ones} */
    private static Estimate estimate(List<Arenas> shapes, Setting setting, int places) {
        NavigableMap<Long, Long> slots = new TreeMap<>(); // the most bytes that an arena leaves as the n-th, by n
        shapes.stream().filter(each -> each.capacity > 0)
                .forEach(each -> slots.merge(each.slots(), each.left(setting, places), Math::max));
        // The first has its own room: a carrier's as the spare slot. Slots in places count without headers.
        long room = (long) setting.depth() * setting.size() + (long) places * PoolRules.LINE;
        long kept = slots.isEmpty() ? 0 : 1;
        long memory = slots.isEmpty() ? 0 : slots.firstEntry().getValue();
        long from = 1;
        for (Map.Entry<Long, Long> slot : slots.entrySet()) {
            long count = Math.min(slot.getKey() - from, room / slot.getValue());
            room -= count * slot.getValue();
            memory = Tally.add(memory, count * slot.getValue());
            kept += count;
            from = slot.getKey();
        }
        long most = kept;
        return shapes.stream().map(each -> each.estimate(places, most))
                .reduce(new Estimate(0, 0, 0, memory), Estimate::plus);
    }

    /**
     * Arenas of one shape.
     *
     * @param capacity that of an arena's slot when it has grown, or 0 if slots serve nothing
     * @param others   the allocations that they do not serve
     * @param finding  how many blocks one makes that finds what such an arena left, by their size
     * @param making   the same of one that makes a slot, too
     */
    private record Arenas(Shape shape, Tally tally, int capacity, long others, Map<Integer, Long> finding,
                          Map<Integer, Long> making, Costs costs) {

        private static Arenas of(Shape shape, Tally tally, int index, Costs costs) {
            int size = SlotReplay.size(index);
            boolean wholly = shape.slotBytes() <= size && shape.alignment() <= size;
            long served = wholly ? tally.bytes() : tally.served() != null ? tally.served()[index] : 0;
            if (served == 0) {
                return new Arenas(shape, tally, 0, tally.allocations(), Map.of(), Map.of(), costs);
            }
            long needed = served == tally.bytes() ? shape.slotBytes() : Math.ceilDiv(served, tally.arenas());
            int capacity = PoolRules.grown(shape, needed, size);
            // What is not served may be as large as the largest each time: then there are so many such allocations.
            return new Arenas(shape, tally, capacity, Math.ceilDiv(tally.bytes() - served, shape.largest()),
                    PoolRules.blocks(capacity, shape, needed, size), PoolRules.blocks(0, shape, needed, size), costs);
        }

        /** @param kept how many free slots the thread keeps */
        private Estimate estimate(int places, long kept) {
            boolean placed = shape.kept() <= places;
            boolean finds = shape.kept() > 0 && shape.kept() <= kept;
            Map<Integer, Long> made = finds ? finding : making;
            long blocks = made.values().stream().reduce(0L, Tally::add);
            long mallocs = Tally.add(others, Math.round((double) tally.arenas() * blocks));
            if (others > 0 || capacity == 0) {
                return new Estimate(0, mallocs, 0, 0);
            }
            double saved = costs.stock(tally) - costs.pooled(tally, made) - (placed ? 0 : tally.arenas() * costs.withoutPlace());
            return new Estimate(made.isEmpty() ? tally.arenas() : 0, mallocs, saved, 0);
        }

        /** {@return how many arenas of the thread had a slot at once} */
        private long slots() {
            return shape.kept() > 0 ? shape.kept() : shape.openBefore() + 1L;
        }

        private long left(Setting setting, int places) {
            return PoolRules.room(slots() <= places ? Map.of(capacity, 1L) : making, setting.size());
        }
    }
}
