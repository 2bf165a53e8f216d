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
 * @build Slots Task
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:MaxDirectMemorySize=1m
 *      -Djdk.foreign.confinedPool.size=64 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolAllocate
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:MaxDirectMemorySize=1m
 *      -Djdk.foreign.confinedPool.size=8 -Djdk.foreign.confinedPool.depth=1 TestConfinedPoolAllocate
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:MaxDirectMemorySize=1m
 *      -Djdk.foreign.confinedPool.size=4096 -Djdk.foreign.confinedPool.depth=15 TestConfinedPoolAllocate
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:MaxDirectMemorySize=1m
 *      -Djdk.foreign.confinedPool.size=32768 -Djdk.foreign.confinedPool.depth=8 TestConfinedPoolAllocate
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:MaxDirectMemorySize=1m
 *      -Djdk.foreign.confinedPool.size=1048576 -Djdk.foreign.confinedPool.depth=3 TestConfinedPoolAllocate
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolAllocate {

    private static final int SIZE = Slots.SIZE;
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

    @Test
    void sameSlotAgain() {
        for (int i = 0; i < 1000; i++) {
            try (Arena arena = Arena.ofConfined()) {
                assertEquals(slots.address(0), arena.allocate(1 + i % SIZE).address());
            }
            // takes what a regular arena would have given back
            Arena.global().allocate(1 + i % SIZE);
        }
    }

    // In new threads, whose first slot is small.
    @Test
    void slotGrowsWithWhatArenasNeed() throws Exception {
        for (int first : new int[] {1, SIZE / 3 + 1, SIZE * 5 / 8}) {
            Task.run(() -> {
                for (int byteSize = first; byteSize <= SIZE; byteSize += Math.max(1, byteSize / 7)) {
                    Slots.nest(1, byteSize); // the slot grows when this arena is closed
                    long address = Slots.nest(1, byteSize)[0];
                    for (int i = 0; i < 5; i++) {
                        assertEquals(address, Slots.nest(1, 1)[0], "the slot for less than " + byteSize + " bytes");
                        Arena.global().allocate(byteSize);
                        Arena.global().allocate(byteSize + 64);
                        assertEquals(address, Slots.nest(1, byteSize)[0], "the slot for " + byteSize + " bytes");
                    }
                }
            });
        }
    }

    // In new threads, whose slots are small enough that they are kept.
    @Test
    void beyondTheDepthSlotsComeAgain() throws Exception {
        Assumptions.assumeTrue(SIZE >= 4096 && DEPTH > 1, "keeps large slots");
        for (int byteSize : new int[] {8, 500}) {
            Task.run(() -> checkBeyondTheDepth(byteSize));
        }
    }

    // In a new thread. Slots that are too small are displaced in the end.
    @Test
    void beyondTheDepthSlotsComeAgainWhenOthersHaveGrown() throws Exception {
        Assumptions.assumeTrue(SIZE >= 4096 && DEPTH > 1, "keeps large slots");
        Task.run(() -> {
            for (int byteSize = 64; byteSize <= SIZE; byteSize += byteSize / 4) {
                Slots.nest(DEPTH, byteSize);
            }
            for (int i = 0; i < 200; i++) {
                Slots.nest(DEPTH + 5, 500);
            }
            checkBeyondTheDepth(500);
        });
    }

    // In a new thread: large slots leave no room for small ones, until these are used.
    @Test
    void beyondTheDepthSmallSlotsComeAgainAfterLargeOnes() throws Exception {
        Assumptions.assumeTrue(SIZE >= 4096 && DEPTH > 1, "keeps large slots");
        Task.run(() -> {
            for (int i = 0; i < 3; i++) {
                Slots.nest(DEPTH + 5, SIZE);
            }
            Slots.nest(DEPTH + 5, 8);
            checkBeyondTheDepth(8);
        });
    }

    // In a new thread, by arenas that allocate little and then more.
    @Test
    void beyondTheDepthLargerBlocksComeAgain() throws Exception {
        Assumptions.assumeTrue(SIZE >= 4096 && DEPTH > 1, "keeps large slots");
        Task.run(() -> {
            littleAndMore();
            littleAndMore();
            Slots.checkComesAgain(TestConfinedPoolAllocate::littleAndMore, 64, 1024);
        });
    }

    private static long[] littleAndMore() {
        List<Arena> arenas = new ArrayList<>();
        long[] addresses = new long[2 * DEPTH];
        for (int i = 0; i < addresses.length; i += 2) {
            Arena arena = Arena.ofConfined();
            arenas.add(arena);
            addresses[i] = arena.allocate(8).address();
            MemorySegment more = arena.allocate(1000);
            Slots.checkZero(more, "more");
            more.fill((byte) -1);
            addresses[i + 1] = more.address();
        }
        arenas.reversed().forEach(Arena::close);
        return sorted(addresses);
    }

    private static void checkBeyondTheDepth(int byteSize) {
        Slots.checkComesAgain(() -> sorted(Slots.nest(DEPTH + 5, byteSize)), Slots.capacity(byteSize));
    }

    private static long[] sorted(long[] addresses) {
        return Arrays.stream(addresses).sorted().toArray();
    }

    @Test
    void bumpsByAlignedSize() {
        try (Arena arena = Arena.ofConfined()) {
            int end = 0;
            for (int byteSize = 1; ; byteSize = byteSize % 100 + 1) {
                int alignment = byteSize < 16 ? 8 : 16;
                int start = (end + alignment - 1) / alignment * alignment;
                end = start + byteSize;
                if (end > SIZE) {
                    break;
                }
                MemorySegment segment = arena.allocate(byteSize);
                assertEquals(byteSize, segment.byteSize());
                assertEquals(start, slots.offset(segment));
            }
        }
    }

    // Far more than a slot holds, so in several blocks. Close keeps those that are slots if there is room, and frees the others.
    @Test
    void segmentsDoNotOverlap() {
        for (int round = 0; round < 3; round++) {
            try (Arena arena = Arena.ofConfined()) {
                List<MemorySegment> segments = new ArrayList<>();
                for (int i = 0; i < 1000; i++) {
                    int byteSize = i % 10 == 0 ? i * 1301 % (SIZE + 1) : i * 13 % 61;
                    MemorySegment segment = arena.allocate(byteSize, 1L << i % 6);
                    Slots.checkZero(segment, "new segment " + i);
                    segment.fill((byte) (i % 100 + 1));
                    segments.add(segment);
                }
                for (int i = 0; i < 1000; i++) {
                    Slots.checkFilled(segments.get(i), i % 100 + 1, "segment " + i);
                }
            }
            learnSlots(); // a full one may have been replaced
        }
    }

    @Test
    void fewBlocksForManyAllocations() {
        try (Arena arena = Arena.ofConfined()) {
            int blocks = 1;
            int total = Math.max(Slots.MAX_LISTED, 16 << 10);
            long end = arena.allocate(8).address() + 8;
            for (int i = 8; i < 2 * total; i += 8) {
                MemorySegment next = arena.allocate(8);
                blocks += next.address() == end ? 0 : 1;
                end = next.address() + 8;
            }
            int most = 1;
            for (int capacity = SIZE; capacity < 2 * total; most++) {
                // Each block has half of what those before have, up to 64 KiB, or up to the size of a slot while these take half of
                // the free lists' room. All have whole cache lines but the smallest.
                int next = Math.max(8, Math.min(capacity / 2, capacity <= Slots.MAX_LISTED / 2 ? Math.min(SIZE, 64 << 10) : 64 << 10));
                capacity += next > SIZE ? next + 71 & -64 : Slots.capacity(next);
            }
            assertTrue(blocks <= most, blocks + " blocks, expected at most " + most);
        }
        learnSlots(); // a full one may have been replaced
    }

    @Test
    void wholeSlot() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment whole = arena.allocate(SIZE);
            assertEquals(slots.address(0), whole.address());
            whole.fill((byte) 1);
            MemorySegment next = arena.allocate(1);
            assertNotEquals(0, slots.indexOf(next), "the slot is full");
            Slots.checkZero(next, "beyond the slot");
            next.fill((byte) 2);
            assertNotEquals(0, slots.indexOf(arena.allocate(0)), "the slot is full");
            Slots.checkFilled(whole, 1, "whole slot");
        }
        learnSlots(); // a full one may have been replaced
    }

    @Test
    void toTheLastByte() {
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < SIZE / 8; i++) {
                assertEquals(i * 8L, slots.offset(arena.allocate(8)));
            }
            assertNotEquals(0, slots.indexOf(arena.allocate(1)));
        }
        learnSlots(); // a full one may have been replaced
    }

    @Test
    void oversizeLeavesTheSlotAsItIs() {
        try (Arena arena = Arena.ofConfined()) {
            assertTrue(slots.contain(arena.allocate(1)));
            for (long byteSize : new long[] {SIZE + 1, 2L * SIZE, SIZE + (1L << 20)}) {
                MemorySegment segment = arena.allocate(byteSize);
                assertFalse(slots.contain(segment));
                Slots.checkZero(segment, "regular segment");
                segment.fill((byte) 1);
            }
            if (SIZE > 8) {
                assertEquals(8, slots.offset(arena.allocate(8)), "goes on where it was");
            }
        }
        assertEquals(slots.address(0), Slots.nest(1, 1)[0], "another slot is resident");
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

    // Where a slot has room for the padding, too.
    @Test
    void largeAlignmentTakesNoSlot() {
        Assumptions.assumeTrue(SIZE > Slots.MAX_ALIGNMENT, "needs a large slot");
        try (Arena arena = Arena.ofConfined()) {
            assertTrue(slots.contain(arena.allocate(1, Slots.MAX_ALIGNMENT)));
            assertFalse(slots.contain(arena.allocate(1, 2 * Slots.MAX_ALIGNMENT)));
        }
        slots.checkAllFree();
    }

    // The stock JDK does not clear it, so neither does close.
    @Test
    void largeCopyTakesNoSlot() {
        for (int byteSize : new int[] {1, Slots.MAX_COPIED, Slots.MAX_COPIED + 1, SIZE}) {
            byte[] bytes = new byte[byteSize];
            Arrays.fill(bytes, (byte) (byteSize | 1)); // not zero, as free slots are
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment segment = arena.allocateFrom(JAVA_BYTE, bytes);
                assertEquals(byteSize <= Slots.MAX_COPIED, slots.contain(segment), byteSize + " bytes");
                assertArrayEquals(bytes, segment.toArray(JAVA_BYTE));
            }
            slots.checkAllFree();
        }
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
        try (Arena first = Arena.ofConfined(); Arena second = Arena.ofConfined()) {
            assertEquals(slots.address(0), second.allocate(1).address());
            assertNotEquals(slots.address(0), first.allocate(1).address());
        }
        learnSlots(); // one that is held may be resident no more
    }

    @Test
    void automaticArenaReservesMemory() {
        assertThrows(OutOfMemoryError.class, () -> Arena.ofAuto().allocate(4 << 20));
        try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
            confined.allocate(4 << 20);
            shared.allocate(4 << 20);
        }
    }

    // The messages are those of the stock JDK.
    private static void checkRefused(Arena arena) {
        for (long byteSize : new long[] {-1, Long.MIN_VALUE, Long.MIN_VALUE + 8}) {
            assertEquals("The provided allocation size is negative: " + byteSize,
                    assertThrows(IllegalArgumentException.class, () -> arena.allocate(byteSize)).getMessage());
        }
        for (long alignment : new long[] {0, 3, 12, -8, Long.MIN_VALUE, Long.MIN_VALUE + 8, (-1L << 32) + 8, (1L << 32) + 8}) {
            assertEquals("Invalid alignment constraint : " + alignment,
                    assertThrows(IllegalArgumentException.class, () -> arena.allocate(1, alignment)).getMessage());
        }
    }

    @Test
    void refusedAllocationTakesNoSlot() throws InterruptedException {
        Arena arena = Arena.ofConfined();
        checkRefused(arena);
        assertThrows(OutOfMemoryError.class, () -> arena.allocate(Long.MAX_VALUE));
        assertInstanceOf(WrongThreadException.class, Task.thrownBy(() -> arena.allocate(1)));
        slots.checkAllFree();
        arena.close();
        assertThrows(IllegalStateException.class, () -> arena.allocate(1));
    }

    @Test
    void refusedAllocationLeavesTheSlotAsItIs() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment first = arena.allocate(1);
            first.fill((byte) 1);
            checkRefused(arena);
            assertThrows(OutOfMemoryError.class, () -> arena.allocate(Long.MAX_VALUE));
            if (SIZE > 8) {
                assertEquals(8, slots.offset(arena.allocate(1)));
            }
            Slots.checkFilled(first, 1, "first segment");
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
            assertInstanceOf(WrongThreadException.class, Task.thrownBy(() -> segment.get(JAVA_BYTE, 0)));
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
