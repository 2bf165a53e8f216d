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
 * @summary Verify mode finds writes outside allocations and after close, reports each once, and lets the program go on
 * @modules java.management
 *          jdk.management
 * @build Slots Task NativeMemory VirtualThreads
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED
 *      -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1
 *      -Djdk.foreign.confinedPool.size=64 -Djdk.foreign.confinedPool.depth=16
 *      -Djdk.foreign.confinedPool.verify=true TestConfinedPoolVerify
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED
 *      -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1
 *      -Djdk.foreign.confinedPool.size=4096 -Djdk.foreign.confinedPool.depth=16
 *      -XX:CompileCommand=quiet -XX:CompileCommand=exclude,jdk.internal.foreign.ConfinedBlockVerifier::allocated
 *      -XX:CompileCommand=exclude,java.util.ArrayList::grow
 *      -Djdk.foreign.confinedPool.verify=true TestConfinedPoolVerify
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED
 *      -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1
 *      -Djdk.foreign.confinedPool.size=64 -Djdk.foreign.confinedPool.depth=16
 *      -Djdk.foreign.confinedPool.verify=trace TestConfinedPoolVerify
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:NativeMemoryTracking=summary
 *      --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED
 *      -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1
 *      -Djdk.foreign.confinedPool.size=4096 -Djdk.foreign.confinedPool.depth=16
 *      -Djdk.foreign.confinedPool.verify=trace TestConfinedPoolVerify
 */

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolVerify {

    private static final boolean TRACE = System.getProperty("jdk.foreign.confinedPool.verify").equals("trace");

    /** The bytes of the first slot of a thread, behind the first guard. */
    private static final int FIRST_SIZE = Math.min(Slots.SIZE, Slots.LEAST) - 16;

    private static final String OUTSIDE = "outside its allocations";
    private static final String AFTER_CLOSE = "after it was closed";

    /** What is written where nothing should be: neither zero nor the guard's value. */
    private static final byte STRAY = 0x5A;

    private static final Pattern REPORT = Pattern.compile("A confined arena's memory was written (?<fault>.*): "
            + "at 0x(?<at>[0-9a-f]+), offset (?<offset>-?\\d+) of allocation (?<order>\\d+) of (?<count>\\d+) "
            + "\\((?<size>\\d+) bytes at 0x(?<start>[0-9a-f]+)\\), found (?<found>[0-9a-f]{2}( [0-9a-f]{2})*) "
            + "instead of (?<expected>[0-9a-f]{2}); owner (?<owner>.*); the block is retired");

    // Reports are printed here. One that a test did not ask for makes it fail.

    private final ByteArrayOutputStream captured = new ByteArrayOutputStream();
    private PrintStream err;

    @BeforeEach
    void capture() {
        err = System.err;
        System.setErr(new PrintStream(captured, true));
    }

    @AfterEach
    void checkNothingLeft() {
        System.setErr(err);
        assertEquals("", printed(), "reported without need");
    }

    private String printed() {
        String printed = captured.toString();
        captured.reset();
        return printed;
    }

    /** Kinds of threads. Shared slots are retired for good, so virtual threads are used for few misuses. */
    enum Kind {
        PLATFORM, VIRTUAL;

        /** Runs the action in a thread of this kind, with slots that no other test has retired if that is platform. */
        void run(Task.Action action) {
            try {
                Task.run((this == VIRTUAL ? Thread.ofVirtual() : Thread.ofPlatform()).name("misuser"), action);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void write(long address) {
        Slots.raw(address, 1).set(ValueLayout.JAVA_BYTE, 0, STRAY);
    }

    /** Checks that the error's report was printed, once and with nothing else but the stack that may be asked for. */
    private String reportOf(InternalError error) {
        checkPrinted(error.getMessage(), error.getCause());
        return error.getMessage();
    }

    private void checkPrinted(String report, Throwable opened) {
        StringWriter expected = new StringWriter();
        PrintWriter writer = new PrintWriter(expected);
        writer.println(report);
        if (TRACE) {
            assertNotNull(opened, "no stack that opened the arena");
            opened.printStackTrace(writer);
            assertTrue(Arrays.stream(opened.getStackTrace()).anyMatch(f -> f.getClassName().equals(getClass().getName())),
                    "the test did not open the arena");
        } else {
            assertNull(opened);
        }
        assertEquals(expected.toString(), printed());
    }

    private String close(Arena arena) {
        InternalError error = assertThrows(InternalError.class, arena::close);
        assertFalse(arena.scope().isAlive());
        return reportOf(error);
    }

    /** Checks all that a report says of one stray byte. */
    private static void check(String report, String fault, long at, int order, int count, MemorySegment allocation) {
        Matcher matcher = REPORT.matcher(report);
        assertTrue(matcher.matches(), report);
        assertEquals(fault, matcher.group("fault"), report);
        assertEquals(at, Long.parseUnsignedLong(matcher.group("at"), 16), report);
        assertEquals(at - allocation.address(), Long.parseLong(matcher.group("offset")), report);
        assertEquals(order, Integer.parseInt(matcher.group("order")), report);
        assertEquals(count, Integer.parseInt(matcher.group("count")), report);
        assertEquals(allocation.byteSize(), Long.parseLong(matcher.group("size")), report);
        assertEquals(allocation.address(), Long.parseUnsignedLong(matcher.group("start"), 16), report);
        assertTrue(matcher.group("owner").matches("\"misuser\" #\\d+"), report);
        String[] found = matcher.group("found").split(" ");
        assertTrue(found.length <= 16, report);
        assertEquals("5a", found[0], report);
        for (int i = 1; i < found.length; i++) {
            assertEquals(matcher.group("expected"), found[i], report);
        }
    }

    /** Checks that no arena gets the block, and that the rest works. */
    private void checkRetired(long block) {
        for (long byteSize : new long[] {1, Slots.FITTING}) {
            for (long address : Slots.nest(3 * Slots.DEPTH, byteSize)) {
                assertTrue(address < block || address >= block + 64, "a retired block was used");
            }
        }
        useAll();
        assertEquals("", printed());
    }

    /** Makes the first slot as large as it may be. */
    private static long growSlot() {
        return Slots.nest(1, Slots.FITTING)[0];
    }

    // Writes outside allocations.

    @Test
    void overrunByOneByte() {
        for (int byteSize = 1; byteSize <= Slots.SIZE; byteSize += byteSize < 100 ? 1 : 97) {
            int size = byteSize;
            Kind.PLATFORM.run(() -> {
                Arena arena = Arena.ofConfined();
                MemorySegment segment = arena.allocate(size);
                write(segment.address() + size);
                check(close(arena), OUTSIDE, segment.address() + size, 1, 1, segment);
                checkRetired(segment.address());
            });
        }
    }

    @Test
    void overrunByOneByteWithAllWaysToAllocate() {
        for (int way = 0; way < 3; way++) {
            int which = way;
            Kind.PLATFORM.run(() -> {
                Arena arena = Arena.ofConfined();
                MemorySegment segment = switch (which) {
                    case 0 -> arena.allocate(ValueLayout.JAVA_INT);
                    case 1 -> arena.allocateFrom("overrun");
                    default -> arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 1, (byte) 2, (byte) 3);
                };
                write(segment.address() + segment.byteSize());
                check(close(arena), OUTSIDE, segment.address() + segment.byteSize(), 1, 1, segment);
            });
        }
    }

    @Test
    void overrunOnAVirtualThread() {
        Kind.VIRTUAL.run(() -> {
            Arena arena = Arena.ofConfined();
            MemorySegment segment = arena.allocate(5);
            write(segment.address() + 5);
            check(close(arena), OUTSIDE, segment.address() + 5, 1, 1, segment);
            checkRetired(segment.address());
        });
    }

    /** Before the first allocation of a block. */
    @Test
    void underrunByOneByte() {
        for (int i = 1; i <= 16; i++) {
            int offset = i;
            Kind.PLATFORM.run(() -> {
                Arena arena = Arena.ofConfined();
                MemorySegment segment = arena.allocate(5);
                write(segment.address() - offset);
                check(close(arena), OUTSIDE, segment.address() - offset, 1, 1, segment);
                checkRetired(segment.address() - 16);
            });
            Kind.PLATFORM.run(() -> {
                Arena arena = Arena.ofConfined();
                arena.allocate(Slots.SIZE);
                MemorySegment segment = arena.allocate(Slots.SIZE); // in a further block
                write(segment.address() - offset);
                check(close(arena), OUTSIDE, segment.address() - offset, 1, 1, segment);
            });
        }
    }

    /** Its block has room for the guards. */
    @Test
    void overrunOfAnOverflowBlock() {
        Kind.PLATFORM.run(() -> {
            int most = Slots.mostKept(8) + 10 * Slots.PASSES;
            Slots.nest(most, 8);
            List<Arena> arenas = new ArrayList<>();
            for (int i = 0; i < most; i++) {
                arenas.add(Arena.ofConfined());
                arenas.getLast().allocate(8);
            }
            Arena arena = Arena.ofConfined();
            MemorySegment segment = arena.allocate(5);
            assertEquals(40, Slots.raw(segment.address() - 28, 4).get(ValueLayout.JAVA_INT, 0), "capacity"); // with two guards
            write(segment.address() + 5);
            check(close(arena), OUTSIDE, segment.address() + 5, 1, 1, segment);
            arenas.reversed().forEach(Arena::close);
        });
    }

    /** Each byte between two allocations belongs to a guard. */
    @Test
    void gapBetweenAllocations() {
        int byteSize = Slots.SIZE == 64 ? 1 : 7;
        for (int at = byteSize; ; at++) {
            int offset = at;
            boolean[] done = new boolean[1];
            Kind.PLATFORM.run(() -> {
                growSlot();
                Arena arena = Arena.ofConfined();
                MemorySegment first = arena.allocate(byteSize);
                MemorySegment second = arena.allocate(byteSize);
                assertTrue(second.address() - first.address() < FIRST_SIZE, "not in one slot");
                if (first.address() + offset == second.address()) {
                    done[0] = true;
                    arena.close();
                } else {
                    write(first.address() + offset);
                    check(close(arena), OUTSIDE, first.address() + offset, 1, 2, first);
                }
            });
            if (done[0]) {
                assertTrue(at >= byteSize + 16, "a gap of " + (at - byteSize) + " bytes");
                break;
            }
        }
    }

    /** Reports of writes after the second allocation of several name that one. */
    @Test
    void nearestAllocation() {
        Kind.PLATFORM.run(() -> {
            growSlot();
            Arena arena = Arena.ofConfined();
            MemorySegment first = arena.allocate(7);
            MemorySegment second = arena.allocate(9);
            assertTrue(second.address() - first.address() < FIRST_SIZE, "not in one slot");
            write(second.address() + 9);
            check(close(arena), OUTSIDE, second.address() + 9, 2, 2, second);
        });
    }

    /** More allocations than the mode has room for at first. */
    @Test
    void manyAllocations() {
        Assumptions.assumeTrue(Slots.SIZE >= 4096, "needs a large slot");
        for (int i = 0; i < 20; i++) {
            int misused = i;
            Kind.PLATFORM.run(() -> {
                growSlot();
                Arena arena = Arena.ofConfined();
                List<MemorySegment> segments = new ArrayList<>();
                for (int size = 1; size <= 20; size++) {
                    segments.add(arena.allocate(size));
                }
                MemorySegment segment = segments.get(misused);
                write(segment.address() + segment.byteSize());
                check(close(arena), OUTSIDE, segment.address() + segment.byteSize(), misused + 1, 20, segment);
            });
        }
    }

    /** What an allocation is padded with to be aligned is guarded, before the first allocation too. */
    @Test
    void paddingOfAlignedAllocation() {
        Assumptions.assumeTrue(Slots.SIZE >= 4096, "needs a large slot");
        for (long at : new long[] {-1, -2, -16, -100}) {
            Kind.PLATFORM.run(() -> {
                growSlot();
                Arena arena = Arena.ofConfined();
                MemorySegment first = arena.allocate(1);
                long alignment = 256;
                if ((first.address() + 32) % alignment > alignment - 128) {
                    arena.allocate(128); // leaves enough to pad
                }
                MemorySegment before = arena.allocate(1);
                MemorySegment aligned = arena.allocate(8, alignment);
                assertEquals(0, aligned.address() % alignment);
                long stray = aligned.address() + at;
                assertTrue(stray > before.address(), "padding of " + (aligned.address() - before.address()));
                write(stray);
                Matcher report = REPORT.matcher(close(arena));
                assertTrue(report.matches());
                int order = Integer.parseInt(report.group("count")) - 1;
                check(report.group(), OUTSIDE, stray, order, order + 1, before);
                checkRetired(first.address());
            });
        }
    }

    /** A guard is before the first allocation, so this one needs padding wherever the slot is. */
    @Test
    void paddingOfFirstAllocation() {
        Assumptions.assumeTrue(Slots.SIZE >= 4096, "needs a large slot");
        Kind.PLATFORM.run(() -> {
            long slot = Slots.nest(1, Slots.FITTING)[0];
            Arena arena = Arena.ofConfined();
            MemorySegment segment = arena.allocate(256, 256);
            assertTrue(segment.address() > slot && segment.address() < slot + 256, "not in the slot");
            write(slot);
            check(close(arena), OUTSIDE, slot, 1, 1, segment);
        });
    }

    /** Bytes of the slot beyond the last guard are still zero, and watched to the end. */
    @Test
    void beyondLastAllocation() {
        LongStream.range(17, FIRST_SIZE).forEach(offset -> Kind.PLATFORM.run(() -> {
            Arena arena = Arena.ofConfined();
            MemorySegment segment = arena.allocate(1);
            write(segment.address() + offset);
            check(close(arena), OUTSIDE, segment.address() + offset, 1, 1, segment);
            checkRetired(segment.address());
        }));
    }

    /** Regular allocations of the same arena are not counted. */
    @Test
    void withRegularAllocations() {
        Kind.PLATFORM.run(() -> {
            Arena arena = Arena.ofConfined();
            arena.allocate(2 * Slots.SIZE).fill(STRAY);
            MemorySegment segment = arena.allocate(3);
            arena.allocate(2 * Slots.SIZE).fill(STRAY);
            write(segment.address() + 3);
            check(close(arena), OUTSIDE, segment.address() + 3, 1, 1, segment);
        });
    }

    /** The blocks in which an arena goes on when its slot is full are guarded, too, and all are retired. */
    @ParameterizedTest
    @EnumSource
    void laterBlocks(Kind kind) {
        for (int stray = Slots.FITTING; stray < Slots.FITTING + 16; stray += 5) {
            for (int misused = 0; misused < 3; misused++) {
                int offset = stray;
                int which = misused;
                kind.run(() -> {
                    Arena arena = Arena.ofConfined();
                    MemorySegment[] segments = new MemorySegment[3];
                    MemorySegment slot = arena.allocate(1);
                    for (int i = 0; i < 3; i++) {
                        segments[i] = arena.allocate(Slots.FITTING, 64);
                        arena.allocate(Slots.FITTING);
                        Slots.checkZero(segments[i], "new segment");
                        segments[i].fill(STRAY);
                    }
                    MemorySegment segment = segments[which];
                    write(segment.address() + offset);
                    Matcher report = REPORT.matcher(close(arena));
                    assertTrue(report.matches());
                    check(report.group(), OUTSIDE, segment.address() + offset, Integer.parseInt(report.group("order")),
                            Integer.parseInt(report.group("count")), segment);
                    checkRetired(segment.address());
                    checkRetired(slot.address());
                });
            }
        }
    }

    /** The guard, and what the slot has beyond it. */
    @Test
    void slotOfAnArenaWithLaterBlocks() {
        for (int offset : new int[] {1, 17, FIRST_SIZE - 1}) {
            Kind.PLATFORM.run(() -> {
                Arena arena = Arena.ofConfined();
                MemorySegment segment = arena.allocate(1);
                MemorySegment later = arena.allocate(Slots.FITTING);
                assertTrue(Math.abs(later.address() - segment.address()) >= FIRST_SIZE, "in one block");
                write(segment.address() + offset);
                check(close(arena), OUTSIDE, segment.address() + offset, 1, 1, segment);
                checkRetired(segment.address());
                checkRetired(later.address());
            });
        }
    }

    /** Also where close would clear no more of the slot without this mode. */
    @Test
    void slotThatHasGrownOfAnArenaWithLaterBlocks() {
        Kind.PLATFORM.run(() -> {
            growSlot();
            Arena arena = Arena.ofConfined();
            MemorySegment segment = arena.allocate(17);
            MemorySegment later = arena.allocate(Slots.SIZE);
            assertTrue(Math.abs(later.address() - segment.address()) >= 128, "in one block");
            write(segment.address() + 80);
            check(close(arena), OUTSIDE, segment.address() + 80, 1, 1, segment);
        });
    }

    @Test
    void underrunInLaterBlock() {
        Kind.PLATFORM.run(() -> {
            Arena arena = Arena.ofConfined();
            arena.allocate(Slots.FITTING);
            MemorySegment before = arena.allocate(64);
            MemorySegment segment = arena.allocate(1);
            assertTrue(Math.abs(segment.address() - before.address()) < 128, "not in one block");
            write(segment.address() - 1);
            check(close(arena), OUTSIDE, segment.address() - 1, 1, 2, before);
            checkRetired(before.address());
        });
    }

    /** Of many stray bytes, one report shows the first ones. */
    @Test
    void oneReportForManyBytes() {
        Kind.PLATFORM.run(() -> {
            Arena arena = Arena.ofConfined();
            MemorySegment segment = arena.allocate(1);
            for (int offset = 1; offset < FIRST_SIZE; offset++) {
                write(segment.address() + offset);
            }
            Matcher report = REPORT.matcher(close(arena));
            assertTrue(report.matches());
            assertEquals("5a ".repeat(16).strip(), report.group("found"));
            assertEquals("1", report.group("offset"));
            arena = Arena.ofConfined();
            arena.allocate(1);
            arena.close();
        });
    }

    // Writes after close.

    @ParameterizedTest
    @EnumSource
    void afterCloseAtNextAcquisition(Kind kind) {
        for (long offset : new long[] {-16, 0, 3, 8, FIRST_SIZE - 1}) {
            kind.run(() -> {
                Arena closed = Arena.ofConfined();
                MemorySegment segment = closed.allocate(8);
                closed.close();
                write(segment.address() + offset);
                Arena arena = Arena.ofConfined();
                String report = reportOf(assertThrows(InternalError.class, () -> arena.allocate(3)));
                check(report, AFTER_CLOSE, segment.address() + offset, 1, 1, segment);
                // The arena that happened to find it can be used and closed.
                MemorySegment next = arena.allocate(3);
                assertNotEquals(segment.address(), next.address());
                next.fill(STRAY);
                checkRetired(segment.address());
                arena.close();
                checkRetired(segment.address());
            });
        }
    }

    /** The arena named is the one that was closed, also with several allocations. */
    @Test
    void afterCloseNamesAllocation() {
        Kind.PLATFORM.run(() -> {
            growSlot();
            Arena closed = Arena.ofConfined();
            MemorySegment first = closed.allocate(4);
            MemorySegment second = closed.allocate(6);
            assertTrue(second.address() - first.address() < FIRST_SIZE, "not in one slot");
            closed.close();
            write(second.address() + 2);
            try (Arena arena = Arena.ofConfined()) {
                String report = reportOf(assertThrows(InternalError.class, () -> arena.allocate(1)));
                check(report, AFTER_CLOSE, second.address() + 2, 2, 2, second);
            }
        });
    }

    @Test
    void afterCloseInASlotThatHasGrown() {
        Kind.PLATFORM.run(() -> {
            Arena closed = Arena.ofConfined();
            closed.allocate(Slots.SIZE == 64 ? 1 : 8);
            closed.allocate(Slots.FITTING);
            closed.close();
            long slot = Slots.nest(1, 1)[0];
            long stray = slot + Math.max(FIRST_SIZE, Slots.FITTING) - 1;
            write(stray);
            try (Arena arena = Arena.ofConfined()) {
                InternalError error = assertThrows(InternalError.class, () -> arena.allocate(1));
                assertTrue(reportOf(error).contains(AFTER_CLOSE + ": at 0x" + Long.toHexString(stray)));
            }
            checkRetired(slot);
        });
    }

    /** No arena has had the slot before. */
    @Test
    void afterCloseInASlotThatReplacedOthers() {
        long[] stray = new long[1];
        Kind.PLATFORM.run(() -> {
            stray[0] = replace() + 5;
            write(stray[0]);
            try (Arena arena = Arena.ofConfined()) {
                InternalError error = assertThrows(InternalError.class, () -> arena.allocate(1));
                assertEquals(reportWithoutOwner(stray[0]), error.getMessage());
                assertEquals(error.getMessage(), printed().strip());
            }
            checkRetired(stray[0]);
        });
        Kind.PLATFORM.run(() -> {
            stray[0] = replace() + 5;
            write(stray[0]);
        });
        assertEquals(reportWithoutOwner(stray[0]), printed().strip());
    }

    private static String reportWithoutOwner(long at) {
        return "A confined arena's memory was written " + AFTER_CLOSE + ": at 0x" + Long.toHexString(at)
                + ", found 5a" + " 00".repeat(15) + " instead of 00; the block is retired";
    }

    /** {@return the resident slot, which has just replaced the blocks of an arena} */
    private static long replace() throws ReflectiveOperationException {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(Slots.SIZE == 64 ? 1 : 8);
            arena.allocate(Slots.FITTING);
        }
        Class<?> poolClass = Class.forName("jdk.internal.foreign.ConfinedSlotPool");
        Method of = poolClass.getDeclaredMethod("of", Thread.class);
        of.setAccessible(true);
        Field resident = poolClass.getDeclaredField("resident");
        resident.setAccessible(true);
        return resident.getLong(of.invoke(null, Thread.currentThread()));
    }

    /** The error does not need a stream on which it is reported. */
    @Test
    void withoutStream() {
        checkErrorsWith(null);
    }

    /** Nor one that works. */
    @Test
    void streamThatFails() {
        checkErrorsWith(new PrintStream(captured) {
            @Override
            public void println(String report) {
                throw new AssertionError(report);
            }
        });
    }

    private static void checkErrorsWith(PrintStream stream) {
        System.setErr(stream);
        Kind.PLATFORM.run(() -> {
            writeAfterClose();
            assertThrows(InternalError.class, () -> Slots.nest(1, 8));
            assertThrows(InternalError.class, () -> {
                try (Arena arena = Arena.ofConfined()) {
                    write(arena.allocate(8).address() + 8);
                }
            });
        });
    }

    /** Nor does the end of a thread, which frees all slots. */
    @Test
    void withoutStreamAtEndOfThread() {
        long before = NativeMemory.allocated();
        System.setErr(null);
        Kind.PLATFORM.run(() -> Arrays.stream(Slots.nest(3, 8)).forEach(TestConfinedPoolVerify::write));
        assertEquals(before, NativeMemory.allocated());
    }

    /** A slot that a virtual thread frees is reported while the thread can yield. */
    @Test
    void streamThatYields() throws InterruptedException {
        Assumptions.assumeTrue(Slots.SIZE >= 4096, "keeps large slots");
        List<Thread> carriers = new CopyOnWriteArrayList<>();
        boolean[] yielded = new boolean[1];
        System.setErr(new PrintStream(captured, true) {
            @Override
            public void println(String report) {
                int before = carriers.size();
                Thread.yield();
                yielded[0] |= carriers.size() > before;
                super.println(report);
            }
        });
        int most = Slots.mostKept(1020); // guards included
        Task.run(VirtualThreads.scheduledBy(VirtualThreads.onNewCarriers(carriers)).name("misuser"), () -> {
            long[] slots = Slots.nest(most + 1, 1020); // the outermost finds no room
            Arrays.stream(slots).skip(1).forEach(TestConfinedPoolVerify::write);
            Slots.nest(1, 300); // frees one of them
        });
        assertTrue(yielded[0], "pinned");
        VirtualThreads.join(carriers);
        assertEquals(most, printed().lines().filter(l -> REPORT.matcher(l).matches()).count());
    }

    @Test
    void afterCloseAtEndOfThread() {
        MemorySegment[] written = new MemorySegment[1];
        Kind.PLATFORM.run(() -> {
            written[0] = writeAfterClose();
            assertEquals("", printed());
        });
        checkOnlyPrinted(written[0]);
    }

    /** Arenas do not wait for the one lock of all threads: else what runs virtual threads could wait for one that it has to run. */
    @Test
    void withoutLockOfTraces() throws Exception {
        Assumptions.assumeFalse(TRACE, "needs that lock");
        Field opened = Class.forName("jdk.internal.foreign.ConfinedBlockVerifier").getDeclaredField("OPENED");
        opened.setAccessible(true);
        Thread user = new Thread(() -> Slots.nest(3, 1));
        synchronized (opened.get(null)) {
            user.start();
            user.join(60_000);
            assertFalse(user.isAlive(), "an arena waits");
        }
    }

    /** The slots that virtual threads have used are freed when the carrier ends. */
    @Test
    void afterCloseAtEndOfCarrier() throws InterruptedException {
        List<Thread> carriers = new CopyOnWriteArrayList<>();
        MemorySegment[] written = new MemorySegment[1];
        VirtualThreads.scheduledBy(VirtualThreads.onNewCarriers(carriers)).name("misuser")
                .start(() -> {
                    Slots.openFirst();
                    written[0] = writeAfterClose();
                }).join();
        VirtualThreads.join(carriers);
        checkOnlyPrinted(written[0]);
    }

    /** {@return an allocation of a closed arena, whose byte 5 was written to afterwards} */
    private static MemorySegment writeAfterClose() {
        Arena closed = Arena.ofConfined();
        MemorySegment segment = closed.allocate(8);
        closed.close();
        write(segment.address() + 5);
        return segment;
    }

    /** Checks that byte 5 was reported, and nothing thrown. There may be a stack after the report. */
    private void checkOnlyPrinted(MemorySegment segment) {
        List<String> lines = printed().lines().toList();
        assertFalse(lines.isEmpty(), "nothing was reported");
        check(lines.getFirst(), AFTER_CLOSE, segment.address() + 5, 1, 1, segment);
        checkTail(lines.subList(1, lines.size()));
    }

    @Test
    void afterCloseAtEndOfThreadInEachSlot() {
        Kind.PLATFORM.run(() -> {
            long[] slots = Slots.nest(Slots.DEPTH, 8);
            Arrays.stream(slots).forEach(TestConfinedPoolVerify::write);
        });
        assertEquals(Slots.DEPTH, printed().lines().filter(l -> REPORT.matcher(l).matches()).count());
    }

    /** Those of the free lists, too. */
    @Test
    void afterCloseAtEndOfThreadInListedSlots() {
        Assumptions.assumeTrue(Slots.SIZE >= 4096, "keeps large slots");
        Kind.PLATFORM.run(() ->
                Arrays.stream(Slots.nest(Slots.DEPTH + 5, 1000)).forEach(TestConfinedPoolVerify::write));
        assertEquals(Slots.DEPTH + 5, printed().lines().filter(l -> REPORT.matcher(l).matches()).count());
    }

    /** A standard error stream may open arenas when it prints, and wait for threads that do. */
    @ParameterizedTest
    @EnumSource
    void streamThatOpensArenas(Kind kind) {
        System.setErr(new PrintStream(captured, true) {
            @Override
            public void println(Object report) {
                openArenas();
                Kind.PLATFORM.run(TestConfinedPoolVerify::openArenas);
                super.println(report);
            }

            @Override
            public void println(String report) {
                println((Object) report);
            }
        });
        kind.run(() -> {
            Arena arena = Arena.ofConfined();
            MemorySegment segment = arena.allocate(8);
            write(segment.address() + 8);
            check(close(arena), OUTSIDE, segment.address() + 8, 1, 1, segment);
            // Until another slot is resident in place of the retired one, so that the next two arenas use that.
            for (int i = 0; i < 3 + Slots.SIZE / 64; i++) {
                Slots.nest(1, 8);
            }
            MemorySegment closed = writeAfterClose();
            String report = reportOf(assertThrows(InternalError.class, () -> Slots.nest(1, 8)));
            check(report, AFTER_CLOSE, closed.address() + 5, 1, 1, closed);
            checkRetired(segment.address());
            checkRetired(closed.address());
        });
        Kind.PLATFORM.run(TestConfinedPoolVerify::writeAfterClose);
        assertEquals(1, printed().lines().filter(l -> REPORT.matcher(l).matches()).count());
    }

    private static void openArenas() {
        for (long address : Slots.nest(3, 8)) {
            assertNotEquals(0, address);
        }
    }

    private void checkTail(List<String> lines) {
        if (TRACE) {
            assertFalse(lines.isEmpty(), "no stack that opened the arena");
            assertTrue(lines.stream().allMatch(l -> l.startsWith("java.lang.Throwable") || l.startsWith("\tat ")));
            assertTrue(lines.stream().anyMatch(l -> l.contains(getClass().getName())));
        } else {
            assertEquals(List.of(), lines);
        }
    }

    // Errors.

    private static RuntimeException actionThatThrows(Arena arena) {
        RuntimeException thrown = new IllegalArgumentException("from a cleanup action");
        MemorySegment.NULL.reinterpret(arena, segment -> {
            throw thrown;
        });
        return thrown;
    }

    @ParameterizedTest
    @EnumSource
    void cleanupActionThatThrows(Kind kind) {
        kind.run(() -> {
            Arena arena = Arena.ofConfined();
            actionThatThrows(arena);
            MemorySegment segment = arena.allocate(2);
            write(segment.address() + 2);
            InternalError error = assertThrows(InternalError.class, arena::close);
            check(reportOf(error), OUTSIDE, segment.address() + 2, 1, 1, segment);
            checkRetired(segment.address());
        });
    }

    @Test
    void cleanupActionThatThrowsInCorrectProgram() {
        Kind.PLATFORM.run(() -> {
            long slot = growSlot();
            Arena arena = Arena.ofConfined();
            RuntimeException thrown = actionThatThrows(arena);
            long address = arena.allocate(2).address();
            assertSame(thrown, assertThrows(RuntimeException.class, arena::close));
            assertEquals(0, thrown.getSuppressed().length);
            if (Slots.SIZE != 64) {
                assertEquals(slot, address);
            }
            assertEquals(address, Slots.nest(1, 1)[0], "the slot was not returned");
        });
    }

    /** Cleanup actions may still write to the arena's allocations, and are watched when they miss them. */
    @Test
    void cleanupActionThatWrites() {
        Kind.PLATFORM.run(() -> {
            Arena arena = Arena.ofConfined();
            MemorySegment segment = arena.allocate(2);
            MemorySegment.NULL.reinterpret(arena, s -> write(segment.address() + 1));
            arena.close();
            assertEquals("", printed());

            Arena bad = Arena.ofConfined();
            MemorySegment missed = bad.allocate(2);
            MemorySegment.NULL.reinterpret(bad, s -> write(missed.address() + 2));
            check(close(bad), OUTSIDE, missed.address() + 2, 1, 1, missed);
        });
    }

    /** A program may go on when more slots are retired than a thread keeps. */
    @Test
    void goesOnWhenManyAreRetired() {
        Kind.PLATFORM.run(() -> {
            List<Long> retired = new ArrayList<>();
            for (int i = 0; i < 3 * Slots.DEPTH; i++) {
                Arena arena = Arena.ofConfined();
                MemorySegment segment = arena.allocate(1);
                assertFalse(retired.contains(segment.address()), "a retired slot was used");
                retired.add(segment.address());
                write(segment.address() + 1);
                check(close(arena), OUTSIDE, segment.address() + 1, 1, 1, segment);
            }
            retired.forEach(this::checkRetired);
        });
    }

    /** Only the slot that was hit is retired. */
    @Test
    void retiresOneSlot() {
        Kind.PLATFORM.run(() -> {
            Arena outer = Arena.ofConfined();
            MemorySegment kept = outer.allocate(1);
            Arena inner = Arena.ofConfined();
            MemorySegment lost = inner.allocate(1);
            write(lost.address() + 1);
            check(close(inner), OUTSIDE, lost.address() + 1, 1, 1, lost);
            outer.close();
            assertEquals(kept.address(), Slots.nest(1, 1)[0], "the wrong slot was retired");
        });
    }

    // The stack that opened the arena.

    private static Arena openHere() {
        return Arena.ofConfined();
    }

    private static MemorySegment allocateThere(Arena arena) {
        return arena.allocate(1);
    }

    private static boolean contains(Throwable opened, String method) {
        return Arrays.stream(opened.getStackTrace()).anyMatch(f -> f.getMethodName().equals(method));
    }

    private static void checkOpened(InternalError error) {
        if (TRACE) {
            assertTrue(contains(error.getCause(), "openHere"), "where the arena was opened");
            assertFalse(contains(error.getCause(), "allocateThere"), "where the slot was taken");
        } else {
            assertNull(error.getCause());
        }
    }

    @ParameterizedTest
    @EnumSource
    void openingStack(Kind kind) {
        kind.run(() -> {
            Arena arena = openHere();
            MemorySegment segment = allocateThere(arena);
            write(segment.address() + 1);
            InternalError error = assertThrows(InternalError.class, arena::close);
            checkOpened(error);
            check(reportOf(error), OUTSIDE, segment.address() + 1, 1, 1, segment);
        });
    }

    @Test
    void openingStackOfTheClosedArena() {
        Kind.PLATFORM.run(() -> {
            Arena closed = openHere();
            MemorySegment segment = allocateThere(closed);
            closed.close();
            write(segment.address());
            try (Arena arena = Arena.ofConfined()) {
                InternalError error = assertThrows(InternalError.class, () -> allocateThere(arena));
                checkOpened(error);
                check(reportOf(error), AFTER_CLOSE, segment.address(), 1, 1, segment);
            }
        });
    }

    /** The stack is kept no longer than the arena. */
    @Test
    void openingStackOfAnArenaThatIsCollected() {
        Assumptions.assumeTrue(TRACE, "keeps stacks");
        WeakReference<?> scope = new WeakReference<>(openHere().scope());
        for (int i = 0; i < 100 && scope.get() != null; i++) {
            System.gc();
        }
        assertNull(scope.get(), "the arena is not collected");
    }

    // Correct programs.

    /** With its padding and its guard, such an allocation is larger than the largest slot. */
    @Test
    void alignedAllocationsThatNoSlotHolds() {
        Kind.PLATFORM.run(() -> {
            long before = NativeMemory.allocated();
            try (Arena outer = Arena.ofConfined(); Arena inner = Arena.ofConfined()) {
                outer.allocate(Slots.SIZE, 64);
                inner.allocate(Slots.SIZE, 64);
            }
            assertEquals(before, NativeMemory.allocated());
        });
    }

    /** Allocates all sizes and writes each byte, in nested arenas that are closed in some order. */
    private static void useAll() {
        int step = Slots.SIZE == 64 ? 1 : 61;
        List<Arena> arenas = new ArrayList<>();
        for (int byteSize = 0; byteSize <= Slots.SIZE + 1; byteSize += step) {
            Arena arena = Arena.ofConfined();
            arenas.add(arena);
            for (long alignment : new long[] {1, 16, 64}) {
                MemorySegment segment = arena.allocate(byteSize, alignment);
                Slots.checkZero(segment, "new segment");
                segment.fill(STRAY);
            }
            arena.allocateFrom("x".repeat(byteSize % 10));
            if (arenas.size() > Slots.DEPTH / 2) {
                arenas.remove(byteSize % arenas.size()).close();
            }
        }
        arenas.forEach(Arena::close);
    }

    @ParameterizedTest
    @EnumSource
    void correctPrograms(Kind kind) {
        kind.run(() -> {
            for (int i = 0; i < 5; i++) {
                useAll();
                for (int byteSize = 0; byteSize <= Slots.SIZE; byteSize++) {
                    try (Arena arena = Arena.ofConfined()) {
                        MemorySegment segment = arena.allocate(byteSize);
                        Slots.checkZero(segment, "new segment");
                        segment.fill(STRAY);
                    }
                }
            }
        });
    }

    /**
     * After an allocation during which the stack overflowed the memory is zero, and there is nothing to report. One run does not
     * compile two methods, so that the stack overflows between the writing of guards and the end of the method that writes them.
     */
    @Test
    void stackOverflow() throws InterruptedException {
        int[] overflows = new int[1];
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 36; i++) {
            int frames = i;
            Thread thread = new Thread(null, () -> {
                Slots.openFirst();
                growSlot();
                for (int depth = 200; overflows[0] < 5 * (frames + 1); depth++) {
                    overflows[0] += overflows(frames, depth) ? 1 : 0;
                }
            }, "misuser", 200 << 10);
            thread.setUncaughtExceptionHandler((_, failure) -> failures.add(failure));
            thread.start();
            thread.join();
        }
        assertEquals(List.of(), failures);
    }

    private static boolean overflows(int frames, int depth) {
        boolean overflows = false;
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < 10; i++) {
                arena.allocate(1); // the list of allocations has no room for more
            }
            try {
                allocate(arena, frames % 6, frames / 6, depth);
            } catch (StackOverflowError e) {
                overflows = true;
            }
            MemorySegment segment = arena.allocate(8);
            Slots.checkZero(segment, "new segment");
            segment.fill(STRAY);
        }
        return overflows;
    }

    // Frames of different sizes, so that the stack ends at different places.
    private static long allocate(Arena arena, int small, int large, int depth) {
        return small > 0 ? allocate(arena, small - 1, large, depth) + 1
                : large > 0 ? allocate(arena, large - 1, depth, 1, 2, 3, 4) : allocate(arena, depth);
    }

    private static long allocate(Arena arena, int large, int depth, long a, long b, long c, long d) {
        return large > 0 ? allocate(arena, large - 1, depth, b, c, d, a) + a * b - c * d : allocate(arena, depth);
    }

    private static long allocate(Arena arena, int depth) {
        return depth > 0 ? allocate(arena, depth - 1) : arena.allocate(1).address();
    }

    /** A thread's own description of itself may open arenas. */
    @Test
    void threadThatOpensArenasInToString() throws InterruptedException {
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        Thread thread = new Thread(() -> Slots.nest(Slots.WITHOUT_POOL + 4, 1)) {
            @Override
            public String toString() {
                return "thread " + Slots.nest(2, 1)[0];
            }
        };
        thread.setUncaughtExceptionHandler((_, failure) -> failures.add(failure));
        thread.start();
        thread.join();
        assertEquals(List.of(), failures);
    }

    /** A thread that ends while one of its arenas is open is no misuse. */
    @Test
    void threadThatLeavesAnArenaOpen() {
        Kind.PLATFORM.run(() -> Arena.ofConfined().allocate(8).fill(STRAY));
    }

    /** Virtual threads that are parked while they hold a slot. */
    @Test
    void correctVirtualThreads() throws InterruptedException {
        List<Task> tasks = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            tasks.add(Task.start(Thread.ofVirtual(), () -> {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment segment = arena.allocate(24);
                    Thread.yield();
                    Slots.checkZero(segment, "new segment");
                    segment.fill(STRAY);
                    Thread.sleep(1);
                }
            }));
        }
        Task.join(tasks);
    }
}
