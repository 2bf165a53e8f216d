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
 * @test id=default
 * @key randomness
 * @summary Random arenas on threads of all kinds against a reference model of their content
 * @library ..
 * @build Stress Slots
 * @run main/othervm/timeout=120 --enable-native-access=ALL-UNNAMED
 *      --add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED -Xmx1g
 *      -Djdk.virtualThreadScheduler.parallelism=4 -Djdk.virtualThreadScheduler.maxPoolSize=4
 *      -Djdk.foreign.confinedPool.size=8192 -Djdk.foreign.confinedPool.depth=8 TestConfinedPoolStressModel 2
 */

/*
 * @test id=interpreter
 * @key randomness
 * @summary Random arenas on threads of all kinds against a reference model of their content
 * @library ..
 * @build Stress Slots
 * @run main/othervm/timeout=120 --enable-native-access=ALL-UNNAMED
 *      --add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED -Xmx1g
 *      -Xint
 *      -Djdk.virtualThreadScheduler.parallelism=4 -Djdk.virtualThreadScheduler.maxPoolSize=4
 *      -Djdk.foreign.confinedPool.size=256 -Djdk.foreign.confinedPool.depth=16 -Dpart=4 TestConfinedPoolStressModel 1
 */

/*
 * @test id=c1
 * @key randomness
 * @summary Random arenas on threads of all kinds against a reference model of their content
 * @library ..
 * @build Stress Slots
 * @run main/othervm/timeout=120 --enable-native-access=ALL-UNNAMED
 *      --add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED -Xmx1g
 *      -XX:TieredStopAtLevel=1
 *      -Djdk.virtualThreadScheduler.parallelism=4 -Djdk.virtualThreadScheduler.maxPoolSize=4
 *      -Djdk.foreign.confinedPool.size=64 -Djdk.foreign.confinedPool.depth=1 TestConfinedPoolStressModel 5
 */

/*
 * @test id=c2
 * @key randomness
 * @summary Random arenas on threads of all kinds against a reference model of their content
 * @library ..
 * @build Stress Slots
 * @run main/othervm/timeout=120 --enable-native-access=ALL-UNNAMED
 *      --add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED -Xmx1g
 *      -XX:-TieredCompilation
 *      -XX:+UnlockDiagnosticVMOptions -XX:+SafepointALot -XX:GuaranteedSafepointInterval=5
 *      -Djdk.virtualThreadScheduler.parallelism=4 -Djdk.virtualThreadScheduler.maxPoolSize=4
 *      -Djdk.foreign.confinedPool.size=128 -Djdk.foreign.confinedPool.depth=4 TestConfinedPoolStressModel 2
 */

/*
 * @test id=c2-random
 * @key randomness
 * @summary Random arenas on threads of all kinds against a reference model of their content
 * @comment C2 orders instructions at random where it may
 * @library ..
 * @build Stress Slots
 * @run main/othervm/timeout=120 --enable-native-access=ALL-UNNAMED
 *      --add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED -Xmx1g
 *      -XX:-TieredCompilation
 *      -XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:+StressGCM
 *      -Djdk.virtualThreadScheduler.parallelism=4 -Djdk.virtualThreadScheduler.maxPoolSize=4
 *      -Djdk.foreign.confinedPool.size=128 -Djdk.foreign.confinedPool.depth=4 TestConfinedPoolStressModel 2
 */

/*
 * @test id=verify
 * @key randomness
 * @summary Random arenas on threads of all kinds against a reference model of their content
 * @library ..
 * @build Stress Slots
 * @run main/othervm/timeout=120 --enable-native-access=ALL-UNNAMED
 *      --add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED -Xmx1g
 *      -Djdk.foreign.confinedPool.verify=true
 *      -Djdk.virtualThreadScheduler.parallelism=4 -Djdk.virtualThreadScheduler.maxPoolSize=4
 *      -Djdk.foreign.confinedPool.size=1024 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolStressModel 6
 */

