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
 * @summary Arenas when there is not the native memory for a slot, or for anything
 * @library ..
 * @modules java.management
 *          jdk.management
 * @build Stress Slots NativeMemory Task
 * @run main/othervm/timeout=900 --enable-native-access=ALL-UNNAMED -Xmx512m
 *      -XX:NativeMemoryTracking=summary -XX:+UnlockDiagnosticVMOptions -XX:MallocLimit=other:2m:oom -Xlog:nmt=off
 *      -Djdk.virtualThreadScheduler.parallelism=2 -Djdk.virtualThreadScheduler.maxPoolSize=2
 *      -Djdk.foreign.confinedPool.size=16384 -Djdk.foreign.confinedPool.depth=4 TestConfinedPoolStressNoMemory
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/**
 * The virtual machine refuses more than two megabytes of native memory to all arenas and slots together. Where there is no
 * memory for a slot or block, an arena throws OutOfMemoryError, and nothing is different afterwards. Slots are created again
 * as soon as there is memory for them (invariant 6).
 */
public class TestConfinedPoolStressNoMemory {

    private static final LongAdder pooled = new LongAdder();
    private static final LongAdder refused = new LongAdder();
    private static final LongAdder arenas = new LongAdder();

    public static void main(String[] args) throws InterruptedException {
        Stress.printSeed();
        Task.run(TestConfinedPoolStressNoMemory::noSlotThenSlots);
        Task.run(Thread.ofVirtual(), TestConfinedPoolStressNoMemory::noSlotThenSlots);
        Task.run(TestConfinedPoolStressNoMemory::overflowBlockThatIsNoLargerThanNeeded);
        Task.run(TestConfinedPoolStressNoMemory::closeFreesBlocks);
        Task.run(TestConfinedPoolStressNoMemory::closeCreatesTheSmallestSlot);
        Task.run(TestConfinedPoolStressNoMemory::anotherSlotBecomesResident);
        Task.run(TestConfinedPoolStressNoMemory::refusedAllocationLosesNoSlot);
        // More threads than can have slots, whose allocations compete for what is left.
        for (int round = 0; round < Stress.scaled(20); round++) {
            List<Task> tasks = new ArrayList<>();
            CountDownLatch ready = new CountDownLatch(20); // a task opens arenas before, which must not be refused
            for (int i = 0; i < 20; i++) {
                Random random = new Random(Stress.SEED + 100 * round + i);
                tasks.add(Task.start(i % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform(), () -> {
                    ready.countDown();
                    ready.await();
                    compete(random);
                }));
            }
            Task.join(tasks);
        }
        Task.run(Slots::drain);
        Stress.report("arenas", arenas);
        Stress.report("arenas with a block", pooled);
        Stress.report("allocations refused", refused);
        Stress.check(refused.sum() > 0 && pooled.sum() > 0, "there was no lack of memory");
    }

    private static void noSlotThenSlots() {
        try (Arena shared = Arena.ofShared()) {
            Arena little = Arena.ofShared();
            little.allocate(150);
            exhaust(shared);
            try (Arena arena = Arena.ofConfined()) {
                refuse(arena, 8); // has no slot, and there is no memory for one
                little.close();
                Slots.checkBumped(arena);
                MemorySegment segment = arena.allocate(8);
                segment.fill((byte) 1);
                refuse(arena, 100); // its slot is full
                Slots.checkFilled(segment, 1, "a failed allocation did something to its arena");
            }
        }
        // As soon as there is memory for one, an arena has a slot.
        try (Arena shared = Arena.ofShared(); Arena arena = Arena.ofConfined()) {
            Slots.checkBumped(arena);
            exhaust(shared);
            // Nothing fits but in the slot.
            refuse(arena, 4096);
            MemorySegment segment = arena.allocate(8);
            Slots.checkZero(segment, "invariant 2");
            segment.fill((byte) 1);
        }
        // An arena whose first allocation failed has none, so its first cleanup action is the first of all, as in the stock JDK.
        StringBuilder actions = new StringBuilder();
        try (Arena shared = Arena.ofShared(); Arena arena = Arena.ofConfined()) {
            exhaust(shared);
            refuse(arena, 4096); // the slot that is free is too small
            for (String action : List.of("A", "B", "C")) {
                MemorySegment.ofAddress(8).reinterpret(8, arena, _ -> actions.append(action));
            }
        }
        Stress.check(actions.toString().equals("ACB"), "order of cleanup actions: " + actions);
        // What is asked for is enough, though an arena's next block may be larger.
        try (Arena shared = Arena.ofShared(); Arena arena = Arena.ofConfined()) {
            Arena little = Arena.ofShared();
            little.allocate(600);
            arena.allocate(Slots.SIZE);
            exhaust(shared);
            little.close();
            Slots.checkZero(arena.allocate(256), "invariant 2");
        }
        Slots.drain();
    }

