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
 * arena to find one. The resident one is among them. All of them are taken to be such as this arena leaves, several
 * where it goes on from one to the next.
 */
final class Replay {

    /**
     * What a setting does.
     *
     * @param served  how many arenas with memory need no malloc
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

    /** All arenas that have memory: one byte, if they allocate nothing else than 0 bytes. */
    final long arenas;

    /** How many of them virtual threads opened. */
    final long virtual;

    /** What they take without a pool, in nanoseconds. */
    final double time;

    /** The allocations of all arenas, each of which is a malloc without a pool. */
    final long allocations;

    private final Map<Setting, Estimate> estimates = new HashMap<>();

    Replay(Histogram histogram, Costs costs) {
        arenas = histogram.sum((shape, _) -> shape.slotBytes() > 0).arenas();
        virtual = histogram.sum((shape, _) -> shape.slotBytes() > 0 && shape.virtual()).arenas();
        allocations = histogram.sum((_, _) -> true).allocations();
        time = histogram.rows().entrySet().stream().filter(row -> row.getKey().slotBytes() > 0)
                .mapToDouble(row -> costs.stock(row.getValue())).sum();
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
        int small = PoolRules.mostSmall(setting.size(), setting.depth());
        int large = setting.depth();
        NavigableMap<Long, Arenas> nth = new TreeMap<>(); // those that leave the largest slots as the n-th, up to these, by n
        shapes.stream().filter(each -> each.resident > 0).forEach(each ->
                nth.merge(each.slots(), each, BinaryOperator.maxBy(Comparator.comparingInt(Arenas::resident))));
        long resident = carrier || nth.isEmpty() ? 0 : nth.firstEntry().getValue().resident + PoolRules.LINE;
        long memory = resident + memory(nth, carrier, false, small) + memory(nth, carrier, true, large);
        return shapes.stream().map(each -> each.estimate(small, large, carrier))
                .reduce(new Estimate(0, 0, 0, memory), Estimate::plus);
    }

    /** {@return what the small or the large free slots take that arenas leave, at most {@code room} of them} */
    private static long memory(NavigableMap<Long, Arenas> nth, boolean carrier, boolean large, long room) {
        long memory = 0;
        long from = 0;
        for (Map.Entry<Long, Arenas> arenas : nth.entrySet()) {
            NavigableMap<Integer, Long> slots = arenas.getValue().slots(arenas.getValue().making, large);
            long all = sum(slots);
            int resident = from == 0 && !carrier && arenas.getValue().settles() ? arenas.getValue().resident : 0;
            long count = (long) Math.min((arenas.getKey() - from) * (double) all - (slots.containsKey(resident) ? 1 : 0), room);
            double bytes = slots.entrySet().stream().mapToDouble(slot -> (double) slot.getKey() * slot.getValue()).sum();
            memory += Math.round(count * (bytes / Math.max(1, all) + PoolRules.LINE));
            room -= count;
            from = arenas.getKey();
        }
        return memory;
    }

    private static long sum(Map<Integer, Long> blocks) {
        return blocks.values().stream().mapToLong(n -> n).sum();
    }

    /**
     * Arenas of one shape.
     *
     * @param size     the most bytes of a slot
     * @param resident the capacity of the resident slot that they leave, or 0 if slots serve nothing
     * @param others   the allocations that slots do not serve
     * @param beyond   how many blocks one goes on in that has that slot, by their size
     * @param making   the blocks of one that finds no slot
     */
    private record Arenas(Shape shape, Tally tally, int size, int resident, long others, NavigableMap<Integer, Long> beyond,
                          NavigableMap<Integer, Long> making, Costs costs) {

        private static Arenas of(Shape shape, Tally tally, int index, Costs costs) {
            int size = SlotReplay.size(index);
            boolean wholly = shape.slotBytes() <= size && shape.alignment() <= size;
            long served = wholly ? tally.bytes() : tally.served() != null ? tally.served()[index] : 0;
            if (shape.slotBytes() == 0 || served == 0 && !wholly) {
                return new Arenas(shape, tally, size, 0, tally.allocations(), new TreeMap<>(), new TreeMap<>(), costs);
            }
            long needed = served == tally.bytes() ? shape.slotBytes() : Math.ceilDiv(served, tally.arenas());
            NavigableMap<Integer, Long> making = PoolRules.blocks(0, shape, needed, size);
            int resident = PoolRules.resident(making, size);
            // What is not served may be as large as the largest each time: then there are so many such allocations.
            return new Arenas(shape, tally, size, resident, Math.ceilDiv(tally.bytes() - served, Math.max(1, shape.largest())),
                    PoolRules.blocks(resident, shape, needed, size), making, costs);
        }

        /** @param small how many small free slots the thread keeps, and {@code large} how many large ones */
        private Estimate estimate(int small, int large, boolean carrier) {
            boolean hasResident = !carrier && shape.kept() == 1;
            NavigableMap<Integer, Long> made = new TreeMap<>(hasResident ? beyond : making);
            if (shape.kept() > 0) {
                long before = hasResident ? 0 : shape.kept() - (carrier ? 1 : 2);
                find(made, false, small, before);
                find(made, true, large, before);
            }
            long mallocs = Tally.add(others, Math.round(tally.arenas() * made.values().stream().mapToDouble(n -> n).sum()));
            if (others > 0 || resident == 0) {
                return new Estimate(0, mallocs, 0, 0);
            }
            double saved = costs.stock(tally) - costs.pooled(tally, made)
                    - (hasResident ? 0 : tally.arenas() * costs.notResident());
            return new Estimate(made.isEmpty() ? tally.arenas() : 0, mallocs, saved, 0);
        }

        /** Takes out of the blocks those, the least first, that are free slots after {@code before} such arenas took theirs. */
        private void find(NavigableMap<Integer, Long> blocks, boolean large, long room, long before) {
            NavigableMap<Integer, Long> slots = slots(blocks, large);
            double found = room - (double) before * sum(slots);
            for (Map.Entry<Integer, Long> slot : slots.entrySet()) {
                long taken = (long) Math.clamp(found, 0, slot.getValue());
                slot.setValue(slot.getValue() - taken);
                found -= taken;
            }
            slots.values().removeIf(left -> left == 0);
        }

        /** {@return those of the blocks that can be small slots, or large ones} */
        private NavigableMap<Integer, Long> slots(NavigableMap<Integer, Long> blocks, boolean large) {
            return large ? blocks.subMap(PoolRules.SMALL, false, Math.max(size, PoolRules.SMALL), true)
                    : blocks.headMap(Math.min(size, PoolRules.SMALL), true);
        }

        /** {@return whether the slot that such an arena makes first stays resident: else all its blocks become free slots} */
        private boolean settles() {
            return resident == PoolRules.capacity(Math.min(shape.first(), size), size);
        }

        /** {@return how many arenas of the thread had a slot at once} */
        private long slots() {
            return shape.kept() > 0 ? shape.kept() : shape.openBefore() + 1L;
        }
    }
}
