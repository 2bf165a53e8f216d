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
 * @summary Virtual threads take slots out of the pool of their carrier, and give them back to that on which they are then
 * @modules java.management
 *          jdk.management
 * @build Slots Stress NativeMemory Task VirtualThreads
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1
 *      -Djdk.foreign.confinedPool.size=4096 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolVirtual
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      -Djdk.virtualThreadScheduler.parallelism=2 -Djdk.virtualThreadScheduler.maxPoolSize=2
 *      -Djdk.foreign.confinedPool.size=4096 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolVirtual
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolVirtual {

    private static final int CARRIERS = Integer.getInteger("jdk.virtualThreadScheduler.parallelism");

    private static Task start(Task.Action action) {
        return Task.start(Thread.ofVirtual(), action);
    }

    private static void run(Task.Action action) throws InterruptedException {
        start(action).join();
    }

    // Another arena has a small slot of the carrier meanwhile. So the carrier keeps the one that is returned.
    private static void closeWithRoom(Arena arena) {
        try (Arena maker = Arena.ofConfined()) {
            maker.allocate(8);
            arena.close();
        }
    }

    private static Slots learn() {
        // takes all small slots that the carrier keeps
        Slots.nest(Slots.DEPTH * Slots.SIZE / 64, Slots.SIZE);
        return Slots.learn();
    }

    @Test
    void pooled() throws Exception {
        run(() -> {
            Slots slots = learn();
            for (int i = 0; i < 100; i++) {
                try (Arena arena = Arena.ofConfined(); Arena nested = Arena.ofConfined()) {
                    MemorySegment first = arena.allocate(Slots.SIZE - 256 + i); // a large part of a slot
                    MemorySegment second = arena.allocate(1 + i);
                    MemorySegment third = nested.allocate(Slots.SIZE);
                    assertTrue(slots.contain(first) && slots.contain(third));
                    assertEquals(slots.indexOf(first), slots.indexOf(second));
                    for (MemorySegment segment : List.of(first, second, third)) {
                        Slots.checkZero(segment, "new segment");
                        segment.fill((byte) -1);
                    }
                }
                slots.checkAllZero();
            }
            slots.checkAllFree();
        });
    }

    // With sizes of small slots and of large ones. The last one is small again.
    @Test
    void sameSlotAgain() throws Exception {
        Assumptions.assumeTrue(CARRIERS == 1);
        for (int byteSize : new int[] {1, 64, 100, 1000, Slots.SIZE, 5}) {
            Set<Long> addresses = new HashSet<>();
            run(() -> { // slots that are too small are replaced, one by each arena
                for (int i = 0; i < 100; i++) {
                    Slots.nest(1, byteSize);
                }
            });
            for (int i = 0; i < 20; i++) {
                run(() -> {
                    for (int j = 0; j < 20; j++) {
                        try (Arena arena = Arena.ofConfined()) {
                            MemorySegment segment = arena.allocate(byteSize);
                            addresses.add(segment.address());
                            Slots.checkZero(segment, "new segment");
                            segment.fill((byte) -1);
                        }
                        // takes what a regular arena would have given back
                        Arena.global().allocate(byteSize);
                        Arena.global().allocate(byteSize + 64);
                    }
                });
            }
            assertEquals(1, addresses.size(), "slots for " + byteSize + " bytes");
        }
    }

    // It first asks for little, and the slot is large from the arena before.
    @Test
    void sameSlotAgainThoughLarge() throws Exception {
        Assumptions.assumeTrue(CARRIERS == 1);
        run(() -> allocateMore(1000, 1000)); // the slot is as large from then on
        Set<Long> addresses = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            run(() -> {
                long large = allocateMore(1000, 1000);
                for (int j = 0; j < 20; j++) {
                    addresses.add(allocateMore(8, 1000));
                    addresses.add(allocateMore(8, 8));
                    addresses.add(large);
                }
            });
        }
        assertEquals(2, addresses.size(), "a small and a large slot");
    }

    /** {@return where an arena allocated {@code first} bytes, or what is more} */
    private static long allocateMore(int first, int more) {
        try (Arena arena = Arena.ofConfined()) {
            long slot = arena.allocate(first).address();
            MemorySegment further = arena.allocate(more);
            Slots.checkZero(further, "further segment");
            further.fill((byte) -1);
            Arena.global().allocate(64); // takes what would have been given back
            return slot;
        }
    }

    // Else many threads that are parked while their arenas are open would have large slots.
    @Test
    void littleArenasTakeNoLargeSlots() throws Exception {
        int count = 1000;
        run(() -> {
            Map<Arena, Long> arenas = new IdentityHashMap<>();
            learn(); // large slots are free
            long before = NativeMemory.allocated();
            for (int i = 0; i < count; i++) {
                Arena arena = Arena.ofConfined();
                arenas.put(arena, arena.allocate(8).address());
                allocateMore(8, Slots.SIZE);
            }
            long growth = NativeMemory.allocated() - before;
            // These have room for more in the slot that they began in.
            long large = arenas.entrySet().stream()
                    .filter(entry -> entry.getKey().allocate(1000).address() == entry.getValue() + 16).count();
            arenas.keySet().forEach(Arena::close);
            assertEquals(0, large, "large slots");
            assertTrue(growth <= count * (64L + 128) + 3L * Slots.DEPTH * (Slots.SIZE + 64),
                    growth + " bytes for " + count + " arenas");
        });
    }

    @Test
    void blocksAreGivenBack() throws Exception {
        run(() -> {
            learn();
            long before = NativeMemory.allocated();
            for (int i = 0; i < 100; i++) {
                try (Arena arena = Arena.ofConfined()) {
                    for (int j = 0; j < 10; j++) {
                        arena.allocate(Slots.SIZE);
                    }
                }
            }
            long growth = NativeMemory.allocated() - before;
            assertTrue(growth <= Slots.SIZE, growth + " bytes more");
        });
    }

    @Test
    void failedClose() throws Exception {
        run(() -> {
            Slots slots = learn();
            Arena arena = Arena.ofConfined();
            MemorySegment segment = arena.allocate(16).fill((byte) 7);
            Task other = start(() -> assertThrows(WrongThreadException.class, arena::close));
            other.join();
            Slots.checkFilled(segment, 7, "segment after a failed close");
            long address = segment.address();
            Slots.openFirst(); // the carrier may be another one since join: without a pool it would free the slot
            closeWithRoom(arena);
            assertThrows(IllegalStateException.class, arena::close);
            Slots.checkZero(Slots.raw(address, 16), "memory of the closed arena");
        });
    }

    // The thread sleeps until it has another carrier, which it gets if somebody else keeps its own busy.
    @Test
    void closesOnAnotherCarrier() throws Exception {
        Assumptions.assumeTrue(CARRIERS > 1);
        for (int i = 0; i < 20; i++) {
            run(() -> {
                Arena arena = Arena.ofConfined();
                MemorySegment segment = arena.allocate(24).fill((byte) 7);
                moveToAnotherCarrier();
                Slots.checkFilled(segment, 7, "segment after migration");
                try (Arena nested = Arena.ofConfined()) {
                    MemorySegment other = nested.allocate(24).fill((byte) 8);
                    assertNotEquals(segment.address(), other.address());
                }
                MemorySegment more = arena.allocate(24);
                assertEquals(segment.address() + 32, more.address(), "goes on in the slot it has");
                Slots.checkZero(more, "further segment");
                more.fill((byte) 9);
                closeWithRoom(arena);
                Slots.checkZero(Slots.raw(segment.address(), Slots.LEAST), "memory of the closed arena");

                Arena grown = Arena.ofConfined();
                segment = grown.allocate(24).fill((byte) 7);
                moveToAnotherCarrier();
                more = grown.allocate(1000);
                Slots.checkZero(more, "further segment");
                more.fill((byte) 9);
                moveToAnotherCarrier();
                Slots.checkFilled(segment, 7, "segment after migration");
                grown.close();
                try (Arena next = Arena.ofConfined()) {
                    Slots.checkZero(next.allocate(1000), "segment of an arena that may have that block now");
                }
            });
        }
    }

    // While arenas that need little are open.
    @Test
    void largerBlocksComeAgain() throws Exception {
        run(() -> {
            Slots.openFirst(); // the carrier may have no pool yet
            List<Arena> held = new ArrayList<>();
            for (int i = 0; i <= Slots.DEPTH; i++) {
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(1024);
                }
                Arena arena = Arena.ofConfined();
                arena.allocate(8);
                held.add(arena);
            }
            for (int i = 0; i < 2 * Slots.MISSES; i++) {
                littleAndMore(); // other tests may have left slots that have to make room
            }
            Slots.checkComesAgain(TestConfinedPoolVirtual::littleAndMore, 64, 1024);
            held.forEach(Arena::close);
        });
    }

    private static long[] littleAndMore() {
        try (Arena arena = Arena.ofConfined(); Arena nested = Arena.ofConfined()) {
            MemorySegment little = arena.allocate(8);
            MemorySegment more = arena.allocate(1000);
            long nestedAddress = nested.allocate(1000).address();
            Slots.checkZero(little, "little");
            Slots.checkZero(more, "more");
            more.fill((byte) -1);
            assertNotEquals(more.address(), nestedAddress);
            return new long[] {little.address(), more.address()};
        }
    }

    private static void moveToAnotherCarrier() throws InterruptedException {
        String from = VirtualThreads.carrier();
        while (VirtualThreads.carrier().equals(from)) {
            AtomicBoolean done = new AtomicBoolean();
            Thread.ofVirtual().start(() -> {
                while (VirtualThreads.carrier().equals(from) && !done.get()) {
                    Thread.onSpinWait();
                }
            });
            Thread.sleep(1);
            done.set(true);
        }
        Slots.openFirst();
        Slots.nest(1, 1); // so that this carrier has a pool
    }

    @Test
    void memoryIsBounded() throws Exception {
        int threads = 2000;
        int byteSize = 40;
        long before = NativeMemory.allocated();
        CountDownLatch allocated = new CountDownLatch(threads);
        CountDownLatch go = new CountDownLatch(1);
        List<Task> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int value = i;
            tasks.add(start(() -> {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment segment;
                    try {
                        segment = arena.allocate(byteSize);
                        Slots.checkZero(segment, "new segment");
                        segment.fill((byte) value);
                    } finally {
                        allocated.countDown();
                    }
                    go.await();
                    Slots.checkFilled(segment, (byte) value, "segment of a thread that was parked");
                }
            }));
        }
        allocated.await();
        long open = NativeMemory.allocated() - before;
        go.countDown();
        Task.join(tasks);
        long kept = CARRIERS * Slots.POOL_BOUND;
        assertTrue(open <= threads * Slots.nativeBytes(byteSize) + kept, open + " bytes for " + threads + " arenas");
        assertTrue(open >= threads * Slots.nativeBytes(byteSize) - kept, open + " bytes for " + threads + " arenas, which share slots");
        long left = NativeMemory.allocated() - before;
        assertTrue(left <= kept, left + " bytes left");
    }

    @Test
    void manyThreadsMigrate() throws Exception {
        Stress.printSeed();
        List<Task> tasks = new ArrayList<>();
        for (int t = 0; t < 50; t++) {
            Random random = new Random(Stress.SEED + t);
            int value = t + 1;
            tasks.add(start(() -> {
                for (int i = 0; i < 300; i++) {
                    try (Arena arena = Arena.ofConfined()) {
                        mayYield(random);
                        MemorySegment first = arena.allocate(1 + random.nextInt(200));
                        Slots.checkZero(first, "new segment");
                        first.fill((byte) value);
                        mayYield(random);
                        try (Arena nested = Arena.ofConfined()) {
                            MemorySegment second = nested.allocate(1 + random.nextInt(200));
                            Slots.checkZero(second, "new segment");
                            second.fill((byte) -value);
                            mayYield(random);
                            Slots.checkFilled(second, -value, "nested segment");
                        }
                        mayYield(random);
                        MemorySegment third = arena.allocate(1 + random.nextInt(200));
                        Slots.checkZero(third, "further segment");
                        third.fill((byte) value);
                        mayYield(random);
                        Slots.checkFilled(first, value, "first segment");
                        Slots.checkFilled(third, value, "further segment");
                    }
                }
            }));
        }
        Task.join(tasks);
        run(() -> {
            learn().checkAllFree();
        });
    }

    private static void mayYield(Random random) {
        if (random.nextInt(3) == 0) {
            Thread.yield();
        }
    }
}
