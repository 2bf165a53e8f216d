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
 * @summary What is larger than a slot gets a block of its own, which is freed with its confined arena
 * @modules java.management
 *          jdk.management
 * @build Slots Task NativeMemory
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      -Djdk.virtualThreadScheduler.parallelism=2 -Djdk.virtualThreadScheduler.maxPoolSize=2
 *      -Djdk.foreign.confinedPool.size=64 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolLarge
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      -Djdk.virtualThreadScheduler.parallelism=2 -Djdk.virtualThreadScheduler.maxPoolSize=2
 *      -Djdk.foreign.confinedPool.size=8192 -Djdk.foreign.confinedPool.depth=8 TestConfinedPoolLarge
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      -Djdk.virtualThreadScheduler.parallelism=2 -Djdk.virtualThreadScheduler.maxPoolSize=2
 *      -Djdk.foreign.confinedPool.size=4096 -Djdk.foreign.confinedPool.depth=1
 *      -Djdk.foreign.confinedPool.verify=true TestConfinedPoolLarge
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolLarge {

    private static final int SIZE = Slots.SIZE;

    // By an arena whose slot is resident no more.
    @Test
    void afterOthersHavePassed() throws Exception {
        Task.run(() -> {
            try (Arena held = Arena.ofConfined()) {
                held.allocate(8);
                Slots.nest(1, 8);
                for (int i = 0; i < 1000; i++) {
                    Slots.nest(2, 8);
                }
                held.allocate(2L << 20);
                for (int i = 0; i < 10; i++) {
                    assertEquals(0, Slots.nest(1, 8)[0] % 8);
                }
            }
        });
    }

    // Else each of these arenas would call malloc for a block larger than a slot, for 100 bytes.
    @Test
    void thirdBlockIsASlot() throws Exception {
        Assumptions.assumeTrue(Slots.MAX_LISTED >= 4 * Slots.capacity(SIZE), "the free lists have room for them");
        Task.run(() -> Slots.checkComesAgain(() -> {
            try (Arena arena = Arena.ofConfined()) {
                return new long[] {arena.allocate(SIZE).address(), arena.allocate(SIZE).address(), arena.allocate(100).address()};
            }
        }, Slots.capacity(SIZE), Slots.capacity(SIZE) + 64));
    }

    // The slot is much larger than the first allocation, so it stays resident, however many nested arenas pass.
    @ParameterizedTest
    @ValueSource(ints = {1, 100_000})
    void slotComesBack(int nested) throws Exception {
        Task.run(() -> {
            long slot = Slots.learn().address(0);
            long before = NativeMemory.allocated();
            for (int i = 0; i < 10; i++) {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment small = arena.allocate(8).fill((byte) 1);
                    assertEquals(slot, small.address(), "the slot did not come back");
                    MemorySegment large = arena.allocate(SIZE * 2L).fill((byte) 2);
                    for (int j = 0; j < nested; j++) {
                        try (Arena inner = Arena.ofConfined()) {
                            Slots.checkZero(inner.allocate(8), "nested");
                        }
                    }
                    Slots.checkFilled(small, 1, "small");
                    Slots.checkFilled(large, 2, "large");
                }
            }
            assertBound(before);
        });
    }

    // An arena takes its slot when it first allocates what is small, whatever free slot there is.
    @Test
    void largeFirst() throws Exception {
        List<List<Integer>> arenas = List.of(
                List.of(1), List.of(SIZE), List.of(SIZE / 2, 8), List.of(SIZE), List.of(1, SIZE / 2, SIZE));
        for (int from = 0; from < arenas.size(); from++) {
            List<List<Integer>> tail = arenas.subList(from, arenas.size());
            Task.run(() -> allocateLargeFirst(tail));
            Task.run(Thread.ofVirtual(), () -> allocateLargeFirst(tail));
            Task.run(() -> {
                Slots.learn();
                allocateLargeFirst(tail);
            });
        }
    }

    private static void allocateLargeFirst(List<List<Integer>> arenas) {
        long before = NativeMemory.allocated();
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < 10; i++) {
                arena.allocate(SIZE * 2L).fill((byte) -1); // malloc returns memory that is not zero from now on
            }
        }
        for (int i = 0; i < 100; i++) {
            for (List<Integer> small : arenas) {
                try (Arena arena = Arena.ofConfined()) {
                    List<MemorySegment> segments = new ArrayList<>();
                    allocate(arena, i % 3 == 0 ? 0 : SIZE + 1, segments);
                    allocate(arena, SIZE * 2, segments);
                    small.forEach(byteSize -> allocate(arena, byteSize, segments));
                    for (int j = 0; j < segments.size(); j++) {
                        Slots.checkFilled(segments.get(j), -1 - j, small + ", " + j);
                    }
                }
            }
        }
        assertBound(before);
    }

    private static void allocate(Arena arena, int byteSize, List<MemorySegment> segments) {
        MemorySegment segment = arena.allocate(byteSize);
        Slots.checkZero(segment, segments.size() + " before");
        segments.add(segment.fill((byte) (-1 - segments.size())));
    }

    // So what is only large costs little more than malloc and free.
    @Test
    void onlyLargeTakesNoSlot() throws Exception {
        Task.run(() -> {
            Slots slots = Slots.learn();
            long before = NativeMemory.allocated();
            for (int i = 0; i < 10; i++) {
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(SIZE + (1 << 20));
                    long one = NativeMemory.allocated();
                    arena.allocate(SIZE + 1);
                    long taken = NativeMemory.allocated() - one;
                    assertTrue(SIZE > 192 || taken < SIZE + 49, taken + " bytes");
                    slots.checkAllFree();
                }
            }
            assertEquals(before, NativeMemory.allocated());
        });
    }

    // While another arena has the carrier's spare slot.
    @Test
    void onlyLargeOnVirtualThread() throws Exception {
        Task.run(Thread.ofVirtual(), () -> {
            long before = NativeMemory.allocated();
            try (Arena outer = Arena.ofConfined()) {
                outer.allocate(1);
                try (Arena inner = Arena.ofConfined()) {
                    inner.allocate(SIZE + (1 << 20));
                }
                assertBound(before);
            }
        });
    }

    @Test
    void amongBlocks() throws Exception {
        Task.run(() -> {
            long before = NativeMemory.allocated();
            for (int round = 0; round < 10; round++) {
                try (Arena arena = Arena.ofConfined()) {
                    List<MemorySegment> segments = new ArrayList<>();
                    for (int i = 0; i < 300; i++) {
                        MemorySegment segment = arena.allocate(i % 3 == 0 ? SIZE + i + 1 : SIZE / 2, 1 << i % 14);
                        Slots.checkZero(segment, "allocation " + i);
                        segments.add(segment.fill((byte) i));
                    }
                    for (int i = 0; i < 300; i++) {
                        Slots.checkFilled(segments.get(i), (byte) i, "allocation " + i);
                    }
                }
            }
            assertBound(before);
        });
    }

    @Test
    void onVirtualThreads() throws Exception {
        long before = NativeMemory.allocated();
        for (int i = 0; i < 1000; i++) {
            Task.run(Thread.ofVirtual(), () -> {
                for (int j = 0; j < 3; j++) {
                    try (Arena arena = Arena.ofConfined()) {
                        Slots.checkZero(arena.allocate(8), "small");
                        arena.allocate(SIZE + 1).fill((byte) -1);
                        arena.allocate(SIZE / 2).fill((byte) -1);
                    }
                }
            });
        }
        long grown = NativeMemory.allocated() - before;
        long carriers = Integer.getInteger("jdk.virtualThreadScheduler.parallelism");
        assertTrue(grown <= carriers * Slots.POOL_BOUND + (64 << 10), "grown by " + grown);
    }

    @Test
    void whatIsNotAccepted() throws Exception {
        Arena closed = Arena.ofConfined();
        closed.close();
        long before = NativeMemory.allocated();
        for (int i = 0; i < 10; i++) {
            assertThrows(IllegalStateException.class, () -> closed.allocate(SIZE + (1 << 20)));
        }
        assertTrue(NativeMemory.allocated() - before < 1 << 20, "a closed arena took memory");
        assertThrows(IllegalArgumentException.class, () -> closed.allocate(-1));
        assertThrows(IllegalArgumentException.class, () -> closed.allocate(SIZE + 1, 3));
        try (Arena arena = Arena.ofConfined()) {
            for (long byteSize : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 7, Long.MAX_VALUE - 71, 1L << 62}) {
                assertThrows(OutOfMemoryError.class, () -> arena.allocate(byteSize));
                assertThrows(OutOfMemoryError.class, () -> arena.allocate(byteSize, 1L << 62));
            }
            assertInstanceOf(WrongThreadException.class, Task.thrownBy(() -> arena.allocate(SIZE + 1)));
            arena.allocate(8).fill((byte) 1);
        }
    }

    private static void assertBound(long before) {
        long grown = NativeMemory.allocated() - before;
        assertTrue(grown <= Slots.POOL_BOUND, "grown by " + grown);
    }
}
