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
 * @summary What is allocated is aligned as asked for, and at least as malloc does
 * @build Slots Task
 * @run testng/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=8 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolAlignment
 * @run testng/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=64 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolAlignment
 * @run testng/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=4096 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolAlignment
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.LongStream;

import org.testng.annotations.*;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.testng.Assert.*;

public class TestConfinedPoolAlignment {

    private static final int SIZE = Slots.SIZE;

    private Slots slots;

    @DataProvider
    public static Object[][] alignments() {
        return LongStream.iterate(1, alignment -> alignment <= 4L * SIZE, alignment -> alignment * 2)
                .mapToObj(alignment -> new Object[] {alignment}).toArray(Object[][]::new);
    }

    @BeforeMethod
    public void learnSlots() {
        slots = Slots.learn();
    }

    @AfterMethod
    public void checkSlotsFree() {
        slots.checkAllFree();
    }

    // Other blocks may be the free slots than before.
    private void checkZeroAndLearn() {
        Slots.drain();
        learnSlots();
    }

    private static void checkAligned(MemorySegment segment, long alignment) {
        assertTrue(segment.address() % alignment == 0, "alignment " + alignment + " of " + segment);
        Slots.checkZero(segment, "new segment");
        segment.fill((byte) -1);
    }

    @Test(dataProvider = "alignments")
    public void first(long alignment) throws Exception {
        for (long byteSize = 0; byteSize <= Math.min(SIZE, 32); byteSize++) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment segment = arena.allocate(byteSize, alignment);
                checkAligned(segment, alignment);
                long start = -slots.address(0) & alignment - 1;
                boolean fits = alignment <= Slots.MAX_ALIGNMENT && Math.max(1, byteSize) + alignment <= SIZE + 64L; // wherever the slot is
                assertTrue((segment.address() == slots.address(0) + start) == fits,
                        byteSize + " bytes with alignment " + alignment + (fits ? " are not" : " are") + " in the slot");
                MemorySegment next = arena.allocate(1);
                checkAligned(next, 1);
                if (byteSize > 0) {
                    Slots.checkFilled(segment, -1, "aligned segment");
                }
            }
            checkZeroAndLearn();
        }
    }

    // In a new thread, so that each block is created for what its arena allocates first.
    @Test(dataProvider = "alignments")
    public void firstBlock(long alignment) throws Exception {
        checkBesideOthers((arena, i) -> arena.allocate(Math.min(SIZE, i + 1), alignment), alignment);
    }

    // In a new thread, whose slots are small, so that what is allocated next decides how large the next block is.
    @Test(dataProvider = "alignments")
    public void secondBlock(long alignment) throws Exception {
        checkBesideOthers((arena, i) -> {
            arena.allocate(1);
            return arena.allocate(SIZE, alignment);
        }, alignment);
    }

    private static void checkBesideOthers(BiFunction<Arena, Integer, MemorySegment> allocation, long alignment) throws Exception {
        Task.run(() -> {
            List<Arena> arenas = new ArrayList<>();
            List<MemorySegment> segments = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                Arena arena = Arena.ofConfined();
                arenas.add(arena);
                MemorySegment segment = allocation.apply(arena, i);
                checkAligned(segment, alignment);
                segments.add(segment.fill((byte) i));
            }
            for (int i = 0; i < segments.size(); i++) {
                Slots.checkFilled(segments.get(i), i, "aligned segment beside others");
            }
            arenas.forEach(Arena::close);
        });
    }

    // In so many blocks that each alignment comes at the end of one.
    @Test
    public void acrossBlocks() throws Exception {
        for (int odd = 1; odd < 16; odd++) {
            try (Arena arena = Arena.ofConfined()) {
                for (int byteSize = 1; byteSize <= Math.min(SIZE, 300); byteSize++) {
                    arena.allocate(odd, 1).fill((byte) 1);
                    checkAligned(arena.allocate(byteSize, 1), byteSize < 16 ? 8 : 16);
                    checkAligned(arena.allocate(byteSize, 1L << byteSize % 22), 1L << byteSize % 22);
                }
            }
            checkZeroAndLearn();
        }
    }

    @Test
    public void asMallocAligns() throws Exception {
        for (int before = 1; before <= 24; before++) {
            for (int byteSize = 1; byteSize <= Math.min(SIZE, 40); byteSize++) {
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(before, 1).fill((byte) 1);
                    checkAligned(arena.allocate(byteSize, 1), byteSize < 16 ? 8 : 16);
                }
            }
        }
        checkZeroAndLearn();
    }

    @Test(dataProvider = "alignments")
    public void afterOthers(long alignment) throws Exception {
        for (int count = 1; count <= 5; count++) {
            try (Arena arena = Arena.ofConfined()) {
                for (int i = 0; i < count; i++) {
                    arena.allocate(3, 1).fill((byte) 1);
                }
                checkAligned(arena.allocate(8, alignment), alignment);
                checkAligned(arena.allocate(1, alignment), alignment);
                checkAligned(arena.allocate(0, alignment), alignment);
                checkAligned(arena.allocate(2L * SIZE, alignment), alignment);
            }
            checkZeroAndLearn();
        }
    }

    @Test(dataProvider = "alignments")
    public void wholeSlotIsAligned(long alignment) throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(SIZE, alignment);
            checkAligned(segment, alignment);
            if (SIZE >= 4096 || alignment <= 16 || alignment > 64) { // small slots may be padded, so that the segment is behind SIZE
                assertEquals(slots.contain(segment), alignment <= 64, "in a slot, which has 64 bytes more");
            }
            checkAligned(arena.allocate(1, alignment), alignment);
            Slots.checkFilled(segment, -1, "aligned segment");
        }
        checkZeroAndLearn();
    }

    @Test(dataProvider = "alignments")
    public void layout(long alignment) throws Exception {
        ValueLayout.OfByte layout = JAVA_BYTE.withByteAlignment(alignment);
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(1);
            checkAligned(arena.allocate(layout), alignment);
            checkAligned(arena.allocateFrom(layout, (byte) 0), alignment);
        }
        checkZeroAndLearn();
    }

    @Test
    public void hugeAlignment() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment first = arena.allocate(1);
            assertThrows(OutOfMemoryError.class, () -> arena.allocate(1, 1L << 62));
            MemorySegment next = arena.allocate(0);
            assertNotEquals(next.address(), first.address());
        }
    }
}
