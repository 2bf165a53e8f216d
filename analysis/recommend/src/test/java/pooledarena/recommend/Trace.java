/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.FreeSlots;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.histogram.SlotReplay;
import pooledarena.histogram.Tally;
import pooledarena.recordings.Histograms;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What one thread does with its arenas, at random, as a recorder sees it and as a pool does. It may do all of it several times
 * before, until its slots have grown.
 */
final class Trace {

    static final int ROUNDS = 20;

    /** A step: arena {@code arena} allocates so many bytes, or is closed if that is negative. Its first step opens it. */
    private record Step(int arena, int bytes) {}

    private final boolean virtual;
    private final List<Step> steps = new ArrayList<>();

    private Trace(boolean virtual) {
        this.virtual = virtual;
    }

    /**
     * Arenas of a platform thread that are closed in the reverse order of their opening and allocate when they are opened, if
     * {@code nested}; otherwise any that is open may do anything.
     */
    static Trace random(Random random, boolean nested, int largest, int deepest) {
        return random(random, nested, false, largest, deepest);
    }

    /** Small arenas of a platform thread, of which so many are open at once and the first is closed first. */
    static Trace overlapping(int arenas, int most) {
        Trace trace = new Trace(false);
        for (int arena = 0; arena < arenas + most; arena++) {
            if (arena >= most) {
                trace.steps.add(new Step(arena - most, -1));
            }
            if (arena < arenas) {
                trace.steps.add(new Step(arena, 20));
            }
        }
        return trace;
    }

    /** Arenas of virtual threads of one carrier. */
    static Trace virtual(Random random, int largest, int most) {
        return random(random, false, true, largest, most);
    }

    private static Trace random(Random random, boolean nested, boolean virtual, int largest, int most) {
        Trace trace = new Trace(virtual);
        List<Integer> open = new ArrayList<>();
        int arenas = 0;
        for (int i = 0; i < 400; i++) {
            int action = random.nextInt(3);
            if (open.isEmpty() || action == 0 && open.size() < most) {
                open.add(arenas);
                int allocations = nested || virtual ? random.nextInt(1, 4) : random.nextInt(3);
                for (int j = 0; j < allocations; j++) {
                    trace.steps.add(new Step(arenas, random.nextInt(1, largest)));
                }
                arenas++;
            } else if (action == 1) {
                int which = nested ? open.size() - 1 : random.nextInt(open.size());
                trace.steps.add(new Step(open.remove(which), -1));
            } else if (!nested && !virtual) {
                trace.steps.add(new Step(open.get(random.nextInt(open.size())), random.nextInt(largest)));
            }
        }
        open.reversed().forEach(arena -> trace.steps.add(new Step(arena, -1)));
        return trace;
    }

    private static final class Recorded {
        private int openBefore;
        private int kept;
        private long bytes;
        private long slotBytes;
        private long allocations;
        private long first;
        private long largest;
        private final long[] bytesBySize = new long[SlotReplay.SIZES + 1];
    }

    /** {@return what the recorder writes of the last round} */
    Histogram recorded() {
        return recordedIn(ROUNDS);
    }

    Histogram recordedIn(int rounds) {
        FreeSlots slots = new FreeSlots();
        Map<Shape, Tally> rows = new HashMap<>();
        for (int round = 0; round < rounds; round++) {
            rows = recorded(slots);
        }
        return new Histogram(List.of(Histograms.jvm(1)), rows, Dropped.NOTHING);
    }

    private Map<Shape, Tally> recorded(FreeSlots slots) {
        Map<Integer, Recorded> open = new HashMap<>();
        Map<Shape, Tally> rows = new HashMap<>();
        for (Step step : steps) {
            Recorded arena = open.computeIfAbsent(step.arena, _ -> new Recorded());
            if (step.bytes < 0) {
                open.remove(step.arena);
                if (arena.allocations > 0) {
                    slots.put();
                }
                Shape shape = new Shape(null, virtual, Closing.BY_OPENER, arena.openBefore, arena.kept, arena.bytes,
                        arena.slotBytes, arena.allocations, arena.first, arena.largest, arena.allocations == 0 ? 0 : 1, true);
                Tally one = new Tally(1, arena.bytes, arena.allocations,
                        shape.servedInPart() ? SlotReplay.served(arena.bytesBySize, -1, arena.bytes) : null);
                rows.merge(shape, one, Trace::plus);
                continue;
            }
            if (arena.allocations == 0) {
                arena.openBefore = virtual ? 0 : (int) open.values().stream().filter(other -> other.allocations > 0).count();
                arena.kept = slots.take();
                arena.first = step.bytes;
            }
            arena.bytesBySize[SlotReplay.index(step.bytes)] += step.bytes;
            arena.slotBytes = SlotReplay.usedAfter(arena.slotBytes, step.bytes, 1);
            arena.bytes += step.bytes;
            arena.allocations++;
            arena.largest = Math.max(arena.largest, step.bytes);
        }
        return rows;
    }

    private static Tally plus(Tally a, Tally b) {
        long[] served = null;
        if (a.served() != null) {
            served = a.served().clone();
            for (int i = 0; i < served.length; i++) {
                served[i] += b.served()[i];
            }
        }
        return new Tally(a.arenas() + b.arenas(), a.bytes() + b.bytes(), a.allocations() + b.allocations(), served);
    }

    /** What a pool did in the last round: arenas with memory that took nothing from malloc, and how often others did. */
    record Pooled(long served, long mallocs) {}

    /** {@return what a pool does with slots of up to {@code size} bytes} */
    Pooled pooled(int size, int depth) {
        return pooledIn(ROUNDS, size, depth);
    }

    Pooled pooledIn(int rounds, int size, int depth) {
        Pool pool = new Pool(size, depth, virtual);
        long served = 0;
        long mallocs = 0;
        for (int round = 0; round < rounds; round++) {
            Map<Integer, Pool.Arena> open = new HashMap<>();
            served = 0;
            mallocs = 0;
            for (Step step : steps) {
                Pool.Arena arena = open.computeIfAbsent(step.arena, _ -> new Pool.Arena());
                if (step.bytes >= 0) {
                    pool.allocate(arena, step.bytes);
                    continue;
                }
                pool.close(arena);
                mallocs += arena.mallocs;
                served += arena.mallocs == 0 && arena.hasMemory() ? 1 : 0;
            }
        }
        return new Pooled(served, mallocs);
    }
}
