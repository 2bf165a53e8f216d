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
 * @summary Calls with structs by value take their memory from slots, and return the slots
 * @modules java.base/jdk.internal.foreign
 * @build Slots Task
 * @run junit/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1
 *      -Djdk.foreign.confinedPool.size=64 -Djdk.foreign.confinedPool.depth=8 TestConfinedPoolByValue
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -Djdk.foreign.confinedPool.verify=true
 *      -Djdk.virtualThreadScheduler.parallelism=1 -Djdk.virtualThreadScheduler.maxPoolSize=1
 *      -Djdk.foreign.confinedPool.size=64 -Djdk.foreign.confinedPool.depth=8 TestConfinedPoolByValue
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -Djdk.foreign.confinedPool.size=0 TestConfinedPoolByValue
 */

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

import jdk.internal.foreign.CaptureStateUtil;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.*;
import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolByValue {

    private static final boolean POOLED = Slots.SIZE > 0;

    private static final int ERANGE = 34;

    private static final Linker LINKER = Linker.nativeLinker();

    private static final StructLayout STATE = Linker.Option.captureStateLayout();

    private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));

    private static final MethodHandle STRTOLL = LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("strtoll"),
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, JAVA_INT), Linker.Option.captureCallState("errno"));

    private static final MemorySegment TOO_SMALL = Arena.global().allocateFrom("-9223372036854775809");
    private static final MemorySegment TOO_LARGE = Arena.global().allocateFrom("9223372036854775808");

    /** Travels in one register. */
    private static final StructLayout ARGUMENT = MemoryLayout.structLayout(JAVA_LONG);

    /** Travels in two registers under the usual calling conventions, for which a downcall needs a buffer. */
    private static final StructLayout RESULT = MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG);

    private static final MethodHandle CALL = roundTrip();

    /** What the upcalls got. They are made on one thread at a time. */
    private static final List<MemorySegment> ARGUMENTS = new ArrayList<>();

    private static Throwable thrown;

    /** Where the last call that failed would have written {@code errno}. */
    private static MemorySegment state;

    private static MethodHandle roundTrip() {
        try {
            FunctionDescriptor descriptor = FunctionDescriptor.of(RESULT, ARGUMENT);
            MethodHandle target = MethodHandles.lookup()
                    .findStatic(TestConfinedPoolByValue.class, "target", descriptor.toMethodType());
            return LINKER.downcallHandle(LINKER.upcallStub(target, descriptor, Arena.global()), descriptor);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Makes n upcalls nested in each other, and checks that they return the sum of 1 to n, and what the innermost found. */
    private static void call(long n) throws Throwable {
        ARGUMENTS.clear();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = call(arena, n);
            if (thrown != null) {
                throw thrown;
            }
            assertEquals(n * (n + 1) / 2, result.get(JAVA_LONG, 0));
            assertEquals(ERANGE, result.get(JAVA_LONG, 8));
        }
        assertEquals(n, ARGUMENTS.size());
        for (MemorySegment argument : ARGUMENTS) {
            assertFalse(argument.scope().isAlive(), "alive after the upcall");
        }
    }

    private static MemorySegment call(Arena arena, long n) throws Throwable {
        MemorySegment argument = arena.allocate(ARGUMENT);
        argument.set(JAVA_LONG, 0, n);
        return (MemorySegment) CALL.invokeExact((SegmentAllocator) arena, argument);
    }

    private static MemorySegment target(MemorySegment argument) {
        ARGUMENTS.add(argument);
        MemorySegment result = Arena.ofAuto().allocate(RESULT);
        try (Arena arena = Arena.ofConfined()) {
            long n = argument.get(JAVA_LONG, 0);
            if (n == 1) {
                MemorySegment state = arena.allocate(STATE);
                long ignored = (long) STRTOLL.invokeExact(state, TOO_LARGE, MemorySegment.NULL, 10);
                result.set(JAVA_LONG, 8, (int) ERRNO.get(state, 0L));
            } else {
                result.copyFrom(call(arena, n - 1));
            }
            result.set(JAVA_LONG, 0, result.get(JAVA_LONG, 0) + n);
        } catch (Throwable t) {
            thrown = t; // must not leave an upcall
        }
        return result;
    }

    private static void calls() throws Throwable {
        for (int i = 0; i < 20; i++) {
            call(3 * Slots.DEPTH + 3); // not all arenas find a slot
            Slots slots = POOLED ? Slots.learn() : null;
            for (int n = 1; n <= 2; n++) {
                call(n);
                if (POOLED) {
                    ARGUMENTS.forEach(argument -> assertTrue(slots.contain(argument), "the linker's memory is no slot"));
                    slots.checkAllFree();
                }
            }
        }
    }

    @Test
    void platformThread() throws Throwable {
        calls();
    }

    @Test
    void virtualThread() throws Exception {
        Task.run(Thread.ofVirtual(), TestConfinedPoolByValue::calls);
    }

    /** The JDK's own handles that keep {@code errno} open an arena for each call, and close it even if the call throws. */
    private static void adaptedCalls() throws Throwable {
        Slots slots = POOLED ? Slots.learn() : null;
        MethodHandle adapted = CaptureStateUtil.adaptSystemCall(STRTOLL, "errno");
        MethodHandle failing = CaptureStateUtil.adaptSystemCall(MethodHandles.lookup()
                .findStatic(TestConfinedPoolByValue.class, "fail", STRTOLL.type()), "errno");
        for (int i = 0; i < 100; i++) {
            assertEquals(-ERANGE, (long) adapted.invokeExact(TOO_SMALL, MemorySegment.NULL, 10));
            assertThrows(ArithmeticException.class,
                    () -> { long ignored = (long) failing.invokeExact(TOO_SMALL, MemorySegment.NULL, 10); });
            assertTrue(!POOLED || slots.contain(state), "the memory for errno is no slot");
        }
        if (POOLED) {
            slots.checkAllFree();
        }
    }

    private static long fail(MemorySegment state, MemorySegment text, MemorySegment end, int base) {
        TestConfinedPoolByValue.state = state;
        throw new ArithmeticException();
    }

    @Test
    void adaptedCallsOnPlatformThread() throws Exception {
        Task.run(TestConfinedPoolByValue::adaptedCalls);
    }

    @Test
    void adaptedCallsOnVirtualThread() throws Exception {
        Task.run(Thread.ofVirtual(), TestConfinedPoolByValue::adaptedCalls);
    }

    @Test
    void failedCall() {
        Slots slots = POOLED ? Slots.learn() : null;
        MemorySegment closed;
        try (Arena arena = Arena.ofConfined()) {
            closed = arena.allocate(ARGUMENT);
        }
        MemorySegment argument = Arena.ofAuto().allocateFrom(JAVA_LONG, 1);
        SegmentAllocator working = Arena.ofAuto();
        SegmentAllocator failing = (_, _) -> {
            throw new OutOfMemoryError("thrown by the test");
        };
        for (int i = 0; i < 100; i++) {
            assertThrows(IllegalStateException.class,
                    () -> { MemorySegment ignored = (MemorySegment) CALL.invokeExact(working, closed); });
            assertThrows(OutOfMemoryError.class,
                    () -> { MemorySegment ignored = (MemorySegment) CALL.invokeExact(failing, argument); });
        }
        if (POOLED) {
            slots.checkAllFree();
        }
    }
}
