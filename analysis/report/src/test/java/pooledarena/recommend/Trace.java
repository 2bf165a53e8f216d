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

import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
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

/** What one thread does with its arenas, at random, as a recorder sees it and as a pool does. */
final class Trace {

    /** A step: arena {@code arena} allocates so many bytes, or is closed if that is negative. Its first step opens it. */
    private record Step(int arena, int bytes) {}

    private final List<Step> steps = new ArrayList<>();

    /**
     * Arenas that are closed in the reverse order of their opening and allocate when they are opened, if {@code nested};
     * otherwise any that is open may do anything.
     */
    static Trace random(Random random, boolean nested, int largest) {
        Trace trace = new Trace();
        List<Integer> open = new ArrayList<>();
        int arenas = 0;
        for (int i = 0; i < 400; i++) {
            int action = random.nextInt(3);
            if (open.isEmpty() || action == 0 && open.size() < 20) {
                open.add(arenas);
                int allocations = nested ? random.nextInt(1, 4) : random.nextInt(3);
                for (int j = 0; j < allocations; j++) {
                    trace.steps.add(new Step(arenas, random.nextInt(1, largest)));
                }
                arenas++;
            } else if (action == 1) {
                int which = nested ? open.size() - 1 : random.nextInt(open.size());
                trace.steps.add(new Step(open.remove(which), -1));
            } else if (!nested) {
                trace.steps.add(new Step(open.get(random.nextInt(open.size())), random.nextInt(largest)));
            }
        }
        open.reversed().forEach(arena -> trace.steps.add(new Step(arena, -1)));
        return trace;
    }

    private static final class Recorded {
        private int openBefore;
        private long bytes;
        private long slotBytes;
        private long allocations;
        private long largest;
        private final SlotReplay replay = new SlotReplay();
    }

    /** {@return what the recorder writes of it} */
    Histogram recorded() {
        Map<Integer, Recorded> open = new HashMap<>();
        Map<Shape, Tally> rows = new HashMap<>();
        for (Step step : steps) {
            Recorded arena = open.computeIfAbsent(step.arena, _ -> new Recorded());
            if (step.bytes < 0) {
                open.remove(step.arena);
                Shape shape = new Shape(null, false, Closing.BY_OPENER, 0, arena.openBefore, arena.bytes, arena.slotBytes,
                        arena.allocations, arena.largest, arena.allocations == 0 ? 0 : 1, true);
                long[] served = null;
                if (shape.servedInPart()) {
                    served = new long[SlotReplay.SIZES];
                    for (int i = 0; i < served.length; i++) {
                        served[i] = arena.replay.served(i);
                    }
                }
                Tally one = new Tally(1, arena.bytes, arena.allocations, served);
                rows.merge(shape, one, Trace::plus);
                continue;
            }
            if (arena.bytes == 0 && step.bytes > 0) {
                arena.openBefore = (int) open.values().stream().filter(other -> other.bytes > 0).count();
            }
            arena.replay.allocate(step.bytes, 1);
            arena.slotBytes = SlotReplay.usedAfter(arena.slotBytes, step.bytes, 1);
            arena.bytes += step.bytes;
            arena.allocations++;
            arena.largest = Math.max(arena.largest, step.bytes);
        }
        return new Histogram(List.of(Histograms.jvm(1)), rows, Dropped.NOTHING);
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

    /** What a pool did: arenas whose bytes are all in slots that were there, and bytes in slots and blocks. */
    record Pooled(long arenas, long bytes) {}

    private static final class InPool {
        private boolean slot;
        private boolean kept;
        private long needed;
        private long bytes;
        private long served;
    }

    /** {@return what a pool does with slots of up to {@code size} bytes when it has made them} */
    Pooled pooled(int size, int depth) {
        Map<Integer, Integer> capacities = capacities(size);
        Map<Integer, InPool> open = new HashMap<>();
        int claimed = 0;
        long wholly = 0;
        long served = 0;
        for (Step step : steps) {
            InPool arena = open.computeIfAbsent(step.arena, _ -> new InPool());
            if (step.bytes < 0) {
                claimed -= arena.slot ? 1 : 0;
                wholly += arena.bytes > 0 && arena.served == arena.bytes && arena.needed <= size && arena.kept ? 1 : 0;
                served += arena.served;
                open.remove(step.arena);
                continue;
            }
            if (step.bytes > 0 && step.bytes <= size) {
                if (!arena.slot) {
                    arena.slot = true;
                    // Slots in places have 256 bytes or the size; what these leave of depth times size is for others.
                    int withoutPlace = claimed + 1 - depth;
                    arena.kept = withoutPlace <= 0
                            || withoutPlace * capacities.get(step.arena) <= (depth - 1) * (size - Math.min(size, 256));
                    claimed++;
                }
                arena.needed = SlotReplay.usedAfter(arena.needed, step.bytes, 1);
                arena.served += step.bytes;
            }
            arena.bytes += step.bytes;
        }
        return new Pooled(wholly, served);
    }

    /** {@return the slot that each arena needs for all that it allocates, in lines of 64 bytes and at most {@code size}} */
    private Map<Integer, Integer> capacities(int size) {
        Map<Integer, Long> needed = new HashMap<>();
        for (Step step : steps) {
            if (step.bytes > 0) {
                needed.put(step.arena, SlotReplay.usedAfter(needed.getOrDefault(step.arena, 0L), step.bytes, 1));
            }
        }
        Map<Integer, Integer> capacities = new HashMap<>();
        needed.forEach((arena, bytes) -> capacities.put(arena, Math.ceilDiv((int) Math.min(bytes, size), 64) * 64));
        return capacities;
    }
}
