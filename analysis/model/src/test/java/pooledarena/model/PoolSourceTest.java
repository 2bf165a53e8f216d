/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.model;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class PoolSourceTest {

    /** A number, and one that is shifted. All are part of what is documented. */
    @Test
    void constants() {
        assertEquals(8192, PoolSource.PROPERTIES.constant("DEFAULT_SIZE"));
        assertEquals(1_048_576, PoolSource.PROPERTIES.constant("MAX_SIZE"));
        assertEquals(56, PoolSource.BLOCK.constant("MIN_LIMIT"));
        assertEquals(568, PoolSource.POOL.constant("SMALL"));
    }

    @Test
    void missing() {
        for (String name : new String[] {"SHARE", "DEPTH", "SIZE", "MAX_SMALL"}) {
            assertEquals("ConfinedSlotPool.java has no number " + name,
                    assertThrows(IllegalStateException.class, () -> PoolSource.POOL.constant(name)).getMessage());
        }
    }
}
