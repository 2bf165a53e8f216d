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

import static pooledarena.recommend.PoolConstants.MAX_DEPTH;
import static pooledarena.recommend.PoolConstants.SMALL;

/**
 * What the pool would have done for recorded arenas, with each setting, once its slots have grown. It serves each allocation
 * that is no larger than a slot can be. An arena finds a slot if one that was returned before is free and the thread keeps so
 * many. Slots in places always are kept, others as far as there is room. An arena of a platform thread finds its slot in a place
 * if fewer than the depth of its thread's arenas have memory; the spare slot of a carrier is the one place of virtual threads.
 */
final class Replay {

    /**
     * What a setting does.
     *
     * @param served      how many arenas with bytes need no malloc
     * @param mallocs     how many mallocs are left, at least: of slots, of blocks, of allocations larger than a slot can be
     * @param servedBytes how many bytes are in slots and blocks, of arenas that have only some of them there, too
     * @param saved       the nanoseconds saved with the arenas of which it serves all; the others gain nothing
     * @param memory      of the slots that a thread keeps which has all arenas that any thread has, in bytes
     */
    record Estimate(long served, long mallocs, long servedBytes, double saved, long memory) {}

    /** All arenas that have bytes. */
    final long arenas;
    final long bytes;

    /** How many of them virtual threads opened. */
    final long virtual;

    /** What they take without a pool, in nanoseconds. */
    final double time;

    /** The allocations of all arenas, each of which is a malloc without a pool. */
    final long allocations;

    private final Map<Setting, Estimate> estimates = new HashMap<>();

    Replay(Histogram histogram, Costs costs) {
        List<Tally> withBytes = histogram.rows().values().stream().filter(tally -> tally.bytes() > 0).toList();
        arenas = sum(withBytes, Tally::arenas);
        bytes = sum(withBytes, Tally::bytes);
        virtual = sum(histogram.rows().entrySet().stream().filter(row -> row.getKey().virtual() && row.getValue().bytes() > 0)
                .map(Map.Entry::getValue).toList(), Tally::arenas);
        time = withBytes.stream().mapToDouble(costs::stock).sum();
        allocations = sum(histogram.rows().values(), Tally::allocations);
        for (int i = 0; i < SlotReplay.SIZES; i++) {
            new OfSize(i, costs).replay(histogram.rows());
        }
    }

    private static <T> long sum(Collection<T> all, ToLongFunction<T> amount) {
        return all.stream().mapToLong(amount).reduce(0, Tally::add);
    }

    Estimate of(Setting setting) {
        return estimates.get(setting);
    }

    /** Arenas of one shape: the bytes that all have in slots and blocks, those of one, and its slot when it has grown. */
    private record Row(Shape shape, Tally tally, long bytes, long needed, int capacity) {}

    /** What an arena does with a slot: on average how many mallocs, whether none, and how many nanoseconds. */
    private record Use(double mallocs, double withoutMalloc, double nanos) {

        Use plus(double share, Use other) {
            return new Use(mallocs + share * other.mallocs, withoutMalloc + share * other.withoutMalloc,
                    nanos + share * other.nanos);
        }
    }

    /** The slots of a thread that has all arenas which any thread has: the largest that is n-th, by n, from 0. */
    private record Slots(int size, boolean carried, NavigableMap<Integer, Integer> capacities) {

        int places(int depth) {
            return carried ? 1 : depth;
        }

        /** {@return by depth - 1 the bytes that a thread may keep beside slots in places; the first counts as the largest} */
        long[] rooms() {
            long[] rooms = new long[MAX_DEPTH];
            for (int n = 1; n < MAX_DEPTH; n++) {
                Map.Entry<Integer, Integer> inPlace = carried ? null : capacities.ceilingEntry(n);
                rooms[n] = rooms[n - 1] + size - (inPlace == null ? 0 : inPlace.getValue());
            }
            return rooms;
        }

        long memory(int depth) {
            long room = rooms()[depth - 1];
            long memory = 0;
            int from = 0;
            for (Map.Entry<Integer, Integer> slot : capacities.entrySet()) {
                int upTo = slot.getKey() + 1;
                long inPlaces = Math.clamp(places(depth) - from, 0, upTo - from);
                long others = Math.min(upTo - from - inPlaces, room / slot.getValue());
                room -= others * slot.getValue();
                memory += (inPlaces + others) * Blocks.memory(slot.getValue());
                from = upTo;
            }
            return memory;
        }
    }

    /** The replay for slots of up to one size, at all depths. */
    private final class OfSize {

        private final int index;
        private final int size;
        private final Costs costs;
        private final Slots platform;
        private final Slots carried;

        /** How many arenas of virtual threads leave a slot of which capacity for another; what suits any counts as one. */
        private final NavigableMap<Integer, Long> left = new TreeMap<>();

        OfSize(int index, Costs costs) {
            this.index = index;
            this.costs = costs;
            size = SlotReplay.size(index);
            platform = new Slots(size, false, new TreeMap<>());
            carried = new Slots(size, true, new TreeMap<>());
        }

