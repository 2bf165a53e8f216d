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
 * @summary Threads keep little native memory when their arenas are closed, and none when they have ended
 * @modules java.base/java.lang:open
 *          java.management
 *          jdk.management
 * @build NativeMemory Slots Stress Task VirtualThreads
 * @run testng/othervm -XX:NativeMemoryTracking=summary -Djdk.foreign.confinedPool.size=8192
 *      -Djdk.foreign.confinedPool.depth=8 TestConfinedPoolKept
 * @run testng/othervm -XX:NativeMemoryTracking=summary -Djdk.foreign.confinedPool.size=8192
 *      -Djdk.foreign.confinedPool.depth=1 TestConfinedPoolKept
 * @run testng/othervm -XX:NativeMemoryTracking=summary -Djdk.foreign.confinedPool.size=8192
 *      -Djdk.foreign.confinedPool.depth=16 TestConfinedPoolKept
 * @run testng/othervm -XX:NativeMemoryTracking=summary -Djdk.foreign.confinedPool.size=8
 *      -Djdk.foreign.confinedPool.depth=16 TestConfinedPoolKept
 * @run testng/othervm -XX:NativeMemoryTracking=summary -Djdk.foreign.confinedPool.size=16
 *      -Djdk.foreign.confinedPool.depth=8 TestConfinedPoolKept
 * @run testng/othervm -XX:NativeMemoryTracking=summary -Djdk.foreign.confinedPool.size=32
 *      -Djdk.foreign.confinedPool.depth=8 TestConfinedPoolKept
 * @run testng/othervm -XX:NativeMemoryTracking=summary -Djdk.foreign.confinedPool.size=64
 *      -Djdk.foreign.confinedPool.depth=8 TestConfinedPoolKept
 * @run testng/othervm -XX:NativeMemoryTracking=summary -Djdk.foreign.confinedPool.size=1048576
 *      -Djdk.foreign.confinedPool.depth=1 TestConfinedPoolKept
 * @run testng/othervm -XX:NativeMemoryTracking=summary -Djdk.foreign.confinedPool.size=1048576
 *      -Djdk.foreign.confinedPool.depth=16 TestConfinedPoolKept
 */

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import org.testng.annotations.*;

import static org.testng.Assert.*;

public class TestConfinedPoolKept {

    private static final int SIZE = Slots.SIZE;

    // The bounds, in bytes.
    private static final long MOST_KEPT = Slots.POOL_BOUND + 1024; // and what others in this process may allocate
    private static final long MOST_KEPT_AT_END = 512; // what others in this process may allocate

    private static final int NESTED = 64;
    private static final int IN_BATCH = 1000;
    private static final long MOST_BYTES = 64 << 20; // in a batch
    private static final int RANDOM_STEPS = 1000;

    /** What arenas allocate, the smallest first, and from the last no slot can be made. */
    private static final int[] SIZES = IntStream.of(1, 8, 40, 64, 100, 500, 512, 513, 1000, 3000, 8192, SIZE / 8, SIZE / 2 + 1,
            SIZE, SIZE + 1).filter(byteSize -> byteSize > 0 && byteSize <= SIZE + 1).sorted().distinct().toArray();

    /** How a thread uses arenas that allocate so many bytes. */
    enum Use {
        NEST {
            @Override
            void run(int byteSize) {
                closeInReverse(IntStream.range(0, NESTED).mapToObj(_ -> open(byteSize)).toList());
            }
        },
        BATCH {
            @Override
            void run(int byteSize) {
                int count = (int) Math.min(IN_BATCH, MOST_BYTES / byteSize);
                IntStream.range(0, count).mapToObj(_ -> open(byteSize)).toList().forEach(Arena::close);
            }
        },
        GROWING_BATCH {
            @Override
            void run(int byteSize) {
                int count = (int) Math.min(IN_BATCH, MOST_BYTES / byteSize / 4);
                closeInReverse(IntStream.range(0, count).mapToObj(_ -> open(8, byteSize, 8, byteSize)).toList());
            }
        },
        MIXED_NEST {
            @Override
            void run(int byteSize) {
                closeInReverse(IntStream.range(0, NESTED)
                        .mapToObj(i -> open(i % 2 == 0 ? byteSize : SIZES[i % SIZES.length])).toList());
            }
        },
        RANDOM {
            @Override
            void run(int byteSize) {
                List<Arena> arenas = new ArrayList<>();
                for (int i = 0; i < RANDOM_STEPS || !arenas.isEmpty(); i++) {
                    if (i < RANDOM_STEPS && random.nextInt(NESTED) >= arenas.size()) {
                        arenas.add(open(random.ints(random.nextInt(1, 4), 1, byteSize + 1).toArray()));
                    } else {
                        arenas.remove(random.nextInt(arenas.size())).close();
                    }
                }
            }
        };

