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
package org.openjdk.bench.java.lang.foreign;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

import java.lang.foreign.Arena;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Do arenas of virtual threads keep their speed while other virtual threads are parked with open arenas? A server whose
 * requests hold an arena across a blocking call has this shape. Each benchmark thread is virtual and keeps a carrier busy;
 * there are as many carriers as benchmark threads. The baseline is the same with none parked. As many threads were parked
 * before it, or C2 would leave out what it has not seen happen, and the baseline would be another program.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED",
        "-Djmh.executor=VIRTUAL", "--add-opens=java.base/java.lang=ALL-UNNAMED"})
public class ConfinedArenaParked {

    private static final String PARALLELISM = "-Djdk.virtualThreadScheduler.parallelism=";

    private static final int MOST_PARKED = 100_000;

    /** Virtual threads that are parked during the whole measurement, each with an open arena that has one allocation. */
    @Param({"0", "1000", "100000"})
    public int parked;

    /** As many more, whose carriers have ended: each had one of its own. */
    @Param({"0", "1000"})
    public int ended;

    /** Bytes of the allocation in the short arena. */
    @Param({"5", "100", "451"})
    public long size;

    private final List<Thread> threads = new ArrayList<>();
    private CountDownLatch released;

    @Setup
    public void park() throws Exception {
        if (!Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("not on a virtual thread; run this in a fork with -Djmh.executor=VIRTUAL");
        }
        released = new CountDownLatch(1);
        park(Thread.ofVirtual(), MOST_PARKED);
        release();
        released = new CountDownLatch(1);
        park(Thread.ofVirtual(), parked);
        if (ended > 0) {
            Queue<Thread> carriers = new ConcurrentLinkedQueue<>();
            park(scheduledBy(task -> {
                Thread carrier = Thread.ofPlatform().unstarted(task);
                carriers.add(carrier);
                carrier.start();
            }), ended);
            for (Thread carrier : carriers) {
                carrier.join();
            }
        }
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        }
    }

    private void park(Thread.Builder builder, int count) throws InterruptedException {
        CountDownLatch allocated = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            threads.add(builder.start(() -> {
                try (Arena arena = Arena.ofConfined()) {
                    arena.allocate(8);
                    allocated.countDown();
                    released.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e); // nobody interrupts
                }
            }));
        }
        allocated.await();
    }

    /** {@return a builder of virtual threads that are carried as {@code scheduler} says: by a task for each step} */
    private static Thread.Builder scheduledBy(Executor scheduler) throws ReflectiveOperationException {
        Constructor<?> constructor = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                .getDeclaredConstructor(Executor.class);
        constructor.setAccessible(true);
        return (Thread.Builder) constructor.newInstance(scheduler);
    }

    @TearDown
    public void release() throws InterruptedException {
        released.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        threads.clear();
    }

    private long allocate() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(size).address();
        }
    }

    @Benchmark
    @Threads(1)
    @Fork(jvmArgsPrepend = PARALLELISM + 1)
    public long oneCarrier() {
        return allocate();
    }

    @Benchmark
    @Threads(2)
    @Fork(jvmArgsPrepend = PARALLELISM + 2)
    public long twoCarriers() {
        return allocate();
    }

    @Benchmark
    @Threads(16)
    @Fork(jvmArgsPrepend = PARALLELISM + 16)
    public long sixteenCarriers() {
        return allocate();
    }
}