/*
 * @test id=bound
 * @key randomness
 * @summary Random arenas on threads of all kinds against a reference model of their content
 * @comment virtual threads that are bound to a platform thread each, as on ports without continuations
 * @library ..
 * @build Stress Slots
 * @run main/othervm/timeout=120 --enable-native-access=ALL-UNNAMED
 *      --add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED -Xmx1g
 *      -XX:+UnlockExperimentalVMOptions -XX:-VMContinuations
 *      -Djdk.foreign.confinedPool.size=512 -Djdk.foreign.confinedPool.depth=3 TestConfinedPoolStressModel 5
 */

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Each worker opens, uses and closes arenas in an order that its random numbers give, and keeps a model beside them:
 * which arenas are open, and the bytes that each allocation must have. All workers share one map of all live
 * allocations. What is checked all the time:
 * <ol>
 * <li>No two live allocations overlap, and nobody else writes to one.</li>
 * <li>All that is handed out is zero and aligned.</li>
 * </ol>
 * Each arena begins in a block of the pool, however many are open, and some go on in blocks for a thousand allocations. Cleanup actions
 * find the memory as it was, open arenas that may stay open, and throw. Threads that do not own an arena, and arenas that are
 * closed already, give the exception of the stock JDK and change nothing.
 * <p>
 * The argument is the number of rounds of the short form; threads are new in each.
 */
public class TestConfinedPoolStressModel {

    private static final boolean VERIFY = Boolean.getBoolean("jdk.foreign.confinedPool.verify");

    private static final int OPERATIONS = 1000 / Integer.getInteger("part", 1); // of one worker in one round
    private static final int PLATFORM_THREADS = 6;
    private static final int FORK_JOIN_TASKS = 4;
    private static final int VIRTUAL_THREADS = 40;
    private static final int PINNED_THREADS = 4;

    private static final LongAdder opened = new LongAdder();
    private static final LongAdder crowded = new LongAdder();
    private static final LongAdder allocated = new LongAdder();
    private static final LongAdder checkedBytes = new LongAdder();
    private static final LongAdder intrusions = new LongAdder();
    private static final LongAdder throwingCleanups = new LongAdder();

    /** Start and end of each live allocation. */
    private static final ConcurrentSkipListMap<Long, Long> live = new ConcurrentSkipListMap<>();

    /** Arenas of workers, some of them closed, for other threads to try. */
    private static final AtomicReferenceArray<Arena> published = new AtomicReferenceArray<>(64);

    private static final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    private static final MethodHandle ALLOCATE_NO_INIT = allocateNoInit();
    private static final MethodHandle CALL_BACK = callBack();
    private static final ThreadLocal<Runnable> calledBack = new ThreadLocal<>();

    private enum Kind { PLATFORM, FORK_JOIN, VIRTUAL, PINNED }

    public static void main(String[] args) throws InterruptedException {
        Stress.printSeed();
        int rounds = Stress.scaled(Integer.parseInt(args[0]));
        for (int round = 0; round < rounds; round++) {
            round(Stress.SEED + round * 1000L);
            for (Throwable failure : failures) {
                failure.printStackTrace();
            }
            if (!failures.isEmpty()) {
                throw new AssertionError(failures.size() + " workers failed in round " + round, failures.peek());
            }
            Stress.check(live.isEmpty(), "the model itself is wrong: " + live);
        }
        Stress.report("arenas", opened);
        Stress.report("arenas of more than a thousand allocations", crowded);
        Stress.report("allocations", allocated);
        Stress.report("bytes compared with the model", checkedBytes);
        Stress.report("attempts of other threads", intrusions);
        Stress.report("cleanup actions that threw", throwingCleanups);
    }

