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
 * @summary An allocation of no bytes takes memory of its own, as one of a single byte does
 * @modules java.base/java.lang:open
 *          java.management
 *          jdk.management
 * @build NativeMemory Slots Stress Task VirtualThreads
 * @run testng/othervm -XX:NativeMemoryTracking=summary TestConfinedPoolEmpty
 * @run testng/othervm -XX:NativeMemoryTracking=summary -Djdk.foreign.confinedPool.size=64
 *      -Djdk.foreign.confinedPool.depth=1 TestConfinedPoolEmpty
 * @run testng/othervm -XX:NativeMemoryTracking=summary -Djdk.foreign.confinedPool.verify=true TestConfinedPoolEmpty
 * @run testng/othervm -XX:NativeMemoryTracking=summary -Djdk.foreign.confinedPool.size=0 TestConfinedPoolEmpty
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.testng.SkipException;
import org.testng.annotations.*;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.testng.Assert.*;

/**
 * With most allocators one cannot see whether the address of an empty segment is in the arena's memory or behind it. So these
 * tests compare empty segments with segments of one byte.
 */
public class TestConfinedPoolEmpty {

    private static final boolean POOLED = Integer.getInteger("jdk.foreign.confinedPool.size", 8192) > 0;
    private static final int STEPS = 10_000;
    private static final int[] OTHER_SIZES = {1, 2, 7, 8, 16, 31, 64, 100, 500, 2000, 8192, 8193, 20_000};
    private static final MemorySegment ZERO = MemorySegment.ofArray(new byte[20_000]);

    @DataProvider
    public static Object[][] threads() {
        return new Object[][] {{Thread.ofPlatform()}, {Thread.ofVirtual()}};
    }

    @DataProvider
    public static Object[][] alignments() {
        return new Object[][] {{1}, {8}, {16}, {64}, {256}, {4096}, {8192}, {16_384}};
    }

    @BeforeClass
    public static void warmUp() throws InterruptedException {
        Task.run(() -> allocateMany(0, 8, 1));
    }

    /** The memory of all arenas that are open. */
    private static final class Memory {

        private final TreeMap<Long, Long> ends = new TreeMap<>(); // by starts

        void add(MemorySegment segment, long alignment) {
            long start = segment.address();
            long end = start + Math.max(1, segment.byteSize());
            assertTrue(start > 0 && start % alignment == 0, segment + " is not aligned to " + alignment);
            Map.Entry<Long, Long> before = ends.lowerEntry(end);
            assertTrue(before == null || before.getValue() <= start, segment + " overlaps the segment at " + before);
            ends.put(start, end);
        }

        void remove(List<MemorySegment> segments) {
            segments.forEach(segment -> assertNotNull(ends.remove(segment.address())));
        }
    }

    @Test(dataProvider = "threads")
    public void addressIsOfNoOtherAllocation(Thread.Builder builder) throws InterruptedException {
        Stress.printSeed();
        Random random = new Random(Stress.SEED);
        Task.run(builder, () -> {
            Memory memory = new Memory();
            List<Arena> arenas = new ArrayList<>();
            List<List<MemorySegment>> segments = new ArrayList<>();
            for (int i = 0; i < STEPS || !arenas.isEmpty(); i++) {
                if (i < STEPS && (arenas.isEmpty() || random.nextInt(arenas.size() + 8) == 0)) {
                    arenas.add(Arena.ofConfined());
                    segments.add(new ArrayList<>());
                }
                int index = random.nextInt(arenas.size());
                if (random.nextInt(10) == 0) {
                    memory.remove(segments.remove(index));
                    arenas.remove(index).close();
                } else {
                    long byteSize = random.nextInt(3) == 0 ? OTHER_SIZES[random.nextInt(OTHER_SIZES.length)] : 0;
                    long alignment = random.nextBoolean() ? 1 : 1L << random.nextInt(13);
                    MemorySegment segment = arenas.get(index).allocate(byteSize, alignment);
                    assertEquals(segment.byteSize(), byteSize);
                    assertEquals(segment.mismatch(ZERO.asSlice(0, byteSize)), -1, "new segment is zero");
                    segment.fill((byte) -1);
                    memory.add(segment, alignment);
                    segments.get(index).add(segment);
                }
            }
        });
    }

