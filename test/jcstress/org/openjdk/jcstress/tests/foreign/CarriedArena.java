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
package org.openjdk.jcstress.tests.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Constructor;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * An arena of a virtual thread, which is carried by the thread that opens it and by the one that closes it.
 * Needs {@code --add-opens=java.base/java.lang=ALL-UNNAMED}.
 */
final class CarriedArena {

    private static final Constructor<?> BUILDER;

    static {
        try {
            BUILDER = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                    .getDeclaredConstructor(Executor.class);
            BUILDER.setAccessible(true);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final Thread owner;
    private Runnable next;
    private long address;
    private long found;

    CarriedArena() {
        Executor scheduler = task -> next = task;
        try {
            owner = ((Thread.Builder) BUILDER.newInstance(scheduler)).unstarted(this::use);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private void use() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(ValueLayout.JAVA_LONG);
            found = segment.get(ValueLayout.JAVA_LONG, 0);
            address = segment.address();
            segment.set(ValueLayout.JAVA_LONG, 0, -1);
            LockSupport.park();
            found |= segment.get(ValueLayout.JAVA_LONG, 0) + 1;
        }
    }

    /**
     * Opens the arena and fills what it allocates.
     *
     * @return this arena
     */
    CarriedArena open() {
        owner.start();
        next.run();
        return this;
    }

    void close() {
        LockSupport.unpark(owner);
        next.run();
    }

    /** {@return 1 if the memory was not zero, or was written to by another owner before close, and 0 otherwise} */
    int isBroken() {
        return found == 0 ? 0 : 1;
    }

    /** {@return 1 if both arenas, of which none is closed, have the same memory, and 0 otherwise} */
    int isSharedWith(CarriedArena other) {
        return address == other.address ? 1 : 0;
    }
}
