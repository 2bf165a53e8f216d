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
 * allocation that is no larger than a slot can be. An arena finds a slot if one that was returned before is free and
 * the thread keeps so many. Slots in places always are kept, others as far as there is room. An arena of a platform
 * thread finds its slot in a place if fewer than the depth of its thread's arenas have memory; the spare slot of a
 * carrier is the one place of virtual threads. A slot is taken to be one that such an arena has left.
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
        Map<Shape, Tally> rows = histogram.rows();
        Tally withBytes = sum(rows, (_, tally) -> tally.bytes() > 0);
        arenas = withBytes.arenas();
        virtual = sum(rows, (shape, tally) -> tally.bytes() > 0 && shape.virtual()).arenas();
        time = rows.values().stream().filter(tally -> tally.bytes() > 0).mapToDouble(costs::stock).sum();
        allocations = sum(rows, (_, _) -> true).allocations();
        IntStream.range(0, SlotReplay.SIZES).forEach(index -> Stream.of(false, true).forEach(carrier -> {
            Owner owner = new Owner(SlotReplay.size(index), carrier, rows.entrySet().stream()
                    .filter(row -> row.getKey().virtual() == carrier)
                    .map(row -> Arenas.of(row.getKey(), row.getValue(), index, costs)).toList());
            IntStream.rangeClosed(1, PoolRules.MAX_DEPTH).forEach(depth ->
                    estimates.merge(new Setting(index, depth), owner.estimate(depth), Estimate::plus));
        }));
    }

    private static Tally sum(Map<Shape, Tally> rows, BiPredicate<Shape, Tally> which) {
        return rows.entrySet().stream().filter(row -> which.test(row.getKey(), row.getValue()))
                .map(Map.Entry::getValue).reduce(new Tally(0, 0, 0, null), Tally::plus);
    }

    Estimate of(Setting setting) {
        return estimates.get(setting);
    }

    /**
     * Arenas of one shape.
     *
     * @param served   the bytes that all have in slots and blocks
     * @param capacity that of an arena's slot when it has grown
     * @param finding  how many blocks one makes that finds such a slot, by their size
     * @param making   the same of one that makes a slot, too
     */
    private record Arenas(Shape shape, Tally tally, long served, int capacity, Map<Integer, Long> finding,
                          Map<Integer, Long> making, Costs costs) {

        private static Arenas of(Shape shape, Tally tally, int index, Costs costs) {
            int size = SlotReplay.size(index);
            boolean wholly = shape.slotBytes() <= size && shape.alignment() <= size;
            long served = wholly ? tally.bytes() : tally.served() != null ? tally.served()[index] : 0;
            if (served == 0) {
                return new Arenas(shape, tally, 0, 0, Map.of(), Map.of(), costs);
            }
            long needed = served == tally.bytes() ? shape.slotBytes() : served / tally.arenas();
            int first = PoolRules.first(Math.min(shape.first(), size), size);
            int grown = PoolRules.grown(shape.first(), shape.largest(), needed, size);
            NavigableMap<Integer, Long> making = PoolRules.after(first, shape.largest(), needed, size);
            making.merge(first, 1L, Long::sum);
            return new Arenas(shape, tally, served, grown, PoolRules.after(grown, shape.largest(), needed, size),
                    making, costs);
        }

        /** @param room how many bytes of slots the thread keeps beside those in places */
        private Estimate estimate(int depth, int places, long room) {
            if (served == 0) {
                return new Estimate(0, tally.allocations(), 0, 0);
            }
            boolean placed = shape.virtual() ? shape.kept() == 1 : shape.openBefore() < places;
            boolean kept = shape.kept() > 0 && (placed || (shape.kept() - places) * (long) capacity <= room);
            Map<Integer, Long> made = kept && (placed || suits(depth)) ? finding : making;
            // What is not served may be as large as the largest each time: then there are so many such allocations.
            long others = Math.ceilDiv(tally.bytes() - served, shape.largest());
            long blocks = made.values().stream().reduce(0L, Tally::add);
            long mallocs = Tally.add(others, Math.round((double) tally.arenas() * blocks));
            if (served < tally.bytes()) {
                return new Estimate(0, mallocs, 0, 0);
            }
            double withoutPlace = placed || shape.kept() <= places ? 0 : tally.arenas() * costs.withoutPlace();
            return new Estimate(made.isEmpty() ? tally.arenas() : 0, mallocs,
                    costs.stock(tally) - costs.pooled(tally, made) - withoutPlace, 0);
        }

        /** {@return whether one gets a slot without place} A carrier lends large ones while so few arenas are open. */
        private boolean suits(int depth) {
            return PoolRules.suits(capacity, shape.first()) || shape.virtual() && shape.kept() <= depth;
        }
    }

    /** A thread that has all arenas which any thread has, or which any carrier has of virtual threads. */
    private record Owner(int size, boolean carrier, List<Arenas> arenas) {

        private Estimate estimate(int depth) {
            NavigableMap<Integer, Integer> slots = slots();
            int places = carrier ? 1 : depth;
            // Slots in places count, but the first as one of the largest size.
            long room = (depth - 1L) * size - IntStream.range(1, places).mapToObj(slots::ceilingEntry)
                    .filter(Objects::nonNull).mapToLong(Map.Entry::getValue).sum();
            return arenas.stream().map(each -> each.estimate(depth, places, room))
                    .reduce(new Estimate(0, 0, 0, memory(slots, places, room)), Estimate::plus);
        }

        /** {@return the capacity of the largest slot that is n-th, by n, from 0} */
        private NavigableMap<Integer, Integer> slots() {
            NavigableMap<Integer, Integer> slots = new TreeMap<>();
            for (Arenas each : arenas) {
                // A slot that neither suits nor is lent stays free, and each arena of a virtual thread leaves one more.
                long kept = each.suits(Setting.DEFAULT.depth()) ? each.shape.kept() : each.tally.arenas();
                int before = carrier ? Math.clamp(kept - 1, 0, Integer.MAX_VALUE - 1) : each.shape.openBefore();
                if (each.served > 0) {
                    slots.merge(before, each.capacity, Math::max);
                }
            }
            return slots;
        }

        private static long memory(Map<Integer, Integer> slots, int places, long room) {
            long memory = 0;
            long left = room;
            int from = 0;
            for (Map.Entry<Integer, Integer> slot : slots.entrySet()) {
                int upTo = slot.getKey() + 1;
                long inPlaces = Math.clamp(places - from, 0, upTo - from);
                long others = Math.min(upTo - from - inPlaces, left / slot.getValue());
                left -= others * slot.getValue();
                memory += (inPlaces + others) * PoolRules.memory(slot.getValue());
                from = upTo;
            }
            return memory;
        }
    }
}
