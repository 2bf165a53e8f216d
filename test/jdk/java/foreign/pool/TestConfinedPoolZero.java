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
 * @summary What is allocated is zero, and a slot is zero again once its arena is closed
 * @build Slots Task
 * @run testng/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=64 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolZero
 * @run testng/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=8 -Djdk.foreign.confinedPool.depth=1 TestConfinedPoolZero
 * @run testng/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=8192 -Djdk.foreign.confinedPool.depth=4 TestConfinedPoolZero
 * @run testng/othervm --enable-native-access=ALL-UNNAMED
 *      -Xcomp -XX:-TieredCompilation -XX:CompileCommand=quiet
 *      -XX:CompileCommand=compileonly,java.lang.foreign.*::* -XX:CompileCommand=compileonly,jdk.internal.foreign.*::*
 *      -XX:CompileCommand=compileonly,TestConfinedPoolZero::*
 *      -Djdk.foreign.confinedPool.size=8192 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolZero
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

import org.testng.annotations.*;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.testng.Assert.*;

public class TestConfinedPoolZero {

    private static final int SIZE = Slots.SIZE;

    /** The ways to allocate and to leave bytes behind. */
    enum Path {
        ALLOCATE((arena, byteSize) -> arena.allocate(byteSize).fill((byte) -1)),
        ALLOCATE_FROM_BYTES((arena, byteSize) -> arena.allocateFrom(JAVA_BYTE, ones(byteSize))),
        ALLOCATE_FROM_STRING((arena, byteSize) -> arena.allocateFrom("x".repeat(byteSize - 1))),
        ALLOCATE_FROM_SEGMENT((arena, byteSize) ->
                arena.allocateFrom(JAVA_BYTE, MemorySegment.ofArray(ones(byteSize)), JAVA_BYTE, 0, byteSize)),
        RAW_ADDRESS((arena, byteSize) -> {
            MemorySegment segment = arena.allocate(byteSize);
            Slots.raw(segment).fill((byte) -1); // as native code would
            return segment;
        });

        final BiFunction<Arena, Integer, MemorySegment> function;

        Path(BiFunction<Arena, Integer, MemorySegment> function) {
            this.function = function;
        }

        private static byte[] ones(int count) {
            byte[] bytes = new byte[count];
            Arrays.fill(bytes, (byte) -1);
            return bytes;
        }
    }

    /** All sizes near multiples of 8, which is where a loop over longs may end too early. */
    private static IntStream sizes(Path path) {
        int most = path.name().startsWith("ALLOCATE_FROM") ? Slots.MAX_COPIED : SIZE;
        return IntStream.rangeClosed(1, most).filter(n -> n <= 300 || n >= most - 20 || n % 128 <= 1 || n % 128 == 127);
    }

    @DataProvider
    public static Object[][] paths() {
        return Arrays.stream(Path.values()).map(path -> new Object[] {path}).toArray(Object[][]::new);
    }

