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

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** What the virtual machine prints of compiled code is read as it is meant. */
class CompiledMethodTest {

    private static List<String> printed(String header, String bytes) {
        return List.of("============================= nmethod ==============================",
                header,
                " main code      [0x00007f33e02f1480,0x00007f33e02f1648] = 456",
                "[Constants]",
                "  0x00007f33e02f1440: 1234 5678",
                "[MachCode]",
                "[Verified Entry Point]",
                "  # {method} {0x00007f33d04010d0} 'hot' '(J)J' in 'Example'",
                bytes,
                "",
                "  0x00007f33e02f1490: ;   {runtime_call UncommonTrapBlob}",
                "  0x00007f33e02f1490: 90e8 ",
                "  0x00007f33e02f1492: ;   {optimized virtual_call}",
                "  0x00007f33e02f1492: c3",
                "[Exception Handler]",
                "  0x00007f33e02f1500: f0f0 f0f0",
                "[/MachCode]");
    }

    @Test
    void bytesAndCallsOfTheMainPath() {
        CompiledMethod method = CompiledMethod.last(printed("Compiled method (c2) 278  564   !   4       Example::hot (54 bytes)",
                "  0x00007f33e02f1480: 8984 2400 | c0fe ff55 | 48"), "hot");
        assertEquals("89842400c0feff554890e8c3", HexFormat.of().formatHex(method.bytes()));
        assertEquals(1, method.calls());
    }

    @Test
    void theLastOfSeveral() {
        String header = "Compiled method (c2) 278  564       4       Example::hot (54 bytes)";
        List<String> twice = new ArrayList<>(printed(header, "  0x00007f33e02f1480: 90"));
        twice.addAll(printed(header, "  0x00007f33e02f1480: 48"));
        assertEquals("4890e8c3", HexFormat.of().formatHex(CompiledMethod.last(twice, "hot").bytes()));
    }

    @Test
    void neitherC1NorLoopEntriesNorOtherMethods() {
        for (String header : List.of("Compiled method (c1) 278  564   !   3       Example::hot (54 bytes)",
                "Compiled method (c2) 278  564 %     4       Example::hot @ 4 (54 bytes)",
                "Compiled method (c2) 278  564 %     4       Example::hot (54 bytes)",
                "Compiled method (c2) 278  564       4       Example::hotter (54 bytes)")) {
            assertThrows(IllegalStateException.class,
                    () -> CompiledMethod.last(printed(header, "  0x00007f33e02f1480: 90"), "hot"), header);
        }
    }

    @Test
    void prefixesAndExchangesWithMemoryAreAtomic() {
        assertEquals(3, CompiledMethod.count(List.of(
                "  10:\tlock cmpxchg %r10,(%rsi)",
                "  20:\tlock addl $0x0,-0x40(%rsp)",
                "  30:\txchg   %eax,0x10(%rdx)",
                "  40:\txchg   %ax,%ax",
                "  50:\tcmpxchg %r10,(%rsi)",
                "  60:\tmov    %rax,(%rsi)"), CompiledMethod.ATOMIC));
        assertEquals(1, CompiledMethod.count(List.of("  10:\tmfence", "  20:\tmov    %rax,(%rsi)"), CompiledMethod.FENCE));
    }
}
