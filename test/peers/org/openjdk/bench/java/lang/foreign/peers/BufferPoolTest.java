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

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A buffer has one lease at a time, and a lease ends once. */
class BufferPoolTest {

    @Test
    void lastReturnedIsFirstLeased() {
        BufferPool pool = new BufferPool(64);
        BufferPool.Lease first = pool.lease();
        BufferPool.Lease second = pool.lease();
        ByteBuffer returnedFirst = first.buffer();
        ByteBuffer returnedLast = second.buffer();
        assertNotSame(returnedFirst, returnedLast);
        first.close();
        second.close();
        assertSame(returnedLast, pool.lease().buffer());
        assertSame(returnedFirst, pool.lease().buffer());
        assertEquals(2, pool.highWater());
    }

    @Test
    void leasedBufferIsDirectAndCleared() {
        BufferPool pool = new BufferPool(64);
        try (BufferPool.Lease lease = pool.lease()) {
            assertTrue(lease.buffer().isDirect());
            lease.buffer().putLong(7).flip();
        }
        ByteBuffer again = pool.lease().buffer();
        assertEquals(0, again.position());
        assertEquals(64, again.limit());
        assertEquals(1, pool.highWater());
    }

    @Test
    void secondCloseThrowsAndReturnsNothing() {
        BufferPool pool = new BufferPool(64);
        BufferPool.Lease lease = pool.lease();
        lease.close();
        assertThrows(IllegalStateException.class, lease::close);
        // Also when the buffer has another lease by now.
        BufferPool.Lease next = pool.lease();
        assertThrows(IllegalStateException.class, lease::close);
        assertNotSame(next.buffer(), pool.lease().buffer());
    }

    @Test
    void racingClosesReturnOnce() throws Exception {
        int rounds = 100_000;
        BufferPool pool = new BufferPool(8);
        BufferPool.Lease[] leases = new BufferPool.Lease[rounds];
        for (int i = 0; i < rounds; i++) {
            leases[i] = pool.lease();
        }
        AtomicInteger arrived = new AtomicInteger();
        AtomicInteger closed = new AtomicInteger();
        Runnable closeAll = () -> {
            for (int round = 0; round < rounds; round++) {
                // Both begin each round at the same time, as nearly as two threads can.
                arrived.incrementAndGet();
                for (int spins = 1; arrived.get() < 2 * (round + 1); spins++) {
                    if (spins % 1_000 == 0) {
                        Thread.yield();
                    }
                }
                try {
                    leases[round].close();
                    closed.incrementAndGet();
                } catch (IllegalStateException e) {
                    // The other one was first.
                }
            }
        };
        Thread other = new Thread(closeAll);
        other.start();
        closeAll.run();
        other.join();
        assertEquals(rounds, closed.get());
    }

    @Test
    void noBufferHasTwoLeasesAtATime() throws Exception {
        BufferPool pool = new BufferPool(8);
        Set<ByteBuffer> leased = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
        int threads = 4;
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            for (Future<?> end : IntStream.range(0, threads).<Future<?>>mapToObj(_ -> executor.submit(() -> {
                for (int i = 0; i < 50_000; i++) {
                    try (BufferPool.Lease lease = pool.lease()) {
                        ByteBuffer buffer = lease.buffer();
                        assertTrue(leased.add(buffer));
                        assertTrue(leased.remove(buffer));
                    }
                }
                return null;
            })).toList()) {
                end.get();
            }
        }
        assertTrue(pool.highWater() <= threads, () -> pool.highWater() + " buffers for " + threads + " threads");
    }

    @Test
    void beyondTheCapBuffersAreDropped() {
        BufferPool pool = new BufferPool(8, 1);
        BufferPool.Lease kept = pool.lease();
        BufferPool.Lease dropped = pool.lease();
        ByteBuffer keptBuffer = kept.buffer();
        ByteBuffer droppedBuffer = dropped.buffer();
        kept.close();
        dropped.close();
        assertSame(keptBuffer, pool.lease().buffer());
        assertNotSame(droppedBuffer, pool.lease().buffer());
        assertEquals(2, pool.highWater());
    }

    @Test
    void capacityAndCapAreChecked() {
        assertThrows(IllegalArgumentException.class, () -> new BufferPool(0));
        assertThrows(IllegalArgumentException.class, () -> new BufferPool(8, -1));
    }
}
