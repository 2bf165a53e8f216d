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
 * @summary Arenas that are held take little more native memory than they allocate, also beside short ones
 * @modules java.base/java.lang:open
 *          java.management
 *          jdk.management
 * @build NativeMemory Slots Stress Task VirtualThreads
 * @run testng/othervm/timeout=240 -XX:NativeMemoryTracking=summary TestConfinedPoolBounds
 */

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

import org.testng.annotations.*;

import static org.testng.Assert.*;

public class TestConfinedPoolBounds {

    // 1.5 times what the stock JDK takes, without the objects that an arena has here: so many bytes there for an arena, and for
    // each allocation beside its own; so many here.
    private static final double RATIO = 1.5;
    private static final int STOCK_ARENA = 94;
    private static final int STOCK_ALLOCATION = 48;
    private static final int OBJECTS = 64;

    /** So many slots of short arenas may be free. */
    private static final int FREE = 8;

    private static final int ARENAS = 1000;

    /** What each of them allocates. */
    private static final int[][] SIZES = {
            {8}, {40}, {64}, {100}, {512}, {1000}, {4096}, {8192},
            {1024, 8}, {4096, 8}, {8192, 8}, {256, 4}, {64, 4}, {8, 8192}, {8192, 8192, 8192, 8}, {8, 8192, 8, 8192},
            {8, 64, 512, 4096}, {100, 100, 100, 100}, {8, 8193}, {600, 8193}};
    private static final int RANDOM_LISTS = 4;
    private static final int MOST_BYTES = 8192;

    /** What the short arenas allocate, of which one comes after each that is held; the first are none. */
    private static final int[][] SHORT_SIZES = {{}, {8}, {100}, {500}, {3000}, {8192}, {100, 500}, {1000, 500}};

    @DataProvider
    public static Object[][] sizesOfArenas() {
        Stress.printSeed();
        Random random = new Random(Stress.SEED);
        return Stream.concat(Arrays.stream(SIZES).map(sizes -> Collections.nCopies(ARENAS, sizes)),
                Stream.generate(() -> Stream.generate(() -> randomSizes(random)).limit(ARENAS).toList()).limit(RANDOM_LISTS))
                .map(sizes -> new Object[] {sizes}).toArray(Object[][]::new);
    }

    // As many small ones as large ones.
    private static int[] randomSizes(Random random) {
        return random.ints(random.nextInt(1, 5), 3, Integer.SIZE - Integer.numberOfLeadingZeros(MOST_BYTES))
                .map(bits -> Math.min(MOST_BYTES, random.nextInt(1 << bits, 2 << bits))).toArray();
    }

    @BeforeClass
    public static void warmUp() throws Throwable {
        List<int[]> sizes = Collections.nCopies(10, new int[] {8});
        inOneThread(Task::run, sizes, new int[] {8});
        inThreadsOfTheirOwn(sizes, new int[] {8});
    }

    @Test(dataProvider = "sizesOfArenas")
    public void heldArenasTakeLittle(List<int[]> sizes) throws Throwable {
        long allocated = sizes.stream().flatMapToInt(Arrays::stream).asLongStream().sum();
        long allocations = sizes.stream().mapToInt(list -> list.length).sum();
        long stock = allocated + STOCK_ARENA * sizes.size() + STOCK_ALLOCATION * allocations;
        boolean hasSmall = sizes.stream().anyMatch(list -> list[0] <= Slots.SMALL);
        boolean mixed = sizes.stream().anyMatch(list -> list.length > 1 && list[0] <= Slots.SMALL);
        String each = sizes.stream().distinct().count() == 1 ? Arrays.toString(sizes.getFirst()) : "random sizes";
        List<String> failures = new ArrayList<>();
        for (int[] shortSizes : SHORT_SIZES) {
            // An arena may take any small slot that is free. So it may have up to so many bytes more if short arenas leave such slots,
            // and there are small ones of several sizes.
            boolean mayBeLarger = shortSizes.length > 0 && mixed || shortSizes.length > 1 && hasSmall;
            long bound = (long) (RATIO * stock) - OBJECTS * sizes.size() + (mayBeLarger ? Slots.SMALL * sizes.size() : 0);
            long[] taken = {
                    inOneThread(Task::run, sizes, shortSizes),
                    inOneThread(VirtualThreads::run, sizes, shortSizes),
                    inThreadsOfTheirOwn(sizes, shortSizes)};
            String line = each + " beside short arenas of " + Arrays.toString(shortSizes) + ": " + bound / ARENAS
                    + " bytes for each expected; platform thread, virtual thread, virtual threads took "
                    + Arrays.toString(Arrays.stream(taken).map(bytes -> bytes / ARENAS).toArray());
            System.out.println(line);
            if (Arrays.stream(taken).max().getAsLong() > bound + FREE * Arrays.stream(shortSizes).mapToLong(Slots::nativeBytes).sum()) {
                failures.add(line);
            }
        }
        assertTrue(failures.isEmpty(), String.join(System.lineSeparator(), failures));
    }

