/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import java.util.NavigableMap;
import java.util.TreeMap;

import static pooledarena.recommend.PoolConstants.SMALL;
import static pooledarena.recommend.PoolConstants.LINE;
import static pooledarena.recommend.PoolConstants.MAX_DOUBLED;
import static pooledarena.recommend.PoolConstants.SHARE;

/**
 * How large slots and the blocks after them are: the rules of the pool's {@code ConfinedBlock} and {@code ConfinedSlotPool}. A
 * slot is as large as the first allocation, in whole lines. Where that does not suffice an arena goes on in a block twice as
 * large, up to a limit, or as large as what it allocates, and the largest that can be a slot is the slot from then on.
 */
final class Blocks {

    /** What a block's header, its alignment and malloc take beside its lines. */
    private static final int OVERHEAD = 80;

    private Blocks() {}

    /** {@return the capacity of a slot for an arena that first allocates so much} */
    static int first(long byteSize, int size) {
        return byteSize <= Math.min(LINE, size) ? Math.min(LINE, size) : lines(byteSize);
    }

    /** {@return the capacity that the slot has in the end of arenas that allocate {@code needed} bytes} */
    static int grown(long first, long largest, long needed, int size) {
        int capacity = first(Math.min(first, size), size);
        while (capacity < needed && capacity < size) {
            capacity = next(capacity, largest, size);
        }
        return capacity;
    }

    /** {@return whether a free slot without place is given to an arena that first allocates so much} */
    static boolean suits(int capacity, long first) {
        return capacity <= SMALL || capacity <= SHARE * first;
    }

    static int memory(int capacity) {
        return lines(capacity) + OVERHEAD;
    }

    /** {@return how many blocks of which capacity follow one of {@code capacity} in an arena that needs so much} */
    static NavigableMap<Integer, Long> after(int capacity, long largest, long needed, int size) {
        NavigableMap<Integer, Long> blocks = new TreeMap<>();
        long left = needed - capacity;
        for (int last = capacity; left > 0; ) {
            int next = next(last, largest, size);
            long count = next == last ? Math.ceilDiv(left, next) : 1;
            blocks.merge(next, count, Long::sum);
            left -= count * next;
            last = next;
        }
        return blocks;
    }

    /** {@return the capacity of the block after one of {@code capacity}, in an arena that allocates so much at once at most} */
    static int next(int capacity, long largest, int size) {
        long doubled = Math.min(2L * capacity, capacity < size ? size : Math.max(size, MAX_DOUBLED));
        return lines(Math.max(doubled, Math.min(largest, size)));
    }

    private static int lines(long byteSize) {
        return (int) (byteSize + LINE - 1) & -LINE;
    }
}
