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
 * @summary Confined arenas bump their small allocations from a slot that the next arena uses again
 * @build Slots
 * @run junit/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=64 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolAllocate
 * @run junit/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=8 -Djdk.foreign.confinedPool.depth=1 TestConfinedPoolAllocate
 * @run junit/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=4096 -Djdk.foreign.confinedPool.depth=16 TestConfinedPoolAllocate
 * @run junit/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=1048576 -Djdk.foreign.confinedPool.depth=3 TestConfinedPoolAllocate
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolAllocate {

    private static final int SIZE = Slots.SIZE;
    private static final int DEPTH = Slots.DEPTH;
    private static final int GRAIN = Slots.GRAIN;

    private Slots slots;

    @BeforeEach
    void learnSlots() {
        slots = Slots.learn();
    }

    @AfterEach
    void checkSlotsFree() {
        slots.checkAllFree();
    }

    @Test
    void sameSlotAgain() {
        Set<Long> addresses = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment segment = arena.allocate(1 + i % SIZE);
                assertTrue(slots.contain(segment));
                addresses.add(segment.address());
            }
            // takes what a regular arena would have given back
            Arena.global().allocate(1 + i % SIZE);
        }
        assertEquals(1, addresses.size(), "one arena at a time needs one slot");
    }

    @Test
    void bumpsByPaddedSize() {
        try (Arena arena = Arena.ofConfined()) {
            long offset = 0;
            for (int byteSize = 1; offset + byteSize <= SIZE; byteSize = byteSize % 100 + 1) {
                MemorySegment segment = arena.allocate(byteSize);
                assertEquals(byteSize, segment.byteSize());
                assertEquals(offset, slots.offset(segment));
                offset += (byteSize + GRAIN - 1) / GRAIN * GRAIN;
            }
        }
    }

    @Test
    void leastAlignmentFitsALong() {
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < 3 * SIZE / GRAIN && i < 1000; i++) {
                MemorySegment segment = arena.allocate(1 + i % 7, 1);
                assertEquals(0, segment.address() % GRAIN, segment::toString);
            }
        }
    }

    @Test
    void segmentsDoNotOverlap() {
        try (Arena arena = Arena.ofConfined()) {
            List<MemorySegment> segments = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                MemorySegment segment = arena.allocate(i * 13 % 61, 1L << i % 6);
                Slots.checkZero(segment, "new segment " + i);
                segment.fill((byte) (i + 1));
                segments.add(segment);
            }
            for (int i = 0; i < 200; i++) {
                Slots.checkFilled(segments.get(i), i + 1, "segment " + i);
            }
        }
    }

    @Test
    void wholeSlot() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment whole = arena.allocate(SIZE);
            assertEquals(0, slots.offset(whole));
            whole.fill((byte) 1);
            MemorySegment next = arena.allocate(1);
            assertFalse(slots.contain(next), "the slot is full");
            next.fill((byte) 2);
            assertFalse(slots.contain(arena.allocate(0)), "the slot is full");
            Slots.checkFilled(whole, 1, "whole slot");
        }
    }

    @Test
    void toTheLastByte() {
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < SIZE / GRAIN; i++) {
                MemorySegment segment = arena.allocate(GRAIN);
                assertEquals((long) i * GRAIN, slots.offset(segment));
            }
            assertFalse(slots.contain(arena.allocate(1)));
        }
    }

    @Test
    void whatDoesNotFitGoesRegularAndTheRestGoesOn() {
        try (Arena arena = Arena.ofConfined()) {
            assertTrue(slots.contain(arena.allocate(1)));
            for (long byteSize : new long[] {SIZE - GRAIN + 1, SIZE, SIZE + 1, 2L * SIZE, SIZE + (1L << 20)}) {
                MemorySegment segment = arena.allocate(byteSize);
                assertFalse(slots.contain(segment));
                Slots.checkZero(segment, "regular segment");
                segment.fill((byte) 1);
            }
            if (SIZE > GRAIN) {
                assertEquals(GRAIN, slots.offset(arena.allocate(SIZE - GRAIN)), "goes on where it was");
            }
        }
    }

    @Test
    void oversizeTakesNoSlot() {
        List<Arena> arenas = new ArrayList<>();
        for (int i = 0; i < 3 * DEPTH; i++) {
            Arena arena = Arena.ofConfined();
            arenas.add(arena);
            assertFalse(slots.contain(arena.allocate(SIZE + 1)));
            assertFalse(slots.contain(arena.allocate(SIZE + 1000L, 8)));
            assertFalse(slots.contain(arena.allocate(1, 2L * SIZE)));
            assertFalse(slots.contain(arena.allocate(0, 2L * SIZE)));
        }
        slots.checkAllFree();
        arenas.forEach(Arena::close);
    }

    @Test
    void arenaThatDoesNotAllocateTakesNoSlot() {
        List<Arena> arenas = new ArrayList<>();
        for (int i = 0; i < 3 * DEPTH; i++) {
            arenas.add(Arena.ofConfined());
        }
        slots.checkAllFree();
        arenas.forEach(Arena::close);
    }

    @Test
    void slotIsTakenAtFirstAllocation() {
        Arena[] arenas = new Arena[DEPTH + 1];
        for (int i = 0; i <= DEPTH; i++) {
            arenas[i] = Arena.ofConfined();
        }
        for (int i = DEPTH; i > 0; i--) {
            assertTrue(slots.contain(arenas[i].allocate(1)));
        }
        assertFalse(slots.contain(arenas[0].allocate(1)), "opened first, but allocates last");
        for (Arena arena : arenas) {
            arena.close();
        }
    }

    @Test
    void oneSlotForOneArena() {
        try (Arena greedy = Arena.ofConfined()) {
            Set<Integer> used = new HashSet<>();
            for (int i = 0; i < 3 * DEPTH; i++) {
                used.add(slots.indexOf(greedy.allocate(SIZE)));
            }
            used.remove(-1);
            assertEquals(1, used.size(), "slots of one arena");
            List<Arena> others = new ArrayList<>();
            for (int i = 1; i < DEPTH; i++) {
                Arena arena = Arena.ofConfined();
                others.add(arena);
                assertTrue(slots.contain(arena.allocate(1)));
            }
            others.forEach(Arena::close);
        }
    }

    @Test
    void refusedAllocationTakesNoSlot() throws InterruptedException {
        Arena arena = Arena.ofConfined();
        assertThrows(IllegalArgumentException.class, () -> arena.allocate(-1));
        assertThrows(IllegalArgumentException.class, () -> arena.allocate(Long.MIN_VALUE));
        assertThrows(IllegalArgumentException.class, () -> arena.allocate(1, 0));
        assertThrows(IllegalArgumentException.class, () -> arena.allocate(1, 3));
        assertThrows(IllegalArgumentException.class, () -> arena.allocate(1, -8));
        assertThrows(OutOfMemoryError.class, () -> arena.allocate(Long.MAX_VALUE));
        Throwable[] thrown = new Throwable[1];
        Thread other = new Thread(() -> thrown[0] = assertThrows(Throwable.class, () -> arena.allocate(1)));
        other.start();
        other.join();
        assertInstanceOf(WrongThreadException.class, thrown[0]);
        slots.checkAllFree();
        arena.close();
        assertThrows(IllegalStateException.class, () -> arena.allocate(1));
    }

    @Test
    void refusedAllocationLeavesTheSlotAsItIs() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment first = arena.allocate(1);
            first.fill((byte) 1);
            assertThrows(IllegalArgumentException.class, () -> arena.allocate(-1));
            assertThrows(IllegalArgumentException.class, () -> arena.allocate(1, 3));
            assertThrows(OutOfMemoryError.class, () -> arena.allocate(Long.MAX_VALUE));
            if (SIZE > GRAIN) {
                assertEquals(GRAIN, slots.offset(arena.allocate(1)));
            }
            Slots.checkFilled(first, 1, "first segment");
        }
    }

    @Test
    void zeroLength() {
        try (Arena arena = Arena.ofConfined(); Arena nested = Arena.ofConfined()) {
            Set<Long> addresses = new HashSet<>();
            for (int i = 0; i < 100; i++) {
                for (Arena a : new Arena[] {arena, nested}) {
                    MemorySegment empty = i % 2 == 0 ? a.allocate(0) : a.allocate(0, 8);
                    assertEquals(0, empty.byteSize());
                    assertNotEquals(0, empty.address());
                    assertTrue(addresses.add(empty.address()), "address is not distinct");
                    assertFalse(slots.contain(empty), "an empty segment took part of a slot");
                }
            }
        }
    }

    @Test
    void zeroLengthTakesNoSlot() {
        List<Arena> arenas = new ArrayList<>();
        for (int i = 0; i < 3 * DEPTH; i++) {
            Arena arena = Arena.ofConfined();
            arenas.add(arena);
            arena.allocate(0);
            arena.allocate(0, SIZE);
        }
        slots.checkAllFree();
        arenas.forEach(Arena::close);
    }

    @Test
    void zeroLengthLeavesTheSlotAsItIs() {
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < SIZE / GRAIN && i < 1000; i++) {
                assertEquals((long) i * GRAIN, slots.offset(arena.allocate(1)));
                arena.allocate(0);
            }
        }
    }

    @Test
    void zeroLengthIsApartFromOthers() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment before = arena.allocate(1);
            MemorySegment empty = arena.allocate(0);
            MemorySegment after = arena.allocate(1);
            assertEquals(3, Set.of(before.address(), empty.address(), after.address()).size());
        }
    }

    @Test
    void segmentIsConfinedAndBounded() throws InterruptedException {
        MemorySegment segment;
        try (Arena arena = Arena.ofConfined()) {
            segment = arena.allocate(5);
            assertTrue(segment.isNative());
            assertFalse(segment.isReadOnly());
            assertEquals(arena.scope(), segment.scope());
            assertTrue(segment.isAccessibleBy(Thread.currentThread()));
            assertFalse(segment.isAccessibleBy(new Thread()));
            segment.set(JAVA_BYTE, 4, (byte) 1);
            // The slot goes on after the segment, the segment does not.
            assertThrows(IndexOutOfBoundsException.class, () -> segment.set(JAVA_BYTE, 5, (byte) 1));
            assertThrows(IndexOutOfBoundsException.class, () -> segment.get(JAVA_BYTE, -1));
            Throwable[] thrown = new Throwable[1];
            Thread other = new Thread(() -> thrown[0] =
                    assertThrows(Throwable.class, () -> segment.get(JAVA_BYTE, 0)));
            other.start();
            other.join();
            assertInstanceOf(WrongThreadException.class, thrown[0]);
        }
        assertFalse(segment.scope().isAlive());
        assertThrows(IllegalStateException.class, () -> segment.get(JAVA_BYTE, 0));
        try (Arena next = Arena.ofConfined()) {
            assertEquals(segment.address(), next.allocate(5).address());
            assertThrows(IllegalStateException.class, () -> segment.get(JAVA_BYTE, 0));
        }
    }

    @Test
    void allocateFrom() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment string = arena.allocateFrom("pool");
            assertTrue(slots.contain(string));
            assertEquals("pool", string.getString(0));
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment number = arena.allocateFrom(JAVA_LONG, 0x0102030405060708L);
            assertTrue(slots.contain(number));
            assertEquals(0x0102030405060708L, number.get(JAVA_LONG, 0));
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment array = arena.allocateFrom(JAVA_INT, 1, 2);
            assertTrue(slots.contain(array));
            assertArrayEquals(new int[] {1, 2}, array.toArray(JAVA_INT));
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment array = arena.allocate(JAVA_BYTE, 7);
            assertTrue(slots.contain(array));
            Slots.checkZero(array, "allocated by layout and count");
        }
        try (Arena arena = Arena.ofConfined()) {
            byte[] bytes = new byte[SIZE + 1];
            MemorySegment array = arena.allocateFrom(JAVA_BYTE, bytes);
            assertFalse(slots.contain(array));
        }
    }

    @Test
    void otherKindsOfArenaTakeNoSlot() {
        try (Arena shared = Arena.ofShared()) {
            for (int i = 0; i < 2 * DEPTH; i++) {
                assertFalse(slots.contain(shared.allocate(1)));
                assertFalse(slots.contain(Arena.ofAuto().allocate(1)));
                assertFalse(slots.contain(Arena.global().allocate(1)));
            }
            slots.checkAllFree();
        }
    }
}
