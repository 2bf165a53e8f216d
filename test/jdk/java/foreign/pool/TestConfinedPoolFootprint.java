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
 * @summary Slots are as large as arenas need them, and few are kept; the rest of the memory is given back at close
 * @modules java.management
 *          jdk.management
 * @build Slots NativeMemory Task
 * @run junit/othervm -XX:NativeMemoryTracking=summary --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=65536 -Djdk.foreign.confinedPool.depth=4 TestConfinedPoolFootprint
 */

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolFootprint {

    /** More than what others in this process may allocate meanwhile, much less than a slot. */
    private static final long NOISE = Slots.SIZE / 4;

    /** Checks how much native memory there is now in addition, give or take what others may allocate. */
    private static void assertAllocated(long least, long most, long before, String message) {
        long bytes = NativeMemory.allocated() - before;
        assertTrue(least - NOISE <= bytes && bytes <= most + NOISE,
                message + ": " + bytes + " bytes, expected " + least + " to " + most);
    }

    private static void assertSlots(int expected, long before, String message) {
        assertAllocated((long) expected * Slots.SIZE, (long) expected * (Slots.SIZE + 64), before, message);
    }

    @Test
    void oneByOne() throws Exception {
        Task.run(() -> {
            long before = NativeMemory.allocated();
            List<Arena> arenas = new ArrayList<>();
            for (int i = 0; i < Slots.DEPTH; i++) {
                Arena arena = Arena.ofConfined();
                arenas.add(arena);
                assertSlots(i, before, "an arena that has not allocated");
                arena.allocate(8);
                assertSlots(i, before, "a small allocation");
                arena.allocate(Slots.SIZE - 64);
                assertSlots(i + 1, before, "a large allocation");
            }
            arenas.forEach(Arena::close);
            assertAllocated((long) Slots.DEPTH * (Slots.SIZE - 64), (Slots.DEPTH + 1L) * (Slots.SIZE + 64), before,
                    "all closed");
            Slots.nest(Slots.DEPTH, Slots.SIZE);
            // No slot of the arenas before has room for these.
            assertAllocated((long) Slots.DEPTH * Slots.SIZE, (Slots.DEPTH + 1L) * (Slots.SIZE + 64), before, "all used again");
        });
    }

    @Test
    void beyondDepthTakesLittleMore() throws Exception {
        Task.run(() -> {
            Slots.nest(Slots.DEPTH, Slots.SIZE);
            long before = NativeMemory.allocated();
            List<Arena> arenas = new ArrayList<>();
            int count = 10_000;
            for (int i = 0; i < count; i++) {
                Arena arena = Arena.ofConfined();
                arenas.add(arena);
                arena.allocate(40);
            }
            assertAllocated(40L * count, count * Slots.residentBytes(40), before, "arenas that are held");
            arenas.reversed().forEach(Arena::close);
            // The stack was empty, and the free lists had room for one large slot more.
            int kept = Slots.MAX_SMALL + (Slots.SIZE + 128) / (Slots.capacity(40) + Slots.BLOCK_OVERHEAD);
            assertAllocated(kept * Slots.nativeBytes(40), kept * Slots.nativeBytes(40), before, "all closed");
        });
    }

    // The resident slot is too large to be handed over to those that are held.
    @Test
    void heldBesideLargeOnesTakeLittle() throws Exception {
        Task.run(() -> {
            int large = 8192;
            int count = 300;
            Slots.nest(100, large); // most of them without the resident slot
            Slots.nest(100, Slots.SIZE + 1); // without slot
            for (int round = 0; round < Slots.DEPTH + 2; round++) {
                Slots.nest(2, large);
                long before = NativeMemory.allocated();
                List<Arena> arenas = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    Arena arena = Arena.ofConfined();
                    arenas.add(arena);
                    arena.allocate(40);
                    for (int j = 0; j < 20; j++) {
                        Slots.nest(1, large);
                    }
                }
                // Those that find no slot may free large ones.
                assertAllocated(-2 * Slots.nativeBytes(large), 120L * count + 2L * Slots.DEPTH * large, before,
                        "small arenas that are held");
                try (Arena outer = Arena.ofConfined(); Arena inner = Arena.ofConfined()) {
                    outer.allocate(8);
                    inner.allocate(large);
                    inner.allocate(large); // so its slot is too small
                }
                arenas.forEach(Arena::close);
                for (int i = 0; i < 20; i++) {
                    Slots.nest(1, large);
                }
                assertTrue(Slots.hasRoom(8, large - 64), "the resident slot is small when they are closed");
            }
        });
    }

    @Test
    void blocksAreGivenBack() throws Exception {
        Task.run(() -> {
            long before = NativeMemory.allocated();
            for (int round = 0; round < 20; round++) {
                try (Arena arena = Arena.ofConfined()) {
                    for (int i = 0; i < 100 * Slots.SIZE; i += 1000) {
                        arena.allocate(1000);
                    }
                    assertAllocated(100L * Slots.SIZE, 102L * Slots.SIZE + 100 * 1024, before, "many blocks");
                    for (int i = 0; i < 10; i++) {
                        arena.allocate(Slots.SIZE, 256); // in a block that is larger than a slot
                    }
                }
                assertAllocated(Slots.SIZE, (Slots.DEPTH + 1L) * (Slots.SIZE + 64), before, "all but free slots given back");
            }
        });
    }

    // What a pool takes of the heap comes with the 33rd slot of a thread. Task has opened arenas for the first 32.
    @Test
    void arenasThatNeedNoSlotMakeNoPool() throws Exception {
        Runnable large = () -> {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(Slots.SIZE + 1);
            }
        };
        Runnable small = () -> Slots.nest(1, 1);
        Task.run(() -> {
            NativeMemory.heapAllocatedBy(large);
            NativeMemory.heapAllocatedBy(small);
        });
        Task.run(() -> {
            long first = NativeMemory.heapAllocatedBy(large);
            assertEquals(first, NativeMemory.heapAllocatedBy(large));
            first = NativeMemory.heapAllocatedBy(small);
            assertTrue(first > NativeMemory.heapAllocatedBy(small), "no pool");
        });
    }
}