    /** However many large blocks an arena has, it looks at the last 64 blocks to find how large the next is. */
    @Test
    public void fewBlocksAreLookedAt() throws Throwable {
        assertTrue(nextBlock(62) > 3000);
        assertTrue(nextBlock(63) < 1300);
    }

    // What the third block takes, if so many large ones stand between the first two, of 4 and 2 KiB, and this one.
    private static long nextBlock(int large) throws Throwable {
        long[] taken = new long[1];
        Task.run(() -> {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(4096);
                for (int i = 0; i < 30; i++) {
                    arena.allocate(64);
                }
                for (int i = 0; i < large; i++) {
                    arena.allocate(10_000);
                }
                for (long before = NativeMemory.allocated(); taken[0] == 0; taken[0] = NativeMemory.allocated() - before) {
                    arena.allocate(64);
                }
            }
        });
        return taken[0];
    }

    /** The alignment of what the next arenas allocate, in bytes. */
    private static int alignment = 1;

    @DataProvider
    public static Object[][] alignedSizes() {
        return new Object[][] {{100, 128}, {1024, 1024}, {2048, 512}, {8192, 256}, {8192, 4096}};
    }

    // Stock allocates as many bytes more as the address may have to move.
    @Test(dataProvider = "alignedSizes")
    public void alignedOnesTakeLittle(int byteSize, int byteAlignment) throws Throwable {
        long bound = (long) (RATIO * (byteSize + byteAlignment - 16 + STOCK_ARENA + STOCK_ALLOCATION)) - OBJECTS;
        alignment = byteAlignment;
        try {
            for (int[] shortSizes : new int[][] {{}, {8}}) {
                long taken = inOneThread(Task::run, Collections.nCopies(ARENAS, new int[] {byteSize}), shortSizes) / ARENAS;
                assertTrue(taken <= bound, taken + " bytes for each, at most " + bound + " expected");
            }
        } finally {
            alignment = 1;
        }
    }

    private static Arena open(int[] sizes) {
        Arena arena = Arena.ofConfined();
        for (int byteSize : sizes) {
            arena.allocate(byteSize, alignment);
        }
        return arena;
    }

    private static void useShortArena(int[] sizes) {
        if (sizes.length > 0) {
            open(sizes).close();
        }
    }

    private interface Runner {
        void run(Task.Action action) throws InterruptedException;
    }

    /** {@return how much native memory such arenas take in a new thread} */
    private static long inOneThread(Runner thread, List<int[]> sizesOfArenas, int[] shortSizes) throws InterruptedException {
        long[] taken = new long[1];
        thread.run(() -> {
            long before = NativeMemory.allocated();
            List<Arena> arenas = new ArrayList<>();
            for (int[] sizes : sizesOfArenas) {
                arenas.add(open(sizes));
                useShortArena(shortSizes);
            }
            taken[0] = NativeMemory.allocated() - before;
            arenas.forEach(Arena::close);
        });
        return taken[0];
    }

    /** {@return how much such arenas take, each in a virtual thread that has parked} */
    private static long inThreadsOfTheirOwn(List<int[]> sizesOfArenas, int[] shortSizes) throws Exception {
        List<Thread> carriers = new CopyOnWriteArrayList<>();
        long taken;
        try (ExecutorService scheduler = Executors.newFixedThreadPool(2, VirtualThreads.addedTo(carriers))) {
            long before = NativeMemory.allocated();
            CountDownLatch open = new CountDownLatch(sizesOfArenas.size());
            CountDownLatch measured = new CountDownLatch(1);
            List<FutureTask<Void>> tasks = sizesOfArenas.stream().map(sizes -> new FutureTask<Void>(() -> {
                Arena arena;
                try {
                    arena = open(sizes);
                    useShortArena(shortSizes);
                } finally {
                    open.countDown();
                }
                measured.await();
                arena.close();
                return null;
            })).toList();
            tasks.forEach(VirtualThreads.scheduledBy(scheduler)::start); // no Task, which opens arenas of its own
            open.await();
            taken = NativeMemory.allocated() - before;
            measured.countDown();
            for (FutureTask<Void> task : tasks) {
                task.get();
            }
        }
        VirtualThreads.join(carriers);
        return taken;
    }
}
