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
package org.openjdk.bench.java.lang.foreign.peers;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Direct buffers of one capacity, the one returned last first. There are as many as were ever leased at the same
 * time; only a cap bounds that. Any thread may lease, and close a lease.
 */
final class BufferPool {

    private static final VarHandle BUFFER;

    static {
        try {
            BUFFER = MethodHandles.lookup().findVarHandle(Lease.class, "buffer", ByteBuffer.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int capacity;
    private final int cap;

    /** The leases to come, each pushed once, so that no exchange mistakes one for another. */
    private final AtomicReference<Lease> idle = new AtomicReference<>();

    /** Buffers that exist: those of the pool, and those beyond the cap that are leased now. */
    private final AtomicInteger existing = new AtomicInteger();
    private final AtomicInteger highWater = new AtomicInteger();

    /** A pool without a cap of buffers of {@code capacity} bytes. */
    BufferPool(int capacity) {
        this(capacity, Integer.MAX_VALUE);
    }

    /**
     * @param capacity of each buffer, in bytes
     * @param cap      how many buffers are kept; one that is leased beyond that is dropped when its lease is closed
     */
    BufferPool(int capacity, int cap) {
        if (capacity <= 0 || cap < 0) {
            throw new IllegalArgumentException("a capacity of " + capacity + " bytes, a cap of " + cap + " buffers");
        }
        this.capacity = capacity;
        this.cap = cap;
    }

    /** {@return a lease of a buffer whose content is arbitrary, with position 0 and limit at its capacity} */
    Lease lease() {
        Lease lease = idle.get();
        while (lease != null && !idle.weakCompareAndSetVolatile(lease, lease.next)) {
            lease = idle.get();
        }
        if (lease == null) {
            return create();
        }
        lease.next = null;
        lease.buffer.clear();
        return lease;
    }

    /** {@return the most buffers that were leased at the same time} */
    int highWater() {
        return highWater.get();
    }

    private Lease create() {
        int count = existing.incrementAndGet();
        highWater.accumulateAndGet(count, Math::max);
        return new Lease(ByteBuffer.allocateDirect(capacity), count <= cap);
    }

    /** One use of a buffer. Its buffer is not to be touched once it is closed. */
    final class Lease implements AutoCloseable {

        /** Null once this lease is closed. */
        private ByteBuffer buffer;
        private final boolean kept;
        private Lease next;

        private Lease(ByteBuffer buffer, boolean kept) {
            this.buffer = buffer;
            this.kept = kept;
        }

        ByteBuffer buffer() {
            return buffer;
        }

        /**
         * Returns the buffer to the pool, as a new lease: this one has no power over it any more, however often and
         * from however many threads it is closed.
         *
         * @throws IllegalStateException if this lease is closed already
         */
        @Override
        public void close() {
            ByteBuffer returned = (ByteBuffer) BUFFER.getAndSet(this, (ByteBuffer) null);
            if (returned == null) {
                throw new IllegalStateException("this lease is closed already");
            }
            if (!kept) {
                existing.decrementAndGet();
                return;
            }
            Lease lease = new Lease(returned, true);
            do {
                lease.next = idle.get();
            } while (!idle.weakCompareAndSetVolatile(lease.next, lease));
        }
    }
}
