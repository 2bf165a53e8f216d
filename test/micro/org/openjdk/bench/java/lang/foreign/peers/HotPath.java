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

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.EventExecutorGroup;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ExecutionException;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * Methods whose compiled code is looked at, run until it is there: one arena or buffer each, all of it inlined that C2
 * inlines by itself.
 */
final class HotPath {

    private static final int SIZE = 64;
    private static final int CALLS = 1_000_000;

    private static final ByteBufAllocator ADAPTIVE = new AdaptiveByteBufAllocator(true);
    private static final ByteBufAllocator POOLED = PooledByteBufAllocator.DEFAULT;

    private HotPath() {}

    /** Runs the methods that {@code args} name, on a platform thread, on a virtual one, or on an event loop's. */
    public static void main(String[] args) throws InterruptedException, ExecutionException {
        for (String name : args) {
            Runnable calls = () -> {
                long sum = 0;
                for (int i = 0; i < CALLS; i++) {
                    sum += call(name, i);
                }
                System.out.println(name + " " + sum);
            };
            switch (name) {
                case "arena", "threeAllocations", "twoNested" -> calls.run();
                case "arenaOnVirtualThread" -> Thread.ofVirtual().start(calls).join();
                default -> {
                    EventExecutorGroup loop = new EventLoopThreads(1, "hot");
                    loop.submit(calls).get();
                    loop.shutdownGracefully();
                }
            }
        }
        // For code that is still being compiled and printed.
        Thread.sleep(1_000);
    }

    private static long call(String name, long value) {
        return switch (name) {
            case "arena" -> arena(value);
            case "arenaOnVirtualThread" -> arenaOnVirtualThread(value);
            case "threeAllocations" -> threeAllocations(value);
            case "twoNested" -> twoNested(value);
            case "nettyAdaptive" -> nettyAdaptive(value);
            case "nettyPooled" -> nettyPooled(value);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static long arena(long value) {
        try (Arena arena = Arena.ofConfined()) {
            return use(arena.allocate(SIZE), value);
        }
    }

    private static long arenaOnVirtualThread(long value) {
        try (Arena arena = Arena.ofConfined()) {
            return use(arena.allocate(SIZE), value);
        }
    }

    private static long threeAllocations(long value) {
        try (Arena arena = Arena.ofConfined()) {
            return use(arena.allocate(SIZE), value) ^ use(arena.allocate(SIZE), value) ^ use(arena.allocate(SIZE), value);
        }
    }

    private static long twoNested(long value) {
        try (Arena outer = Arena.ofConfined()) {
            long result = use(outer.allocate(SIZE), value);
            try (Arena inner = Arena.ofConfined()) {
                return result ^ use(inner.allocate(SIZE), value);
            }
        }
    }

    private static long nettyAdaptive(long value) {
        return use(ADAPTIVE.directBuffer(SIZE), value);
    }

    private static long nettyPooled(long value) {
        return use(POOLED.directBuffer(SIZE), value);
    }

    private static long use(MemorySegment segment, long value) {
        segment.set(JAVA_LONG, 0, value);
        return segment.get(JAVA_LONG, 0);
    }

    private static long use(ByteBuf buffer, long value) {
        try {
            buffer.setLong(0, value);
            return buffer.getLong(0);
        } finally {
            buffer.release();
        }
    }
}
