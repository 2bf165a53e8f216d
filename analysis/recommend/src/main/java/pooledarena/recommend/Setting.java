/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.histogram.SlotReplay;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A size of slots and how many of them a thread keeps.
 *
 * @param index which size, the most that a slot has, as {@link SlotReplay} has them
 * @param depth from 1 on
 */
record Setting(int index, int depth) {

    static final Setting DEFAULT = new Setting(SlotReplay.index(PoolConstants.DEFAULT_SIZE), PoolConstants.DEFAULT_DEPTH);

    static final List<Setting> ALL = IntStream.range(0, SlotReplay.SIZES * PoolConstants.MAX_DEPTH)
            .mapToObj(i -> new Setting(i / PoolConstants.MAX_DEPTH, i % PoolConstants.MAX_DEPTH + 1)).toList();

    int size() {
        return SlotReplay.size(index);
    }

    String options() {
        return "-Djdk.foreign.confinedPool.size=" + size() + " -Djdk.foreign.confinedPool.depth=" + depth;
    }
}
