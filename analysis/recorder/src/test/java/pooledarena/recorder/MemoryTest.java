/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MemoryTest {

    /** {@return what has memory for so many call sites, and no more} */
    static CallSites sites(int count) {
        CallSites sites = new CallSites();
        sites.use(new Memory((4L * count * Memory.FRAME + 2) / 3), 1, List.of());
        return sites;
    }

    @Test
    void whatIsLeft() {
        Memory memory = new Memory(1000);
        assertTrue(memory.take(500, memory.half));
        assertFalse(memory.take(1, memory.half));
        assertTrue(memory.take(250, memory.quarter));
        assertFalse(memory.take(1, memory.quarter));
        assertTrue(memory.take(250, 0));
        assertFalse(memory.take(1, 0));
        memory.give(100);
        assertFalse(memory.take(101, 0));
        assertTrue(memory.take(100, 0));
    }
}