        void replay(Map<Shape, Tally> shapes) {
            List<Row> rows = new ArrayList<>();
            shapes.forEach((shape, tally) -> rows.add(row(shape, tally)));
            long notServed = sum(rows.stream().filter(row -> row.bytes == 0).toList(), row -> row.tally.allocations());
            rows.removeIf(row -> row.bytes == 0);
            rows.forEach(this::addSlot);
            List<Row> ofVirtual = rows.stream().filter(row -> row.shape.virtual()).toList();
            long averageLeft = Math.ceilDiv(sum(ofVirtual, row -> row.capacity * row.tally.arenas()),
                    Math.max(1, sum(left.values(), Long::longValue)));
            double[][] sums = new double[MAX_DEPTH][3];
            rows.forEach(row -> replay(row, averageLeft, sums));
            for (int depth = 1; depth <= MAX_DEPTH; depth++) {
                double[] sum = sums[depth - 1];
                estimates.put(new Setting(index, depth), new Estimate(Math.round(sum[0]), Math.round(sum[1]) + notServed,
                        sum(rows, Row::bytes), sum[2], Math.max(platform.memory(depth), carried.memory(depth))));
            }
        }

        private Row row(Shape shape, Tally tally) {
            boolean wholly = shape.slotBytes() <= size && shape.alignment() <= size;
            long served = wholly ? tally.bytes() : tally.served() != null ? tally.served()[index] : 0;
            long needed = served == tally.bytes() ? shape.slotBytes() : served / tally.arenas();
            return new Row(shape, tally, served, needed, Blocks.grown(shape.first(), shape.largest(), needed, size));
        }

        private void addSlot(Row row) {
            if (!row.shape.virtual()) {
                platform.capacities.merge(row.shape.openBefore(), row.capacity, Math::max);
                return;
            }
            // A slot that neither suits nor is lent stays free, and each arena leaves one more.
            boolean suits = Blocks.suits(row.capacity, row.shape.first()) || lends(row.shape, Setting.DEFAULT.depth());
            long kept = suits ? row.shape.kept() : row.tally.arenas();
            carried.capacities.merge(Math.clamp(kept - 1, 0, Integer.MAX_VALUE - 1), row.capacity, Math::max);
            left.merge(Math.max(row.capacity, SMALL), row.tally.arenas(), Long::sum);
        }

        /** Adds what arenas do to {@code sums}: by depth those without malloc, mallocs, and nanoseconds saved. */
        private void replay(Row row, long averageLeft, double[][] sums) {
            Shape shape = row.shape;
            Tally tally = row.tally;
            Slots slots = shape.virtual() ? carried : platform;
            long[] rooms = slots.rooms();
            // What is not served may be as large as the largest each time: then this is how many such allocations there are.
            long others = Math.ceilDiv(tally.bytes() - row.bytes, shape.largest());
            Use made = use(row, 0, false);
            Use inPlace = use(row, row.capacity, true);
            Use other = shape.virtual() ? useOfAnother(row)
                    : use(row, row.capacity, Blocks.suits(row.capacity, shape.first()));
            long capacity = shape.virtual() ? averageLeft : row.capacity;
            for (int depth = 1; depth <= MAX_DEPTH; depth++) {
                int places = slots.places(depth);
                boolean placed = shape.virtual() ? shape.kept() == 1 : shape.openBefore() < places;
                boolean kept = shape.kept() > 0 && (placed || (shape.kept() - places) * capacity <= rooms[depth - 1]);
                Use use = !kept ? made : (shape.virtual() ? lends(shape, depth) : placed) ? inPlace : other;
                double[] sum = sums[depth - 1];
                sum[1] += others + tally.arenas() * use.mallocs;
                if (row.bytes == tally.bytes()) {
                    double withoutPlace = placed || shape.kept() <= places ? 0 : costs.withoutPlace();
                    sum[0] += tally.arenas() * use.withoutMalloc;
                    sum[2] += costs.stock(tally) - tally.arenas() * (use.nanos + withoutPlace);
                }
            }
        }

        /** {@return whether a carrier lends slots: so few arenas are open that all use the largest that any of them left} */
        private static boolean lends(Shape shape, int depth) {
            return shape.kept() <= depth;
        }

        /** {@return what an arena does if {@code found} with a slot of that capacity, otherwise with one that is made} */
        private Use use(Row row, int slot, boolean found) {
            int first = found ? slot : Blocks.first(Math.min(row.shape.first(), size), size);
            NavigableMap<Integer, Long> blocks = Blocks.after(first, row.shape.largest(), row.needed, size);
            if (!found) {
                blocks.merge(first, 1L, Long::sum);
            }
            long mallocs = sum(blocks.values(), Long::longValue);
            return new Use(mallocs, mallocs == 0 ? 1 : 0, costs.pooled(row.tally, blocks) / row.tally.arenas());
        }

        /**
         * {@return the average of what it does with the slots that arenas of virtual threads leave for each other, in any order,
         * where none is lent} It makes a slot if neither the spare slot nor the first of the others suits.
         */
        private Use useOfAnother(Row row) {
            double all = sum(left.values(), Long::longValue);
            double unsuited = left.entrySet().stream().filter(slot -> !Blocks.suits(slot.getKey(), row.shape.first()))
                    .mapToLong(Map.Entry::getValue).sum();
            Use average = new Use(0, 0, 0);
            for (Map.Entry<Integer, Long> slot : left.entrySet()) {
                // Those that suit any arena have grown to what any of these needs, and others to what this one needs.
                int grown = slot.getKey() > SMALL || row.capacity <= SMALL ? Math.max(slot.getKey(), row.capacity) : SMALL;
                boolean suits = Blocks.suits(slot.getKey(), row.shape.first());
                double share = slot.getValue() / all * (suits ? 1 + unsuited / all : unsuited / all);
                average = average.plus(share, use(row, Math.min(grown, size), suits));
            }
            return average;
        }
    }
}
