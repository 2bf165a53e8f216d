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
 * @summary Without pooling, confined arenas take their memory from the allocator and give it back when closed
 * @modules java.management
 *          jdk.management
 * @build Slots NativeMemory
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:NativeMemoryTracking=summary -XX:MaxDirectMemorySize=1m
 *      -Djdk.foreign.confinedPool.size=0 TestConfinedPoolOff
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:NativeMemoryTracking=summary -XX:MaxDirectMemorySize=1m
 *      -Djdk.foreign.confinedPool.depth=0 TestConfinedPoolOff
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -XX:NativeMemoryTracking=summary -XX:MaxDirectMemorySize=1m
 *      -Djdk.foreign.confinedPool.size=4096 -Djdk.foreign.confinedPool.depth=16
 *      -Dsun.nio.PageAlignDirectMemory=true -Dtest.page.aligned=true TestConfinedPoolOff
 */

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolOff {

    /** No system has smaller pages, and many have just these. */
    private static final long LEAST_PAGE_SIZE = 4096;

    // The JDK removes its own property when it has read it.
    private static final boolean PAGE_ALIGNED = Boolean.getBoolean("test.page.aligned");

    @Test
    void memoryIsGivenBackAtClose() {
        long before = NativeMemory.allocated();
        List<Arena> arenas = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            Arena arena = Arena.ofConfined();
            arenas.add(arena);
            arena.allocate(32);
            arena.allocate(64);
        }
        long open = NativeMemory.allocated() - before;
        arenas.forEach(Arena::close);
        long closed = NativeMemory.allocated() - before;
        // Others in this process may allocate or free a little meanwhile.
        assertTrue(open >= 95_000, open + " bytes taken");
        assertTrue(PAGE_ALIGNED || open <= 97_000, open + " bytes taken");
        assertTrue(Math.abs(closed) <= 500, closed + " bytes kept");
    }

    @Test
    void worksAsEver() {
        for (int i = 0; i < 1000; i++) {
            try (Arena arena = Arena.ofConfined(); Arena nested = Arena.ofConfined()) {
                for (Arena a : new Arena[] {arena, nested}) {
                    MemorySegment segment = a.allocate(i);
                    Slots.checkZero(segment, "new segment");
                    segment.fill((byte) -1);
                    if (PAGE_ALIGNED) {
                        assertEquals(0, segment.address() % LEAST_PAGE_SIZE, "page alignment");
                    }
                    assertNotEquals(a.allocate(0).address(), a.allocate(0).address());
                }
            }
        }
    }

    @Test
    void automaticArenaReservesMemory() {
        assertThrows(OutOfMemoryError.class, () -> Arena.ofAuto().allocate(4 << 20));
        try (Arena confined = Arena.ofConfined()) {
            confined.allocate(4 << 20);
        }
    }
}
