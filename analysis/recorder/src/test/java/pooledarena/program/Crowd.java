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
package pooledarena.program;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Threads in thousands, of both kinds, that all have an arena open at once. */
public final class Crowd {

    private Crowd() {}

    public static void main(String[] args) throws InterruptedException {
        crowd(Thread.ofPlatform().stackSize(64 << 10), Integer.parseInt(args[0]));
        crowd(Thread.ofVirtual(), Integer.parseInt(args[1]));
        System.out.println("done");
    }

    private static void crowd(Thread.Builder builder, int count) throws InterruptedException {
        CountDownLatch all = new CountDownLatch(count);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(builder.start(() -> {
                try (Arena outer = Arena.ofConfined()) {
                    outer.allocate(8, 8);
                    all.countDown();
                    all.await();
                    for (int j = 0; j < 5; j++) {
                        try (Arena inner = Arena.ofConfined()) {
                            inner.allocate(4, 4);
                            Thread.yield();
                        }
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