    /** An arena goes on from an overflow block in one that has what is asked for, as there is no memory for half of the first. */
    private static void overflowBlockThatIsNoLargerThanNeeded() {
        Slots.nest(Slots.mostKept(4000) + 2, 4000); // one finds no room
        List<Arena> arenas = new ArrayList<>();
        for (int i = 0; i <= Slots.mostKept(4000) + 1 + Slots.MISSES; i++) {
            arenas.add(Arena.ofConfined());
            arenas.getLast().allocate(4000);
        }
        Arena last = arenas.getLast();
        try (Arena shared = Arena.ofShared()) {
            Arena little = Arena.ofShared();
            little.allocate(600);
            exhaust(shared);
            little.close();
            Slots.checkZero(last.allocate(256), "invariant 2");
        }
        arenas.reversed().forEach(Arena::close);
    }

    /** An arena with further blocks is closed while there is no memory for the slot that would replace them. */
    private static void closeFreesBlocks() {
        Slots.openFirst();
        Slots.nest(1, 8);
        long before = NativeMemory.allocated();
        try (Arena shared = Arena.ofShared()) {
            Arena arena = Arena.ofConfined();
            arena.allocate(8);
            arena.allocate(Slots.SIZE);
            arena.allocate(4L * Slots.SIZE);
            exhaust(shared);
            arena.close();
            Slots.nest(1, 1); // in what was freed
        }
        long growth = NativeMemory.allocated() - before;
        Stress.check(growth < Slots.SIZE / 2, "native memory grew by " + growth + " bytes");
        Slots.checkPooled();
    }

    /** There is memory for a slot, but not for one with room for all that the arena had. */
    private static void closeCreatesTheSmallestSlot() {
        Slots.openFirst();
        Slots.nest(1, 8);
        try (Arena shared = Arena.ofShared()) {
            Arena little = Arena.ofShared();
            little.allocate(150);
            Arena arena = Arena.ofConfined();
            arena.allocate(8);
            arena.allocate(Slots.SIZE);
            exhaust(shared);
            little.close();
            arena.close();
            exhaust(shared);
            Slots.nest(1, 8);
        }
    }

    /** The resident slot was much larger than its arena needed at first, and there is no memory for the one that would replace it. */
    private static void anotherSlotBecomesResident() {
        Slots.openFirst();
        Slots.nest(1, 1000);
        Arena arena = Arena.ofConfined();
        arena.allocate(8);
        Slots.nest(Slots.PASSES + 1, 8);
        arena.allocate(Slots.SIZE);
        try (Arena shared = Arena.ofShared()) {
            exhaust(shared);
            arena.close();
        }
        // The inner one returns its slot first, so the stack would give the next arena that one.
        long[] nested = Slots.nest(2, 8);
        Stress.check(Slots.nest(1, 8)[0] == nested[0], "no slot is resident");
    }

    /** Again and again, a resident slot is too small, and there is no memory for a larger one. */
    private static void refusedAllocationLosesNoSlot() {
        Slots.openFirst();
        long before = NativeMemory.allocated();
        for (int i = 0; i < 100; i++) {
            Slots.nest(1, 8);
            try (Arena shared = Arena.ofShared(); Arena arena = Arena.ofConfined()) {
                exhaust(shared);
                refuse(arena, 4096);
            }
        }
        long growth = NativeMemory.allocated() - before;
        Stress.check(growth < Slots.SIZE / 2, "native memory grew by " + growth + " bytes");
    }

    private static void refuse(Arena arena, long byteSize) {
        try {
            arena.allocate(byteSize);
            throw new AssertionError("allocated beyond the limit");
        } catch (OutOfMemoryError e) {
            refused.increment();
        }
        Stress.check(arena.scope().isAlive(), "a failed allocation closed its arena");
    }

    /** Allocates until nothing is left. */
    private static void exhaust(Arena arena) {
        for (long size = 1 << 20; size > 0; ) {
            try {
                arena.allocate(size);
            } catch (OutOfMemoryError e) {
                size /= 2;
            }
        }
    }

    private static void compete(Random random) {
        record Open(Arena arena, List<MemorySegment> segments, byte value) {}
        List<Open> open = new ArrayList<>();
        byte value = 0;
        for (int i = 0; i < 200 || !open.isEmpty(); i++) {
            if (i < 200 && (open.isEmpty() || open.size() < 8 && random.nextBoolean())) {
                Open next = new Open(Arena.ofConfined(), new ArrayList<>(), ++value);
                open.add(next);
                arenas.increment();
                try {
                    Slots.checkBumped(next.arena);
                    pooled.increment();
                    for (int j = random.nextInt(4); j >= 0; j--) {
                        MemorySegment segment = next.arena.allocate(random.nextInt(Slots.SIZE));
                        Slots.checkZero(segment, "invariant 2");
                        segment.fill(next.value);
                        next.segments.add(segment);
                    }
                } catch (OutOfMemoryError e) {
                    refused.increment();
                }
            } else {
                Open last = open.remove(random.nextInt(open.size()));
                for (MemorySegment segment : last.segments) {
                    Slots.checkFilled(segment, last.value, "invariant 1: overwritten");
                }
                last.arena.close();
            }
            Thread.yield();
        }
    }
}
