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
 * @key randomness
 * @summary Nested arenas have a slot each, may be closed in any order, and leave short ones the same slot each time
 * @build Slots Stress Task
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
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolNesting {

    private static final int SIZE = Slots.SIZE;
    private static final int DEPTH = Slots.DEPTH;

    private Slots slots;

    @BeforeEach
    void learnSlots() {
        slots = Slots.learn();
    }

    /** An open arena and what it allocated, filled with a value of its own. */
    private record Nested(Arena arena, MemorySegment first, MemorySegment second, int value) {

        static Nested open(int value) {
            Arena arena = Arena.ofConfined();
            MemorySegment first = arena.allocate(40); // enough to have a slot of any size here handed over
            MemorySegment second = arena.allocate(5);
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

    @Test
    void upToDepthAndBeyond() {
        for (int count = 1; count <= 3 * DEPTH + 3; count++) {
            List<Nested> nested = open(count);
            if (count <= DEPTH) {
                assertEquals(count, nested.stream().mapToInt(arena -> slots.indexOf(arena.first)).filter(i -> i >= 0)
                        .distinct().count(), "each of " + count + " arenas has a slot");
                nested.forEach(arena -> assertEquals(slots.indexOf(arena.first), slots.indexOf(arena.second), "slot of both"));
            }
            nested.reversed().forEach(Nested::close);
            if (count <= DEPTH) {
                slots.checkAllFree();
            } else {
                learnSlots(); // one that is held may be resident no more
            }
        }
    }

    @Test
    void closedInTheOrderOfOpening() {
        for (int count = 1; count <= 3 * DEPTH + 3; count++) {
            open(count).forEach(Nested::close);
            learnSlots();
        }
    }

    @Test
    void outermostClosesFirst() {
        Nested outer = Nested.open(1);
        List<Nested> inner = open(DEPTH - 1);
        outer.close();
        Slots.checkZero(slots.memory(0), "slot of the closed arena");
        Nested next = Nested.open(2);
        assertEquals(0, slots.indexOf(next.first), "the only free slot");
        inner.forEach(Nested::close);
        next.close();
        slots.checkAllFree();
    }

    @Test
    void randomOrder() {
        Stress.printSeed();
        Random random = new Random(Stress.SEED);
        List<Nested> open = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            if (open.isEmpty() || open.size() < 2 * DEPTH + 2 && random.nextInt(2 * DEPTH + 2) >= open.size()) {
                open.add(Nested.open(i));
            } else {
                Collections.swap(open, random.nextInt(open.size()), open.size() - 1);
                open.removeLast().close();
            }
            open.forEach(Nested::check);
        }
        open.forEach(Nested::close);
        learnSlots();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 64, 10_000})
    void heldArenas(int count) {
        List<Nested> held = open(count);
        for (int order = 0; order < 3; order++) {
            for (int i = 0; i <= Slots.PASSES; i++) {
                Nested.open(i).close();
            }
            long slot = Slots.nest(1, 40)[0];
            for (int i = 0; i < 100; i++) {
                Nested passing = Nested.open(i);
                assertEquals(slot, passing.first.address(), "short arena while " + count + " are held");
                passing.close();
            }
            held.forEach(Nested::check);
            switch (order) {
                case 0 -> held.reversed().subList(0, count / 3).forEach(Nested::close);
                case 1 -> Collections.shuffle(held, new Random(1));
            }
            if (order == 0) {
                held.subList(count - count / 3, count).clear();
                count = held.size();
            }
        }
        held.forEach(Nested::close);
        learnSlots();
    }

    // A slot that is no more resident is still its arena's.
    @Test
    void passedArenaGoesOn() {
        int byteSize = Math.max(8, SIZE / 2);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment first = arena.allocate(byteSize).fill((byte) 1);
            assertEquals(slots.address(0), first.address());
            for (int i = 0; i <= Slots.PASSES; i++) {
                Nested.open(2).close();
            }
            assertEquals(byteSize, slots.offset(arena.allocate(1)), "goes on where it was");
            Slots.checkFilled(first, 1, "segment of the arena that others passed");
        }
        learnSlots();
    }

    @Test
    void threadsHaveSlotsOfTheirOwn() throws Exception {
        List<Arena> here = new ArrayList<>();
        for (int i = 0; i < DEPTH; i++) {
            here.add(Arena.ofConfined());
            here.getLast().allocate(Slots.FITTING); // as many bytes as the arenas that learned the slots
        }
        Task.run(() -> {
            Slots others = Slots.learn();
            for (int i = 0; i < DEPTH; i++) {
                assertFalse(slots.contain(others.memory(i)));
            }
        });
        here.forEach(Arena::close);
        slots.checkAllFree();
    }
}
