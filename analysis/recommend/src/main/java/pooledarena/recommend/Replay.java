/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.histogram.SlotReplay;
import pooledarena.histogram.Tally;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the pool would have done for recorded arenas, with each setting, once its slots have grown. It serves each allocation
 * that is no larger than a slot can be. An arena finds a slot if one that was returned before is free and the thread keeps so
 * many. Slots in places always are kept, others as far as there is room. An arena of a platform thread finds its slot in a place
 * if fewer than the depth of its thread's arenas have memory; the spare slot of a carrier is the one place of virtual threads.
 */
final class Replay {

    /** All arenas that have bytes. */
    final long arenas;

    /** Their bytes. */
    final long bytes;

    /** How many of them virtual threads opened. */
    final long virtual;

    /** What they take without a pool, in nanoseconds. */
    final double time;

    /** The allocations of all arenas, each of which is a malloc without a pool. */
    final long allocations;

    private final Histogram histogram;
    private final Costs costs;

    // By size and depth - 1.
    private final double[][] served = new double[SlotReplay.SIZES][Setting.DEEPEST];
    private final double[][] mallocs = new double[SlotReplay.SIZES][Setting.DEEPEST];
    private final double[][] saved = new double[SlotReplay.SIZES][Setting.DEEPEST];

    /** By size. */
    private final long[] servedBytes = new long[SlotReplay.SIZES];
    private final List<Slots> platform = Stream.generate(Slots::new).limit(SlotReplay.SIZES).toList();
    private final List<Slots> carried = Stream.generate(Slots::new).limit(SlotReplay.SIZES).toList();

    /** By size: how many arenas of virtual threads leave a slot of which capacity for another; what suits any counts as one. */
    private final List<NavigableMap<Integer, Long>> left =
            Stream.generate(() -> (NavigableMap<Integer, Long>) new TreeMap<Integer, Long>()).limit(SlotReplay.SIZES).toList();

    /** By size: the average capacity of those slots, rounded up. */
    private final long[] averageLeft = new long[SlotReplay.SIZES];

    /** The slots of a thread that has all arenas which any thread has: the largest that is n-th, by n, from 0. */
    private static final class Slots extends TreeMap<Integer, Integer> {

        /** {@return the bytes that a thread may keep beside slots in places, of which the first counts as the largest} */
        long room(int size, int depth, int places) {
            long room = (depth - 1L) * size;
            for (int n = 1; n < places && ceilingEntry(n) != null; n++) {
                room -= ceilingEntry(n).getValue();
            }
            return room;
        }

        /** {@return what the slots that it keeps take} */
        long memory(int size, int depth, int places) {
            long room = room(size, depth, places);
            long memory = 0;
            int from = 0;
            for (Map.Entry<Integer, Integer> slot : entrySet()) {
                int upTo = slot.getKey() + 1;
                long inPlaces = Math.clamp(places - from, 0, upTo - from);
                long others = Math.min(upTo - from - inPlaces, room / slot.getValue());
                room -= others * slot.getValue();
                memory += (inPlaces + others) * Blocks.memory(slot.getValue());
                from = upTo;
            }
            return memory;
        }
    }

    Replay(Histogram histogram, Costs costs) {
        this.histogram = histogram;
        this.costs = costs;
        long allArenas = 0;
        long allBytes = 0;
        long allVirtual = 0;
        long allAllocations = 0;
        double allTime = 0;
        for (Map.Entry<Shape, Tally> row : histogram.rows().entrySet()) {
            Tally tally = row.getValue();
            allAllocations = Tally.add(allAllocations, tally.allocations());
            if (tally.bytes() > 0) {
                allArenas = Tally.add(allArenas, tally.arenas());
                allBytes = Tally.add(allBytes, tally.bytes());
                allVirtual = Tally.add(allVirtual, row.getKey().virtual() ? tally.arenas() : 0);
                allTime += costs.stock(tally);
            }
        }
        arenas = allArenas;
        bytes = allBytes;
        virtual = allVirtual;
        allocations = allAllocations;
        time = allTime;
        for (int i = 0; i < SlotReplay.SIZES; i++) {
            replay(i);
        }
    }

