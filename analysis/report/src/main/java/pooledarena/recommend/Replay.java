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

/**
 * What the pool would have done for recorded arenas, with each setting. An arena gets a slot if fewer than the depth of its
 * thread's arenas had memory before it did. As some of these may have had no slot, this is the least that are served. With
 * virtual threads, whose arenas share the slots of a carrier with those of others, it is not: what others had open is not
 * recorded.
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

    // By size and depth - 1.
    private final long[][] served = new long[SlotReplay.SIZES][Setting.DEEPEST];
    private final long[][] servedBytes = new long[SlotReplay.SIZES][Setting.DEEPEST];
    private final double[][] saved = new double[SlotReplay.SIZES][Setting.DEEPEST];

    /** By size, how many slots any thread could have used. */
    private final int[] slots = new int[SlotReplay.SIZES];

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
        accumulate();
    }

    /** Adds a row at the least depth that serves it. */
    private void add(Shape shape, Tally tally, Costs costs) {
        for (int i = 0; i < SlotReplay.SIZES; i++) {
            boolean wholly = shape.slotBytes() <= SlotReplay.size(i) && shape.alignment() <= SlotReplay.size(i);
            long part = wholly ? tally.bytes() : tally.served() != null ? tally.served()[i] : 0;
            if (part > 0) {
                slots[i] = Math.max(slots[i], Math.min(shape.openBefore(), Setting.DEEPEST - 1) + 1);
            }
            if (part > 0 && shape.openBefore() < Setting.DEEPEST) {
                servedBytes[i][shape.openBefore()] = Tally.add(servedBytes[i][shape.openBefore()], part);
                if (wholly) {
                    served[i][shape.openBefore()] += tally.arenas();
                    saved[i][shape.openBefore()] += costs.stock(tally) - costs.pooled(tally);
                }
            }
        }
    }

    /** What one depth serves, the next does, too. */
    private void accumulate() {
        for (int i = 0; i < SlotReplay.SIZES; i++) {
            for (int d = 1; d < Setting.DEEPEST; d++) {
                served[i][d] += served[i][d - 1];
                servedBytes[i][d] = Tally.add(servedBytes[i][d], servedBytes[i][d - 1]);
                saved[i][d] += saved[i][d - 1];
            }
        }
    }

    /** {@return how many arenas with bytes have all of them in a slot} */
    long served(Setting setting) {
        return served[setting.index()][setting.depth() - 1];
    }

    /** {@return how many bytes are in slots, of arenas that have only some of them there, too} */
    long servedBytes(Setting setting) {
        return servedBytes[setting.index()][setting.depth() - 1];
    }

    /** {@return the nanoseconds that it saves with the arenas that it serves wholly; the others are taken to gain nothing} */
    double saved(Setting setting) {
        return saved[setting.index()][setting.depth() - 1];
    }

    /** {@return the native memory of the slots of that thread that takes the most} */
    long memory(Setting setting) {
        return setting.memory(Math.min(setting.depth(), slots[setting.index()]));
    }
}
