/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import org.junit.jupiter.api.Test;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Shape;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PoolRulesTest {

    @Test
    void capacities() {
        assertEquals(8, PoolRules.capacity(5, 8));
        assertEquals(32, PoolRules.capacity(5, 32));
        assertEquals(56, PoolRules.capacity(0, 8192));
        assertEquals(56, PoolRules.capacity(56, 8192));
        assertEquals(64, PoolRules.capacity(57, 8192));
        assertEquals(64, PoolRules.capacity(9, 8)); // a block that is no slot
        assertEquals(128, PoolRules.capacity(65, 8192));
    }

    /** 16 for each large one, if that has as many bytes; where all slots are small, as many as the depth. */
    @Test
    void freeSlots() {
        assertEquals(128, PoolRules.mostSmall(8192, 8));
        assertEquals(8, PoolRules.mostSmall(1024, 4));
        assertEquals(5, PoolRules.mostSmall(8, 5));
    }

    /** Half of what the blocks have, up to 64 KiB. */
    @Test
    void growth() {
        assertEquals(0, PoolRules.growth(0));
        assertEquals(28, PoolRules.growth(56));
        assertEquals(65_535, PoolRules.growth(131_071));
        assertEquals(65_536, PoolRules.growth(131_072));
        assertEquals(65_536, PoolRules.growth(Long.MAX_VALUE));
    }

    /** A slot of 1.5 times what is needed, and 88 bytes for what an arena takes beside its memory. */
    @Test
    void slotsThatSuit() {
        assertTrue(PoolRules.suits(1000 + 500 + 88, 1000));
        assertFalse(PoolRules.suits(1000 + 500 + 89, 1000));
        assertTrue(PoolRules.suits(1 + 88, 1));
    }

    /** An arena that finds no slot makes its first block as large as its first allocation. */
    @Test
    void fromTheFirstOn() {
        assertEquals(Map.of(56, 1L), PoolRules.blocks(0, shape(8, 8), 56, 8192));
        assertEquals(Map.of(128, 1L), PoolRules.blocks(0, shape(100, 100), 100, 8192));
        assertEquals(Map.of(56, 1L, 1024, 1L), PoolRules.blocks(0, shape(8, 1000), 1016, 8192));
        assertEquals(Map.of(56, 3L, 128, 1L, 192, 1L), PoolRules.blocks(0, shape(30, 30), 318, 8192));
        assertEquals(Map.of(8, 3L, 64, 1L), PoolRules.blocks(0, shape(8, 8), 25, 8)); // half of 8, 16 and 24 bytes
        assertEquals(Map.of(8192, 1L), PoolRules.blocks(0, shape(9000, 9000), 8192, 8192));
    }

    /** With the slot that it finds; in the end only blocks of 64 KiB follow, or of what is allocated. */
    @Test
    void further() {
        assertEquals(Map.of(), PoolRules.blocks(64, shape(8, 8), 64, 64));
        assertEquals(Map.of(56, 1L), PoolRules.blocks(64, shape(8, 8), 65, 64));
        assertEquals(Map.of(4096, 1L, 6144, 1L), PoolRules.blocks(8192, shape(451, 451), 18_000, 8192));
        assertEquals(Map.of(65_536, 31L), PoolRules.blocks(131_072, shape(8, 8), 131_072 + 31 * 65_536, 8192));
        assertEquals(Map.of(65_536, 3L), PoolRules.blocks(65_536, shape(8, 65_536), 65_536 * 4, 65_536));
        assertEquals(Map.of(32_768, 1L, 49_152, 1L), PoolRules.blocks(65_536, shape(8, 8), 65_536 + 32_769, 65_536));
        assertEquals(Map.of(1 << 20, (1L << 43) - 1), PoolRules.blocks(1 << 20, shape(8, 1 << 20), Long.MAX_VALUE, 1 << 20));
    }

    /** All blocks together, but no larger than slots can be. */
    @Test
    void resident() {
        assertEquals(56, PoolRules.resident(Map.of(56, 1L), 8192));
        assertEquals(640, PoolRules.resident(Map.of(56, 3L, 128, 1L, 320, 1L), 8192)); // 616 bytes
        assertEquals(8192, PoolRules.resident(Map.of(8192, 1L, 4096, 1L), 8192));
        assertEquals(8, PoolRules.resident(Map.of(8, 1L, 64, 1L << 50), 8));
    }

    private static Shape shape(long first, long largest) {
        return new Shape(null, false, Closing.BY_OPENER, 0, 1, 0, 0, 0, first, largest, 1, true);
    }

    @Test
    void theDefault() {
        assertEquals(PoolRules.DEFAULT_SIZE, Setting.DEFAULT.size());
    }
}