        abstract void run(int byteSize);
    }

    private static Random random;

    private static Arena open(int... byteSizes) {
        Arena arena = Arena.ofConfined();
        for (int byteSize : byteSizes) {
            arena.allocate(byteSize);
        }
        return arena;
    }

    private static void closeInReverse(List<Arena> arenas) {
        arenas.reversed().forEach(Arena::close);
    }

    @BeforeClass
    public static void warmUp() throws InterruptedException {
        Stress.printSeed();
        random = new Random(Stress.SEED);
        inPlatformThread(() -> checkKept(Use.NEST, 8));
        inVirtualThread(() -> checkKept(Use.NEST, 8));
    }

    private static void inPlatformThread(Task.Action action) throws InterruptedException {
        long before = NativeMemory.allocated();
        Task.run(action);
        checkKeptAtEnd(before);
    }

    private static void inVirtualThread(Task.Action action) throws InterruptedException {
        long before = NativeMemory.allocated();
        List<Thread> carriers = new ArrayList<>();
        try (ExecutorService scheduler = Executors.newSingleThreadExecutor(VirtualThreads.addedTo(carriers))) {
            Task.run(VirtualThreads.scheduledBy(scheduler), action);
        }
        carriers.getFirst().join();
        assertEquals(carriers.size(), 1);
        checkKeptAtEnd(before);
    }

    private static void checkKeptAtEnd(long before) {
        long kept = NativeMemory.allocated() - before;
        assertTrue(kept <= MOST_KEPT_AT_END, kept + " bytes kept of a thread that has ended");
    }

    /** Checks what the current thread, or its carrier, keeps after each of some uses. */
    private static void checkKept(Use use, int... byteSizes) {
        long before = NativeMemory.allocated();
        long most = 0;
        for (int byteSize : byteSizes) {
            use.run(byteSize);
            most = Math.max(most, NativeMemory.allocated() - before);
        }
        String line = use + " of " + Arrays.toString(byteSizes) + ": " + most + " bytes kept, expected at most " + MOST_KEPT;
        System.out.println(line);
        assertTrue(most <= MOST_KEPT, line);
    }

    private static int[] descendingSizes() {
        return IntStream.range(0, SIZES.length).map(i -> SIZES[SIZES.length - 1 - i]).toArray();
    }

    @DataProvider
    public static Object[][] uses() {
        return Arrays.stream(Use.values()).map(use -> new Object[] {use}).toArray(Object[][]::new);
    }

    @Test(dataProvider = "uses")
    public void platformThreadKeepsLittle(Use use) throws InterruptedException {
        inPlatformThread(() -> checkKept(use, SIZES));
        inPlatformThread(() -> checkKept(use, descendingSizes()));
    }

    @Test(dataProvider = "uses")
    public void carrierKeepsLittle(Use use) throws InterruptedException {
        inVirtualThread(() -> checkKept(use, SIZES));
        inVirtualThread(() -> checkKept(use, descendingSizes()));
    }

    // Also slots that have padding for their alignment.
    @Test
    public void alignedNestIsKept() throws InterruptedException {
        inPlatformThread(() -> {
            Slots.openFirst();
            long before = NativeMemory.allocated();
            List<Arena> arenas = IntStream.range(0, NESTED).mapToObj(_ -> Arena.ofConfined()).toList();
            arenas.forEach(arena -> arena.allocate(Math.min(SIZE, 32), 64));
            closeInReverse(arenas);
            long kept = NativeMemory.allocated() - before;
            assertTrue(kept >= Math.min(NESTED, Slots.MAX_SMALL) * 56, kept + " bytes");
        });
    }
}
