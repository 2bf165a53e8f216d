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
 * @summary The bound on native memory with 100,000 virtual threads parked, each with an open arena
 * @build Stress SlotProbe NativeMemory
 * @run main/othervm/timeout=900 TestConfinedPoolStressParked
 */

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Parks 100,000 virtual threads that each hold an open arena with five bytes allocated, and beside them a platform
 * thread with 100,000 arenas open at once, in a virtual machine with pooling and in one without. What the first has
 * more of native memory may not be more than the pool's bound: depth times size for each carrier and for the platform
 * thread (invariant 3). Native memory tracking is exact, so a single slot too many shows.
 */
public class TestConfinedPoolStressParked {

    private static final int ARENAS = 100_000;
    private static final int CARRIERS = 4;
    private static final int SIZE = 16 * 1024;
    private static final int DEPTH = 4;

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            measure(Integer.parseInt(args[0]));
            return;
        }
        for (int round = 0; round < Math.ceilDiv(Stress.SCALE, 2); round++) {
            compare();
        }
    }

    private static void compare() throws Exception {
        Map<String, Long> pooled = runChild(SIZE);
        Map<String, Long> regular = runChild(0);
        for (String key : List.of("virtual", "platform", "closed")) {
            System.out.println(key + ": native memory with pooling " + pooled.get(key) + ", without "
                    + regular.get(key) + "; resident " + pooled.get(key + "Resident") + ", without "
                    + regular.get(key + "Resident"));
        }
        // A slot may be aligned to a cache line beyond what malloc gives.
        long slot = SIZE + 64;
        checkBound("virtual", pooled, regular, CARRIERS * DEPTH * slot);
        checkBound("platform", pooled, regular, (CARRIERS + 1) * DEPTH * slot);
        checkBound("closed", pooled, regular, (CARRIERS + 1) * DEPTH * slot);
        Stress.check(pooled.get("virtual") - regular.get("virtual") >= DEPTH * SIZE, "no slot was used");
        Stress.report("arenas open in parked virtual threads", ARENAS);
        Stress.report("arenas open in one platform thread", ARENAS);
    }

    private static void checkBound(String key, Map<String, Long> pooled, Map<String, Long> regular, long bound) {
        long more = pooled.get(key) - regular.get(key);
        Stress.report("bytes of native memory more than without pooling, " + key, more);
        Stress.check(more <= bound, "invariant 3: " + key + ": " + more + " bytes more than without pooling, bound "
                + bound);
    }

    private static Map<String, Long> runChild(int size) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        for (String option : System.getProperty("test.vm.opts", "").split(" ")) {
            if (!option.isEmpty()) {
                command.add(option);
            }
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "-Xmx1g",
                "-XX:NativeMemoryTracking=summary",
                "-Djdk.virtualThreadScheduler.parallelism=" + CARRIERS,
                "-Djdk.virtualThreadScheduler.maxPoolSize=" + CARRIERS,
                "-Djdk.foreign.confinedPool.size=" + size, "-Djdk.foreign.confinedPool.depth=" + DEPTH,
                TestConfinedPoolStressParked.class.getName(), "" + ARENAS));
        Process child = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Map<String, Long> figures = new HashMap<>();
        try (BufferedReader out = child.inputReader()) {
            for (String line; (line = out.readLine()) != null; ) {
                String[] words = line.split(" ");
                Stress.check(words.length == 2, "the child printed: " + line);
                figures.put(words[0], Long.parseLong(words[1]));
            }
        }
        Stress.check(child.waitFor() == 0, "the child failed");
        return figures;
    }

    private static void measure(int arenas) throws InterruptedException {
        long before = NativeMemory.other();
        CountDownLatch allParked = new CountDownLatch(arenas);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger ready = new AtomicInteger();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>(arenas);
        for (int i = 0; i < arenas; i++) {
            int own = i;
            threads.add(Thread.ofVirtual().uncaughtExceptionHandler((_, e) -> {
                failure.set(e);
                allParked.countDown();
            }).start(() -> {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment segment = arena.allocate(5);
                    Stress.check(segment.get(ValueLayout.JAVA_BYTE, 4) == 0, "invariant 2: not zero");
                    segment.set(ValueLayout.JAVA_INT_UNALIGNED, 0, own);
                    segment.set(ValueLayout.JAVA_BYTE, 4, (byte) 1);
                    allParked.countDown();
                    goOn.await();
                    Stress.check(segment.get(ValueLayout.JAVA_INT_UNALIGNED, 0) == own, "invariant 1: overwritten");
                    ready.incrementAndGet();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        allParked.await();
        print("virtual", before);

        List<Arena> open = new ArrayList<>(arenas);
        List<MemorySegment> segments = new ArrayList<>(arenas);
        for (int i = 0; i < arenas; i++) {
            Arena arena = Arena.ofConfined();
            open.add(arena);
            segments.add(arena.allocate(5));
            segments.get(i).set(ValueLayout.JAVA_INT_UNALIGNED, 0, i);
        }
        print("platform", before);

        for (int i = 0; i < arenas; i++) {
            Stress.check(segments.get(i).get(ValueLayout.JAVA_INT_UNALIGNED, 0) == i, "invariant 1: overwritten");
            open.get(i).close();
        }
        goOn.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        print("closed", before);
        Stress.check(failure.get() == null && ready.get() == arenas, "a virtual thread failed: " + failure.get());
    }

    private static void print(String key, long before) {
        System.out.println(key + " " + (NativeMemory.other() - before));
        System.out.println(key + "Resident " + NativeMemory.resident());
    }
}
