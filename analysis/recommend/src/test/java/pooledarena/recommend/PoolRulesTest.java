/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import org.junit.jupiter.api.Test;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Shape;
import pooledarena.histogram.SlotReplay;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

class PoolRulesTest {

    @Test
    void theFirstOfAnArena() {
        assertEquals(8, PoolRules.first(5, 8));
        assertEquals(64, PoolRules.first(5, 8192));
        assertEquals(64, PoolRules.first(64, 8192));
        assertEquals(128, PoolRules.first(65, 8192));
    }

    /** 16 for each large one, if that has as many bytes; where all slots are small, as many as the depth. */
    @Test
    void freeSlots() {
        assertEquals(128, PoolRules.mostSmall(8192, 8));
        assertEquals(8, PoolRules.mostSmall(1024, 4));
        assertEquals(5, PoolRules.mostSmall(8, 5));
    }

    @Test
    void growth() {
        assertEquals(List.of(8), PoolRules.left(shape(8, 8), 9, 8));
        assertEquals(List.of(64), PoolRules.left(shape(8, 8), 64, 8192));
        assertEquals(List.of(1024), PoolRules.left(shape(1000, 1000), 1000, 8192));
        assertEquals(List.of(64, 128, 256, 512), PoolRules.left(shape(30, 30), 318, 8192));
        assertEquals(List.of(64, 2048), PoolRules.left(shape(8, 2000), 2016, 8192)); // 64, and then what is asked for
        assertEquals(List.of(512, 1024, 2048, 4096, 8192), PoolRules.left(shape(451, 451), 46_400, 8192));
        assertEquals(List.of(8192), PoolRules.left(shape(9000, 9000), 9000, 8192));
        assertEquals(65_536, PoolRules.left(shape(8, 8), 1_000_000, 65_536).getLast());
    }

    /** Each is twice as large as the one before, up to 64 KiB or the size of slots. */
    @Test
    void further() {
        Shape small = shape(8, 8);
        assertEquals(Map.of(), PoolRules.blocks(64, small, 64, 64));
        assertEquals(Map.of(128, 1L), PoolRules.blocks(64, small, 65, 64));
        assertEquals(Map.of(16_384, 1L, 32_768, 1L), PoolRules.blocks(8192, shape(451, 451), 46_400, 8192));
        assertEquals(Map.of(128, 1L, 256, 1L, 512, 1L, 1024, 1L, 2048, 1L, 4096, 1L, 8192, 1L, 16_384, 1L, 32_768, 1L),
                PoolRules.blocks(64, small, 64 + 16_256 + 2 * 16_384 + 1, 64));
        assertEquals(Map.of(65_536, 3L), PoolRules.blocks(65_536, small, 65_536 * 4, 8192));
        assertEquals(Map.of(65_536, 2L), PoolRules.blocks(65_536, small, 65_536 * 3, 65_536));
        assertEquals(Map.of(64, 1L), PoolRules.blocks(8, small, 9, 8)); // whole lines
    }

    /** An arena that finds no slot makes its first block as large as its first allocation. */
    @Test
    void withoutSlot() {
        assertEquals(Map.of(64, 1L), PoolRules.blocks(0, shape(8, 8), 8, 8192));
        assertEquals(Map.of(128, 1L), PoolRules.blocks(0, shape(100, 100), 100, 8192));
        assertEquals(Map.of(64, 1L, 1024, 1L), PoolRules.blocks(0, shape(8, 1000), 1008, 8192));
    }

    private static Shape shape(long first, long largest) {
        return new Shape(null, false, Closing.BY_OPENER, 0, 1, 0, 0, 0, first, largest, 1, true);
    }

    /** The recorder looks at the sizes that the pool's property takes. */
    @Test
    void sizes() {
        assertEquals(PoolRules.constant(PoolRules.PROPERTIES, "MIN_SIZE"), SlotReplay.size(0));
        assertEquals(PoolRules.constant(PoolRules.PROPERTIES, "MAX_SIZE"), SlotReplay.size(SlotReplay.SIZES - 1));
        assertEquals(PoolRules.DEFAULT_SIZE, Setting.DEFAULT.size());
    }
}
