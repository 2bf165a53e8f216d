/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

class FreeSlotsTest {

    @Test
    void byHand() {
        FreeSlots slots = new FreeSlots();
        assertEquals(0, slots.take());
        slots.put(); // to no pool
        assertEquals(0, slots.take());
        assertEquals(0, slots.take());
        slots.put();
        assertEquals(0, slots.take()); // the fourth
        assertEquals(0, slots.take());
        slots.put();
        assertEquals(1, slots.take()); // one after the other, beside two that stay open
        slots.put();
        slots.put();
        slots.put();
        assertEquals(1, slots.take()); // nested
        assertEquals(2, slots.take());
        slots.put();
        assertEquals(1, slots.take());
        assertEquals(3, slots.take()); // three were free together since this one was returned
        assertEquals(0, slots.take());
    }

    /** A thread that keeps so many slots has one for exactly those arenas that need no more. */
    @Test
    void againstThreadsThatKeepSoMany() {
        Random random = new Random(20261122);
        for (int round = 0; round < 200; round++) {
            FreeSlots all = new FreeSlots();
            int[] free = new int[20];
            int open = 0;
            int opened = 0;
            for (int i = 0; i < 500; i++) {
                boolean take = open == 0 || random.nextInt(100) < (i / 50 % 2 == 0 ? 60 : 40);
                int needed = take ? all.take() : 0;
                if (!take) {
                    all.put();
                }
                open += take ? 1 : -1;
                opened += take ? 1 : 0;
                for (int kept = 0; kept < free.length; kept++) {
                    if (take) {
                        assertEquals(free[kept] > 0, needed > 0 && needed <= kept);
                        free[kept] = Math.max(0, free[kept] - 1);
                    } else if (opened >= FreeSlots.FIRST_WITH_POOL) {
                        free[kept] = Math.min(kept, free[kept] + 1);
                    }
                }
            }
        }
    }
}