    @Test(dataProvider = "paths")
    public void zeroAfterClose(Path path) {
        Slots slots = Slots.learn();
        sizes(path).forEach(byteSize -> {
            int slot;
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment segment = path.function.apply(arena, byteSize);
                slot = slots.indexOf(segment);
                assertTrue(slot >= 0);
                assertTrue(byteSize == 1 || segment.get(JAVA_BYTE, 0) != 0, "something is left behind");
            }
            Slots.checkZero(slots.memory(slot), "slot after " + byteSize + " bytes");
        });
        slots.checkAllFree();
    }

    // The space between two segments is nobody's, but native code that rounds sizes up may write there.
    @Test
    public void paddingIsZeroAfterClose() {
        Slots slots = Slots.learn();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment first = arena.allocate(1);
            MemorySegment last = first;
            for (int i = 1; i < SIZE / 8; i++) {
                last = arena.allocate(1 + i % 8);
                assertTrue(slots.contain(last));
            }
            Slots.raw(first.address(), last.address() - first.address() + 1).fill((byte) -1);
        }
        slots.checkAllZero();
    }

    @Test
    public void paddingForAlignmentIsZeroAfterClose() {
        for (int alignment = 1; alignment <= SIZE; alignment *= 2) {
            Slots slots = Slots.learn(); // another block may be a free slot after each arena
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment first = arena.allocate(1);
                MemorySegment second = arena.allocate(1, alignment);
                if (slots.indexOf(first) != slots.indexOf(second)) {
                    continue;
                }
                Slots.raw(first.address(), second.address() - first.address() + 1).fill((byte) -1);
            }
            slots.checkAllZero();
        }
    }

    @Test
    public void manySmallOnes() {
        Slots slots = Slots.learn();
        for (int count = 1; count <= SIZE / 8; count = count * 3 / 2 + 1) {
            try (Arena arena = Arena.ofConfined()) {
                for (int i = 0; i < count; i++) {
                    MemorySegment segment = arena.allocate(8);
                    assertTrue(slots.contain(segment));
                    Slots.checkZero(segment, "new segment");
                    segment.fill((byte) -1);
                }
            }
            slots.checkAllZero();
        }
    }

    // In a new thread, whose slots are made of memory that others wrote to and gave back.
    @Test
    public void firstUseIsZero() throws Exception {
        for (int round = 0; round < 20; round++) {
            Task.run(() -> {
                // Not confined arenas, which would use the pool.
                try (Arena arena = Arena.ofShared()) {
                    for (int i = 0; i < 20; i++) {
                        for (int extra : new int[] {0, 24, 48, 64, 128}) {
                            arena.allocate(SIZE + extra).fill((byte) -1);
                            arena.allocate(Math.min(SIZE, 256) + extra).fill((byte) -1);
                        }
                    }
                }
                for (int byteSize : new int[] {Math.min(SIZE, 256), SIZE}) {
                    List<Arena> arenas = new ArrayList<>();
                    for (int i = 0; i < Slots.DEPTH; i++) {
                        Arena arena = Arena.ofConfined();
                        arenas.add(arena);
                        Slots.checkZero(arena.allocate(byteSize), "new slot");
                        for (int end = byteSize + 8; end <= Slots.capacity(byteSize); end += 8) {
                            Slots.checkZero(arena.allocate(8), "new slot up to " + end);
                        }
                    }
                    arenas.forEach(Arena::close);
                }
            });
        }
    }

    // In a new thread, whose first slot is small. What becomes the next slot was a block until then.
    @Test
    public void blockThatBecomesTheSlot() throws Exception {
        Task.run(() -> {
            for (int byteSize = 1; byteSize <= SIZE; byteSize += Math.max(1, byteSize / 5)) {
                int size = byteSize;
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(1 + size / 9).fill((byte) -1);
                    arena.allocate(size).fill((byte) -1);
                }
                try (Arena arena = Arena.ofConfined()) {
                    Slots.checkZero(arena.allocate(size), "new slot for " + size);
                }
            }
        });
    }

    // In blocks, too, whichever of them becomes the slot.
    @Test
    public void manyBlocks() throws Exception {
        Task.run(() -> {
            for (int total = SIZE / 2; total <= 20 * SIZE; total += SIZE / 2) {
                try (Arena arena = Arena.ofConfined()) {
                    for (int allocated = 0; allocated < total; allocated += 24) {
                        MemorySegment segment = arena.allocate(Math.min(24, SIZE));
                        Slots.checkZero(segment, "segment of many");
                        segment.fill((byte) -1);
                    }
                }
                Slots.checkZero(Slots.raw(Slots.nest(1, 1)[0], Math.min(Slots.LEAST, SIZE)), "slot after " + total + " bytes");
            }
            Slots.learn();
        });
    }

    @Test
    public void beyondTheDepth() {
        List<Arena> holders = new ArrayList<>();
        for (int i = 0; i < Slots.DEPTH; i++) {
            Arena arena = Arena.ofConfined();
            holders.add(arena);
            arena.allocate(1);
        }
        for (int i = 0; i < 1000; i++) {
            for (int byteSize : new int[] {1 + i % SIZE, SIZE + 1 + i}) {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment segment = arena.allocate(byteSize);
                    Slots.checkZero(segment, "beyond the depth");
                    segment.fill((byte) -1);
                }
            }
        }
        holders.forEach(Arena::close);
        Slots.learn();
    }

    // Long enough for C2, which may then do without the arena's objects.
    @Test
    public void hotLoop() {
        for (int i = 0; i < 200_000; i++) {
            long found = SIZE >= 32 ? hotTwo(i) : hotOne(i);
            if (found != 0) {
                fail("iteration " + i + " found " + Long.toHexString(found));
            }
        }
    }

    private static long hotOne(int i) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(8);
            long found = segment.get(JAVA_LONG_UNALIGNED, 0);
            segment.set(JAVA_LONG_UNALIGNED, 0, ~(long) i);
            return found;
        }
    }

    private static long hotTwo(int i) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment first = arena.allocate(9);
            MemorySegment second = arena.allocate(SIZE - 16);
            long found = first.get(JAVA_LONG_UNALIGNED, 1) | second.get(JAVA_LONG_UNALIGNED, SIZE - 24);
            first.set(JAVA_LONG_UNALIGNED, 1, ~(long) i);
            second.set(JAVA_LONG_UNALIGNED, SIZE - 24, ~(long) i);
            try (Arena nested = Arena.ofConfined()) {
                MemorySegment third = nested.allocate(8);
                found |= third.get(JAVA_LONG_UNALIGNED, 0);
                third.set(JAVA_LONG_UNALIGNED, 0, ~(long) i);
            }
            return found;
        }
    }
}
