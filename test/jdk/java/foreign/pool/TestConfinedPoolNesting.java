/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */

/*
 * @test
 * @summary Nested arenas have a slot each, up to the depth; they may be closed in any order
 * @key randomness
 * @build Slots
 * @run junit/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=64 -Djdk.foreign.confinedPool.depth=1 TestConfinedPoolNesting
 * @run junit/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=128 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolNesting
 * @run junit/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=64 -Djdk.foreign.confinedPool.depth=16 TestConfinedPoolNesting
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolNesting {

    private static final int DEPTH = Slots.DEPTH;

    private Slots slots;

    @BeforeEach
    void learnSlots() {
        slots = Slots.learn();
    }

    @AfterEach
    void checkSlotsFree() {
        slots.checkAllFree();
    }

    /** An open arena and what it allocated, filled with a value of its own. */
    private record Nested(Arena arena, MemorySegment first, MemorySegment second, int value) {

        static Nested open(int value) {
            Arena arena = Arena.ofConfined();
            MemorySegment first = arena.allocate(5);
            MemorySegment second = arena.allocate(40);
            Slots.checkZero(first, "first segment");
            Slots.checkZero(second, "second segment");
            return new Nested(arena, first.fill((byte) value), second.fill((byte) value), value);
        }

        void check() {
            Slots.checkFilled(first, value, "first segment");
            Slots.checkFilled(second, value, "second segment");
        }

        void close() {
            check();
            arena.close();
        }
    }

    private List<Nested> open(int count) {
        List<Nested> nested = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nested.add(Nested.open(i + 1));
        }
        return nested;
    }

    private void checkSlotsOf(List<Nested> open) {
        Set<Integer> used = new HashSet<>();
        for (Nested nested : open) {
            int slot = slots.indexOf(nested.first);
            if (slot >= 0) {
                assertTrue(used.add(slot), "slot has two owners");
                assertEquals(slot, slots.indexOf(nested.second), "slot of the second allocation");
            }
        }
        assertEquals(Math.min(open.size(), DEPTH), used.size(), "slots in use by " + open.size() + " arenas");
    }

    @Test
    void upToDepthAndBeyond() {
        for (int count = 1; count <= 3 * DEPTH + 3; count++) {
            List<Nested> nested = open(count);
            checkSlotsOf(nested);
            for (int i = 0; i < count; i++) {
                assertEquals(i < DEPTH, slots.contain(nested.get(i).first), "arena " + i + " of " + count);
            }
            nested.forEach(Nested::check);
            nested.reversed().forEach(Nested::close);
            slots.checkAllZero();
        }
    }

    @Test
    void closedInTheOrderOfOpening() {
        for (int count = 1; count <= 3 * DEPTH + 3; count++) {
            List<Nested> nested = open(count);
            nested.forEach(Nested::close);
            slots.checkAllZero();
        }
    }

    @Test
    void outermostClosesFirst() {
        Nested outer = Nested.open(1);
        int slot = slots.indexOf(outer.first);
        List<Nested> inner = open(DEPTH - 1);
        outer.close();
        Slots.checkZero(slots.memory(slot), "slot of the closed arena");
        inner.forEach(Nested::check);
        Nested next = Nested.open(2);
        assertEquals(slot, slots.indexOf(next.first), "the only free slot");
        inner.forEach(Nested::close);
        next.close();
    }

    @Test
    void closeBeyondDepthFreesNoSlot() {
        List<Nested> nested = open(DEPTH + 1);
        nested.getLast().close();
        Nested next = Nested.open(99);
        assertFalse(slots.contain(next.first));
        next.close();
        nested.subList(0, DEPTH).forEach(Nested::close);
    }

    @Test
    void randomOrder() {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<Nested> open = new ArrayList<>();
        Set<Integer> used = new HashSet<>();
        for (int i = 0; i < 20_000; i++) {
            if (open.isEmpty() || open.size() < 2 * DEPTH + 2 && random.nextInt(2 * DEPTH + 2) >= open.size()) {
                Nested nested = Nested.open(i);
                int slot = slots.indexOf(nested.first);
                assertEquals(used.size() < DEPTH, slot >= 0, "pooled if and only if a slot is free");
                assertTrue(slot < 0 || used.add(slot), "slot has two owners");
                open.add(nested);
            } else {
                Collections.swap(open, random.nextInt(open.size()), open.size() - 1);
                Nested nested = open.removeLast();
                int slot = slots.indexOf(nested.first);
                nested.close();
                if (slot >= 0) {
                    Slots.checkZero(slots.memory(slot), "slot of the closed arena");
                    used.remove(slot);
                }
            }
            open.forEach(Nested::check);
        }
        open.forEach(Nested::close);
    }

    @Test
    void recursion() {
        recurse(500);
    }

    private void recurse(int level) {
        if (level == 0) {
            return;
        }
        Nested nested = Nested.open(level);
        recurse(level - 1);
        nested.close();
    }

    @Test
    void threadsHaveSlotsOfTheirOwn() throws Exception {
        List<Nested> here = open(DEPTH);
        Throwable[] failure = new Throwable[1];
        Thread thread = new Thread(() -> {
            try {
                Slots others = Slots.learn();
                List<Nested> nested = open(DEPTH);
                for (Nested n : nested) {
                    assertTrue(others.contain(n.first));
                    assertFalse(slots.contain(n.first));
                }
                nested.forEach(Nested::close);
                others.checkAllFree();
            } catch (Throwable e) {
                failure[0] = e;
            }
        });
        thread.start();
        thread.join();
        assertNull(failure[0]);
        here.forEach(Nested::close);
    }
}
