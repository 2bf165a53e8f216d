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
 * @summary Arenas of virtual threads that change carriers, and carriers that end
 * @build Stress SlotProbe NativeMemory VirtualThreads
 * @run main/othervm/timeout=900 --enable-native-access=ALL-UNNAMED -Xmx512m
 *      --add-opens=java.base/java.lang=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      -Djdk.foreign.confinedPool.size=16384 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolStressCarriers
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads that go on on other carriers than the one their arenas' slots are from, while carriers end and new
 * ones start. The content of the arenas stays (invariants 1 and 2), the slots of carriers that ended are freed, those
 * in use when they come back (invariant 4), and all together stay within the bound (invariant 3).
 */
public class TestConfinedPoolStressCarriers {

    private static final long SLACK = 64 * 1024;

    private static final LongAdder arenas = new LongAdder();
    private static final LongAdder pooled = new LongAdder();
    private static final LongAdder migrations = new LongAdder();
    private static final AtomicReference<Throwable> failure = new AtomicReference<>();

    public static void main(String[] args) throws Exception {
        Stress.printSeed();
        for (int i = 0; i < Stress.scaled(1); i++) {
            eachStepOnANewCarrier(Stress.SEED + i);
            carriersComeAndGo(Stress.SEED + i);
            slotOutlivesCarrier();
            boundWithCarriersThatEnded();
        }
        Stress.report("arenas", arenas);
        Stress.report("arenas with a slot", pooled);
        Stress.report("closed on another carrier", migrations);
        Stress.check(pooled.sum() > 0 && migrations.sum() > 0, "nothing was tested");
    }

    private static ThreadFactory virtualThreads(Executor scheduler) {
        return VirtualThreads.scheduledBy(scheduler).uncaughtExceptionHandler((_, e) -> failure.set(e)).factory();
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    private static void checkGrowth(String what, long before) throws InterruptedException {
        // What came back after its carrier's end may stay until another carrier takes a slot or ends.
        AtomicReference<Runnable> task = new AtomicReference<>();
        Thread last = virtualThreads(task::set).newThread(SlotProbe::drain);
        last.start();
        runOnNewCarrier(task);
        long growth = NativeMemory.other() - before;
        Stress.report("bytes of native memory grown, " + what, growth);
        Stress.check(growth < SLACK, "invariant 4: native memory grew by " + growth + " bytes, " + what);
    }

    /** Every time that a virtual thread goes on, it is on a carrier that has just started and ends right after. */
    private static void eachStepOnANewCarrier(long seed) throws Exception {
        Set<Thread> carriers = ConcurrentHashMap.newKeySet();
        ThreadFactory factory = virtualThreads(VirtualThreads.onNewCarriers(carriers));
        long before = NativeMemory.other();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Random random = new Random(seed * 100 + i);
            threads.add(factory.newThread(() -> openAndClose(random, 60, Thread::yield)));
        }
        threads.forEach(Thread::start);
        join(threads);
        for (Thread carrier : carriers) {
            carrier.join();
        }
        Stress.report("carriers that ended", carriers.size());
        checkGrowth("with a carrier for each step", before);
    }

