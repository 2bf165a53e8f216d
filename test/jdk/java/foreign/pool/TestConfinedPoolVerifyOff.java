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
 * @summary Unless verify mode is asked for, memory is neither guarded nor watched
 * @build Slots
 * @run junit/othervm --enable-native-access=ALL-UNNAMED
 *      -Djdk.foreign.confinedPool.size=64 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolVerifyOff
 * @run junit/othervm --enable-native-access=ALL-UNNAMED -Djdk.foreign.confinedPool.verify=false
 *      -Djdk.foreign.confinedPool.size=4096 -Djdk.foreign.confinedPool.depth=2 TestConfinedPoolVerifyOff
 */

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.*;

class TestConfinedPoolVerifyOff {

    private final ByteArrayOutputStream captured = new ByteArrayOutputStream();
    private PrintStream err;

    @BeforeEach
    void capture() {
        err = System.err;
        System.setErr(new PrintStream(captured, true));
    }

    @AfterEach
    void checkNothingReported() {
        System.setErr(err);
        assertEquals("", captured.toString());
    }

    /** What follows an allocation up to the next multiple of 8 is cleared with it. */
    @Test
    void strayBytesBelongToNobody() {
        Slots slots = Slots.learn();
        for (int i = 0; i < 4; i++) {
            Arena arena = Arena.ofConfined();
            MemorySegment segment = arena.allocate(1);
            Slots.checkZero(Slots.raw(segment.address(), 8), "no guard");
            Slots.raw(segment.address(), 8).fill((byte) 0x5A);
            arena.close();
            slots.checkAllFree();
        }
    }

    @Test
    void writeAfterCloseIsNotLookedFor() {
        Slots slots = Slots.learn();
        MemorySegment segment;
        try (Arena arena = Arena.ofConfined()) {
            segment = arena.allocate(1);
        }
        Slots.raw(segment).set(ValueLayout.JAVA_BYTE, 0, (byte) 0x5A);
        try (Arena arena = Arena.ofConfined()) {
            assertEquals(segment.address(), arena.allocate(1).address(), "the slot was not used again");
        }
        slots.checkAllFree();
    }
}
