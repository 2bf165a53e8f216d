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
 * @summary Cleanup actions run in the order and with the exceptions of the stock JDK, see the memory as it was left, and
 *          cannot keep the slot from being returned
 * @build Slots Task
 * @run testng/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=256 -Djdk.foreign.confinedPool.depth=3 TestConfinedPoolCleanup
 */

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import org.testng.annotations.*;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.testng.Assert.*;

public class TestConfinedPoolCleanup {

    private Slots slots;

    @BeforeMethod
    public void learnSlots() {
        slots = Slots.learn();
    }

    @AfterMethod
    public void checkSlotsFree() {
        slots.checkAllFree();
    }

    private static void addCleanup(Arena arena, Runnable action) {
        MemorySegment.NULL.reinterpret(arena, _ -> action.run());
    }

    /**
     * Runs a script on an arena, closes it, and tells what happened: the names of the actions in the order in which they
     * ran; then, if close threw an exception, its name after {@code !}, and the names of what it suppressed.
     *
     * @param script {@code .} allocates a little, {@code #} more than a slot has, {@code 0} no bytes; a letter adds a
     *               cleanup action of that name. One of {@code R} to {@code U} throws a RuntimeException of its own,
     *               {@code X} one and the same each time, {@code E} an Error, {@code I} a checked exception.
     */
    private static String run(String script) {
        StringBuilder events = new StringBuilder();
        RuntimeException same = new RuntimeException("X");
        Arena arena = Arena.ofConfined();
        for (char c : script.toCharArray()) {
            switch (c) {
                case '.' -> arena.allocate(5).fill((byte) 1);
                case '#' -> arena.allocate(Slots.SIZE + 1).fill((byte) 1);
                case '0' -> arena.allocate(0);
                default -> addCleanup(arena, () -> {
                    events.append(c);
                    switch (c) {
                        case 'R', 'S', 'T', 'U' -> throw new RuntimeException(String.valueOf(c));
                        case 'X' -> throw same;
                        case 'E' -> throw new StackOverflowError("E");
                        case 'I' -> TestConfinedPoolCleanup.<RuntimeException>sneakyThrow(new IOException("I"));
                    }
                });
            }
        }
        try {
            arena.close();
        } catch (Throwable e) {
            events.append('!').append(e.getMessage());
            for (Throwable suppressed : e.getSuppressed()) {
                events.append(suppressed.getMessage());
            }
        }
        assertFalse(arena.scope().isAlive());
        return events.toString();
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneakyThrow(Throwable e) throws E {
        throw (E) e;
    }

    // Scripts, and what happens in the stock JDK: what was added first comes first, be it an action or an allocation, and the rest
    // last to first.
    @DataProvider
    public static Object[][] scripts() {
        return new Object[][] {
            // no pooled allocation
            {"", ""}, {"a", "a"}, {"ab", "ab"}, {"abc", "acb"}, {"abcd", "adcb"}, {"#", ""}, {"#ab", "ba"}, {"#abc", "cba"},
            {"a#bc", "acb"}, {"abc#", "acb"},
            // the pooled allocation first
            {".", ""}, {".a", "a"}, {".ab", "ba"}, {"..ab", "ba"}, {".abc", "cba"}, {"..abcd", "dcba"}, {".a.b", "ba"},
            {".a.b.c.", "cba"}, {".#abc", "cba"}, {".0abc", "cba"}, {"0abc", "cba"},
            // in the middle
            {"a.b", "ab"}, {"a.bc", "acb"}, {"ab.c", "acb"}, {"a.b.c", "acb"}, {"a..bcd", "adcb"}, {"#.abc", "cba"},
            {"#a.bc", "cba"}, {"0a.bc", "cba"}, {"a#.bc", "acb"}, {"a.#bc", "acb"}, {"a0.b#c", "acb"},
            // last
            {"a.", "a"}, {"ab.", "ab"}, {"abc.", "acb"}, {"abcd.", "adcb"}, {"#abc.", "cba"}, {"a#bc.", "acb"},
            // exceptions: the first is thrown, and suppresses the others but not itself
            {"R", "R!R"}, {".R", "R!R"}, {"R.", "R!R"}, {"RS", "RS!RS"}, {".RS", "SR!SR"}, {"R.S", "RS!RS"}, {"RS.", "RS!RS"},
            {"aRb.", "abR!R"}, {".aRb", "bRa!R"}, {"RST", "RTS!RTS"}, {".RST", "TSR!TSR"}, {"R.ST", "RTS!RTS"},
            {"#R.ST", "TSR!TSR"}, {".RaSbTcU", "UcTbSaR!UTSR"}, {"aR.Sb.Tc", "acTbSR!TSR"}, {"XX", "XX!X"}, {".XX", "XX!X"},
            {"X.aX", "XXa!X"}, {"RX.X", "RXX!RXX"}, {".XRX", "XRX!XR"},
            // what is not a RuntimeException ends the clean-up at once
            {"E", "E!E"}, {".E", "E!E"}, {"aEb", "abE!E"}, {".aEb", "bE!E"}, {"a.Eb", "abE!E"}, {"abE.", "aE!E"},
            {".RES", "SE!E"}, {"RE.S", "RSE!E"}, {"I", "I!I"}, {".I", "I!I"}, {".aIb", "bI!I"}, {".RIS", "SI!I"},
            {"a.I#b", "abI!I"},
        };
    }

    @Test(dataProvider = "scripts")
    public void orderIsThatOfTheStockJdk(String script, String expected) throws InterruptedException {
        assertEquals(run(script), expected);
        slots.checkAllFree();
        Task.run(Thread.ofVirtual(), () -> assertEquals(run(script), expected));
    }

    @Test
    public void actionsSeeTheMemory() {
        List<String> seen = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment before = arena.allocateFrom("before");
            long address = before.address();
            before.reinterpret(arena, memory -> seen.add(memory.getString(0)));
            MemorySegment after = arena.allocateFrom("after");
            after.reinterpret(arena, memory -> seen.add(memory.getString(0)));
            addCleanup(arena, () -> seen.add(Slots.raw(address, 7).getString(0)));
        }
        assertEquals(seen.size(), 3);
        assertEquals(new HashSet<>(seen), Set.of("before", "after"));
    }

