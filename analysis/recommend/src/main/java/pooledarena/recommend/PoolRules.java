/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.histogram.Shape;
import pooledarena.histogram.Tally;
import pooledarena.text.PoolSource;

import module java.base;

/**
 * Constants and rules of the pool. The constants are read from its sources; the rules are those of {@code ConfinedBlock} and
 * {@code ConfinedSlotPool}. A slot is as large as the first allocation. Where that does not suffice an arena goes on in blocks
 * that have half of what it has so far, up to a limit, or as much as it allocates. All that can be slots become free ones. An
 * arena that had the resident slot leaves one as large as all its blocks instead.
 */
final class PoolRules {

    static final int DEFAULT_SIZE = PoolSource.PROPERTIES.constant("DEFAULT_SIZE");
    static final int MAX_DEPTH = PoolSource.PROPERTIES.constant("MAX_DEPTH");
    static final int DEFAULT_DEPTH = PoolSource.PROPERTIES.constant("DEFAULT_DEPTH");
    static final int SMALL = PoolSource.POOL.constant("SMALL");
    private static final int SMALL_PER_LARGE = PoolSource.POOL.constant("SMALL_PER_LARGE");

    /** The alignment of blocks, to which capacities above the least are rounded, and what blocks take beside that. */
    static final int LINE = PoolSource.BLOCK.constant("ALIGNMENT");
    private static final int MIN_LIMIT = PoolSource.BLOCK.constant("MIN_LIMIT");

    private static final int MAX_GROWN = PoolSource.BLOCK.constant("MAX_GROWN");
    private static final int MAX_EXCESS = PoolSource.BLOCK.constant("MAX_EXCESS");

    private PoolRules() {}

    /** {@return the capacity of a new block for so many bytes} */
    static int capacity(long byteSize, int size) {
        int least = Math.min(MIN_LIMIT, size);
        return byteSize <= least ? least : (int) (byteSize + LINE - 1) & -LINE;
    }

    /** {@return how many small free slots a thread keeps, of large ones as many as the depth} */
    static int mostSmall(int size, int depth) {
        return depth * Math.clamp(size / SMALL, 1, SMALL_PER_LARGE);
    }

    /** {@return how large the next block of an arena is at least, whose blocks have {@code total} bytes} */
    static int growth(long total) {
        return (int) Math.min(total / 2, MAX_GROWN);
    }

    /** {@return whether a slot is not much larger than an arena may hold that allocates {@code byteSize} bytes} */
    static boolean suits(int capacity, int byteSize) {
        return capacity <= byteSize + byteSize / 2 + MAX_EXCESS;
    }

    /**
     * {@return how many blocks of which capacity an arena makes that finds none} It allocates {@code needed} bytes. Each further
     * block has room for the largest allocation that slots serve.
     *
     * @param slot the capacity of the slot that it finds, or 0 if it makes that, too
     */
    static NavigableMap<Integer, Long> blocks(int slot, Shape shape, long needed, int size) {
        NavigableMap<Integer, Long> made = new TreeMap<>();
        for (long total = slot; total < needed; ) {
            long least = Math.min(total == 0 ? shape.first() : shape.largest(), size);
            int next = capacity(Math.max(least, growth(total)), size);
            long count = total / 2 < MAX_GROWN ? 1 : Math.ceilDiv(needed - total, next); // blocks grow no more
            made.merge(next, count, Long::sum);
            total = Tally.add(total, count * next);
        }
        return made;
    }

    /** {@return the capacity of the resident slot that an arena leaves which made these blocks} */
    static int resident(Map<Integer, Long> blocks, int size) {
        double total = blocks.entrySet().stream().mapToDouble(block -> (double) block.getKey() * block.getValue()).sum();
        return capacity((long) Math.min(total, size), size);
    }
}
