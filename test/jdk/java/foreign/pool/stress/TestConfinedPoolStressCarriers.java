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
 * @library ..
 * @modules java.management
 *          jdk.management
 * @build Stress Slots NativeMemory VirtualThreads
 * @run main/othervm/timeout=900 --enable-native-access=ALL-UNNAMED -Xmx512m
 *      --add-opens=java.base/java.lang=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      -Djdk.foreign.confinedPool.size=16384 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolStressCarriers
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Virtual threads that go on on other carriers than those on which they opened their arenas, while carriers end and new
 * ones start. The content of the arenas stays (invariants 1 and 2). A slot goes to the carrier on which its arena is closed,
 * and from there to other arenas. Carriers keep no more than their bound (invariant 4), and when they have ended nothing is
 * left (invariant 5).
 */
public class TestConfinedPoolStressCarriers {

    private static final long SLACK = 4 * 1024;

    private static final int CARRIERS = 4;

    /** What parked virtual threads allocate at most. */
    private static final int SMALL = 300;

    private static final LongAdder arenas = new LongAdder();
    private static final LongAdder migrations = new LongAdder();
    private static final Set<Thread> carriers = ConcurrentHashMap.newKeySet();
    private static final AtomicReference<Throwable> failure = new AtomicReference<>();

    public static void main(String[] args) throws Exception {
        Stress.printSeed();
        for (int i = 0; i < Stress.scaled(1); i++) {
            eachStepOnANewCarrier(Stress.SEED + i);
            carriersComeAndGo(Stress.SEED + i);
            parked(Stress.SEED + i);
            handedOver(Stress.SEED + i);
        }
        Stress.report("arenas", arenas);
        Stress.report("closed on another carrier", migrations);
        Stress.check(migrations.sum() > 0, "nothing was tested");
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
        for (Thread carrier : carriers) {
            carrier.join(); // a terminated executor's threads may still be ending
        }
        Stress.report("carriers that ended, " + what, carriers.size());
        carriers.clear();
        long growth = NativeMemory.allocated() - before;
        Stress.report("bytes of native memory grown, " + what, growth);
        Stress.check(growth < SLACK, "invariant 5: native memory grew by " + growth + " bytes, " + what);
    }

