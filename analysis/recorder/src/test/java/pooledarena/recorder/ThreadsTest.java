/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import com.sun.management.ThreadMXBean;
import jdk.internal.access.SharedSecrets;
import org.junit.jupiter.api.Test;
import pooledarena.histogram.Closing;
import pooledarena.recorder.Rows.Row;
import pooledarena.recorder.Threads.Arenas;
import pooledarena.recorder.hook.ArenaHook;

import java.lang.management.ManagementFactory;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ThreadsTest {

    private final Threads threads = new Threads(new Memory(1000));
    private final Arenas thread = threads.get();
    private final Arenas virtual = threads.new Arenas(Thread.ofVirtual().unstarted(() -> { }), 1);
    private final List<Object> arenas = new ArrayList<>();

    @Test
    void whichThread() throws InterruptedException {
        assertSame(thread, threads.get());
        assertEquals(0, thread.virtual);
        assertEquals(1, virtual.virtual);
        List<Arenas> others = new ArrayList<>();
        Thread other = new Thread(() -> others.addAll(List.of(threads.get(), threads.get())));
        other.start();
        other.join();
        assertNotSame(thread, others.get(0));
        assertSame(others.get(0), others.get(1));
    }

    /** A virtual thread is given the carrier that it runs on now. */
    @Test
    void whichCarrier() throws InterruptedException {
        Map<Thread, Arenas> carriers = new ConcurrentHashMap<>();
        List<Object> wrong = new CopyOnWriteArrayList<>();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(Thread.startVirtualThread(() -> {
                for (int round = 0; round < 200; round++) {
                    Arenas carrier = threads.get().carrier;
                    Arenas before = carriers.putIfAbsent(SharedSecrets.getJavaLangAccess().currentCarrierThread(), carrier);
                    if (before != null && before != carrier || carrier.virtual == 1) {
                        wrong.add(carrier);
                    }
                    Thread.yield();
                }
            }));
        }
        for (Thread each : all) {
            each.join();
        }
        assertEquals(List.of(), wrong);
    }

    /** One that has moved is given the carrier that it has moved to. A JVM with one carrier moves none. */
    @Test
    void whichCarrierAfterAMove() throws InterruptedException {
        AtomicBoolean moved = new AtomicBoolean();
        List<Arenas> carriers = new ArrayList<>();
        Thread.startVirtualThread(() -> {
            Thread first = SharedSecrets.getJavaLangAccess().currentCarrierThread();
            long limit = System.nanoTime() + 5_000_000_000L;
            BooleanSupplier stays = () -> SharedSecrets.getJavaLangAccess().currentCarrierThread() == first && System.nanoTime() < limit;
            carriers.add(threads.get().carrier);
            while (stays.getAsBoolean()) {
                Thread.startVirtualThread(() -> {
                    while (!moved.get() && stays.getAsBoolean()) {
                        Thread.onSpinWait(); // keeps the first carrier from the one that is to move
                    }
                });
                Thread.yield();
            }
            moved.set(SharedSecrets.getJavaLangAccess().currentCarrierThread() != first);
            carriers.add(threads.get().carrier);
        }).join();
        assertEquals(moved.get(), carriers.get(0) != carriers.get(1));
    }

    /** Whichever of many is closed next is found, and none that has ended. */
    @Test
    void findsWhatIsOpen() {
        Threads many = new Threads(new Memory(1 << 20));
        Arenas all = many.get();
        Random random = new Random(1);
        List<OpenArena> open = new ArrayList<>();
        List<Object> opened = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            boolean opens = open.isEmpty() || random.nextInt(10) < (i / 3000 % 2 == 0 ? 6 : 4);
            if (opens) {
                open.add(open(all, all));
                opened.add(arenas.getLast());
            } else {
                int at = switch (random.nextInt(3)) {
                    case 0 -> 0;
                    case 1 -> open.size() - 1;
                    default -> random.nextInt(open.size());
                };
                assertSame(open.get(at), all.find(opened.get(at)));
                open.remove(at).ended = true;
                assertNull(all.find(opened.remove(at)));
            }
        }
        for (int i = 0; i < open.size(); i++) {
            assertSame(open.get(i), all.find(opened.get(i)));
        }
    }

    /** A virtual thread gives back what it takes to find arenas in any order. */
    @Test
    void memoryToFindThem() {
        Memory memory = new Memory(1 << 20);
        Threads many = new Threads(memory);
        Arenas held = many.new Arenas(Thread.ofVirtual().unstarted(() -> { }), 1);
        for (int round = 0; round < 3; round++) {
            arenas.clear();
            List<OpenArena> open = openMany(held, 1000);
            for (int i = 0; i < 1000; i++) {
                assertSame(open.get(i * 7 % 1000), held.find(arenas.get(i * 7 % 1000)));
            }
            open.forEach(record -> record.ended = true);
            held.shrink();
            assertTrue(memory.take(1 << 20, 0), "all was given back");
            memory.give(1 << 20);
        }
    }

    /** What a virtual thread gives back when its last arena is closed costs the others nothing. */
    @Test
    void closingOneOfMany() {
        Arenas held = new Threads(new Memory(1 << 20)).new Arenas(Thread.ofVirtual().unstarted(() -> { }), 1);
        List<OpenArena> open = openMany(held, 1000);
        long bytes = allocatedBy(() -> {
            for (OpenArena record : open.reversed()) {
                record.ended = true;
                held.shrink();
            }
            for (int i = 0; i < 10_000; i++) {
                held.shrink(); // there is nothing left to give back
            }
        });
        assertTrue(bytes < 100_000, bytes + " bytes allocated"); // a list for each would be 2 MB
    }

    /** All are used in the order in which they were opened: each is found beside the one before. */
    @Test
    void findingThemInOrder() {
        Arenas held = new Threads(new Memory(1 << 20)).get();
        List<OpenArena> open = openMany(held, 1000);
        long bytes = allocatedBy(() -> {
            for (int i = 0; i < 1000; i++) {
                assertSame(open.get(i), held.find(arenas.get(i)));
            }
        });
        assertTrue(bytes < 10_000, bytes + " bytes allocated"); // an index takes 16 KB
    }

    /** Arenas are opened and closed beside many that stay open: the index of all is seldom built anew. */
    @Test
    void shortOnesBesideMany() {
        Arenas held = new Threads(new Memory(1 << 20)).get();
        List<OpenArena> open = openMany(held, 1000);
        long bytes = allocatedBy(() -> {
            for (int i = 0; i < 10_000; i++) {
                OpenArena inner = open(held, held);
                assertSame(open.get(i * 7 % 900), held.find(arenas.get(i * 7 % 900)));
                inner.ended = true;
            }
        });
        assertTrue(bytes < 20_000_000, bytes + " bytes allocated"); // an index for each would be 160 MB
    }

    /** What finds them is part of what the records take: it needs no further memory. */
    @Test
    void noMemoryToFindThem() {
        Memory memory = new Memory(1 << 20);
        Arenas held = new Threads(memory).get();
        List<OpenArena> open = openMany(held, 1000);
        long left = 1 << 20;
        while (!memory.take(left, 0)) {
            left--;
        }
        for (int i = 0; i < 1000; i++) {
            assertSame(open.get(i * 7 % 1000), held.find(arenas.get(i * 7 % 1000)));
        }
    }

    /** Whatever failed where the stack was full, what is open is found. Compiled by C1, as it depends on the frames what can fail. */
    @Test
    void foundAfterTheStackWasFull() throws Exception {
        assertEquals("0 were not found, 0 later\n", MemoryTest.printed(FullStack.class, "-Xcomp", "-XX:TieredStopAtLevel=1"));
    }

    /** Seeks an arena, and opens some, where the stack is full and up to 100 calls away from there. */
    static final class FullStack {

        public static void main(String[] args) {
            missed(); // loads what is needed
            System.out.println(missed());
        }

        private static String missed() {
            ThreadsTest test = new ThreadsTest();
            Arenas all = new Threads(new Memory(1 << 20)).get();
            test.openMany(all, 300);
            int[] missed = new int[1];
            Object one = test.arenas.get(100);
            deep(() -> missed[0] += all.find(one) == null ? 1 : 0);
            OpenArena[] others = new OpenArena[100];
            for (int i = 0; i < others.length; i++) {
                test.arenas.add(new Object());
                others[i] = new OpenArena(test.arenas.getLast(), all, 0, new ReferenceQueue<>());
            }
            int[] pushed = new int[1];
            deep(() -> all.push(others[pushed[0]++]));
            test.openMany(all, 100);
            long later = all.open().reversed().stream().filter(record -> all.find(record.get()) != record).count();
            return missed[0] + " were not found, " + later + " later";
        }

        /** {@return how many calls it is from here to where the stack is full} */
        private static int deep(Runnable action) {
            int calls = 0;
            try {
                calls = 1 + deep(action);
            } catch (StackOverflowError e) {
                // That is what it is for.
            }
            if (calls < 100) {
                try {
                    action.run();
                } catch (StackOverflowError e) {
                    // Farther from there it succeeds.
                }
            }
            return calls;
        }
    }

    @Test
    void roomOfThoseThatHaveEnded() {
        List<OpenArena> open = openMany(thread, Threads.FIRST_RECORDS);
        assertSame(open.get(1), thread.find(arenas.get(1)));
        open.get(1).ended = true;
        open.getLast().ended = true;
        assertNull(thread.find(arenas.get(1)));
        open.set(1, open(thread, thread));
        open.removeLast();
        assertTrue(thread.hasRoom(Memory.OPEN_ARENA));
        open.add(open(thread, thread));
        assertFalse(thread.hasRoom(Memory.OPEN_ARENA));
        open.removeLast().ended = true;
        assertTrue(thread.hasRoom(Memory.OPEN_ARENA), "that of the newest");
        assertEquals(Set.copyOf(open), Set.copyOf(thread.open()));
    }

    /** Half of the room is enough for those that are open: no memory is taken. */
    @Test
    void roomOfHalf() {
        Memory memory = new Memory(10_000);
        Arenas half = new Threads(memory).get();
        List<OpenArena> open = openMany(half, Threads.FIRST_RECORDS);
        open.subList(0, Threads.FIRST_RECORDS / 2).forEach(record -> record.ended = true);
        assertTrue(half.hasRoom(Memory.OPEN_ARENA));
        assertTrue(memory.take(10_000, 0));
    }

    /** What was found where it is no more is found again, and what was never there is not. */
    @Test
    void foundWhereTheyWereMovedTo() {
        List<OpenArena> open = openMany(thread, Threads.FIRST_RECORDS);
        assertSame(open.get(6), thread.find(arenas.get(6)));
        open.getFirst().ended = true;
        assertTrue(thread.hasRoom(Memory.OPEN_ARENA));
        assertNull(thread.find(new Object()));
        assertSame(open.get(6), thread.find(arenas.get(6)));
    }

    /** As long as few arenas are open at once, no memory is taken however many there were: those that have ended leave room. */
    @Test
    void arenasThatOverlap() {
        Memory memory = new Memory(100_000);
        Arenas overlapping = new Threads(memory).get();
        OpenArena before = open(overlapping, overlapping);
        for (int i = 0; i < 1000; i++) {
            OpenArena next = open(overlapping, overlapping);
            before.ended = true;
            before = next;
        }
        assertEquals(List.of(before), overlapping.open());
        assertTrue(memory.take(100_000, 0));
    }

    /** The carrier has room for it once, and none when it has ended. */
    @Test
    void aCarriedRecord() {
        OpenArena carried = open(virtual, thread);
        for (int i = 1; i < Threads.FIRST_RECORDS; i++) {
            open(thread, thread);
        }
        assertEquals(Threads.FIRST_RECORDS, thread.open().size());
        assertTrue(thread.open().contains(carried));
        carried.ended = true;
        open(thread, thread);
        assertFalse(thread.hasRoom(Memory.OPEN_ARENA));
        assertEquals(Threads.FIRST_RECORDS, thread.open().size());
        assertFalse(thread.open().contains(carried));
    }

    /** A thread that has ended is let go, as soon as its arenas have ended; what it has counted stays. */
    @Test
    void aThreadThatIsForgotten() throws InterruptedException {
        Recorder recorder = Recorder.begin(new Options(null, 0, 0, 1, List.of(), 8 << 20, null), new CallSites(), null);
        WeakReference<Thread> ended = ended();
        ArenaHook.target.closed(openedIn(recorder));
        for (int i = 0; i < 1000 && !ended.refersTo(null); i++) {
            recorder.collect();
            System.gc();
            Thread.sleep(10);
        }
        assertTrue(ended.refersTo(null));
        assertEquals(3, ArenaHookTest.histogram(recorder).sum((shape, _) -> shape.closing() == Closing.NOT_TOLD).arenas());
    }

    /** A virtual thread that lives on keeps nothing of a recording that has ended. */
    @Test
    void aVirtualThreadThatOutlivesARecording() throws InterruptedException {
        AtomicReference<Threads> recording = new AtomicReference<>(new Threads(new Memory(1000)));
        CountDownLatch used = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = Thread.startVirtualThread(() -> {
            recording.get().get();
            used.countDown();
            assertDoesNotThrow(() -> end.await());
        });
        used.await();
        WeakReference<Threads> ended = new WeakReference<>(recording.getAndSet(null));
        for (int i = 0; i < 100 && !ended.refersTo(null); i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertTrue(ended.refersTo(null));
        end.countDown();
        thread.join();
    }

    /** While it has an open arena, all that is known of the virtual thread stays. */
    @Test
    void aVirtualThreadWithAnOpenArena() throws InterruptedException {
        Recorder recorder = Recorder.begin(new Options(null, 0, 0, 1, List.of(), 8 << 20, null), new CallSites(), null);
        Thread.startVirtualThread(() -> {
            Object outer = openedIn(recorder);
            recorder.allocated(outer, 8, 8);
            for (int i = 0; i < 3; i++) {
                recorder.collect();
                System.gc();
            }
            Object inner = openedIn(recorder);
            recorder.allocated(inner, 16, 8);
            recorder.closed(inner);
            recorder.closed(outer);
        }).join();
        assertEquals(1, ArenaHookTest.histogram(recorder).sum((shape, _) -> shape.bytes() == 16 && shape.openBefore() == 1).arenas());
        assertEquals(1, ArenaHookTest.histogram(recorder).sum((shape, _) -> shape.bytes() == 8 && shape.closing() == Closing.NOT_TOLD)
                .arenas());
    }

    /** A thread that ends gives back what its nests took. */
    @Test
    void nestsOfThreadsThatHaveEnded() throws InterruptedException {
        Memory memory = new Memory(10_000);
        Threads all = new Threads(memory);
        Thread thread = new Thread(() -> {
            Arenas nested = all.get();
            for (int i = 0; i < 100; i++) {
                nested.withMemory.up();
            }
            for (int i = 0; i < 100; i++) {
                nested.withMemory.down();
            }
        });
        thread.start();
        thread.join();
        assertFalse(memory.take(10_000, 0), "the nest took nothing");
        all.forgetEnded(new Ledger(memory));
        assertTrue(memory.take(10_000, 0));
        assertFalse(memory.take(1, 0), "more was given back than taken");
    }

    /** A virtual thread that has left arenas open gives back what it took when it has ended and they were collected. */
    @Test
    void arenasThatAVirtualThreadLeaves() throws InterruptedException {
        Memory memory = new Memory(10_000);
        Threads all = new Threads(memory);
        Ledger ledger = new Ledger(memory);
        List<OpenArena> left = new ArrayList<>();
        Thread thread = Thread.startVirtualThread(() -> {
            left.addAll(openMany(all.get(), Threads.FIRST_RECORDS + 1));
            left.getFirst().thread.open().forEach(record -> record.ended = true);
            all.forgetEnded(ledger); // it goes on
            left.getLast().ended = false;
        });
        thread.join();
        all.forgetEnded(ledger);
        assertFalse(memory.take(10_000, 0), "one is open");
        left.getLast().ended = true;
        for (int i = 0; i < 2; i++) {
            all.forgetEnded(ledger);
        }
        assertTrue(memory.take(10_000, 0));
        assertFalse(memory.take(1, 0), "more was given back than taken");
    }

    private static Object openedIn(Recorder recorder) {
        Object arena = new Object();
        recorder.opened(arena);
        return arena;
    }

    private static WeakReference<Thread> ended() throws InterruptedException {
        Thread thread = new Thread(() -> {
            for (int i = 0; i < 2; i++) {
                Object arena = new Object();
                ArenaHook.target.opened(arena);
                ArenaHook.target.closed(arena);
            }
        });
        thread.start();
        thread.join();
        return new WeakReference<>(thread);
    }

    /** Arenas that were collected leave their room to others. */
    @Test
    void roomOfThoseThatWereCollected() throws InterruptedException {
        Recorder recorder = Recorder.begin(new Options(null, 0, 0, 1, List.of(), 10 * Memory.OPEN_ARENA, null),
                new CallSites(), null);
        WeakReference<Object> last = null;
        for (int i = 0; i < Threads.FIRST_RECORDS; i++) {
            last = new WeakReference<>(openedIn(recorder));
        }
        Object closed = openedIn(recorder); // one too many
        ArenaHook.target.closed(closed);
        for (int i = 0; i < 1000 && !last.refersTo(null); i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertTrue(last.refersTo(null));
        List<Object> others = new ArrayList<>();
        int missed = 0;
        while (others.size() < Threads.FIRST_RECORDS && missed < 1000) { // the JVM has to enqueue those that it has collected
            recorder.collect();
            Object other = openedIn(recorder);
            if (dropped(recorder) == 1 + missed) {
                others.add(other);
            } else {
                missed++;
                Thread.sleep(10);
            }
        }
        assertEquals(Threads.FIRST_RECORDS, others.size());
        assertEquals(2 * Threads.FIRST_RECORDS, ArenaHookTest.histogram(recorder).sum((shape, _) -> shape.closing() == Closing.UNCLOSED).arenas());
    }

    private static long dropped(Recorder recorder) {
        return ArenaHookTest.histogram(recorder).dropped().arenas();
    }

    @Test
    void whatThreadsHaveCounted() throws InterruptedException {
        OpenArena open = open(thread, thread);
        Ledger ledger = new Ledger(new Memory(100_000));
        Row known = ledger.row(open, null, Closing.NOT_TOLD, true);
        Threads all = new Threads(new Memory(100_000));
        all.get().row(known).add(open);
        Thread other = new Thread(() -> {
            all.get().row(known).add(open);
            all.get().row(known).add(open);
        });
        other.start();
        other.join();
        known.add(open);
        for (int i = 0; i < 2; i++) { // with the ended thread, and without it
            assertEquals(4, all.sum(known).arenas);
            all.forgetEnded(ledger);
        }
        assertEquals(3, known.arenas);
        assertEquals(List.of(open), threads.open());
    }

    /** A quarter of the memory is not for exact rows of threads, and half of that not for rounded ones. */
    @Test
    void rowsOfAThread() {
        OpenArena open = open(thread, thread);
        Row exact = new Row(1, open.shape(null, Closing.NOT_TOLD, true));
        Row rounded = new Row(2, open.shape(null, Closing.NOT_TOLD, false));
        Memory memory = new Memory(1000);
        Arenas of = new Threads(memory).get();
        assertTrue(memory.take(1000 - Memory.ROW - 249, 0));
        assertNull(of.row(exact));
        assertNotNull(of.row(rounded));
        assertTrue(memory.take(249 - Memory.ROW - 124, 0));
        assertNull(of.row(new Row(3, rounded.shape)));
    }

    /** A thread that has walked often walks for a sample. */
    @Test
    void walksOfAThread() {
        List<Boolean> next = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Arenas of = threads.new Arenas(Thread.currentThread(), 0);
            for (int walk = 0; walk < Threads.WALKS; walk++) {
                assertTrue(of.mayWalk());
            }
            next.add(of.mayWalk());
        }
        assertTrue(next.contains(false));
    }

    /** {@return how many bytes of heap the action allocates} */
    private static long allocatedBy(Runnable action) {
        ThreadMXBean bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = bean.getCurrentThreadAllocatedBytes();
        action.run();
        return bean.getCurrentThreadAllocatedBytes() - before;
    }

    private List<OpenArena> openMany(Arenas all, int count) {
        List<OpenArena> open = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            open.add(open(all, all));
        }
        return open;
    }

    /** Opens an arena that a thread has and another, or the same, carries. */
    private OpenArena open(Arenas of, Arenas carrier) {
        assertTrue(of.hasRoom(Memory.OPEN_ARENA));
        arenas.add(new Object());
        OpenArena record = new OpenArena(arenas.getLast(), of, 0, new ReferenceQueue<>());
        of.push(record);
        if (of != carrier) {
            assertTrue(carrier.hasRoom(Memory.REFERENCE));
            carrier.push(record);
        }
        return record;
    }
}
