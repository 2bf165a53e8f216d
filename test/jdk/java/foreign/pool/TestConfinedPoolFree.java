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
 * @summary Nested arenas and those of virtual threads get free slots again that suit them, and only as many as can be used are
 *          kept
 * @modules java.base/java.lang:open
 *          java.management
 *          jdk.management
 * @build Slots NativeMemory Task VirtualThreads
 * @run junit/othervm -XX:NativeMemoryTracking=summary --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=65536 -Djdk.foreign.confinedPool.depth=4 TestConfinedPoolFree
 * @run junit/othervm -XX:NativeMemoryTracking=summary --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=8192 -Djdk.foreign.confinedPool.depth=1 TestConfinedPoolFree
 * @run junit/othervm -XX:NativeMemoryTracking=summary --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=1024 -Djdk.foreign.confinedPool.depth=3 TestConfinedPoolFree
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.*;

/**
 * A pool's first arena finds no resident slot, so tests begin with {@link #open}. Each test has a pool of its own.
 */
@SuppressWarnings("try") // arenas that only keep a slot
class TestConfinedPoolFree {

    private static final int SIZE = Slots.SIZE;
    private static final int DEPTH = Slots.DEPTH;

    private static final int SMALL = Slots.SMALL;
    private static final int MAX_SMALL = Slots.MAX_SMALL;
    private static final int PASSES = Slots.PASSES;
    private static final int EXCESS = Slots.EXCESS;

    /** {@return an arena that has the resident slot of the current thread, of so many bytes} */
    private static Arena open(int byteSize) {
        Slots.nest(1, byteSize);
        Slots.nest(1, byteSize);
        Arena arena = Arena.ofConfined();
        arena.allocate(byteSize);
        return arena;
    }

    /** {@return the addresses of what nested arenas allocated, sorted} Each one's memory is zero, and no other's. */
    private static long[] nest(int... byteSizes) {
        List<Arena> arenas = new ArrayList<>();
        List<MemorySegment> segments = new ArrayList<>();
        for (int byteSize : byteSizes) {
            Arena arena = Arena.ofConfined();
            arenas.add(arena);
            MemorySegment segment = arena.allocate(byteSize);
            Slots.checkZero(segment, "arena " + arenas.size());
            segments.add(segment.fill((byte) arenas.size()));
        }
        for (int i = 0; i < segments.size(); i++) {
            Slots.checkFilled(segments.get(i), (byte) (i + 1), "arena " + (i + 1));
        }
        arenas.reversed().forEach(Arena::close);
        return segments.stream().mapToLong(MemorySegment::address).sorted().toArray();
    }

    private static int[] repeat(int count, int... byteSizes) {
        return IntStream.range(0, count).map(i -> byteSizes[i % byteSizes.length]).toArray();
    }

