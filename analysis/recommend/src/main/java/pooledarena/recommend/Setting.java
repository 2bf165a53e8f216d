/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.model.PoolModel;

import module java.base;

/**
 * The most bytes of a slot, and how many slots a thread keeps.
 *
 * @param size  a power of two
 * @param depth a power of two here, but the property takes other numbers, too
 */
record Setting(int size, int depth) {

    static final Setting DEFAULT = new Setting(PoolModel.DEFAULT_SIZE, PoolModel.DEFAULT_DEPTH);

    /** {@return those with slots of up to so many bytes, the least first} */
    static List<Setting> upTo(int largest) {
        return IntStream.iterate(PoolModel.MIN_SIZE, size -> size <= largest, size -> 2 * size).boxed()
                .flatMap(size -> IntStream.iterate(1, depth -> depth <= PoolModel.MAX_DEPTH, depth -> 2 * depth)
                        .mapToObj(depth -> new Setting(size, depth))).toList();
    }

    /** {@return how many steps of either property it is from the default} */
    int fromDefault() {
        return Math.abs(Math.getExponent((float) size / DEFAULT.size)) + Math.abs(Math.getExponent((float) depth / DEFAULT.depth));
    }

    String options() {
        return "-Djdk.foreign.confinedPool.size=" + size + " -Djdk.foreign.confinedPool.depth=" + depth;
    }
}
