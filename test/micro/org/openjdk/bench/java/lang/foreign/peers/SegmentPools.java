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

import okio.Buffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

import java.io.EOFException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/**
 * How long does it take to get 8 KiB, write one byte, and give them back, when many threads do that at the same time?
 * Okio's own pool is lock-free and has a stripe for every core or two. The two that it had before, of 64 KiB each, are
 * stood in for by small ones of the same kind. The arenas' memory is zeroed each time, the pools' never.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"})
public class SegmentPools {

    private static final int SEGMENT_BYTES = 8192;
    private static final int POOLED_SEGMENTS = 8;

    private final SynchronizedPool synchronizedPool = new SynchronizedPool();
    private final LockFreePool lockFreePool = new LockFreePool();

    /** Each thread's own. */
    @State(Scope.Thread)
    public static class Own {
        final Buffer buffer = new Buffer();
    }

    @Benchmark
    public byte[] noPool() {
        byte[] segment = new byte[SEGMENT_BYTES];
        segment[SEGMENT_BYTES - 1] = 'a';
        return segment;
    }

    @Benchmark
    public void synchronizedPool(Blackhole blackhole) {
        byte[] segment = synchronizedPool.take();
        segment[SEGMENT_BYTES - 1] = 'a';
        blackhole.consume(segment);
        synchronizedPool.recycle(segment);
    }

    @Benchmark
    public void lockFreePool(Blackhole blackhole) {
        byte[] segment = lockFreePool.take();
        segment[SEGMENT_BYTES - 1] = 'a';
        blackhole.consume(segment);
        lockFreePool.recycle(segment);
    }

    /** A buffer takes a segment with the first byte, and gives it back with the last. */
    @Benchmark
    public byte okio(Own own) throws EOFException {
        own.buffer.writeByte('a');
        return own.buffer.readByte();
    }

    @Benchmark
    public byte arena() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(SEGMENT_BYTES);
            segment.set(JAVA_BYTE, SEGMENT_BYTES - 1, (byte) 'a');
            return segment.get(JAVA_BYTE, SEGMENT_BYTES - 1);
        }
    }

    private static final class SynchronizedPool {

        private final ArrayDeque<byte[]> segments = new ArrayDeque<>(POOLED_SEGMENTS);

        byte[] take() {
            synchronized (this) {
                byte[] segment = segments.pollLast();
                if (segment != null) {
                    return segment;
                }
            }
            return new byte[SEGMENT_BYTES];
        }

        synchronized void recycle(byte[] segment) {
            if (segments.size() < POOLED_SEGMENTS) {
                segments.addLast(segment);
            }
        }
    }

    /** Segments that are taken and filled by atomic operations; the first is tried first, as its segment is warmest. */
    private static final class LockFreePool {

        private final AtomicReferenceArray<byte[]> segments = new AtomicReferenceArray<>(POOLED_SEGMENTS);

        byte[] take() {
            for (int i = 0; i < POOLED_SEGMENTS; i++) {
                byte[] segment = segments.getPlain(i);
                if (segment != null && segments.compareAndSet(i, segment, null)) {
                    return segment;
                }
            }
            return new byte[SEGMENT_BYTES];
        }

        void recycle(byte[] segment) {
            for (int i = 0; i < POOLED_SEGMENTS; i++) {
                if (segments.getPlain(i) == null && segments.compareAndSet(i, null, segment)) {
                    return;
                }
            }
        }
    }
}