    private static void round(long seed) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < PLATFORM_THREADS; i++) {
            threads.add(Thread.ofPlatform().start(new Worker(Kind.PLATFORM, seed++)));
        }
        for (int i = 0; i < VIRTUAL_THREADS; i++) {
            threads.add(Thread.ofVirtual().start(new Worker(Kind.VIRTUAL, seed++)));
        }
        for (int i = 0; i < PINNED_THREADS; i++) {
            Worker worker = new Worker(Kind.PINNED, seed++);
            threads.add(Thread.ofVirtual().start(() -> runInUpcall(worker)));
        }
        try (ForkJoinPool workers = new ForkJoinPool(2)) {
            for (int i = 0; i < FORK_JOIN_TASKS; i++) {
                workers.execute(new Worker(Kind.FORK_JOIN, seed++));
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Runs the worker above a native frame, so that its virtual thread cannot leave the carrier. */
    private static void runInUpcall(Worker worker) {
        calledBack.set(worker);
        try {
            CALL_BACK.invokeExact();
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    private static void runCalledBack() {
        calledBack.get().run();
    }

    private static MethodHandle callBack() {
        try {
            MethodHandle target = MethodHandles.lookup().findStatic(TestConfinedPoolStressModel.class, "runCalledBack",
                    MethodType.methodType(void.class));
            Linker linker = Linker.nativeLinker();
            MemorySegment stub = linker.upcallStub(target, FunctionDescriptor.ofVoid(), Arena.global());
            return linker.downcallHandle(stub, FunctionDescriptor.ofVoid());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** {@return the allocation method for callers inside java.base that overwrite everything themselves} */
    private static MethodHandle allocateNoInit() {
        try {
            Method method = Class.forName("jdk.internal.foreign.ArenaImpl")
                    .getDeclaredMethod("allocateNoInit", long.class, long.class);
            method.setAccessible(true);
            return MethodHandles.lookup().unreflect(method)
                    .asType(MethodType.methodType(MemorySegment.class, Arena.class, long.class, long.class));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** An allocation, and the bytes that it must have. */
    private record Piece(MemorySegment segment, byte[] content) {

        long address() {
            return segment.address();
        }

        long end() {
            return address() + Math.max(1, segment.byteSize());
        }

        void verify() {
            for (int i = 0; i < content.length; i++) {
                byte found = segment.get(ValueLayout.JAVA_BYTE, i);
                if (found != content[i]) {
                    throw new AssertionError("invariants 1 and 2: byte " + i + " of the " + content.length
                            + " at " + Long.toHexString(address()) + " is " + found + ", expected " + content[i]);
                }
            }
            checkedBytes.add(content.length);
        }

        void verifyRaw() {
            MemorySegment raw = MemorySegment.ofAddress(address()).reinterpret(content.length);
            new Piece(raw, content).verify();
        }
    }

    /** An open arena in the model. */
    private static final class Open {
        final Arena arena = Arena.ofConfined();
        final List<Piece> pieces = new ArrayList<>();
        boolean throwsAtClose;
    }

    private static final class CleanupException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static final class Worker implements Runnable {
        private final Kind kind;
        private final Random random;
        private final List<Open> arenas = new ArrayList<>();
        private final int mostOpen;

        Worker(Kind kind, long seed) {
            this.kind = kind;
            this.random = new Random(seed);
            this.mostOpen = 1 + random.nextInt(Slots.DEPTH + 8);
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < OPERATIONS && failures.isEmpty(); i++) {
                    step();
                }
                while (!arenas.isEmpty()) {
                    close(arenas.size() - 1);
                }
            } catch (Throwable e) {
                failures.add(new AssertionError(kind + " worker", e));
            }
        }

        private void step() throws Throwable {
            switch (random.nextInt(22)) {
                case 0, 1, 2 -> {
                    if (arenas.size() < mostOpen) {
                        open();
                    }
                }
                case 3, 4, 5, 6, 7, 16, 17, 18, 19 -> {
                    if (!arenas.isEmpty()) {
                        allocate(any());
                    }
                }
                case 8, 9 -> {
                    if (!arenas.isEmpty()) {
                        write(any());
                    }
                }
                case 10 -> {
                    if (!arenas.isEmpty()) {
                        any().pieces.forEach(Piece::verify);
                    }
                }
                case 11 -> {
                    if (!arenas.isEmpty()) {
                        close(arenas.size() - 1);
                    }
                }
                case 12, 13 -> {
                    if (!arenas.isEmpty()) {
                        close(random.nextInt(arenas.size()));
                    }
                }
                case 14 -> intrude();
                case 15 -> {
                    if (!arenas.isEmpty() && random.nextInt(20) == 0) {
                        crowd(any());
                    }
                }
                default -> pause();
            }
        }

        private Open any() {
            return arenas.get(random.nextInt(arenas.size()));
        }

        private void open() {
            Open open = new Open();
            opened.increment();
            if (random.nextInt(8) == 0) {
                addCleanup(open);
            }
            arenas.add(open);
            published.set(random.nextInt(published.length()), open.arena);
        }

        private void addCleanup(Open open) {
            open.throwsAtClose = random.nextInt(4) == 0;
            MemorySegment.NULL.reinterpret(open.arena, ignored -> {
                for (Piece piece : open.pieces) {
                    piece.verifyRaw();
                }
                // The arena is closed but still has its slot, which all of these pass.
                for (int i = random.nextInt(12); i > 0; i--) {
                    Open nested = new Open();
                    opened.increment();
                    add(nested, nested.arena.allocate(8), new byte[8]);
                    if (random.nextInt(8) == 0) {
                        arenas.add(nested);
                    } else {
                        close(nested);
                    }
                }
                if (open.throwsAtClose) {
                    throwingCleanups.increment();
                    throw new CleanupException();
                }
            });
        }

        private void allocate(Open open) throws Throwable {
            if (open.pieces.isEmpty()) {
                firstAllocation(open);
                return;
            }
            int size = size();
            switch (random.nextInt(6)) {
                case 0, 1 -> addZero(open, open.arena.allocate(size));
                case 2 -> {
                    long alignment = 1L << random.nextInt(Integer.numberOfTrailingZeros(Slots.SIZE) + 3);
                    MemorySegment segment = open.arena.allocate(size, alignment);
                    Stress.check(segment.address() % alignment == 0, "not aligned to " + alignment + ": " + segment);
                    addZero(open, segment);
                }
                case 3 -> {
                    byte[] bytes = new byte[size];
                    random.nextBytes(bytes);
                    add(open, open.arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes), bytes);
                }
                case 4 -> {
                    String text = "x".repeat(size);
                    byte[] bytes = Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), size + 1);
                    add(open, open.arena.allocateFrom(text), bytes);
                }
                default -> {
                    MemorySegment segment = (MemorySegment) ALLOCATE_NO_INIT.invokeExact(open.arena, (long) size, 1L);
                    if (size > Slots.MAX_COPIED) {
                        // What malloc gives is not cleared here, so the test does it.
                        segment.fill((byte) 0);
                    }
                    addZero(open, segment);
                }
            }
        }

        /** Takes an arena's first bytes in a way that tells whether they are from a slot. */
        private void firstAllocation(Open open) {
            MemorySegment first = open.arena.allocate(1);
            addZero(open, first);
            MemorySegment second = open.arena.allocate(1);
            addZero(open, second);
            Stress.check(VERIFY || second.address() - first.address() == Slots.GRAIN, "an arena began without a slot");
        }

        /** Makes many small allocations, each with another alignment than the one before. */
        private void crowd(Open open) {
            crowded.increment();
            int alignments = Integer.numberOfTrailingZeros(Slots.SIZE) + 1;
            for (int i = 0; i < 1000; i++) {
                // Large ones are rare, as each may take as much again.
                int shift = i % 50 == 0 ? i / 50 % alignments : i % Math.min(7, alignments);
                MemorySegment segment = open.arena.allocate(1 + random.nextInt(Math.min(40, Slots.SIZE)), 1L << shift);
                Stress.check(segment.address() % (1L << shift) == 0, "not aligned to " + (1L << shift) + ": " + segment);
                addZero(open, segment);
            }
        }

        /** {@return sizes up to beyond what a slot takes, small ones more often} */
        private int size() {
            return switch (random.nextInt(8)) {
                case 0 -> 0;
                case 1 -> random.nextInt(2 * Slots.SIZE);
                case 2, 3 -> random.nextInt(Slots.SIZE) + 1;
                default -> random.nextInt(24);
            };
        }

        private void addZero(Open open, MemorySegment segment) {
            add(open, segment, new byte[(int) segment.byteSize()]);
        }

        private void add(Open open, MemorySegment segment, byte[] content) {
            allocated.increment();
            Piece piece = new Piece(segment, content);
            Stress.check(segment.byteSize() == content.length, "size " + segment.byteSize());
            register(piece);
            piece.verify();
            open.pieces.add(piece);
            if (random.nextInt(4) != 0) {
                write(piece, 0, content.length);
            }
        }

        private void write(Open open) {
            if (open.pieces.isEmpty()) {
                return;
            }
            Piece piece = open.pieces.get(random.nextInt(open.pieces.size()));
            int from = random.nextInt(piece.content.length + 1);
            write(piece, from, from + random.nextInt(piece.content.length - from + 1));
        }

        private void write(Piece piece, int from, int to) {
            for (int i = from; i < to; i++) {
                byte value = (byte) random.nextInt();
                piece.segment.set(ValueLayout.JAVA_BYTE, i, value);
                piece.content[i] = value;
            }
        }

        private void close(int index) {
            close(arenas.remove(index));
        }

        private void close(Open open) {
            open.pieces.forEach(Piece::verify);
            open.pieces.forEach(piece -> live.remove(piece.address()));
            try {
                open.arena.close();
                Stress.check(!open.throwsAtClose, "invariant 6: the exception of a cleanup action was lost");
            } catch (CleanupException e) {
                Stress.check(open.throwsAtClose, "an exception from nowhere");
            }
            Stress.check(!open.arena.scope().isAlive(), "open after close");
            try {
                open.arena.allocate(1);
                throw new AssertionError("allocated from a closed arena");
            } catch (IllegalStateException e) {
                // as it has to be
            }
            try {
                open.arena.close();
                throw new AssertionError("closed a closed arena");
            } catch (IllegalStateException e) {
                // as it has to be
            }
        }

        /** Uses an arena of some other worker, open or closed. */
        private void intrude() {
            Arena arena = published.get(random.nextInt(published.length()));
            if (arena == null || arenas.stream().anyMatch(open -> open.arena == arena)) {
                return;
            }
            boolean close = random.nextBoolean();
            try {
                if (close) {
                    arena.close();
                } else {
                    arena.allocate(1);
                }
                throw new AssertionError("no exception from another thread's arena");
            } catch (WrongThreadException | IllegalStateException e) {
                intrusions.increment(); // the latter when it was this worker's own
            }
        }

        private void pause() throws InterruptedException {
            switch (random.nextInt(kind == Kind.VIRTUAL ? 4 : 50)) {
                default -> Thread.yield();
                case 1 -> LockSupport.parkNanos(1 + ThreadLocalRandom.current().nextInt(20_000));
                case 2 -> Thread.sleep(0, 1);
            }
        }

        private static void register(Piece piece) {
            // Whoever comes second sees the other.
            Stress.check(live.put(piece.address(), piece.end()) == null,
                    "invariant 1: two live allocations at " + Long.toHexString(piece.address()));
            Map.Entry<Long, Long> lower = live.lowerEntry(piece.address());
            Map.Entry<Long, Long> higher = live.higherEntry(piece.address());
            Stress.check((lower == null || lower.getValue() <= piece.address())
                    && (higher == null || higher.getKey() >= piece.end()),
                    "invariant 1: " + piece.segment + " overlaps a live allocation");
        }
    }
}