    @Test
    public void slotIsClearedAfterActions() {
        long address;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(16).fill((byte) 1);
            address = segment.address();
            segment.reinterpret(arena, memory -> memory.fill((byte) 2));
        }
        Slots.checkZero(Slots.raw(address, 16), "written by a cleanup action");
    }

    @DataProvider
    public static Object[][] throwingScripts() {
        return new Object[][] {{".R"}, {".RS"}, {".E"}, {".I"}, {".aRbE"}, {"R."}, {"E."}};
    }

    @Test(dataProvider = "throwingScripts")
    public void slotIsReturnedWhenActionsThrow(String script) {
        for (int i = 0; i < 2 * Slots.DEPTH; i++) {
            run(script);
            slots.checkAllFree();
        }
    }

    /** Opens an arena, runs the action while it is being closed, and checks that it kept its memory all the time. */
    private static void whileClosing(Consumer<Arena> action) {
        Arena arena = Arena.ofConfined();
        MemorySegment segment = arena.allocate(16).fill((byte) 7);
        long address = segment.address();
        int[] runs = new int[1];
        addCleanup(arena, () -> {
            action.accept(arena);
            Slots.checkFilled(Slots.raw(address, 16), 7, "memory of the arena that is being closed");
            runs[0]++;
        });
        arena.close();
        assertEquals(runs[0], 1);
        Slots.checkZero(Slots.raw(address, 16), "memory of the closed arena");
    }

    @Test
    public void actionsUseArenas() {
        whileClosing(closing -> {
            List<Arena> arenas = new ArrayList<>();
            Set<Long> used = new HashSet<>();
            for (int i = 0; i < Slots.DEPTH + 2; i++) {
                Arena arena = Arena.ofConfined();
                arenas.add(arena);
                MemorySegment segment = arena.allocate(Slots.SIZE).fill((byte) 9);
                assertNotEquals(segment.address(), slots.address(0), "the closing arena still has its slot");
                assertTrue(used.add(segment.address()), "slot has two owners");
            }
            arenas.forEach(Arena::close);
        });
        slots = Slots.learn(); // more are free than before
    }

    // So many that another slot becomes resident, which is in use when the slot of the closing arena is given back.
    @Test
    public void actionsOpenManyArenas() throws Exception {
        Task.run(TestConfinedPoolCleanup::openManyWhileClosing);
    }

    // In a new thread, where no slot is too large to be handed over.
    private static void openManyWhileClosing() {
        long first = Slots.nest(1, 16)[0];
        Arena left = Arena.ofConfined();
        MemorySegment[] segments = new MemorySegment[2];
        whileClosing(closing -> {
            for (int i = 0; i < Slots.SIZE; i++) {
                try (Arena arena = Arena.ofConfined()) {
                    segments[0] = arena.allocate(16).fill((byte) 8);
                }
            }
            segments[1] = left.allocate(16).fill((byte) 9);
        });
        assertNotEquals(segments[1].address(), first, "slot has two owners");
        assertEquals(segments[1].address(), segments[0].address(), "the resident slot");
        Slots.checkFilled(segments[1], 9, "segment of an arena that a cleanup action left open");
        try (Arena next = Arena.ofConfined()) {
            assertNotEquals(next.allocate(16).address(), segments[1].address(), "slot has two owners");
        }
        left.close();
        Slots.drain();
    }

    @Test
    public void actionsLeaveArenasOpen() {
        List<Arena> arenas = new ArrayList<>();
        List<MemorySegment> segments = new ArrayList<>();
        whileClosing(closing -> {
            for (int i = 0; i < Slots.DEPTH; i++) {
                Arena arena = Arena.ofConfined();
                arenas.add(arena);
                segments.add(arena.allocate(16).fill((byte) 9));
            }
        });
        // Now the slot of the closed arena is free.
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(16);
            assertEquals(segment.address(), slots.address(0));
            Slots.checkZero(segment, "new segment");
            segment.fill((byte) 3);
            for (MemorySegment other : segments) {
                Slots.checkFilled(other, 9, "segment of an arena that a cleanup action opened");
            }
        }
        arenas.forEach(Arena::close);
        slots = Slots.learn(); // more are free than before
    }

    @Test
    public void actionsCloseOtherArenas() {
        Arena other = Arena.ofConfined();
        other.allocate(16).fill((byte) 9);
        whileClosing(closing -> {
            other.close();
            try (Arena next = Arena.ofConfined()) {
                MemorySegment segment = next.allocate(Slots.SIZE);
                assertTrue(slots.contain(segment));
                Slots.checkZero(segment, "new segment");
                segment.fill((byte) 9);
            }
        });
    }

    @Test
    public void actionsNest() {
        whileClosing(outer -> whileClosing(middle -> whileClosing(inner -> { })));
    }

    @Test
    public void closingArenaIsClosed() {
        whileClosing(closing -> {
            assertFalse(closing.scope().isAlive());
            assertThrows(IllegalStateException.class, () -> closing.allocate(1));
            assertThrows(IllegalStateException.class, closing::close);
            assertThrows(IllegalStateException.class, () -> addCleanup(closing, () -> { }));
        });
    }

    @Test
    public void actionMayThrowWhileItsArenasAreOpen() {
        Arena inner = Arena.ofConfined();
        Arena arena = Arena.ofConfined();
        arena.allocate(16).fill((byte) 7);
        addCleanup(arena, () -> {
            inner.allocate(16).fill((byte) 9);
            throw new RuntimeException("expected");
        });
        assertEquals(expectThrows(RuntimeException.class, arena::close).getMessage(), "expected");
        MemorySegment more = inner.allocate(16);
        assertTrue(slots.contain(more));
        Slots.checkZero(more, "further segment");
        more.set(JAVA_BYTE, 0, (byte) 1);
        inner.close();
    }
}
