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
 * @summary Slots are created one by one and not beyond the depth, and what is not pooled takes what it took before
 * @modules java.base/java.lang:open
 *          java.management
 *          jdk.management
 * @build Slots NativeMemory
 * @run junit/othervm -XX:NativeMemoryTracking=summary --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=65536 -Djdk.foreign.confinedPool.depth=4 TestConfinedPoolFootprint
 */

import java.lang.foreign.Arena;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolFootprint {

    /** More than what others in this process may allocate meanwhile, much less than a slot. */
    private static final long NOISE = Slots.SIZE / 4;

    /** {@return what the task returns in a new thread, whose pool is empty} */
    private static <T> T inThread(Callable<T> task) throws Exception {
        FutureTask<T> future = new FutureTask<>(task);
        Thread.ofPlatform().start(future);
        return future.get();
    }

    @BeforeAll
    static void warmUp() throws Exception {
        inThread(() -> {
            Slots.nest(1, 1);
            return NativeMemory.allocated();
        });
    }

    private static void assertSlots(int expected, long before, String message) {
        long bytes = NativeMemory.allocated() - before;
        long least = (long) expected * Slots.SIZE - NOISE;
        long most = (long) expected * (Slots.SIZE + 64) + NOISE;
        assertTrue(least <= bytes && bytes <= most, message + ": " + bytes + " bytes, expected " + expected + " slots");
    }

    @Test
    void oneByOne() throws Exception {
        inThread(() -> {
            long before = NativeMemory.allocated();
            List<Arena> arenas = new ArrayList<>();
            for (int i = 0; i < Slots.DEPTH; i++) {
                Arena arena = Arena.ofConfined();
                arenas.add(arena);
                assertSlots(i, before, "an arena that has not allocated");
                arena.allocate(Slots.SIZE + 1).fill((byte) 1);
                assertSlots(i + 1, before, "an oversize allocation");
                arena.close();
                assertSlots(i, before, "after close");
                arena = Arena.ofConfined();
                arenas.set(i, arena);
                arena.allocate(5);
                assertSlots(i + 1, before, "nested arenas");
                arena.allocate(100);
                assertSlots(i + 1, before, "further allocation");
            }
            arenas.forEach(Arena::close);
            assertSlots(Slots.DEPTH, before, "all closed");
            Slots.nest(Slots.DEPTH, 1);
            assertSlots(Slots.DEPTH, before, "all used again");
            return null;
        });
    }

    @Test
    void oneAtATimeNeedsOne() throws Exception {
        inThread(() -> {
            long before = NativeMemory.allocated();
            for (int i = 0; i < 10_000; i++) {
                Slots.nest(1, 1 + i % Slots.SIZE);
            }
            assertSlots(1, before, "one arena at a time");
            return null;
        });
    }

    @Test
    void beyondDepthTakesWhatWasAskedFor() throws Exception {
        inThread(() -> {
            Slots.nest(Slots.DEPTH, 1);
            List<Arena> arenas = new ArrayList<>();
            for (int i = 0; i < Slots.DEPTH; i++) {
                Arena arena = Arena.ofConfined();
                arenas.add(arena);
                arena.allocate(1);
            }
            long before = NativeMemory.allocated();
            int count = 10_000;
            for (int i = 0; i < count; i++) {
                Arena arena = Arena.ofConfined();
                arenas.add(arena);
                arena.allocate(40);
            }
            long allocated = NativeMemory.allocated() - before;
            assertTrue(allocated >= 40L * count && allocated <= 40L * count + NOISE,
                    allocated + " bytes for " + count + " allocations of 40 bytes");
            arenas.reversed().forEach(Arena::close);
            assertSlots(0, before, "all closed");
            return null;
        });
    }

    @Test
    void deepNestKeepsNoMoreThanTheDepth() throws Exception {
        inThread(() -> {
            long before = NativeMemory.allocated();
            for (int i = 0; i < 5; i++) {
                Slots.nest(100, 5);
                assertSlots(Slots.DEPTH, before, "after a deep nest");
            }
            return null;
        });
    }

    @Test
    void oversizeIsGivenBack() throws Exception {
        inThread(() -> {
            long before = NativeMemory.allocated();
            for (int i = 0; i < 100; i++) {
                Slots.nest(10, Slots.SIZE + 1);
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(1, 2L * Slots.SIZE);
                }
            }
            assertSlots(0, before, "nothing that fits");
            return null;
        });
    }

    // The field of platform threads is in their FieldHolder, which virtual threads do not have.
    @Test
    void threadObjectsDoNotGrow() throws Exception {
        for (Class<?> c = Class.forName("java.lang.VirtualThread"); c != null; c = c.getSuperclass()) {
            assertEquals(List.of(), poolFields(c), c.getName());
        }
        assertTrue(poolFields(Class.forName("java.lang.Thread$FieldHolder")).size() <= 1);
    }

    private static List<Field> poolFields(Class<?> c) {
        return Stream.of(c.getDeclaredFields())
                .filter(f -> !Modifier.isStatic(f.getModifiers()))
                .filter(f -> f.getType().getName().startsWith("jdk.internal.foreign."))
                .toList();
    }

    @Test
    void threadThatNeverAllocatesHasNoPool() throws Exception {
        // White-box, as an empty pool cannot be told from none by its native memory.
        Field holder = Thread.class.getDeclaredField("holder");
        holder.setAccessible(true);
        Thread thread = new Thread(() -> Arena.ofConfined().close());
        thread.start();
        thread.join();
        for (Field field : poolFields(holder.getType())) {
            field.setAccessible(true);
            assertNull(field.get(holder.get(thread)));
        }
    }
}
