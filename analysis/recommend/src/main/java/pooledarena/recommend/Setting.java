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

    static final Setting DEFAULT = new Setting(SlotReplay.index(PoolRules.DEFAULT_SIZE), PoolRules.DEFAULT_DEPTH);

    static final List<Setting> ALL = IntStream.range(0, SlotReplay.SIZES * PoolRules.MAX_DEPTH)
            .mapToObj(i -> new Setting(i / PoolRules.MAX_DEPTH, i % PoolRules.MAX_DEPTH + 1)).toList();

    int size() {
        return SlotReplay.size(index);
    }

    /** {@return how many steps of either property it is from the default} */
    int fromDefault() {
        return Math.abs(index - DEFAULT.index) + Math.abs(depth - DEFAULT.depth);
    }

    String options() {
        return "-Djdk.foreign.confinedPool.size=" + size() + " -Djdk.foreign.confinedPool.depth=" + depth;
    }
}
