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
 * @summary Tens of thousands of arenas that stay open beside short ones, closed in random order
 * @library ..
 * @modules java.management
 *          jdk.management
 * @build Stress Slots NativeMemory Task
 * @run main/othervm/timeout=900 --enable-native-access=ALL-UNNAMED -Xmx1g -XX:NativeMemoryTracking=summary
 *      -Djdk.foreign.confinedPool.size=8192 -Djdk.foreign.confinedPool.depth=8 TestConfinedPoolStressHeld
 * @run main/othervm/timeout=900 --enable-native-access=ALL-UNNAMED -Xmx1g -XX:NativeMemoryTracking=summary
 *      -Djdk.foreign.confinedPool.size=64 -Djdk.foreign.confinedPool.depth=1 TestConfinedPoolStressHeld
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A thread opens arenas of which it holds most, until there are tens of thousands, and closes them in random order, with
 * short ones all the time. What they hold stays as it was, and what is handed out is zero (invariants 1 and 2). However
 * many are held, short ones use the same slots again and again. An arena takes no more memory than the smallest slot that
 * has room for it. The pool keeps no more than its bound when all are closed (invariant 4), and nothing is left when the
 * thread has ended (invariant 5).
 */
public class TestConfinedPoolStressHeld {

    private static final int HELD = 20_000;

    /** So many short arenas in a row. */
    private static final int SHORT = 200;

    /** So many addresses they may have: of the resident slots before and after one is handed over, of free slots, and a few. */
    private static final int ADDRESSES = 2 * Slots.DEPTH + 4;

    private static final int LARGEST = Math.min(64, Slots.SIZE);

    private static final int SLACK = 512; // what others in this process may allocate

    private record Held(Arena arena, MemorySegment segment, byte value) {

        static Held open(Random random) {
            Arena arena = Arena.ofConfined();
            MemorySegment segment = arena.allocate(1 + random.nextInt(LARGEST));
            Slots.checkZero(segment, "invariant 2");
            byte value = (byte) (1 + random.nextInt(100));
            segment.fill(value);
            return new Held(arena, segment, value);
        }

        void close() {
            Slots.checkFilled(segment, value, "invariant 1: overwritten");
            arena.close();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Stress.printSeed();
        Random random = new Random(Stress.SEED);
        Task.run(() -> hold(new Random(1), 100));
        long before = NativeMemory.allocated();
        for (int i = 0; i < Stress.scaled(2); i++) {
            Task.run(() -> hold(random, HELD));
        }
        long growth = NativeMemory.allocated() - before;
        Stress.report("bytes of native memory grown", growth);
        Stress.check(growth < SLACK, "invariant 5: native memory grew by " + growth + " bytes");
    }

    private static void hold(Random random, int most) {
        long before = NativeMemory.allocated();
        List<Held> held = new ArrayList<>();
        long opened = 0;
        while (held.size() < most) {
            Held next = Held.open(random);
            opened++;
            switch (random.nextInt(8)) {
                case 0 -> next.close();
                case 1 -> {
                    held.add(next);
                    closeAny(held, random);
                }
                default -> held.add(next);
            }
            if (random.nextInt(most / 20) == 0) {
                opened += shortOnes(random);
            }
        }
        checkDistinct(held);
        // Those whose slot was resident have a cache line of their own.
        long bound = held.stream().mapToLong(one -> Slots.nativeBytes((int) one.segment().byteSize())).sum()
                + held.size() / (Slots.PASSES + 1) * (Slots.residentBytes(1) - Slots.nativeBytes(1)) + Slots.POOL_BOUND;
        long bytes = NativeMemory.allocated() - before;
        Stress.report("arenas held", held.size());
        Stress.report("bytes of native memory with them", bytes);
        Stress.check(bytes <= bound, "invariant 4: " + bytes + " bytes with " + held.size() + " arenas held, bound "
                + bound);
        while (!held.isEmpty()) {
            closeAny(held, random);
            if (random.nextInt(most / 20) == 0) {
                shortOnes(random);
            }
        }
        bytes = NativeMemory.allocated() - before;
        Stress.report("bytes of native memory when all are closed", bytes);
        Stress.check(bytes <= Slots.POOL_BOUND, "invariant 4: a pool of " + bytes + " bytes, bound "
                + Slots.POOL_BOUND);
        Slots.drain();
    }

    private static void closeAny(List<Held> held, Random random) {
        int index = random.nextInt(held.size());
        Held last = held.removeLast();
        (index == held.size() ? last : held.set(index, last)).close();
    }

    /** Opens and closes one arena after the other. Each passes at most one more that is held. */
    private static int shortOnes(Random random) {
        Set<Long> addresses = new HashSet<>();
        for (int i = 0; i < SHORT; i++) {
            Held next = Held.open(random);
            addresses.add(next.segment().address());
            next.close();
        }
        Stress.check(addresses.size() <= ADDRESSES, addresses.size() + " slots for " + SHORT
                + " arenas, one after the other");
        return SHORT;
    }

    private static void checkDistinct(List<Held> held) {
        Map<Long, Held> starts = new HashMap<>();
        for (Held one : held) {
            // Each arena's first allocation is at the start of its slot.
            Stress.check(starts.put(one.segment().address(), one) == null, "invariant 1: one slot for two arenas");
        }
    }
}
