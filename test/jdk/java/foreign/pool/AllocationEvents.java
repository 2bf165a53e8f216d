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

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteOrder;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * Calls an action of the test at each allocation of an object by {@link #observed}, in the middle of the method that allocates, as
 * the agent of a heap profiler is called: the event SampledObjectAlloc of JVMTI with a sampling interval of 0. What the action
 * allocates does not call it again. Needs no native code of its own, but {@code --enable-native-access=ALL-UNNAMED}.
 */
final class AllocationEvents {

    private static final int JVMTI_VERSION_11 = 0x300B0000;
    private static final int SAMPLED_OBJECT_ALLOC = 86;
    private static final int FIRST_EVENT = 50;
    private static final int LAST_EVENT = 88;
    private static final int CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS = 43; // which bit

    // Functions of the interfaces, as indices into their tables.
    private static final int JNI_GET_ENV = 6;
    private static final int JVMTI_SET_EVENT_NOTIFICATION_MODE = 2 - 1;
    private static final int JVMTI_SET_EVENT_CALLBACKS = 122 - 1;
    private static final int JVMTI_ADD_CAPABILITIES = 142 - 1;
    private static final int JVMTI_SET_HEAP_SAMPLING_INTERVAL = 156 - 1;

    private static final MemoryLayout POINTER = ADDRESS;

    /** The thread whose allocations call the action, or null. */
    static volatile Thread observed;

    /** True while the action runs, on the observed thread. */
    static boolean inAction;

    /** What the action threw last, or null. */
    static volatile Throwable failure;

    private static volatile Runnable action;

    private AllocationEvents() {}

    // Parameters are numbers, as an address would be made an object.
    private static void sampled(long jvmti, long jni, long thread, long object, long type, long size) {
        if (Thread.currentThread() == observed && !inAction) {
            inAction = true;
            try {
                action.run();
            } catch (Throwable t) {
                failure = t;
            }
            inAction = false;
        }
    }

    /** Sends the events of the observed thread to the action. */
    static void sendTo(Runnable action) throws Throwable {
        Arena arena = Arena.global();
        Path libjvm = Path.of(System.getProperty("java.home"), "lib", "server", System.mapLibraryName("jvm"));
        MemorySegment machines = arena.allocate(ADDRESS);
        check((int) function(SymbolLookup.libraryLookup(libjvm, arena).findOrThrow("JNI_GetCreatedJavaVMs"),
                ADDRESS, JAVA_INT, ADDRESS).invokeExact(machines, 1, arena.allocate(JAVA_INT)));
        MemorySegment machine = machines.get(ADDRESS, 0);
        MemorySegment environment = arena.allocate(ADDRESS);
        check((int) function(machine, JNI_GET_ENV, ADDRESS, ADDRESS, JAVA_INT)
                .invokeExact(machine, environment, JVMTI_VERSION_11));
        MemorySegment jvmti = environment.get(ADDRESS, 0);

        MemorySegment capabilities = arena.allocate(16);
        // C's compilers put the first of the bit fields into the lowest bit or, on big-endian processors, into the highest.
        int bit = CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS % Integer.SIZE;
        capabilities.setAtIndex(JAVA_INT, CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS / Integer.SIZE,
                ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 << bit : Integer.MIN_VALUE >>> bit);
        check((int) function(jvmti, JVMTI_ADD_CAPABILITIES, ADDRESS, ADDRESS).invokeExact(jvmti, capabilities));
        MemorySegment stub = Linker.nativeLinker().upcallStub(
                MethodHandles.lookup().findStatic(AllocationEvents.class, "sampled", MethodType.methodType(void.class,
                        long.class, long.class, long.class, long.class, long.class, long.class)),
                FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG), arena);
        MemorySegment callbacks = arena.allocate(ADDRESS, LAST_EVENT - FIRST_EVENT + 1);
        callbacks.setAtIndex(ADDRESS, SAMPLED_OBJECT_ALLOC - FIRST_EVENT, stub);
        check((int) function(jvmti, JVMTI_SET_EVENT_CALLBACKS, ADDRESS, ADDRESS, JAVA_INT)
                .invokeExact(jvmti, callbacks, (int) callbacks.byteSize()));
        check((int) function(jvmti, JVMTI_SET_HEAP_SAMPLING_INTERVAL, ADDRESS, JAVA_INT).invokeExact(jvmti, 0));
        AllocationEvents.action = action;
        check((int) function(jvmti, JVMTI_SET_EVENT_NOTIFICATION_MODE, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS)
                .invokeExact(jvmti, 1, SAMPLED_OBJECT_ALLOC, MemorySegment.NULL));
    }

    private static MethodHandle function(MemorySegment object, int index, MemoryLayout... parameters) {
        MemorySegment table = object.reinterpret(ADDRESS.byteSize()).get(ADDRESS, 0).reinterpret(200 * ADDRESS.byteSize());
        return function(table.getAtIndex(ADDRESS, index), parameters);
    }

    private static MethodHandle function(MemorySegment address, MemoryLayout... parameters) {
        return Linker.nativeLinker().downcallHandle(address, FunctionDescriptor.of(JAVA_INT, parameters));
    }

    private static void check(int error) {
        if (error != 0) {
            throw new AssertionError("error " + error + " of JNI or JVMTI");
        }
    }
}