    /** An arena's part in slots and blocks: what all of a row have there, and the slot that one has when it has grown. */
    private record Part(long bytes, long needed, int capacity) {

        static Part of(Shape shape, Tally tally, int i) {
            int size = SlotReplay.size(i);
            boolean wholly = shape.slotBytes() <= size && shape.alignment() <= size;
            long bytes = wholly ? tally.bytes() : tally.served() != null ? tally.served()[i] : 0;
            long needed = bytes == tally.bytes() ? shape.slotBytes() : bytes / tally.arenas();
            return new Part(bytes, needed, Blocks.grown(shape.first(), shape.largest(), needed, size));
        }
    }

    /** What an arena does with a slot: on average how many mallocs, whether none, and how many nanoseconds. */
    private record Use(double mallocs, double withoutMalloc, double nanos) {}

    private void replay(int i) {
        long[] sums = new long[2];
        histogram.rows().forEach((shape, tally) -> {
            Part part = Part.of(shape, tally, i);
            if (part.bytes > 0) {
                servedBytes[i] = Tally.add(servedBytes[i], part.bytes);
                if (shape.virtual()) {
                    // A slot that neither suits nor is lent stays free, and each arena leaves one more.
                    long kept = Blocks.suits(part.capacity, shape.first()) || lends(shape, Setting.DEFAULT.depth()) ? shape.kept()
                            : tally.arenas();
                    carried.get(i).merge(Math.clamp(kept - 1, 0, Integer.MAX_VALUE - 1), part.capacity, Math::max);
                    left.get(i).merge(Math.max(part.capacity, PoolConstants.SMALL), tally.arenas(), Long::sum);
                    sums[0] += part.capacity * tally.arenas();
                    sums[1] += tally.arenas();
                } else {
                    platform.get(i).merge(shape.openBefore(), part.capacity, Math::max);
                }
            }
        });
        averageLeft[i] = Math.ceilDiv(sums[0], Math.max(1, sums[1]));
        long[] platformRooms = new long[Setting.DEEPEST];
        long[] carrierRooms = new long[Setting.DEEPEST];
        for (int d = 0; d < Setting.DEEPEST; d++) {
            platformRooms[d] = platform.get(i).room(SlotReplay.size(i), d + 1, d + 1);
            carrierRooms[d] = carried.get(i).room(SlotReplay.size(i), d + 1, 1);
        }
        histogram.rows().forEach((shape, tally) -> replay(shape, tally, i, shape.virtual() ? carrierRooms : platformRooms));
    }

    private void replay(Shape shape, Tally tally, int i, long[] rooms) {
        Part part = Part.of(shape, tally, i);
        if (part.bytes == 0) {
            for (int d = 0; d < Setting.DEEPEST; d++) {
                mallocs[i][d] += tally.allocations();
            }
            return;
        }
        // What is not served may be as large as the largest each time: then this is how many such allocations there are.
        long others = Math.ceilDiv(tally.bytes() - part.bytes, shape.largest());
        Use inPlace = use(shape, tally, part, i, part.capacity, true);
        Use other = shape.virtual() ? ofAnother(shape, tally, part, i)
                : use(shape, tally, part, i, part.capacity, Blocks.suits(part.capacity, shape.first()));
        Use made = use(shape, tally, part, i, 0, false);
        long capacity = shape.virtual() ? averageLeft[i] : part.capacity;
        for (int depth = 1; depth <= Setting.DEEPEST; depth++) {
            int d = depth - 1;
            int places = shape.virtual() ? 1 : depth;
            boolean placed = shape.virtual() ? shape.kept() == 1 : shape.openBefore() < depth;
            boolean kept = shape.kept() > 0 && (placed || (shape.kept() - places) * capacity <= rooms[d]);
            Use use = !kept ? made : shape.virtual() ? lends(shape, depth) ? inPlace : other : placed ? inPlace : other;
            mallocs[i][d] += others + tally.arenas() * use.mallocs;
            if (part.bytes == tally.bytes()) {
                served[i][d] += tally.arenas() * use.withoutMalloc;
                saved[i][d] += costs.stock(tally) - tally.arenas() * use.nanos
                        - (placed || shape.kept() <= places ? 0 : tally.arenas() * costs.withoutPlace());
            }
        }
    }

