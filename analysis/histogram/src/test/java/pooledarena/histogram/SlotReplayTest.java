/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import org.junit.jupiter.api.Test;
import pooledarena.io.WholeFiles;
import pooledarena.text.PoolSource;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
        assertEquals(128 + 1, SlotReplay.usedAfter(used, 0, 64));
        assertEquals(123, SlotReplay.usedAfter(used, 3, 4));
        assertEquals(8 + 15, SlotReplay.usedAfter(5, 15, 1));
        assertEquals(16 + 16, SlotReplay.usedAfter(5, 16, 1));
        assertEquals(Long.MAX_VALUE, SlotReplay.usedAfter(used, Long.MAX_VALUE, 1));
    }

    /** From 16 bytes on the second one starts at a multiple of 16. */
    @Test
    void twoOfTheSameSize() {
        assertEquals(32 + 20, SlotReplay.usedAfter(SlotReplay.usedAfter(0, 20, 1), 20, 1));
        assertEquals(16 + 15, SlotReplay.usedAfter(SlotReplay.usedAfter(0, 15, 1), 15, 1));
        assertEquals(8 + 1, SlotReplay.usedAfter(SlotReplay.usedAfter(0, 0, 1), 0, 1));
    }

    /** The recorder has its own numbers; those of the pool are the same. */
    @Test
    void asInTheSourcesOfThePool() {
        assertEquals(PoolSource.PROPERTIES.constant("MIN_SIZE"), SlotReplay.SMALLEST);
        assertEquals(PoolSource.PROPERTIES.constant("MAX_SIZE"), SlotReplay.size(SlotReplay.SIZES - 1));
        assertEquals(PoolSource.BLOCK.constant("ALIGNMENT"), SlotReplay.SLOT_ALIGNMENT);
        String alignment = "byteSize >= %1$d || byteAlignment > %2$d ? Math.max((int) byteAlignment, %1$d) : %2$d;";
        assertStandsIn("ConfinedSession.java.patch", alignment.formatted(SlotReplay.LARGE_ALIGNMENT, SlotReplay.SMALL_ALIGNMENT));
        assertStandsIn("ConfinedSession.java.patch", "length == 0 ? 1 : length;");
        assertStandsIn("Thread.java.patch", "return arenas == %d;".formatted(FreeSlots.FIRST_WITH_POOL - 1));
    }

    private static void assertStandsIn(String source, String line) {
        assertTrue(WholeFiles.resource(SlotReplayTest.class, source).contains(line), line);
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
                while (end % (size < 16 ? 8 : 16) != 0 || end % alignment != 0) {
                    end++;
                }
                end += size == 0 ? 1 : size;
            }
            assertArrayEquals(expected, SlotReplay.served(bytes, -1, Long.MAX_VALUE));
            assertEquals(end - base, need);
        }
        assertEquals(4096 + 1, SlotReplay.usedAfter(8, 1, 4096));
    }
}
