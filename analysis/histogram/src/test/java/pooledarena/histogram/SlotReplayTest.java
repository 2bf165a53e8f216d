/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The replay, on cases counted by hand and against the pool's rules with real addresses. */
class SlotReplayTest {

    @Test
    void byHand() {
        long[] bytes = new long[SlotReplay.SIZES + 1];
        bytes[SlotReplay.index(5)] += 5;
        bytes[SlotReplay.index(100)] += 100;
        bytes[SlotReplay.index(0)] += 0;
        bytes[SlotReplay.index(4)] += 3; // as it is aligned to 4
        bytes[SlotReplay.index(1 << 21)] += 1 << 21;
        bytes[SlotReplay.index(32)] += 32; // of an earlier arena
        assertArrayEquals(new long[] {8, 8, 8, 8, 108, 108, 108, 108, 108, 108, 108, 108, 108, 108, 108, 108, 108, 108},
                SlotReplay.served(bytes, -1 ^ 1 << SlotReplay.index(32), 108));
        assertEquals(50, SlotReplay.served(bytes, -1, 50)[SlotReplay.SIZES - 1]);
        long used = SlotReplay.usedAfter(0, 5, 1);
        assertEquals(5, used);
        used = SlotReplay.usedAfter(used, 100, 1);
        assertEquals(116, used);
        assertEquals(116, SlotReplay.usedAfter(used, 0, 64));
        assertEquals(123, SlotReplay.usedAfter(used, 3, 4));
        assertEquals(8 + 15, SlotReplay.usedAfter(5, 15, 1));
        assertEquals(16 + 16, SlotReplay.usedAfter(5, 16, 1));
        assertEquals(Long.MAX_VALUE, SlotReplay.usedAfter(used, Long.MAX_VALUE, 1));
    }

    /** A slot as the pool has it, at the address that is worst for large alignments. */
    @Test
    void againstTheRulesOfThePool() {
        Random random = new Random(20261121);
        for (int round = 0; round < 2000; round++) {
            long[] bytes = new long[SlotReplay.SIZES + 1];
            long[] expected = new long[SlotReplay.SIZES];
            long need = 0;
            long base = 1_000_000 * 64 + 64;
            long end = base;
            for (int i = random.nextInt(1, 8); i > 0; i--) {
                long size = random.nextInt(4) == 0 ? random.nextInt(5000) : random.nextInt(70);
                long alignment = 1L << random.nextInt(7);
                bytes[SlotReplay.index(Math.max(size, alignment))] += size;
                need = SlotReplay.usedAfter(need, size, alignment);
                for (int s = 0; s < SlotReplay.SIZES; s++) {
                    expected[s] += size > SlotReplay.size(s) || alignment > SlotReplay.size(s) ? 0 : size;
                }
                if (size > 0) {
                    while (end % (size < 16 ? 8 : 16) != 0 || end % alignment != 0) {
                        end++;
                    }
                    end += size;
                }
            }
            assertArrayEquals(expected, SlotReplay.served(bytes, -1, Long.MAX_VALUE));
            assertEquals(end - base, need);
        }
        assertEquals(4096 + 1, SlotReplay.usedAfter(8, 1, 4096));
    }
}