    /** {@return whether a carrier has slots to lend: so few arenas are open that they all use the largest that any of them left} */
    private static boolean lends(Shape shape, int depth) {
        return shape.kept() <= depth;
    }

    /** {@return what an arena does if {@code found} with a slot of that capacity, otherwise with one that is made} */
    private Use use(Shape shape, Tally tally, Part part, int i, int slot, boolean found) {
        int size = SlotReplay.size(i);
        int first = found ? slot : Blocks.first(Math.min(shape.first(), size), size);
        NavigableMap<Integer, Long> blocks = Blocks.after(first, shape.largest(), part.needed, size);
        if (!found) {
            blocks.merge(first, 1L, Long::sum);
        }
        long mallocs = blocks.values().stream().mapToLong(Long::longValue).sum();
        return new Use(mallocs, mallocs == 0 ? 1 : 0, costs.pooled(tally, blocks) / tally.arenas());
    }

    /**
     * {@return the average of what it does with the slots that arenas of virtual threads leave for each other, in any order, where
     * none is lent} It makes a slot if neither the spare slot nor the first of the others suits.
     */
    private Use ofAnother(Shape shape, Tally tally, Part part, int i) {
        double all = 0;
        double unsuited = 0;
        for (Map.Entry<Integer, Long> slot : left.get(i).entrySet()) {
            all += slot.getValue();
            unsuited += Blocks.suits(slot.getKey(), shape.first()) ? 0 : slot.getValue();
        }
        double mallocs = 0;
        double withoutMalloc = 0;
        double nanos = 0;
        for (Map.Entry<Integer, Long> slot : left.get(i).entrySet()) {
            // Those that suit any arena have grown to what any of these needs, and others to what this one needs.
            int grown = slot.getKey() > PoolConstants.SMALL || part.capacity <= PoolConstants.SMALL ? Math.max(slot.getKey(), part.capacity)
                    : PoolConstants.SMALL;
            boolean suits = Blocks.suits(slot.getKey(), shape.first());
            Use use = use(shape, tally, part, i, Math.min(grown, SlotReplay.size(i)), suits);
            double share = slot.getValue() / all * (suits ? 1 + unsuited / all : unsuited / all);
            mallocs += share * use.mallocs;
            withoutMalloc += share * use.withoutMalloc;
            nanos += share * use.nanos;
        }
        return new Use(mallocs, withoutMalloc, nanos);
    }

    /** {@return how many arenas with bytes need no malloc} */
    long served(Setting setting) {
        return Math.round(served[setting.index()][setting.depth() - 1]);
    }

    /** {@return how many mallocs are left, at least: of slots, of blocks and of allocations that are larger than a slot can be} */
    long mallocs(Setting setting) {
        return Math.round(mallocs[setting.index()][setting.depth() - 1]);
    }

    /** {@return how many bytes are in slots and blocks, of arenas that have only some of them there, too} */
    long servedBytes(Setting setting) {
        return servedBytes[setting.index()];
    }

    /** {@return the nanoseconds that it saves with the arenas of which it serves all; the others are taken to gain nothing} */
    double saved(Setting setting) {
        return saved[setting.index()][setting.depth() - 1];
    }

    /** {@return the native memory of the slots that a thread keeps which has all arenas that any thread has} */
    long memory(Setting setting) {
        int size = setting.size();
        int depth = setting.depth();
        return Math.max(platform.get(setting.index()).memory(size, depth, depth), carried.get(setting.index()).memory(size, depth, 1));
    }
}
