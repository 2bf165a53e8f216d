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

import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.histogram.SlotReplay;
import pooledarena.histogram.Tally;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the pool would have done for recorded arenas, with each setting, once it has made its slots. It serves each allocation
 * that is no larger than a slot can be. An arena finds a slot without {@code malloc} if fewer than the depth of its thread's
 * arenas had memory before it did, or if there is room for so many slots that have no place. As some of those arenas may have
 * had no slot, this is the least. With virtual threads, whose arenas use the slots of a carrier together with those of
 * others, it is not: what others had open is not recorded.
 */
final class Replay {

    /** What slots are rounded up to. */
    private static final int LINE = 64;

    /** The least slot in a place, unless slots cannot be as large. */
    private static final int PLACED = 256;

    /** What the pool and the JVM's memory allocation add to a slot. */
    private static final int OVERHEAD = 80;

    /** All arenas that have bytes. */
    final long arenas;

    /** Their bytes. */
    final long bytes;

    /** How many of them virtual threads opened. */
    final long virtual;

    /** What they take without a pool, in nanoseconds. */
    final double time;

    // By size and depth - 1.
    private final long[][] served = new long[SlotReplay.SIZES][Setting.DEEPEST];
    private final double[][] saved = new double[SlotReplay.SIZES][Setting.DEEPEST];

    /** By size. */
    private final long[] servedBytes = new long[SlotReplay.SIZES];

    /** By size: the largest slot that arenas use when so many others of their thread have memory. */
    private final List<NavigableMap<Integer, Integer>> slots =
            Stream.generate(() -> (NavigableMap<Integer, Integer>) new TreeMap<Integer, Integer>()).limit(SlotReplay.SIZES).toList();

    Replay(Histogram histogram, Costs costs) {
        long allArenas = 0;
        long allBytes = 0;
        long allVirtual = 0;
        double allTime = 0;
        for (var row : histogram.rows().entrySet()) {
            Tally tally = row.getValue();
            if (tally.bytes() > 0) {
                allArenas = Tally.add(allArenas, tally.arenas());
                allBytes = Tally.add(allBytes, tally.bytes());
                allVirtual = Tally.add(allVirtual, row.getKey().virtual() ? tally.arenas() : 0);
                allTime += costs.stock(tally);
                add(row.getKey(), tally, costs);
            }
        }
        arenas = allArenas;
        bytes = allBytes;
        virtual = allVirtual;
        time = allTime;
    }

    private void add(Shape shape, Tally tally, Costs costs) {
        for (int i = 0; i < SlotReplay.SIZES; i++) {
            int size = SlotReplay.size(i);
            boolean wholly = shape.slotBytes() <= size && shape.alignment() <= size;
            long part = wholly ? tally.bytes() : tally.served() != null ? tally.served()[i] : 0;
            if (part == 0) {
                continue;
            }
            servedBytes[i] = Tally.add(servedBytes[i], part);
            int capacity = capacity(Math.min(shape.slotBytes(), size));
            slots.get(i).merge(shape.openBefore(), capacity, Math::max);
            for (int depth = 1; depth <= Setting.DEEPEST; depth++) {
                boolean placed = shape.openBefore() < depth;
                if (part == tally.bytes() && (placed || (shape.openBefore() - depth + 1L) * capacity <= room(size, depth))) {
                    served[i][depth - 1] += wholly ? tally.arenas() : 0;
                    saved[i][depth - 1] += costs.stock(tally) - costs.pooled(tally, shape.slotBytes(), size, placed);
                }
            }
        }
    }

    /** {@return the bytes of a slot that is made for {@code needed}} */
    private static int capacity(long needed) {
        return (int) (needed + LINE - 1) & -LINE;
    }

    /** {@return how many bytes of slots without a place a thread keeps, when those in places are small} */
    private static long room(int size, int depth) {
        return (depth - 1L) * (size - Math.min(size, PLACED));
    }

    /** {@return how many arenas with bytes have all of them in a slot that was there} */
    long served(Setting setting) {
        return served[setting.index()][setting.depth() - 1];
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
        long kept = 0;
        int count = 0;
        for (var slot : slots.get(setting.index()).entrySet()) {
            boolean placed = slot.getKey() < setting.depth();
            int capacity = placed ? Math.max(slot.getValue(), capacity(Math.min(setting.size(), PLACED))) : slot.getValue();
            if (placed || kept + capacity <= (long) setting.size() * setting.depth()) {
                kept += capacity;
                count++;
            }
        }
        return kept + (long) count * OVERHEAD;
    }
}
