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
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * What a thread of its own does. Who waits for the thread gets what it threw.
 * <p>
 * OpenJDK's test library has the like, but only for virtual threads, and these tests run where its source tree is not.
 */
final class Task {

    interface Action {
        void run() throws Throwable;
    }

    private final Thread thread;
    private volatile Throwable thrown;

    private Task(Thread.Builder builder, Action action) {
        thread = builder.unstarted(() -> {
            try {
                Slots.openFirst();
                action.run();
            } catch (Throwable t) {
                thrown = t;
            }
        });
    }

    static Task start(Thread.Builder builder, Action action) {
        Task task = new Task(builder, action);
        task.thread.start();
        return task;
    }

    /**
     * Runs the action in a new platform thread, which has no pool yet, but gets one with its next arena. The thread has freed
     * its slots when this returns.
     */
    static void run(Action action) throws InterruptedException {
        run(Thread.ofPlatform(), action);
    }

    static void run(Thread.Builder builder, Action action) throws InterruptedException {
        start(builder, action).join();
    }

    /** Runs the action in a thread that the virtual machine did not create: an upcall attaches the thread, and its end detaches it. */
    static void runNative(Action action) throws Throwable {
        Native.action = action;
        Native.thrown = null;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment thread = arena.allocate(JAVA_LONG); // a pthread_t is a long or a pointer
            MemorySegment result = arena.allocate(JAVA_LONG);
            int status = (int) Native.CREATE.invokeExact(thread, MemorySegment.NULL, Native.ENTRY, MemorySegment.ofAddress(42));
            status |= (int) Native.JOIN.invokeExact(thread.get(JAVA_LONG, 0), result);
            if (status != 0 || result.get(JAVA_LONG, 0) != 42 || Native.thrown != null) {
                throw new AssertionError("in a native thread: status " + status, Native.thrown);
            }
        }
    }

    private static final class Native {

        private static final MemorySegment ENTRY;
        private static final MethodHandle CREATE;
        private static final MethodHandle JOIN;

        private static volatile Action action;
        private static volatile Throwable thrown;

        static {
            Linker linker = Linker.nativeLinker();
            try {
                ENTRY = linker.upcallStub(MethodHandles.lookup().findStatic(Native.class, "enter",
                                MethodType.methodType(MemorySegment.class, MemorySegment.class)),
                        FunctionDescriptor.of(ADDRESS, ADDRESS), Arena.global());
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
            CREATE = linker.downcallHandle(linker.defaultLookup().findOrThrow("pthread_create"),
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
            JOIN = linker.downcallHandle(linker.defaultLookup().findOrThrow("pthread_join"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS));
        }

        private static MemorySegment enter(MemorySegment argument) {
            try {
                action.run();
            } catch (Throwable e) {
                thrown = e; // must not leave an upcall
            }
            return argument;
        }
    }

    /** {@return what the action throws in a new platform thread, or null} */
    static Throwable thrownBy(Action action) throws InterruptedException {
        Task task = start(Thread.ofPlatform(), action);
        task.thread.join();
        return task.thrown;
    }

    void join() throws InterruptedException {
        thread.join();
        if (thrown != null) {
            throw new AssertionError("in " + thread, thrown);
        }
    }

    static void join(List<Task> tasks) throws InterruptedException {
        for (Task task : tasks) {
            task.join();
        }
    }
}
