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
 * @summary A close that fails changes nothing, and a second close does nothing to the slot's next owner
 * @modules java.base/jdk.internal.foreign
 * @build Slots Task
 * @run junit/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=1024 -Djdk.foreign.confinedPool.depth=1 TestConfinedPoolClose
 * @run junit/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=1024 -Djdk.foreign.confinedPool.depth=3 TestConfinedPoolClose
 */

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

import jdk.internal.foreign.MemorySessionImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolClose {

    private Slots slots;
    private Arena arena;
    private MemorySegment segment;

    @BeforeEach
    void openArena() {
        Slots.nest(8, 8); // small arenas find a slot, so that they make no room for one
        slots = Slots.learn();
        arena = Arena.ofConfined();
        segment = arena.allocate(32).fill((byte) 7);
        assertTrue(slots.contain(segment));
    }

    @AfterEach
    void checkSlotsFree() {
        slots.checkAllFree();
    }

    /** Checks that the arena is as it was before an attempt to close it. */
    private void checkUnchanged() {
        assertTrue(arena.scope().isAlive());
        Slots.checkFilled(segment, 7, "segment after a failed close");
        // Its slot is not given to others.
        List<Arena> others = new ArrayList<>();
        for (int i = 0; i <= Slots.DEPTH; i++) {
            Arena other = Arena.ofConfined();
            others.add(other);
            MemorySegment theirs = other.allocate(Slots.SIZE).fill((byte) 9);
            assertEquals(i < Slots.DEPTH ? i + 1 : -1, slots.indexOf(theirs), "slot of arena " + i);
        }
        others.forEach(Arena::close); // the one without slot last, which finds no room then
        Slots.checkFilled(segment, 7, "segment after a failed close");
        // It goes on where it was.
        MemorySegment more = arena.allocate(16);
        assertEquals(slots.indexOf(segment), slots.indexOf(more));
        assertTrue(slots.offset(more) >= 32);
        Slots.checkZero(more, "further segment");
    }

    private void checkCloses() {
        MemorySegment memory = slots.memory(slots.indexOf(segment));
        arena.close();
        assertFalse(arena.scope().isAlive());
        Slots.checkZero(memory, "slot after close");
    }

    private static void assertSame(Throwable expected, Throwable actual) {
        assertNotNull(expected);
        assertNotNull(actual);
        assertEquals(expected.getClass(), actual.getClass());
        assertEquals(expected.getMessage(), actual.getMessage());
    }

    @Test
    void wrongThread() throws Exception {
        try (Arena regular = Arena.ofConfined()) {
            regular.allocate(Slots.SIZE + 1);
            Throwable expected = Task.thrownBy(regular::close);
            assertInstanceOf(WrongThreadException.class, expected);
            assertSame(expected, Task.thrownBy(arena::close));
        }
        checkUnchanged();
        checkCloses();
    }

    @Test
    void wrongThreadThatUsesArenas() throws Exception {
        Throwable thrown = Task.thrownBy(() -> {
            try (Arena theirs = Arena.ofConfined()) {
                theirs.allocate(32).fill((byte) 1);
                assertThrows(WrongThreadException.class, arena::close);
            }
            try (Arena theirs = Arena.ofConfined()) {
                assertFalse(slots.contain(theirs.allocate(32)));
            }
        });
        assertNull(thrown);
        checkUnchanged();
        checkCloses();
    }

    @Test
    void acquired() {
        MemorySessionImpl session = MemorySessionImpl.toMemorySession(arena);
        try (Arena regular = Arena.ofConfined()) {
            regular.allocate(Slots.SIZE + 1);
            MemorySessionImpl regularSession = MemorySessionImpl.toMemorySession(regular);
            session.acquire0();
            session.acquire0();
            regularSession.acquire0();
            regularSession.acquire0();
            assertSame(assertThrows(IllegalStateException.class, regular::close),
                    assertThrows(IllegalStateException.class, arena::close));
            session.release0();
            assertThrows(IllegalStateException.class, arena::close);
            checkUnchanged();
            session.release0();
            regularSession.release0();
            regularSession.release0();
        }
        checkCloses();
    }

    // As when a session that kept this one alive is closed by another thread.
    @Test
    void releasedByAnotherThread() throws Exception {
        MemorySessionImpl session = MemorySessionImpl.toMemorySession(arena);
        session.acquire0();
        session.acquire0();
        assertNull(Task.thrownBy(session::release0));
        assertThrows(IllegalStateException.class, arena::close);
        checkUnchanged();
        assertNull(Task.thrownBy(session::release0));
        checkCloses();
    }

    @Test
    void duringDowncall() throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle qsort = linker.downcallHandle(linker.defaultLookup().findOrThrow("qsort"),
                FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
        MethodHandle compare = MethodHandles.lookup().bind(this, "closeAndCompare",
                MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
        try (Arena stubs = Arena.ofShared()) {
            MemorySegment stub = linker.upcallStub(compare, FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS), stubs);
            qsort.invoke(segment, 2L, 1L, stub);
        }
        assertInstanceOf(IllegalStateException.class, thrownInUpcall);
        checkUnchanged();
        checkCloses();
    }

    private Throwable thrownInUpcall;

    private int closeAndCompare(MemorySegment left, MemorySegment right) {
        try {
            arena.close();
        } catch (Throwable e) {
            thrownInUpcall = e;
        }
        try (Arena other = Arena.ofConfined()) {
            other.allocate(32).fill((byte) 1);
        }
        return 0;
    }

    @Test
    void secondClose() {
        checkCloses();
        Arena regular = Arena.ofConfined();
        regular.allocate(Slots.SIZE + 1);
        regular.close();
        Throwable expected = assertThrows(IllegalStateException.class, regular::close);

        Arena next = Arena.ofConfined();
        MemorySegment theirs = next.allocate(32).fill((byte) 5);
        assertEquals(segment.address(), theirs.address());
        assertSame(expected, assertThrows(IllegalStateException.class, arena::close));
        Slots.checkFilled(theirs, 5, "segment of the slot's next owner");

        // The slot was not returned twice.
        try (Arena other = Arena.ofConfined()) {
            assertNotEquals(theirs.address(), other.allocate(32).fill((byte) 6).address());
        }
        Slots.checkFilled(theirs, 5, "segment of the slot's next owner");
        next.close();
    }

    // The arena must not look for its slot there. A block of 1 MiB is unmapped when it is freed.
    @Test
    void secondCloseAfterItsLastBlockWasFreed() throws Exception {
        checkCloses();
        Arena unmapped = Arena.ofConfined();
        unmapped.allocate(1 << 20);
        unmapped.close();
        assertEquals("Already closed", assertThrows(IllegalStateException.class, unmapped::close).getMessage());
        for (int byteSize : new int[] {32, Slots.SIZE}) {
            for (int i = 0; i < 10; i++) {
                Arena closed = Arena.ofConfined();
                for (int allocated = 0; allocated < 4 * Slots.SIZE; allocated += byteSize) {
                    closed.allocate(byteSize).fill((byte) 1);
                }
                closed.close();
                for (int taken = 64; taken < 8 * Slots.SIZE; taken += 64) {
                    Arena.global().allocate(taken).fill((byte) -1);
                }
                assertEquals("Already closed", assertThrows(IllegalStateException.class, closed::close).getMessage());
                assertInstanceOf(WrongThreadException.class, Task.thrownBy(closed::close));
            }
        }
        slots = Slots.learn(); // those of the arenas may have replaced others
    }

    @Test
    void secondCloseOfFreeSlot() {
        checkCloses();
        for (int i = 0; i < 3; i++) {
            assertThrows(IllegalStateException.class, arena::close);
        }
    }

    @Test
    void secondCloseInWrongThread() throws Exception {
        checkCloses();
        assertInstanceOf(WrongThreadException.class, Task.thrownBy(arena::close));
    }

    @Test
    void closedArenaTakesNoSlot() {
        checkCloses();
        assertThrows(IllegalStateException.class, () -> arena.allocate(1));
        assertThrows(IllegalStateException.class, () -> arena.allocateFrom("x"));
        assertThrows(IllegalStateException.class, () -> segment.get(JAVA_BYTE, 0));
        slots.checkAllFree();
    }

    @Test
    void cleanupActionThatCannotBeAdded() throws Exception {
        Task.Action add = () -> MemorySegment.NULL.reinterpret(arena, _ -> fail("added"));
        assertInstanceOf(WrongThreadException.class, Task.thrownBy(add));
        checkCloses();
        assertThrows(IllegalStateException.class, add::run);
    }
}
