/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import org.junit.jupiter.api.Test;
import pooledarena.recorder.Threads.Level;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LevelTest {

    private final Memory memory = new Memory(Long.MAX_VALUE);

    @Test
    void byHand() {
        Level level = new Threads(memory).new Level();
        assertEquals(0, level.up());
        level.down();
        assertEquals(1, level.up());
        assertEquals(0, level.up());
        level.down();
        assertEquals(1, level.up()); // one after the other, beside one that stays open
        level.down();
        level.down();
        assertEquals(1, level.up()); // nested
        assertEquals(2, level.up());
        assertEquals(0, level.up());
    }

    /** By the definition, from all levels that there were; as of a carrier that closes what others opened, too. */
    @Test
    void againstTheDefinition() {
        Random random = new Random(20261122);
        for (int round = 0; round < 200; round++) {
            Level level = new Threads(memory).new Level();
            List<Integer> levels = new ArrayList<>(List.of(0));
            for (int i = 0; i < 500; i++) {
                boolean up = random.nextInt(100) < (i / 50 % 2 == 0 ? 60 : 40);
                int now = levels.getLast() + (up ? 1 : -1);
                if (up) {
                    int last = levels.lastIndexOf(now);
                    int dip = last < 0 ? 0 : now - levels.subList(last, levels.size()).stream().min(Integer::compare).orElseThrow();
                    assertEquals(dip, level.up());
                } else {
                    level.down();
                }
                levels.add(now);
            }
        }
    }

    /** A carrier that closes what others have opened: what is kept has a bound, and is right up to that. */
    @Test
    void downForEver() {
        Level level = new Threads(memory).new Level();
        for (int i = 0; i < 3 * Level.MOST; i++) {
            level.down();
        }
        for (int dip = 1; dip <= Level.MOST; dip++) {
            assertEquals(dip, level.up());
        }
        assertEquals(0, level.up());
    }

    @Test
    void downWithoutMemory() {
        Memory little = new Memory(4 * 8);
        Level level = new Threads(little).new Level();
        for (int i = 0; i < 20; i++) {
            level.down();
        }
        for (int dip = 1; dip <= 7; dip++) {
            assertEquals(dip, level.up());
        }
        assertEquals(0, level.up());
        assertTrue(little.take(4 * 8, 0), "nothing was taken");
    }

    @Test
    void howManyBefore() {
        Level level = new Threads(memory).new Level();
        List<Integer> told = IntStream.range(0, 80).map(i -> {
            int opened = level.opened();
            level.up();
            return opened;
        }).boxed().toList();
        assertEquals(List.of(0, 1, 2, 3, 4, 4, 4, 4, 8), told.subList(0, 9));
        assertEquals(List.of(8, 16, 16, 32, 32, 64, 64), List.of(15, 16, 31, 32, 63, 64, 79).stream().map(told::get).toList());
    }
}