    /** Every time that a virtual thread goes on, it is on a carrier that has just started and ends right after. */
    private static void eachStepOnANewCarrier(long seed) throws Exception {
        ThreadFactory factory = virtualThreads(VirtualThreads.onNewCarriers(carriers));
        long before = NativeMemory.allocated();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Random random = new Random(seed * 100 + i);
            threads.add(factory.newThread(() -> openAndClose(random, 60, () -> {
                Thread.yield();
                Slots.openFirst(); // so that the new carrier makes a pool
                Slots.nest(1, 1);
            })));
        }
        threads.forEach(Thread::start);
        join(threads);
        checkGrowth("with a carrier for each step", before);
    }

    /** Some carriers at a time, that end all together now and then while the virtual threads go on. */
    private static void carriersComeAndGo(long seed) throws Exception {
        AtomicReference<ExecutorService> generation = new AtomicReference<>(newCarriers(CARRIERS));
        ThreadFactory factory = virtualThreads(task -> {
            synchronized (generation) {
                generation.get().execute(task);
            }
        });
        long before = NativeMemory.allocated();
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
                generation.set(newCarriers(CARRIERS));
            }
            old.shutdown(); // what it has been given still runs
            old.awaitTermination(1, TimeUnit.MINUTES);
            generations++;
        }
        join(threads);
        generation.get().close();
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
                Slots.checkBumped(arena);
                MemorySegment segment = arena.allocate(1 + random.nextInt(Slots.SIZE));
                Slots.checkZero(segment, "invariant 2");
                byte value = (byte) (1 + random.nextInt(100));
                segment.fill(value);
                arenas.increment();
                open.add(new Open(arena, segment, value, VirtualThreads.carrier()));
            } else {
                Open last = open.remove(random.nextInt(open.size()));
                Slots.checkFilled(last.segment, last.value, "invariant 1: overwritten");
                if (!VirtualThreads.carrier().equals(last.carrier)) {
                    migrations.increment();
                }
                last.arena.close();
            }
            pause.run();
        }
    }

    /** Very many virtual threads that are parked with an open arena while all carriers are replaced by other ones. */
    private static void parked(long seed) throws Exception {
        int count = 20_000;
        long before = NativeMemory.allocated();
        AtomicReference<ExecutorService> generation = new AtomicReference<>(newCarriers(CARRIERS));
        ThreadFactory factory = virtualThreads(task -> generation.get().execute(task));
        CountDownLatch opened = new CountDownLatch(count);
        List<Thread> threads = new ArrayList<>();
        long most = 0;
        for (int i = 0; i < count; i++) {
            int byteSize = 1 + new Random(seed * count + i).nextInt(SMALL);
            byte value = (byte) (1 + i % 100);
            most += Slots.nativeBytes(byteSize);
            threads.add(factory.newThread(() -> {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment segment;
                    String carrier;
                    try {
                        segment = arena.allocate(byteSize);
                        Slots.checkZero(segment, "invariant 2");
                        segment.fill(value);
                        carrier = VirtualThreads.carrier();
                    } finally {
                        opened.countDown();
                    }
                    LockSupport.park();
                    Slots.checkFilled(segment, value, "invariant 1: overwritten");
                    if (!VirtualThreads.carrier().equals(carrier)) {
                        migrations.increment();
                    }
                }
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(1); // a carrier keeps nothing until an arena asks it for something
                }
                arenas.add(2);
            }));
        }
        threads.forEach(Thread::start);
        opened.await();
        List<Thread> ended = List.copyOf(carriers);
        ExecutorService first = generation.getAndSet(newCarriers(CARRIERS));
        first.close();
        join(ended); // an executor is terminated before its last thread, which frees its pool's stack when it ends
        long held = NativeMemory.allocated() - before;
        Stress.report("bytes of native memory with virtual threads parked", held);
        Stress.check(held <= most, "invariants 4 and 5: " + held + " bytes with " + count
                + " parked virtual threads, bound " + most);
        threads.forEach(LockSupport::unpark);
        join(threads);
        long kept = NativeMemory.allocated() - before;
        long bound = CARRIERS * Slots.POOL_BOUND;
        Stress.report("bytes of native memory that carriers keep", kept);
        Stress.check(kept > 0 && kept <= bound, "invariant 4: carriers keep " + kept + " bytes, bound " + bound);
        generation.get().close();
        checkGrowth("with virtual threads parked", before);
    }

    private static ExecutorService newCarriers(int count) {
        return Executors.newFixedThreadPool(count, VirtualThreads.addedTo(carriers));
    }

    /** One step at a time: the slot of an arena that is closed on another carrier is for the next arena there. */
    private static void handedOver(long seed) throws Exception {
        Random random = new Random(seed);
        AtomicReference<Runnable> task = new AtomicReference<>();
        ThreadFactory factory = virtualThreads(task::set);
        long before = NativeMemory.allocated();
        try (ExecutorService first = newCarriers(1);
             ExecutorService second = newCarriers(1)) {
            for (ExecutorService carrier : List.of(first, second)) {
                for (int i = 0; i <= Slots.WITHOUT_POOL; i++) { // so it has a pool
                    Holder holder = new Holder(factory, task, SMALL);
                    step(holder, carrier);
                    step(holder, carrier);
                }
            }
            for (int i = 0; i < 500; i++) {
                ExecutorService here = random.nextBoolean() ? first : second;
                ExecutorService there = here == first ? second : first;
                Holder holder = new Holder(factory, task, SMALL); // of one size, so that each slot suits
                step(holder, here);
                step(holder, there);
                Holder next = new Holder(factory, task, SMALL);
                step(next, there);
                Holder beside = new Holder(factory, task, SMALL);
                step(beside, here);
                Holder further = new Holder(factory, task, SMALL);
                step(further, there);
                // The spare slot comes first, which may be an earlier one, then the one that was put back last.
                long handedOver = holder.segment.address();
                Stress.check(next.segment.address() == handedOver || further.segment.address() == handedOver,
                        "the slot was not handed over");
                Stress.check(beside.segment.address() != next.segment.address()
                        && further.segment.address() != next.segment.address(), "invariant 1: the slot has two owners");
                step(beside, there);
                step(next, here);
                step(further, here);
            }
        }
        checkGrowth("with slots handed over", before);
    }

    private static void step(Holder holder, ExecutorService carrier) throws Exception {
        holder.goOn();
        carrier.submit(holder.task.get()).get();
        if (failure.get() != null) {
            throw new AssertionError(failure.get());
        }
    }

    /** A virtual thread that opens an arena in its first step and closes it in the second. */
    private static final class Holder {

        private final AtomicReference<Runnable> task;
        private final Thread thread;
        private volatile MemorySegment segment;

        Holder(ThreadFactory factory, AtomicReference<Runnable> task, int byteSize) {
            this.task = task;
            thread = factory.newThread(() -> {
                try (Arena arena = Arena.ofConfined()) {
                    segment = arena.allocate(byteSize);
                    Slots.checkZero(segment, "invariant 2");
                    segment.fill((byte) 1);
                    LockSupport.park();
                    Slots.checkFilled(segment, 1, "invariant 1: overwritten");
                }
                migrations.increment();
                arenas.increment();
            });
        }

        void goOn() {
            if (segment == null) {
                thread.start();
            } else {
                LockSupport.unpark(thread);
            }
        }
    }
}