    /** {@return whether the resident slot, which has 1000 bytes, is free} If not, small arenas get small slots. */
    private static boolean isResidentFree() {
        return Slots.hasRoom(8, 900);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 64, 65, 300, 512, SMALL})
    void smallOnesComeAgain(int byteSize) throws Exception {
        Task.run(() -> checkComesAgain(byteSize));
    }

    @ParameterizedTest
    @ValueSource(ints = {SMALL + 1, 1000, 1024, 5000, 8192})
    void largeOnesComeAgain(int byteSize) throws Exception {
        Assumptions.assumeTrue(byteSize <= SIZE);
        Task.run(() -> checkComesAgain(byteSize));
    }

    // The last one is resident.
    private static void checkComesAgain(int byteSize) {
        int count = Slots.mostKept(byteSize) + 1;
        long before = NativeMemory.allocatedWithStack();
        nest(repeat(count, byteSize));
        nest(repeat(count, byteSize));
        long grown = NativeMemory.allocated() - before;
        long least = count * Slots.nativeBytes(byteSize);
        long most = least + (4 + count / PASSES) * (Slots.BLOCK_OVERHEAD - 16); // those that are resident or were
        assertTrue(least <= grown && grown <= most, grown + " bytes");
        nest(repeat(count + 20, byteSize));
        grown = NativeMemory.allocated() - before;
        assertTrue(least <= grown && grown <= most, grown + " bytes later");
        Slots.checkComesAgain(() -> nest(repeat(count, byteSize)), Slots.capacity(byteSize));
    }

    // However many are open at once, and however often: the stack has more places than the free lists have.
    @Test
    void largeOnesStayOutOfTheStack() throws Exception {
        VirtualThreads.run(() -> {
            int kept = Slots.mostKept(SIZE);
            long before = NativeMemory.allocatedWithStack();
            for (int i = 1; i <= 4; i++) {
                nest(repeat(i * kept, SIZE));
                NativeMemory.checkGrown(kept * Slots.nativeBytes(SIZE), before);
            }
        });
    }

    // In the order of opening and in the reverse one. Virtual threads use no resident slot.
    @Test
    void ofTwoSizesComeAgain() throws Exception {
        VirtualThreads.run(() -> {
            int[] byteSizes = repeat(DEPTH, SIZE, 600);
            int[] reverse = IntStream.range(0, DEPTH).map(i -> byteSizes[DEPTH - 1 - i]).toArray();
            long before = NativeMemory.allocatedWithStack();
            long[] expected = nest(byteSizes);
            for (int i = 0; i < 10; i++) {
                assertArrayEquals(expected, nest(reverse));
                assertArrayEquals(expected, nest(byteSizes));
                NativeMemory.checkGrown(Arrays.stream(byteSizes).mapToLong(Slots::nativeBytes).sum(), before);
            }
            Slots.checkComesAgain(() -> nest(reverse), SIZE, 640);
        });
    }

    @Test
    void oneThatDoesNotSuitStaysWhileOthersHaveRoom() throws Exception {
        Assumptions.assumeTrue(DEPTH > 2, "others have room");
        Task.run(() -> {
            try (Arena outer = open(8)) {
                long before = NativeMemory.allocated();
                nest(600);
                nest(SIZE);
                nest(600);
                NativeMemory.checkGrown(Slots.nativeBytes(600) + Slots.nativeBytes(SIZE), before);
            }
        });
    }

    // One that finds no room is freed. Then the next miss makes room.
    @Test
    void onesThatDoNotSuitMakeRoom() throws Exception {
        Assumptions.assumeTrue(SIZE > 8 * 600, "the largest slots do not suit");
        VirtualThreads.run(() -> {
            long before = NativeMemory.allocatedWithStack();
            nest(repeat(DEPTH, SIZE)); // with headers, these take all
            nest(600);
            NativeMemory.checkGrown(DEPTH * Slots.nativeBytes(SIZE), before);
            nest(600);
            NativeMemory.checkGrown((DEPTH - 1) * Slots.nativeBytes(SIZE) + Slots.nativeBytes(600), before);
            Slots.checkComesAgain(() -> nest(600), Slots.capacity(600));
        });
    }

    @Test
    void onlyMissesMakeRoomAndOneEach() throws Exception {
        Assumptions.assumeTrue(SIZE > 8 * 600 && DEPTH > 1, "the largest slots do not suit, and one of them stays");
        VirtualThreads.run(() -> {
            long before = NativeMemory.allocatedWithStack();
            nest(repeat(DEPTH, SIZE));
            nest(600);
            for (int i = 0; i < 3; i++) {
                nest(repeat(DEPTH, SIZE));
                NativeMemory.checkGrown(DEPTH * Slots.nativeBytes(SIZE), before);
            }
            nest(600);
            nest(1200);
            NativeMemory.checkGrown((DEPTH - 1) * Slots.nativeBytes(SIZE) + Slots.nativeBytes(600) + Slots.nativeBytes(1200), before);
        });
    }

    // Of each size class in turn. Else two sizes in use could take each other's room for ever, and others stay of no use.
    @Test
    void onesOfAllSizesMakeRoom() throws Exception {
        Assumptions.assumeTrue(SIZE > 8 * 1000 && Slots.MAX_LISTED >= 2 * Slots.capacity(SIZE), "the largest slots do not suit");
        VirtualThreads.run(() -> {
            long before = NativeMemory.allocated();
            nest(repeat(Slots.mostKept(600), 600));
            for (int i = 0; i < 2 * Slots.mostKept(600); i++) {
                nest(SIZE, 1000);
            }
            Slots.checkComesAgain(() -> nest(SIZE, 1000), Slots.capacity(SIZE), Slots.capacity(1000));
            int room = Slots.MAX_LISTED - Slots.capacity(SIZE) - Slots.capacity(1000) - 2 * Slots.BLOCK_OVERHEAD;
            long left = NativeMemory.allocated() - before - Slots.nativeBytes(SIZE) - Slots.nativeBytes(1000);
            assertTrue(left > room / 2, left + " bytes are left of the others, for which there are " + room);
        });
    }

    // However many found none before.
    @Test
    void oneMakesRoom() throws Exception {
        VirtualThreads.run(() -> {
            long before = NativeMemory.allocatedWithStack();
            nest(repeat(Slots.mostKept(8) + 100, 8));
            nest(repeat(20, 1000));
            NativeMemory.checkGrown((Slots.mostKept(8) - 1) * Slots.nativeBytes(8), before);
        });
    }

    @Test
    void noneIsMadeForAllBlocksIfThereIsNoRoom() throws Exception {
        VirtualThreads.run(() -> {
            int count = Slots.mostKept(8);
            long before = NativeMemory.allocatedWithStack();
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(8);
                arena.allocate(200);
                nest(repeat(count, 8));
            }
            NativeMemory.checkGrown(count * Slots.nativeBytes(8), before);
        });
    }

    @Test
    void manyThatDoNotSuitMakeRoom() throws Exception {
        int count = Math.min(Slots.mostKept(1000), 20);
        VirtualThreads.run(() -> {
            long before = NativeMemory.allocatedWithStack();
            nest(repeat(Slots.mostKept(8), 8));
            for (int i = 0; i < 300; i++) {
                nest(repeat(count, 1000));
            }
            // No more made room than had to.
            int room = Slots.MAX_LISTED - count * (Slots.capacity(1000) + Slots.BLOCK_OVERHEAD);
            int small = MAX_SMALL + room / (Slots.capacity(8) + Slots.BLOCK_OVERHEAD);
            NativeMemory.checkGrown(count * Slots.nativeBytes(1000) + small * Slots.nativeBytes(8), before);
            Slots.checkComesAgain(() -> nest(repeat(count, 1000)), Slots.capacity(1000));
        });
    }

    // Each has a size class of its own. So they are found in whatever order.
    @Test
    void onesOfManySizesComeAgain() throws Exception {
        List<Integer> byteSizes = new ArrayList<>();
        int room = Slots.MAX_LISTED;
        for (int size = 600; size <= SIZE && (room -= Slots.capacity(size) + Slots.BLOCK_OVERHEAD) >= 0; size += size / 8 + 64) {
            byteSizes.add(size);
        }
        Assumptions.assumeTrue(byteSizes.size() > 20, "there are many sizes");
        VirtualThreads.run(() -> {
            nest(byteSizes.stream().mapToInt(size -> size).toArray());
            long before = NativeMemory.allocated();
            for (int i = 0; i < 20; i++) {
                Collections.shuffle(byteSizes, new Random(i));
                nest(byteSizes.stream().mapToInt(size -> size).toArray());
                NativeMemory.checkGrown(0, before);
            }
        });
    }

    // Else slots that suit none of the three could take the room of a size class for ever.
    @Test
    void similarSizesMakeRoom() throws Exception {
        Assumptions.assumeTrue(SIZE > 4000 && Slots.mostKept(2050) >= 8, "there is room for three, and for others");
        VirtualThreads.run(() -> {
            nest(repeat(2 * Slots.mostKept(2050), 2050));
            for (int i = 0; i < 2 * Slots.mostKept(2050); i++) {
                nest(4000, 4000, 2200);
            }
            Slots.checkComesAgain(() -> nest(4000, 4000, 2200), Slots.capacity(4000), Slots.capacity(4000), Slots.capacity(2200));
        });
    }

    // Large slots that have no use any more take all room. The second slot of 500 bytes is created when the lists have room for that of 8.
    @Test
    void aRefusedTopSlotMakesRoom() throws Exception {
        Assumptions.assumeTrue(DEPTH > 1, "there are small slots of several sizes");
        VirtualThreads.run(() -> {
            nest(repeat(DEPTH, SIZE));
            long before = NativeMemory.allocated();
            nest(8);
            for (int i = 0; i < 3; i++) {
                nest(500, 8);
            }
            NativeMemory.checkGrown(2 * Slots.nativeBytes(500) + Slots.nativeBytes(8) - Slots.nativeBytes(SIZE), before);
        });
    }

    // After the miss small slots are sorted. The free lists have no room for all of them, but the stack has.
    @Test
    void sortedOnesForWhichTheListsHaveNoRoomComeAgain() throws Exception {
        VirtualThreads.run(() -> {
            int[] byteSizes = repeat(Slots.mostKept(500) - 2, 500);
            byteSizes[0] = 8; // takes a slot of the others
            nest(byteSizes);
            nest(byteSizes);
            nest(byteSizes);
            Slots.checkComesAgain(() -> nest(byteSizes), Slots.capacity(500));
        });
    }

    // An arena may be held. So it gets no slot that is much larger than what it allocates first.
    @Test
    void heldOnesGetNoneThatIsMuchLarger() throws Exception {
        Assumptions.assumeTrue(SIZE > 4 * SMALL, "there are large slots of several sizes");
        Task.run(() -> {
            try (Arena outer = open(8)) {
                nest(repeat(DEPTH, SIZE));
                int least = (2 * (Slots.capacity(SIZE) - EXCESS) + 2) / 3;
                assertTrue(Slots.hasRoom(least, SIZE / 4), "one that suits");
                assertFalse(Slots.hasRoom(least - 1, SIZE / 4), "one that is too large");
            }
        });
    }

    @Test
    void smallArenasTakeNoLargeOnes() throws Exception {
        Task.run(() -> {
            try (Arena outer = open(8)) {
                nest(repeat(DEPTH, 1000));
                checkSmallArenasTakeNoLargeOnes();
            }
        });
        VirtualThreads.run(() -> {
            nest(repeat(DEPTH, 1000));
            checkSmallArenasTakeNoLargeOnes();
        });
    }

    private static void checkSmallArenasTakeNoLargeOnes() {
        for (int i = 0; i < 3; i++) {
            assertFalse(Slots.hasRoom(8, 900), "a small arena has a large slot");
            nest(1000);
        }
    }

    @Test
    void largeArenasTakeNoSmallOnes() throws Exception {
        Task.run(() -> {
            try (Arena outer = open(8)) {
                checkLargeArenasTakeNoSmallOnes(NativeMemory.allocated());
            }
        });
        VirtualThreads.run(() -> checkLargeArenasTakeNoSmallOnes(NativeMemory.allocatedWithStack()));
    }

    private static void checkLargeArenasTakeNoSmallOnes(long before) {
        nest(8);
        nest(1000, 8);
        nest(1000, 8);
        NativeMemory.checkGrown(Slots.nativeBytes(8) + Slots.nativeBytes(1000), before);
    }

    @Test
    void onesOfVirtualThreadsComeAgain() throws Exception {
        for (int[] byteSizes : new int[][] {{8}, {8, 8, 8}, {SMALL}, {SMALL, SMALL, SMALL}, {600}, {8, 600}, {SIZE}, {8, SIZE}}) {
            VirtualThreads.run(() -> {
                long before = NativeMemory.allocatedWithStack();
                nest(byteSizes);
                NativeMemory.checkGrown(Arrays.stream(byteSizes).mapToLong(Slots::nativeBytes).sum(), before);
                Slots.checkComesAgain(() -> nest(byteSizes), Arrays.stream(byteSizes).map(Slots::capacity).toArray());
            });
        }
    }

    @Test
    void onesOfVirtualThreadsAreNoMoreThanOthers() throws Exception {
        for (int byteSize : new int[] {8, SMALL}) {
            VirtualThreads.run(() -> {
                long before = NativeMemory.allocatedWithStack();
                for (int i = 0; i < 3; i++) {
                    nest(repeat(Slots.mostKept(byteSize) + 20, byteSize));
                    NativeMemory.checkGrown(Slots.mostKept(byteSize) * Slots.nativeBytes(byteSize), before);
                }
                nest(repeat(MAX_SMALL, 8)); // any small slot suits
                NativeMemory.checkGrown(Slots.mostKept(byteSize) * Slots.nativeBytes(byteSize), before);
            });
        }
        VirtualThreads.run(() -> {
            long before = NativeMemory.allocatedWithStack();
            for (int i = 0; i < 3; i++) {
                nest(repeat(DEPTH + 20, SIZE));
                NativeMemory.checkGrown(DEPTH * Slots.nativeBytes(SIZE), before);
            }
        });
    }

    @Test
    void onesThatArenasGoOnInComeAgain() throws Exception {
        Task.run(() -> {
            try (Arena outer = open(8)) {
                long before = NativeMemory.allocated();
                for (int i = 0; i < 10; i++) {
                    littleAndMore();
                    NativeMemory.checkGrown(Slots.nativeBytes(8) + Slots.nativeBytes(900), before);
                }
            }
        });
    }

    private static long[] littleAndMore() {
        try (Arena arena = Arena.ofConfined()) {
            return new long[] {arena.allocate(8).address(), arena.allocate(900).address()};
        }
    }

    // Each step is on a new carrier, but a pinned thread stays where it is.
    @Test
    void virtualThreadsAreNotPinnedAfterwards() throws Exception {
        for (int[] byteSizes : new int[][] {{8}, {8, 8}, {1000}}) {
            List<Thread> carriers = new CopyOnWriteArrayList<>();
            Task.run(VirtualThreads.scheduledBy(VirtualThreads.onNewCarriers(carriers)), () -> {
                nest(byteSizes);
                Thread.yield();
                assertEquals(2, carriers.size(), "carriers");
            });
            VirtualThreads.join(carriers);
        }
    }

    // Small slots that are too small are replaced, one by one, by arenas that need more.
    @Test
    void smallOnesGrow() throws Exception {
        Task.Action action = () -> {
            long before = NativeMemory.allocated();
            nest(repeat(3, 8));
            for (int i = 0; i < 10; i++) {
                nest(repeat(3, SMALL));
            }
            long grown = NativeMemory.allocated() - before;
            assertTrue(3 * Slots.nativeBytes(SMALL) <= grown && grown <= 6 * Slots.nativeBytes(SMALL), grown + " bytes");
            Slots.checkComesAgain(() -> nest(repeat(3, SMALL)), SMALL);
        };
        Task.run(action);
        VirtualThreads.run(action);
    }

    @Test
    void oneArenaAtATimeNeedsOne() throws Exception {
        for (int byteSize : new int[] {8, SMALL, 1000, SIZE}) {
            Task.run(() -> {
                long before = NativeMemory.allocatedWithStack();
                for (int i = 0; i < 40; i++) {
                    nest(byteSize);
                    NativeMemory.checkGrown(Slots.residentBytes(byteSize), before);
                }
            });
        }
    }

    // What was there before has no use.
    @Test
    void residentOneThatGrowsReplacesAnother() throws Exception {
        Task.run(() -> {
            long before = NativeMemory.allocatedWithStack();
            nest(8);
            littleAndMore();
            NativeMemory.checkGrown(Slots.nativeBytes(Slots.LEAST + 960), before);
            nest(8);
            littleAndMore();
            NativeMemory.checkGrown(Slots.nativeBytes(Slots.LEAST + 960), before);
        });
        Task.run(() -> {
            long before = NativeMemory.allocatedWithStack();
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(8);
                arena.allocate(200);
                arena.allocate(400);
            }
            NativeMemory.checkGrown(Slots.nativeBytes(Slots.LEAST + 256 + 448), before);
        });
    }

    // The next resident one is at once as large as is needed.
    @Test
    void residentOneIsHandedOver() throws Exception {
        Task.run(() -> {
            try (Arena held = open(8)) {
                long before = NativeMemory.allocated();
                for (int i = 0; i <= PASSES; i++) {
                    try (Arena arena = Arena.ofConfined()) {
                        arena.allocate(1000);
                        NativeMemory.checkGrown(Slots.nativeBytes(1000), before);
                    }
                }
                assertTrue(isResidentFree());
            }
        });
    }

    // That of the arena with which the pool comes. Only a resident slot has cache lines of its own.
    @Test
    void furtherBlockTakesNoMore() throws Exception {
        FutureTask<Long> growth = new FutureTask<>(() -> {
            for (int i = 1; i < Slots.WITHOUT_POOL; i++) {
                Slots.nest(1, 1);
            }
            long before = NativeMemory.allocatedWithStack();
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(1);
                arena.allocate(100);
                return NativeMemory.allocated() - before;
            }
        });
        Thread thread = new Thread(growth);
        thread.start();
        assertEquals(Slots.nativeBytes(1) + Slots.nativeBytes(100), growth.get());
        thread.join(); // it frees its slots while it ends
    }

    @Test
    void slotHasItsRoomAgainAfterAnArenaWentOnInAnotherBlock() throws Exception {
        Task.run(() -> {
            nest(SIZE);
            long slot = nest(SIZE)[0];
            try (Arena arena = Arena.ofConfined()) {
                assertEquals(slot, arena.allocate(100).address());
                arena.allocate(SIZE);
            }
            assertEquals(slot, nest(SIZE)[0]);
        });
    }

    @Test
    void noneIsLeftWhenTheThreadEnds() throws Exception {
        for (int[] byteSizes : new int[][] {{8}, {8, 8}, {8, 8, 8}, {SIZE, SIZE}, {8, SIZE, 8, SIZE}}) {
            long before = NativeMemory.allocated();
            Task.run(() -> nest(byteSizes));
            Task.run(() -> {
                nest(byteSizes);
                nest(byteSizes);
            });
            VirtualThreads.run(() -> nest(byteSizes));
            NativeMemory.checkGrown(0, before);
        }
    }

    // An arena that is held gets the resident slot for its own. Those opened beside it have a resident slot that is too small for it.
    @ParameterizedTest
    @ValueSource(ints = {200, 1000})
    void residentSlotThatIsTooSmallComesAgain(int byteSize) throws Exception {
        Task.run(() -> Slots.checkComesAgain(() -> {
            try (Arena outer = Arena.ofConfined()) {
                LongStream.Builder addresses = LongStream.builder().add(outer.allocate(byteSize).address());
                for (int i = 0; i <= PASSES; i++) {
                    addresses.add(nest(8)[0]);
                }
                return addresses.build().toArray();
            }
        }, Slots.capacity(8), Slots.capacity(byteSize)));
    }

    // A slot of 8 bytes is freed, and one of 100 takes its place.
    @Test
    void smallOnesOfTwoSizesComeAgainIfTheListsAreFull() throws Exception {
        Task.run(() -> {
            nest(repeat(DEPTH + 1, SIZE));
            nest(8, 100, 8);
            nest(8, 100, 8);
            Slots.checkComesAgain(() -> nest(8, 100, 8), Slots.capacity(8), Slots.capacity(100));
        });
    }

    @Test
    void furtherBlockFindsTheSmallOneBelowOneThatIsTooSmall() throws Exception {
        Task.run(() -> {
            nest(8, 8, 8);
            Slots.checkComesAgain(() -> {
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(2L * SIZE);
                    return new long[] {arena.allocate(100).address()};
                }
            }, Slots.capacity(8), Slots.capacity(100));
        });
    }

    // The lists are full, so it is freed.
    @Test
    void furtherBlockTakesSmallOneThatIsTooSmallOutOfTheStack() throws Exception {
        Assumptions.assumeTrue(DEPTH > 1, "there are small slots of several sizes");
        VirtualThreads.run(() -> {
            nest(repeat(DEPTH, SIZE)); // with headers, these take all
            nest(8, 8);
            long before = NativeMemory.allocated();
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(8);
                arena.allocate(200);
                NativeMemory.checkGrown(Slots.nativeBytes(200) - Slots.nativeBytes(8), before);
            }
        });
    }

    @Test
    void smallOneThatIsTooSmallIsNotLost() throws Exception {
        Task.run(() -> checkIsNotLost(Slots.residentBytes(8)));
        VirtualThreads.run(() -> checkIsNotLost(Slots.nativeBytes(8)));
    }

    private static void checkIsNotLost(long outerBytes) {
        long before = NativeMemory.allocatedWithStack();
        try (Arena outer = open(8)) {
            nest(8, 8);
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(8);
                arena.allocate(200); // the other one has no room for this
            }
            NativeMemory.checkGrown(outerBytes + Slots.nativeBytes(8) + Slots.nativeBytes(Slots.LEAST + 256), before);
            nest(8, 8);
            NativeMemory.checkGrown(outerBytes + Slots.nativeBytes(8) + Slots.nativeBytes(Slots.LEAST + 256), before);
        }
    }

    // Else an arena would hold a slot of which it uses nothing. A new slot replaces the resident one. Others go to the free lists.
    @Test
    void slotThatIsTooSmallIsNotTaken() throws Exception {
        Task.run(() -> checkIsNotTaken(1));
        VirtualThreads.run(() -> checkIsNotTaken(0));
    }

    private static void checkIsNotTaken(int freed) {
        nest(8, 8);
        long before = NativeMemory.allocated();
        long grown = 2 * Slots.nativeBytes(200) - freed * Slots.residentBytes(8);
        for (int i = 0; i < 3; i++) {
            nest(200, 200);
            NativeMemory.checkGrown(grown, before);
        }
        nest(8, 8, 8, 8);
        NativeMemory.checkGrown(grown + freed * Slots.nativeBytes(8), before);
    }

    // The slot that the arena takes becomes resident, so the next arena finds it at once.
    @Test
    void residentSlotThatIsTooSmallIsExchangedForAListedOne() throws Exception {
        Assumptions.assumeTrue(SIZE >= 2000, "slots of 2000 bytes are kept");
        Task.run(() -> {
            nest(8); // resident from now on
            nest(8, 2000);
            long before = NativeMemory.allocated();
            nest(2000, 8);
            assertTrue(Slots.hasRoom(8, 1900), "the larger one is resident");
            NativeMemory.checkGrown(0, before);
        });
    }

    // The arena of 500 bytes takes the top slot, and none of the lists, which that of 600 needs.
    @Test
    void smallArenasTakeTheTopSlotBeforeAListedOne() throws Exception {
        Assumptions.assumeTrue(SIZE >= 2000 && MAX_SMALL > 1, "two are kept");
        Task.run(() -> {
            nest(8); // resident from now on
            nest(8, 500, 600);
            long before = NativeMemory.allocated();
            nest(8, 500, 600);
            NativeMemory.checkGrown(0, before);
        });
    }

    // The first arena of 500 bytes takes the slot of 600. So the other one finds that of 8, below which is the one of 500. From then on
    // that is in the lists.
    @Test
    void slotThatIsTooSmallStaysWhileAListedOneSuits() throws Exception {
        Assumptions.assumeTrue(SIZE >= 2000 && MAX_SMALL > 1, "two are kept");
        Task.run(() -> {
            nest(8); // resident from now on
            nest(8, 500, 8, 600);
            long before = NativeMemory.allocated();
            for (int i = 0; i < 3; i++) {
                nest(8, 500, 500);
                NativeMemory.checkGrown(Slots.nativeBytes(500), before);
            }
            nest(8, 500, 500, 500);
            NativeMemory.checkGrown(Slots.nativeBytes(500), before);
        });
    }

    // The first arena of 100 bytes finds one that is too small. The pool takes it out, so the other arena finds the slot below it.
    @Test
    void slotThatIsTooSmallIsTakenOut() throws Exception {
        VirtualThreads.run(() -> {
            try (Arena second = Arena.ofConfined(); Arena first = Arena.ofConfined()) {
                second.allocate(100);
                first.allocate(8);
            }
            long before = NativeMemory.allocated();
            nest(100, 100);
            NativeMemory.checkGrown(Slots.nativeBytes(100), before);
        });
    }

    @Test
    void slotThatIsTooSmallIsFreedIfTheListsAreFull() throws Exception {
        Assumptions.assumeTrue(DEPTH > 1, "there are small slots of several sizes");
        VirtualThreads.run(() -> {
            nest(repeat(DEPTH, SIZE)); // with headers, these take all
            nest(8);
            long before = NativeMemory.allocated();
            nest(200);
            NativeMemory.checkGrown(Slots.nativeBytes(200) - Slots.nativeBytes(8), before);
        });
    }

    // An arena of a few bytes takes a much larger slot, and so the next arena finds none. From then on it takes none such, until
    // 1024 slots were returned. A virtual thread has no resident slot.
    @Test
    void smallSlotsAreSortedForSomeTime() throws Exception {
        Assumptions.assumeTrue(DEPTH > 1, "there are sizes to sort by");
        VirtualThreads.run(() -> {
            nest(500);
            assertTrue(Slots.hasRoom(8, 400));
            try (Arena small = Arena.ofConfined()) {
                small.allocate(8);
                nest(500);
                for (int i = 0; i < 100; i++) { // each returns a few
                    assertFalse(Slots.hasRoom(8, 400));
                    nest(500);
                }
                for (int i = 0; i < 1024; i++) {
                    nest(500);
                }
                assertTrue(Slots.hasRoom(8, 400));
            }
        });
    }

    // What takes their place is a small slot, too.
    @Test
    void smallOnesGrowToTheMostOfASmallOne() throws Exception {
        Task.run(() -> {
            try (Arena outer = open(8)) {
                long before = NativeMemory.allocated();
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(100);
                    arena.allocate(490);
                }
                NativeMemory.checkGrown(Slots.nativeBytes(SMALL), before);
            }
        });
    }

    @Test
    void sortedOnesAreNotReplaced() throws Exception {
        Assumptions.assumeTrue(DEPTH > 1, "there are sizes to sort by");
        VirtualThreads.run(() -> {
            nest(500);
            try (Arena small = Arena.ofConfined()) {
                small.allocate(8);
                nest(500);
                long before = NativeMemory.allocated();
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(8);
                    arena.allocate(200);
                }
                NativeMemory.checkGrown(Slots.nativeBytes(8) + Slots.nativeBytes(200), before);
            }
        });
    }

    // The lists have room for DEPTH slots of SIZE bytes, and for nothing beside them.
    @Test
    void leastOnesAreSmallWhileOthersAreSorted() throws Exception {
        Assumptions.assumeTrue(DEPTH > 1, "there are sizes to sort by");
        VirtualThreads.run(() -> {
            nest(500);
            try (Arena small = Arena.ofConfined(); Arena other = Arena.ofConfined()) {
                small.allocate(8);
                nest(500);
                other.allocate(500);
                nest(8);
                long before = NativeMemory.allocated();
                nest(repeat(DEPTH, SIZE));
                NativeMemory.checkGrown(DEPTH * Slots.nativeBytes(SIZE), before);
            }
        });
    }

    // The arena of 500 bytes finds a listed slot, so that of 8 has none that it needs.
    @Test
    void listedSlotThatSuitsLeavesOthersUnsorted() throws Exception {
        VirtualThreads.run(() -> {
            nest(600);
            nest(8);
            try (Arena small = Arena.ofConfined()) {
                small.allocate(8);
                nest(500);
            }
            try (Arena other = Arena.ofConfined()) {
                other.allocate(50);
                nest(130);
                assertTrue(Slots.hasRoom(8, 150));
            }
        });
    }

    @Test
    void furtherBlockLeavesOthersUnsorted() throws Exception {
        Assumptions.assumeTrue(DEPTH > 1, "there are sizes to sort by");
        VirtualThreads.run(() -> {
            nest(130);
            try (Arena small = Arena.ofConfined()) {
                small.allocate(8);
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(2L * SIZE);
                    arena.allocate(130);
                }
                assertTrue(Slots.hasRoom(8, 150));
            }
        });
    }

    // No arena asks for the slot that is too small and goes to the lists.
    @Test
    void slotThatIsTakenOutLeavesOthersUnsorted() throws Exception {
        VirtualThreads.run(() -> {
            nest(8);
            nest(130, 130);
            assertTrue(Slots.hasRoom(8, 150));
        });
    }

    // Blocks grow, also if a free slot has room for the allocation alone.
    @Test
    void smallFreeOnesAreNoFurtherBlocks() throws Exception {
        VirtualThreads.run(() -> {
            nest(repeat(6, 8));
            try (Arena arena = Arena.ofConfined()) {
                for (int i = 0; i < 21; i++) {
                    arena.allocate(8);
                }
                long before = NativeMemory.allocated();
                arena.allocate(8);
                NativeMemory.checkGrown(Slots.nativeBytes(84), before);
            }
        });
    }

    @Test
    void listedOnesThatAreTooSmallAreNoFurtherBlocks() throws Exception {
        Assumptions.assumeTrue(SIZE >= 2048, "there are large slots of several sizes");
        VirtualThreads.run(() -> {
            nest(600);
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(2000);
                long before = NativeMemory.allocated();
                arena.allocate(600);
                NativeMemory.checkGrown(Slots.nativeBytes(Slots.capacity(2000) / 2), before);
            }
        });
    }

    @Test
    void slotsOfOtherSizesAreSorted() throws Exception {
        Assumptions.assumeTrue(DEPTH > 1, "there are sizes to sort by");
        VirtualThreads.run(() -> assertFalse(hasRoomBesideASmallOne(130, 120)));
    }

    // A slot for 60 bytes takes little more than one for 8, so the arena that takes it does not cause others to be sorted.
    @Test
    void slotsOfSimilarSizesAreNotSorted() throws Exception {
        VirtualThreads.run(() -> assertTrue(hasRoomBesideASmallOne(60, 100)));
    }

    // Whether an arena of 8 bytes gets a slot for so many, and so has room for more, after another one has taken such a slot.
    private static boolean hasRoomBesideASmallOne(int byteSize, int more) {
        nest(byteSize);
        try (Arena small = Arena.ofConfined()) {
            small.allocate(8);
            nest(byteSize);
            return Slots.hasRoom(8, more);
        }
    }

    // A large block is none of those that the small slot has to make up for.
    @Test
    void smallOnesGrowAfterALargeAllocation() throws Exception {
        Task.run(() -> {
            try (Arena outer = open(8)) {
                long before = NativeMemory.allocated();
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(SIZE + 1);
                    arena.allocate(8);
                    arena.allocate(200);
                }
                NativeMemory.checkGrown(Slots.nativeBytes(Slots.LEAST + 256), before);
            }
        });
    }

    // Only a resident slot has cache lines of its own, up to 192 bytes.
    @Test
    void smallOnesThatGrowAreNoLargerThanNewOnes() throws Exception {
        Task.run(() -> {
            try (Arena outer = open(8)) {
                long before = NativeMemory.allocated();
                try (Arena arena = open(8)) {
                    arena.allocate(50);
                }
                NativeMemory.checkGrown(Slots.nativeBytes(Slots.LEAST + 64), before);
            }
        });
    }

    // Spare slot, stack and free lists are full, and then the spare slot is taken.
    @Test
    void newOneBecomesTheSpareOne() throws Exception {
        VirtualThreads.run(() -> {
            List<Arena> arenas = new ArrayList<>();
            for (int i = 0; i < Slots.mostKept(8) + 2; i++) {
                arenas.add(Arena.ofConfined());
                arenas.getLast().allocate(8);
            }
            Arena last = arenas.removeFirst();
            arenas.forEach(Arena::close);
            try (Arena taker = open(8)) {
                long before = NativeMemory.allocated();
                last.close();
                NativeMemory.checkGrown(0, before);
            }
        });
    }

    @Test
    void largeAllocationsLeaveNoSlot() throws Exception {
        Task.run(() -> {
            long before = NativeMemory.allocatedWithStack();
            nest(8);
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(SIZE + 1);
                arena.allocate(SIZE + 1);
            }
            NativeMemory.checkGrown(Slots.residentBytes(8), before);
        });
    }

    @Test
    void residentOneIsLeftToAnOpenArenaWhenTheThreadEnds() throws Exception {
        long before = NativeMemory.allocated();
        Task.run(() -> {
            nest(1000);
            Arena.ofConfined().allocate(1000);
        });
        NativeMemory.checkGrown(Slots.nativeBytes(1000), before);
    }

    @Test
    void arenaThatDoesNotAllocateWhileNoneIsResident() throws Exception {
        Task.run(() -> {
            try (Arena first = Arena.ofConfined()) {
                first.allocate(8);
                Arena.ofConfined().close();
                nest(8, 8);
            }
        });
    }

    // A further block is zero up to its end when it becomes a slot, though its arena used little of it. Others allocate there at once,
    // first or after 8 bytes.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void oneOfWhichLittleWasUsedIsCleared(boolean first) throws Exception {
        Assumptions.assumeTrue(SIZE >= 16384, "there are slots of twice the step of the limit");
        Task.run(() -> {
            try (Arena outer = open(8)) {
                try (Arena shared = Arena.ofShared()) {
                    for (int i = 0; i < 10; i++) {
                        shared.allocate(Slots.nativeBytes(8192)).fill((byte) -1); // malloc returns memory that is not zero from now on
                    }
                }
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(16384);
                    arena.allocate(80); // in a block of half the size
                }
                for (int byteSize = 8192; byteSize >= 4000; byteSize -= 64) {
                    try (Arena arena = Arena.ofConfined()) {
                        if (!first) {
                            arena.allocate(8);
                        }
                        MemorySegment segment = arena.allocate(byteSize);
                        Slots.checkZero(segment, byteSize + " bytes");
                        segment.fill((byte) -1);
                    }
                }
            }
        });
    }

    // It is no slot: its limit rises to 4096, 8192 and 8320.
    @Test
    void blockThatIsNotClearedSoFarIsUsedUpToItsEnd() throws Exception {
        Assumptions.assumeTrue(SIZE == 8192 && DEPTH == 1, "the third block is larger than a slot");
        Task.run(() -> {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(SIZE);
                arena.allocate(SIZE);
                long third = arena.allocate(80).address();
                assertEquals(third + 80, arena.allocate(SIZE - 80).address());
                assertEquals(third + SIZE, arena.allocate(128).address());
            }
        });
    }

    /** So many arenas that the slot which is held is handed over, if it suits. */
    private static void pass(int byteSize) {
        for (int i = 0; i <= PASSES; i++) {
            nest(byteSize);
        }
    }

    @Test
    void residentOneIsFreeAgain() throws Exception {
        Task.run(() -> {
            nest(1000);
            assertTrue(isResidentFree());
            nest(8);
            assertTrue(isResidentFree());
            nest(1500);
            assertTrue(isResidentFree());
            littleAndMore();
            assertTrue(isResidentFree());
        });
    }

    // A large allocation changes nothing of that, though the slot is returned in another way.
    @Test
    void residentOneBesideALargeAllocation() throws Exception {
        Task.run(() -> {
            try (Arena held = openInLarger(1000, 8)) {
                held.allocate(SIZE + 1);
                pass(1000);
                assertFalse(isResidentFree(), "the slot of an arena that asked for little was handed over");
                held.allocate(SIZE + 1);
            }
            assertTrue(isResidentFree(), "the slot is free again");
            checkHandedOver(1000);
        });
        Task.run(() -> {
            try (Arena arena = openInLarger(1000, 8)) {
                arena.allocate(SIZE + 1);
                arena.allocate(SIZE);
            }
            assertTrue(isResidentFree(), "after a further block none is resident");
        });
        Task.run(() -> {
            try (Arena held = open(8)) {
                held.allocate(SIZE + 1);
                assertFalse(isResidentFree());
                pass(1000);
                assertTrue(isResidentFree(), "a slot that suits was not handed over");
            }
            assertTrue(isResidentFree(), "the next one is not resident any more");
        });
        Task.run(() -> {
            try (Arena outer = openInLarger(1000, 8); Arena inner = open(8)) {
                inner.allocate(SIZE + 1);
                nest(1000);
                assertFalse(isResidentFree(), "the slot of another arena is no more resident");
            }
            assertTrue(Slots.hasRoom(8, 900), "another slot became resident");
        });
    }

    // What an arena holds is not much larger than what it asked for.
    @Test
    void residentOneThatIsTooLargeStays() throws Exception {
        Task.run(() -> {
            try (Arena held = openInLarger(1000, 8)) {
                pass(1000);
                assertFalse(isResidentFree(), "the slot of an arena that asked for little was handed over");
            }
            assertTrue(isResidentFree(), "the slot is free again");
            checkHandedOver(1000);
        });
    }

    private static void checkHandedOver(int asked) {
        try (Arena held = Arena.ofConfined()) {
            held.allocate(asked);
            pass(1000);
            assertTrue(isResidentFree(), "the slot of an arena that asked for " + asked + " bytes was not handed over");
        }
    }

    @Test
    void residentOneIsHandedOverAfterSoManyArenas() throws Exception {
        for (int count : new int[] {PASSES - 1, PASSES}) {
            Task.run(() -> {
                try (Arena held = open(8)) {
                    nest(repeat(count - 1, 8)); // not yet
                    nest(1000);
                    assertEquals(count == PASSES, isResidentFree(), "another one is resident after " + count + " arenas");
                }
            });
        }
    }

    /** {@return an arena that has the resident slot, of the given capacity, and first asks for less} */
    private static Arena openInLarger(int capacity, int asked) {
        nest(capacity - 8);
        nest(capacity - 8);
        Arena arena = Arena.ofConfined();
        arena.allocate(asked);
        return arena;
    }

    // What counts is what the arena asks for first. Of the two capacities one tells an excess that is 1 too small, one too large.
    @ParameterizedTest
    @ValueSource(ints = {960, 1024})
    void residentOneIsHandedOverOnlyIfItSuits(int capacity) throws Exception {
        int least = (2 * (capacity - EXCESS) + 2) / 3;
        Task.run(() -> {
            try (Arena held = openInLarger(capacity, least)) {
                pass(1000);
                assertTrue(isResidentFree(), "a slot that suits was not handed over");
            }
        });
        Task.run(() -> {
            try (Arena held = openInLarger(capacity, least - 1)) {
                held.allocate(8);
                pass(1000);
                assertFalse(isResidentFree(), "a slot that is too large was handed over");
            }
        });
    }

    // The resident slot was too small, or not cleared so far, for what the arena asks for first.
    @Test
    void residentOneThatAnArenaMakesLargerIsHandedOver() throws Exception {
        Assumptions.assumeTrue(SIZE >= 8192);
        for (Task.Action before : List.<Task.Action>of(() -> nest(8), TestConfinedPoolFree::growResidentOne)) {
            Task.run(() -> {
                before.run();
                nest(8);
                checkHandedOver(6000);
            });
        }
    }

    @Test
    void residentOneThatHasGrownHasOneOwner() throws Exception {
        Assumptions.assumeTrue(SIZE >= 8192);
        Task.run(() -> {
            growResidentOne();
            nest(6000, 6000);
        });
    }

    /** Makes a slot of more than 6000 bytes resident in place of one of 8. */
    private static void growResidentOne() {
        nest(8);
        try (Arena arena = Arena.ofConfined()) {
            allocateAll(arena, 8, 3000, 3000);
        }
    }

    // No byte of it is left.
    @Test
    void oneThatFitsExactlyIsTaken() throws Exception {
        Task.run(() -> {
            nest(8);
            nest(8, 120);
            long before = NativeMemory.allocated();
            nest(8, 128);
            NativeMemory.checkGrown(0, before);
        });
    }

    // The arena goes on in another block, and one slot for both becomes resident.
    @Test
    void residentOneThatStaysGrows() throws Exception {
        Task.run(() -> {
            nest(1024);
            nest(1024);
            long before = NativeMemory.allocated();
            try (Arena held = Arena.ofConfined()) {
                held.allocate(8);
                pass(8);
                held.allocate(SIZE);
                pass(8);
            }
            NativeMemory.checkGrown(Slots.nativeBytes(SIZE) - Slots.nativeBytes(1024) + Slots.nativeBytes(8), before);
        });
    }

    // It is no slot. So it has half of what the two slots have, and 8 bytes more, rounded up to a cache line.
    @Test
    void blockThatIsNoSlotHasNoMoreThanItNeeds() throws Exception {
        Assumptions.assumeTrue(SIZE >= 256 && SIZE < 64 << 10, "blocks are aligned to cache lines and grow to more than a slot");
        VirtualThreads.run(() -> {
            long before = NativeMemory.allocatedWithStack();
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(SIZE);
                arena.allocate(SIZE);
                arena.allocate(100);
                NativeMemory.checkGrown(2 * Slots.nativeBytes(SIZE) + SIZE + 128 + Slots.BLOCK_OVERHEAD, before);
            }
        });
    }

    // As large as all blocks of an arena, so that the next one needs no other block.
    @Test
    void residentOneGrowsToAllBlocks() throws Exception {
        for (int[] byteSizes : new int[][] {{8, 900}, {8, 200, 400}, {64, 64, 64}, {8, 64, 64, 64, 128}}) {
            Task.run(() -> {
                nest(8);
                long before = NativeMemory.allocated();
                long blocks;
                try (Arena arena = Arena.ofConfined()) {
                    allocateAll(arena, byteSizes);
                    blocks = NativeMemory.allocated() - before;
                    assertTrue(blocks > 0, "no other block");
                }
                long grown = NativeMemory.allocated() - before;
                assertTrue(0 < grown && grown <= blocks + 2 * Slots.BLOCK_OVERHEAD, grown + " bytes of " + blocks);
                try (Arena arena = Arena.ofConfined()) {
                    allocateAll(arena, byteSizes);
                    NativeMemory.checkGrown(grown, before);
                }
                NativeMemory.checkGrown(grown, before);
            });
        }
    }

    // Three blocks have half as much more than a slot may have.
    @Test
    void residentOneGrowsToTheMostOfASlot() throws Exception {
        Task.run(() -> {
            int[] byteSizes = {SIZE / 2, SIZE / 2, SIZE / 2};
            long before = NativeMemory.allocatedWithStack();
            try (Arena arena = Arena.ofConfined()) {
                allocateAll(arena, byteSizes);
                NativeMemory.checkGrown(2 * Slots.nativeBytes(SIZE / 2) + Slots.nativeBytes(Slots.capacity(SIZE / 2)), before);
            }
            NativeMemory.checkGrown(Slots.nativeBytes(SIZE), before);
            for (int i = 0; i < 3; i++) {
                try (Arena arena = Arena.ofConfined()) {
                    allocateAll(arena, byteSizes);
                }
                // The third block is free beside it.
                NativeMemory.checkGrown(Slots.nativeBytes(SIZE) + Slots.nativeBytes(SIZE / 2), before);
            }
        });
    }

    @Test
    void residentOneOfSizeBytesIsReplaced() throws Exception {
        Task.run(() -> {
            for (int i = 0; i < 3; i++) {
                try (Arena arena = Arena.ofConfined()) {
                    long first = arena.allocate(SIZE - 14).address();
                    long second = arena.allocate(30).address();
                    assertTrue(i == 0 || second - first == SIZE, "arena " + i + ": " + (second - first));
                }
            }
        });
    }

    private static void allocateAll(Arena arena, int... byteSizes) {
        for (int byteSize : byteSizes) {
            MemorySegment segment = arena.allocate(byteSize);
            Slots.checkZero(segment, byteSize + " bytes");
            segment.fill((byte) -1);
        }
    }

    // Though there is room for them.
    @Test
    void blocksLargerThanASlotAreFreed() throws Exception {
        Assumptions.assumeTrue(SIZE == 1024 && DEPTH == 3, "three slots and half of that is a block for a fourth allocation");
        VirtualThreads.run(() -> {
            long before = NativeMemory.allocatedWithStack();
            try (Arena arena = Arena.ofConfined()) {
                allocateAll(arena, 1000, 1000, 1000, 1000);
            }
            NativeMemory.checkGrown(2 * Slots.nativeBytes(1000) + Slots.nativeBytes(1024), before);
        });
    }

    // Else another one would go, and this one would have to be cleared.
    @ParameterizedTest
    @ValueSource(ints = {8, SMALL, 600, 1024})
    void oneThatIsReturnedIsFreedIfThereIsNoRoom(int byteSize) throws Exception {
        Task.run(() -> {
            nest(SIZE);
            nest(SIZE);
            try (Arena outer = Arena.ofConfined()) {
                outer.allocate(8); // keeps the resident slot, which is much larger
                checkReturnedOneIsFreed(byteSize, NativeMemory.allocated());
            }
        });
        VirtualThreads.run(() -> checkReturnedOneIsFreed(byteSize, NativeMemory.allocatedWithStack()));
    }

    private static void checkReturnedOneIsFreed(int byteSize, long before) {
        int count = Slots.mostKept(byteSize);
        long[] others = new long[count];
        try (Arena last = Arena.ofConfined()) {
            last.allocate(byteSize).fill((byte) -1);
            Arena[] arenas = new Arena[count];
            for (int i = 0; i < count; i++) {
                arenas[i] = Arena.ofConfined();
                others[i] = arenas[i].allocate(byteSize).address();
            }
            for (Arena arena : arenas) {
                arena.close();
            }
            NativeMemory.checkGrown((count + 1) * Slots.nativeBytes(byteSize), before);
        }
        NativeMemory.checkGrown(count * Slots.nativeBytes(byteSize), before);
        Arrays.sort(others);
        assertArrayEquals(others, nest(repeat(count, byteSize)), "another slot was freed");
    }
}