    /** {@return where the segments are, seen from the first one} */
    private static List<Long> offsets(long byteSize) {
        try (Arena arena = Arena.ofConfined()) {
            long first = arena.allocate(8).address();
            return Stream.of(arena.allocate(byteSize), arena.allocate(8), arena.allocate(byteSize, 8),
                    arena.allocate(byteSize, 2), arena.allocate(8)).map(segment -> segment.address() - first).toList();
        }
    }

    @Test(dataProvider = "threads")
    public void isBumpedAsOneByte(Thread.Builder builder) throws InterruptedException {
        if (!POOLED) {
            throw new SkipException("where malloc puts it");
        }
        // A carrier that other virtual threads used would have free slots of theirs, of any sizes.
        Thread.Builder fresh = builder instanceof Thread.Builder.OfVirtual
                ? VirtualThreads.scheduledBy(VirtualThreads.onNewCarriers(new ArrayList<>())) : builder;
        Task.run(fresh, () -> {
            for (int i = 0; i < 2 * Slots.WITHOUT_POOL; i++) {
                offsets(1); // then a free slot has room for all, also with guards and on a carrier that had none
            }
            int compared = 0;
            for (int i = 0; i < 100; i++) {
                List<Long> offsets = offsets(1);
                List<Long> ofEmpty = offsets(0);
                if (!offsets(1).equals(offsets)) {
                    continue; // on another carrier now
                }
                compared++;
                assertEquals(ofEmpty, offsets);
                assertTrue(offsets.getFirst() > 0, "offsets " + offsets);
                assertEquals(offsets, offsets.stream().sorted().distinct().toList());
            }
            assertTrue(compared > 50, "only " + compared + " times on one carrier");
        });
    }

    private static long allocateMany(int byteSize, long alignment, int each) {
        long before = NativeMemory.allocated();
        List<Arena> arenas = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            if (i % each == 0) {
                arenas.add(Arena.ofConfined());
            }
            arenas.getLast().allocate(byteSize, alignment);
        }
        long taken = NativeMemory.allocated() - before;
        arenas.forEach(Arena::close);
        return taken;
    }

    @Test(dataProvider = "alignments")
    public void takesAsMuchMemoryAsOneByte(int alignment) throws InterruptedException {
        for (int each : new int[] {1, 10, 2000}) {
            long[] taken = new long[2];
            for (int byteSize = 0; byteSize < taken.length; byteSize++) {
                int size = byteSize;
                Task.run(() -> taken[size] = allocateMany(size, alignment, each));
            }
            // In a slot, chance decides how many bytes such an alignment skips.
            long tolerance = 1000 + (alignment > 16 && alignment <= Slots.MAX_ALIGNMENT ? taken[1] / 10 : 0);
            assertTrue(Math.abs(taken[0] - taken[1]) <= tolerance, taken[0] + " bytes for empty segments, " + each
                    + " in each arena, but " + taken[1] + " for those of one byte");
        }
    }

    @Test
    public void isRefusedAsOneByte() throws InterruptedException {
        Arena arena = Arena.ofConfined();
        for (int i = 0; i < 3; i++) {
            assertThrows(IllegalArgumentException.class, () -> arena.allocate(0, 0));
            assertThrows(IllegalArgumentException.class, () -> arena.allocate(0, 3));
            assertThrows(IllegalArgumentException.class, () -> arena.allocate(0, -8));
            assertTrue(Task.thrownBy(() -> arena.allocate(0)) instanceof WrongThreadException);
            arena.allocate(0);
        }
        arena.close();
        assertThrows(IllegalStateException.class, () -> arena.allocate(0));
        assertThrows(IllegalStateException.class, () -> arena.allocate(0, 4096));
    }

    @Test
    public void emptyLayoutsAndArrays() {
        try (Arena arena = Arena.ofConfined()) {
            Memory memory = new Memory();
            for (int i = 0; i < 100; i++) {
                memory.add(arena.allocate(MemoryLayout.structLayout()), 1);
                memory.add(arena.allocate(JAVA_INT, 0), 4);
                memory.add(arena.allocateFrom(JAVA_INT), 4);
                memory.add(arena.allocateFrom(""), 1);
            }
        }
    }
}
