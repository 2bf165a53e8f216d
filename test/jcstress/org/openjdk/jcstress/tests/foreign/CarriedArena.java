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

    // A thread has a pool from its 33rd slot on. Without a pool a slot is freed when its arena is closed.
    private static final ThreadLocal<Boolean> HAS_POOL = ThreadLocal.withInitial(() -> {
        for (int i = 0; i < 33; i++) {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(1);
            }
        }
        return true;
    });

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

    /** As {@link #open}, but surely with a slot: the close of an overflow block makes the next miss create one. */
    CarriedArena openInSlot() {
        new CarriedArena().open().close();
        return open();
    }

    /** Closes the arena, on a carrier that has a pool. */
    void close() {
        HAS_POOL.get();
        LockSupport.unpark(owner);
        next.run();
    }

    /** {@return 1 if the memory was not zero, or was written to by another owner before close, and 0 otherwise} */
    int isBroken() {
        return found == 0 ? 0 : 1;
    }

    /**
     * {@return 1 if this arena, which is open, has the slot that the other one returned, and 0 otherwise} If that was freed, a new one may
     * have its address. The word before a slot tells: only when the pool keeps a slot are all bits but the low two cleared.
     */
    @SuppressWarnings("restricted")
    int hasSlotOf(CarriedArena other) {
        long word = MemorySegment.ofAddress(address - 8).reinterpret(8).get(ValueLayout.JAVA_LONG, 0);
        return address == other.address && (word & ~3) == 0 ? 1 : 0;
    }

    /** {@return 1 if both arenas, of which none is closed, have the same memory, and 0 otherwise} */
    int isSharedWith(CarriedArena other) {
        return address == other.address ? 1 : 0;
    }
}
