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

/*
 * @test
 * @summary A virtual thread whose carrier's pool finds no memory in the heap is not pinned afterwards, and goes on
 * @modules java.base/java.lang:open
 * @build Slots Stress Task VirtualThreads
 * @run main/othervm -Xmx32m TestConfinedPoolNoHeap
 */

import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The pool is created while a virtual thread is pinned, and is an object in the heap (invariant 6). */
public class TestConfinedPoolNoHeap {

    private static Object[] filler;
    private static byte[] room;
    private static boolean isRefused;

    public static void main(String[] args) throws InterruptedException {
        List<Thread> carriers = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 10 && !isRefused; i++) { // other threads may free memory meanwhile
            Task.run(VirtualThreads.scheduledBy(VirtualThreads.onNewCarriers(carriers)), () -> allocateInFullHeap(carriers));
        }
        Stress.check(isRefused, "the heap was not full");
    }

    private static void allocateInFullHeap(List<Thread> carriers) {
        Arena arena = Arena.ofConfined(); // the next one with a slot, for which the pool would be created
        filler = fillHeap();
        try {
            arena.allocate(8);
        } catch (OutOfMemoryError e) {
            isRefused = true;
        }
        filler = null;
        awaitRoom();
        int before = carriers.size();
        Thread.yield();
        Stress.check(carriers.size() > before, "the thread is pinned");
        Slots.checkZero(arena.allocate(8), "invariant 2");
        arena.close();
        Slots.openFirst(); // of the new carrier
        Slots.checkPooled();
    }

    // G1 may refuse a first allocation after that, although nearly all is garbage.
    private static void awaitRoom() {
        for (int i = 0; i < 100; i++) {
            try {
                room = new byte[1 << 16];
                return;
            } catch (OutOfMemoryError e) {
                // the next one has room
            }
        }
    }

    /** {@return arrays that leave no room for another one} */
    private static Object[] fillHeap() {
        Object[] last = null;
        for (int length = 1 << 18; length > 0;) {
            try {
                Object[] next = new Object[length];
                next[0] = last;
                last = next;
            } catch (OutOfMemoryError e) {
                length /= 2;
            }
        }
        return last;
    }
}
