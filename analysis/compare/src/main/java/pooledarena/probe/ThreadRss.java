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
package pooledarena.probe;

import java.io.IOException;
import java.util.stream.Stream;

/**
 * Prints the resident memory of its own process in bytes, in three lines: {@code before N} threads were
 * started, when they were {@code started}, and when each had {@code used} one arena.
 */
public final class ThreadRss {

    private ThreadRss() {}

    /** @param args how many threads, then the sizes of the arena's allocations */
    public static void main(String[] args) throws InterruptedException, IOException {
        long[] sizes = Stream.of(args).skip(1).mapToLong(Long::parseLong).toArray();
        ParkedThreads.start(1, sizes).useArenas();
        Memory.residentBytes();
        long before = Memory.residentBytes();
        ParkedThreads threads = ParkedThreads.start(Integer.parseInt(args[0]), sizes);
        long started = Memory.residentBytes();
        threads.useArenas();
        long used = Memory.residentBytes();
        System.out.println("before " + before);
        System.out.println("started " + started);
        System.out.println("used " + used);
    }
}