    /** Some carriers at a time, that end all together now and then while the virtual threads go on. */
    private static void carriersComeAndGo(long seed) throws Exception {
        Set<Thread> carriers = ConcurrentHashMap.newKeySet();
        ThreadFactory carrierFactory = task -> {
            Thread carrier = new Thread(task);
            carriers.add(carrier);
            return carrier;
        };
        AtomicReference<ExecutorService> generation =
                new AtomicReference<>(Executors.newFixedThreadPool(4, carrierFactory));
        ThreadFactory factory = virtualThreads(task -> {
            synchronized (generation) {
                generation.get().execute(task);
            }
        });
        long before = NativeMemory.other();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Random random = new Random(seed * 100 + i);
            threads.add(factory.newThread(() -> openAndClose(random, 300, () -> {
                if (random.nextInt(10) == 0) {
                    LockSupport.parkNanos(50_000);
                } else {
                    Thread.yield();
                }
            })));
        }
        threads.forEach(Thread::start);
        int generations = 0;
        while (threads.stream().anyMatch(Thread::isAlive)) {
            Thread.sleep(2);
            ExecutorService old;
            synchronized (generation) {
                old = generation.get();
                generation.set(Executors.newFixedThreadPool(4, carrierFactory));
            }
            old.shutdown(); // what it has been given still runs
            old.awaitTermination(1, TimeUnit.MINUTES);
            generations++;
        }
        join(threads);
        generation.get().close();
        for (Thread carrier : carriers) {
            carrier.join(); // a terminated executor's threads may still be ending
        }
        Stress.report("generations of carriers", generations);
        checkGrowth("with carriers that come and go", before);
    }

    /** Opens, uses and closes arenas in random order, with a chance to change carriers after each step. */
    private static void openAndClose(Random random, int steps, Runnable pause) {
        record Open(Arena arena, MemorySegment segment, byte value, String carrier) {}
        List<Open> open = new ArrayList<>();
        for (int i = 0; i < steps || !open.isEmpty(); i++) {
            if (i < steps && (open.isEmpty() || open.size() < 4 && random.nextBoolean())) {
                Arena arena = Arena.ofConfined();
                long slot = SlotProbe.slotOf(arena);
                MemorySegment segment = arena.allocate(1 + random.nextInt(SlotProbe.SIZE - 2 * SlotProbe.GRAIN));
                Stress.check(SlotProbe.isZero(segment), "invariant 2: not zero");
                byte value = (byte) (1 + random.nextInt(100));
                segment.fill(value);
                arenas.increment();
                if (slot != 0) {
                    pooled.increment();
                }
                open.add(new Open(arena, segment, value, carrier()));
            } else {
                Open last = open.remove(random.nextInt(open.size()));
                for (long j = 0; j < last.segment.byteSize(); j += 61) {
                    Stress.check(last.segment.get(ValueLayout.JAVA_BYTE, j) == last.value,
                            "invariant 1: overwritten");
                }
                if (!carrier().equals(last.carrier)) {
                    migrations.increment();
                }
                last.arena.close();
            }
            pause.run();
        }
    }

    /** {@return the name of the current virtual thread's carrier} */
    private static String carrier() {
        String text = Thread.currentThread().toString();
        return text.substring(text.indexOf('@'));
    }

    /** One step at a time: a slot stays as it is while carriers end, and is freed when it comes back too late. */
    private static void slotOutlivesCarrier() throws Exception {
        AtomicReference<Runnable> task = new AtomicReference<>();
        ThreadFactory factory = virtualThreads(task::set);
        long before = NativeMemory.other();
        AtomicReference<Long> slot = new AtomicReference<>();
        Thread thread = factory.newThread(() -> {
            try (Arena arena = Arena.ofConfined()) {
                slot.set(SlotProbe.slotOf(arena));
                Stress.check(slot.get() != 0, "a new carrier has no slot");
                MemorySegment segment = arena.allocate(1000);
                segment.fill((byte) 7);
                LockSupport.park();
                Stress.check(segment.get(ValueLayout.JAVA_BYTE, 999) == 7, "invariant 4: overwritten");
                LockSupport.park();
            }
            LockSupport.park();
            try (Arena arena = Arena.ofConfined()) {
                Stress.check(SlotProbe.slotOf(arena) != 0, "a new carrier has no slot");
            }
        });
        thread.start();
        runOnNewCarrier(task);
        long held = NativeMemory.other() - before;
        Stress.check(held >= SlotProbe.SIZE && held < 2L * SlotProbe.SIZE, "invariant 4: " + held
                + " bytes after the carrier of one slot in use has ended");
        // More carriers, whose slots may be where an ended one's were: each finds them zero and free.
        for (int i = 0; i < 10; i++) {
            Thread other = new Thread(() -> {
                for (long taken : SlotProbe.drain()) {
                    if (Math.abs(taken - slot.get()) < SlotProbe.SIZE) {
                        failure.set(new AssertionError("invariant 1: the slot has two owners"));
                    }
                }
            });
            other.start();
            other.join();
        }
        LockSupport.unpark(thread);
        runOnNewCarrier(task);
        LockSupport.unpark(thread);
        runOnNewCarrier(task); // closes the arena
        held = NativeMemory.other() - before;
        Stress.check(held < 2L * SlotProbe.SIZE, "invariant 4: " + held + " bytes after a slot came back");
        LockSupport.unpark(thread);
        runOnNewCarrier(task);
        join(List.of(thread));
        checkGrowth("when all carriers have ended", before);
    }

    private static void runOnNewCarrier(AtomicReference<Runnable> task) throws InterruptedException {
        Thread carrier = new Thread(task.get());
        carrier.start();
        carrier.join();
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    /**
     * Virtual threads that each take a slot on a carrier of their own, which then ends while they stay parked. With
     * one carrier at a time, they may not hold more slots than that one could have.
     */
    private static void boundWithCarriersThatEnded() throws Exception {
        int count = 200;
        AtomicReference<Runnable> task = new AtomicReference<>();
        ThreadFactory factory = virtualThreads(task::set);
        long before = NativeMemory.other();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Thread thread = factory.newThread(() -> {
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(5);
                    LockSupport.park();
                }
            });
            thread.start();
            runOnNewCarrier(task);
            threads.add(thread);
        }
        long held = NativeMemory.other() - before;
        for (Thread thread : threads) {
            LockSupport.unpark(thread);
            runOnNewCarrier(task);
        }
        join(threads);
        checkGrowth("when parked threads have gone on", before);
        Stress.report("bytes of native memory held by parked threads whose carriers ended", held);
        long bound = SlotProbe.DEPTH * (SlotProbe.SIZE + 64L) + count * 64L;
        Stress.check(held <= bound, "invariant 3: " + held + " bytes are held by virtual threads of one carrier at a"
                + " time, bound " + bound);
    }
}
