/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import org.junit.jupiter.api.Test;
import pooledarena.histogram.SlotReplay;

import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PoolRulesTest {

    @Test
    void theFirstOfAnArena() {
        assertEquals(8, PoolRules.first(5, 8));
        assertEquals(64, PoolRules.first(5, 8192));
        assertEquals(64, PoolRules.first(64, 8192));
        assertEquals(128, PoolRules.first(65, 8192));
        assertEquals(144, PoolRules.memory(8));
        assertEquals(208, PoolRules.memory(128));
    }

    @Test
    void growth() {
        assertEquals(1024, PoolRules.grown(1000, 1000, 1000, 8192));
        assertEquals(512, PoolRules.grown(30, 30, 318, 8192)); // 64, 128, 256
        assertEquals(2048, PoolRules.grown(8, 2000, 2016, 8192)); // 64, and then what is asked for
        assertEquals(8192, PoolRules.grown(451, 451, 46_400, 8192));
        assertEquals(65_536, PoolRules.grown(8, 8, 1_000_000, 65_536));
    }

    /** Each is twice as large as the one before, up to 64 KiB or the size of slots. */
    @Test
    void further() {
        assertEquals(Map.of(), PoolRules.after(64, 8, 64, 64));
        assertEquals(Map.of(128, 1L), PoolRules.after(64, 8, 65, 64));
        assertEquals(Map.of(16_384, 1L, 32_768, 1L), PoolRules.after(8192, 451, 46_400, 8192));
        assertEquals(Map.of(128, 1L, 256, 1L, 512, 1L, 1024, 1L, 2048, 1L, 4096, 1L, 8192, 1L, 16_384, 1L, 32_768, 1L),
                PoolRules.after(64, 8, 64 + 16_256 + 2 * 16_384 + 1, 64));
        assertEquals(Map.of(65_536, 3L), PoolRules.after(65_536, 8, 65_536 * 4, 8192));
        assertEquals(Map.of(65_536, 2L), PoolRules.after(65_536, 8, 65_536 * 3, 65_536));
        assertEquals(Map.of(64, 1L), PoolRules.after(8, 8, 9, 8)); // whole lines
    }

    @Test
    void whichSlotSuits() {
        assertTrue(PoolRules.suits(512, 1));
        assertFalse(PoolRules.suits(576, 71));
        assertTrue(PoolRules.suits(576, 72));
    }

    /** The recorder looks at the sizes that the pool's property takes. */
    @Test
    void sizes() {
        assertEquals(PoolRules.constant(PoolRules.PROPERTIES, "MIN_SIZE"), SlotReplay.size(0));
        assertEquals(PoolRules.constant(PoolRules.PROPERTIES, "MAX_SIZE"), SlotReplay.size(SlotReplay.SIZES - 1));
        assertEquals(PoolRules.DEFAULT_SIZE, Setting.DEFAULT.size());
    }
}
