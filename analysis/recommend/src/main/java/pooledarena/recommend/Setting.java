/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.histogram.SlotReplay;
import pooledarena.text.Figures;


/**
 * A size of slots and how many of them a thread keeps.
 *
 * @param index which size, the most that a slot has, as {@link SlotReplay} has them
 * @param depth from 1 to {@link #DEEPEST}
 */
record Setting(int index, int depth) {

    /** The most slots that a thread can keep. */
    static final int DEEPEST = PoolConstants.MAX_DEPTH;

    /** What the patch has where nothing else is set. */
    static final Setting DEFAULT = new Setting(
            Integer.numberOfTrailingZeros(PoolConstants.DEFAULT_SIZE / SlotReplay.SMALLEST), PoolConstants.DEFAULT_DEPTH);

    int size() {
        return SlotReplay.size(index);
    }

    String options() {
        return "-Djdk.foreign.confinedPool.size=" + size() + " -Djdk.foreign.confinedPool.depth=" + depth;
    }

    @Override
    public String toString() {
        return Figures.bytes(size()) + ", depth " + depth;
    }
}
