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
 * @summary The slots of a thread are freed when it ends, but not from under an arena that it left open
 * @requires os.family != "windows"
 * @modules java.base/java.lang:open
 *          java.base/jdk.internal.misc
 *          java.management
 *          jdk.management
 * @build Slots NativeMemory Task VirtualThreads
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      -Djdk.foreign.confinedPool.size=1048576 -Djdk.foreign.confinedPool.depth=16 TestConfinedPoolThreadEnd
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

import jdk.internal.misc.TerminatingThreadLocal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolThreadEnd {

    private static final int THREADS = 300;
    private static final int NESTED = 3;

    private static final AtomicInteger runs = new AtomicInteger();

    @BeforeEach
    void reset() {
        runs.set(0);
    }

    private static void useSlots() {
        Slots.openFirst();
        Slots.nest(NESTED, Slots.SIZE);
        runs.incrementAndGet();
    }

    /**
     * Checks that memory stays flat when the action, which runs one thread that uses slots until that thread ends,
     * is repeated.
     */
    private static void checkFlat(Task.Action action) throws Throwable {
        for (int i = 0; i < 10; i++) {
            action.run(); // fills what the JDK keeps
        }
        long before = NativeMemory.allocated();
        int runsBefore = runs.get();
        for (int i = 0; i < THREADS; i++) {
            action.run();
        }
        assertEquals(runsBefore + THREADS, runs.get(), "uses of slots");
        long allocated = NativeMemory.allocated() - before;
        System.out.println(allocated + " bytes allocated more");
        assertTrue(allocated < 16 << 10, allocated + " bytes are left of " + THREADS + " threads");
    }

    @Test
    void returns() throws Throwable {
        checkFlat(() -> Task.run(TestConfinedPoolThreadEnd::useSlots));
    }

    @Test
    void throwsException() throws Throwable {
        checkFlat(() -> {
            Thread thread = new Thread(() -> {
                useSlots();
                throw new RuntimeException("expected");
            });
            thread.setUncaughtExceptionHandler((_, _) -> {});
            thread.start();
            thread.join();
        });
    }

    /** What fails while the thread ends does not keep its slots from being freed. */
    @Test
    void throwsAfterItsEnd() throws Throwable {
        AtomicInteger ended = new AtomicInteger();
        checkFlat(() -> {
            Thread thread = new Thread(() -> {
                useSlots();
                new TerminatingThreadLocal<Object>() {
                    @Override
                    protected void threadTerminated(Object value) {
                        ended.incrementAndGet();
                        throw new IllegalStateException("expected");
                    }
                }.set(this);
            });
            thread.start();
            thread.join();
        });
        assertEquals(runs.get(), ended.get(), "ends of threads");
    }

    @Test
    void usesArenasInItsExceptionHandler() throws Throwable {
        checkFlat(() -> {
            Thread thread = new Thread(() -> {
                throw new RuntimeException("expected");
            });
            thread.setUncaughtExceptionHandler((_, _) -> useSlots());
            thread.start();
            thread.join();
        });
    }

    @Test
    void usesArenasWhenThreadLocalsEnd() throws Throwable {
        checkFlat(() -> Task.run(() -> new TerminatingThreadLocal<Integer>() {
            @Override
            protected void threadTerminated(Integer value) {
                useSlots();
            }
        }.set(1)));
    }

    @Test
    void closesArenaWhenThreadLocalsEnd() throws Throwable {
        checkFlat(() -> Task.run(() -> {
            Arena arena = Arena.ofConfined();
            arena.allocate(Slots.SIZE).fill((byte) 1);
            new TerminatingThreadLocal<Arena>() {
                @Override
                protected void threadTerminated(Arena value) {
                    value.close();
                    runs.incrementAndGet();
                }
            }.set(arena);
        }));
    }

    // By then its slot is resident no more, but another one is.
    @Test
    void closesAnArenaThatOthersHavePassed() throws Throwable {
        int byteSize = Slots.SIZE / 64;
        checkFlat(() -> Task.run(() -> {
            Slots.nest(1, byteSize);
            try (Arena held = Arena.ofConfined()) {
                held.allocate(byteSize);
                for (int i = 0; i <= Slots.PASSES; i++) {
                    Slots.nest(1, byteSize);
                }
            }
            runs.incrementAndGet();
        }));
    }

    @Test
    void failsToCloseAnArena() throws Throwable {
        checkFlat(() -> Task.run(() -> {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(Slots.SIZE);
                assertInstanceOf(WrongThreadException.class, Task.thrownBy(arena::close));
            }
            useSlots();
        }));
    }

    // Attached by the upcall, and detached when it ends by the VM.
    @Test
    void nativeThread() throws Throwable {
        checkFlat(() -> Task.runNative(TestConfinedPoolThreadEnd::useSlots));
    }

    @Test
    void arenaLeftOpenKeepsItsMemory() throws Throwable {
        List<MemorySegment> left = new ArrayList<>();
        List<MemorySegment> closed = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int value = i + 1;
            Task.run(() -> {
                Arena open = Arena.ofConfined();
                MemorySegment segment = open.allocate(Slots.SIZE).fill((byte) value);
                try (Arena nested = Arena.ofConfined()) {
                    closed.add(nested.allocate(Slots.SIZE).fill((byte) value));
                }
                left.add(segment);
            });
            // Were the slot freed, this would be likely to get it.
            Task.run(TestConfinedPoolThreadEnd::useSlots);
            try (Arena arena = Arena.ofShared()) {
                arena.allocate(Slots.SIZE).fill((byte) 99);
                arena.allocate(Slots.SIZE + 48).fill((byte) 99);
            }
        }
        assertEquals(20, left.size());
        for (int i = 0; i < 20; i++) {
            MemorySegment segment = left.get(i);
            assertTrue(segment.scope().isAlive());
            Slots.checkFilled(Slots.raw(segment), i + 1, "memory of an arena that its thread left open");
            assertFalse(closed.get(i).scope().isAlive());
            assertThrows(WrongThreadException.class, () -> segment.fill((byte) 0));
        }
    }

    // A thread's first arenas leave no pool, and nothing of theirs is kept; the 33rd makes one.
    @Test
    void firstArenasLeaveNoPool() throws Exception {
        FutureTask<Long> growth = new FutureTask<>(() -> {
            long before = NativeMemory.allocated();
            for (int i = 0; i < 5; i++) { // these need no slot
                Arena.ofConfined().close();
                Slots.nest(1, Slots.SIZE + 1);
            }
            for (int i = 1; i <= Slots.WITHOUT_POOL; i++) {
                Slots.nest(1, Slots.SIZE);
                assertEquals(before, NativeMemory.allocated(), "memory after arena " + i);
            }
            Slots.nest(1, Slots.SIZE);
            return NativeMemory.allocated() - before;
        });
        Thread thread = Thread.ofPlatform().start(growth);
        assertEquals(Slots.residentBytes(Slots.SIZE) + Slots.STACK, growth.get(), "memory of the resident slot and the stack");
        thread.join();
    }

    // Closing the pool is the last that the JDK does when a thread ends. Only what the VM runs after it can still use arenas.

    private static void closePoolOf(Thread thread) throws ReflectiveOperationException {
        Method close = Thread.class.getDeclaredMethod("closeConfinedSlotPool");
        close.setAccessible(true);
        close.invoke(thread);
    }

    // There is no pool any more, so nothing is kept.
    private static void useArenasAfterTheEnd() {
        long before = NativeMemory.allocated();
        for (int i = 0; i < Slots.WITHOUT_POOL + 2; i++) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment segment = arena.allocate(Slots.SIZE);
                Slots.checkZero(segment, "new segment");
                segment.fill((byte) 1);
                arena.allocate(8);
                arena.allocate(Slots.SIZE / 2);
            }
        }
        Slots.nest(NESTED, Slots.SIZE);
        long kept = NativeMemory.allocated() - before;
        assertTrue(kept < Slots.SIZE, kept + " bytes are kept");
        runs.incrementAndGet();
    }

    @Test
    void firstUsesArenasAfterItsEnd() throws Throwable {
        checkFlat(() -> Task.run(() -> {
            closePoolOf(Thread.currentThread());
            useArenasAfterTheEnd();
        }));
    }

    @Test
    void usesArenasAgainAfterItsEnd() throws Throwable {
        checkFlat(() -> Task.run(() -> {
            Slots.nest(NESTED, Slots.SIZE);
            closePoolOf(Thread.currentThread());
            useArenasAfterTheEnd();
        }));
    }

    @Test
    void closesArenasAfterItsEnd() throws Throwable {
        checkFlat(() -> Task.run(() -> {
            Arena[] arenas = new Arena[5];
            for (int i = 0; i < arenas.length; i++) {
                arenas[i] = Arena.ofConfined();
                arenas[i].allocate(8);
                arenas[i].allocate(Slots.SIZE / 2).fill((byte) i);
            }
            closePoolOf(Thread.currentThread());
            for (Arena arena : arenas) {
                arena.allocate(Slots.SIZE);
                arena.close();
            }
            useArenasAfterTheEnd();
        }));
    }

    @Test
    void virtualThread() throws Throwable {
        checkFlat(() -> onCarrier(_ -> useSlots()));
    }

    @Test
    void virtualThreadUsesArenasAfterTheEndOfItsCarrier() throws Throwable {
        checkFlat(() -> onCarrier(carrier -> {
            closePoolOf(carrier);
            useArenasAfterTheEnd();
        }));
    }

    @Test
    void virtualThreadClosesArenasAfterTheEndOfItsCarrier() throws Throwable {
        checkFlat(() -> onCarrier(carrier -> {
            Arena small = Arena.ofConfined();
            small.allocate(Slots.SIZE);
            Arena large = Arena.ofConfined();
            large.allocate(8);
            large.allocate(Slots.SIZE);
            closePoolOf(carrier);
            small.close();
            large.close();
            useArenasAfterTheEnd();
        }));
    }

    private interface OnCarrier {
        void run(Thread carrier) throws Throwable;
    }

    /** Runs the action in a new virtual thread on a new carrier, which ends as it does. */
    private static void onCarrier(OnCarrier action) throws InterruptedException {
        List<Thread> carriers = new CopyOnWriteArrayList<>();
        Task.run(VirtualThreads.scheduledBy(VirtualThreads.onNewCarriers(carriers)), () -> action.run(carriers.getFirst()));
        VirtualThreads.join(carriers);
    }
}
