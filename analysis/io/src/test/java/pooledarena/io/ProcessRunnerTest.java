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
package pooledarena.io;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class ProcessRunnerTest {

    @Test
    void linesOfBothStreamsWithTheEnvironment() throws ProcessRunner.Failed {
        assertEquals(List.of("value", "error"), ProcessRunner.lines(List.of("sh", "-c", "echo $NAME; echo error >&2"),
                Map.of("NAME", "value")));
    }

    @Test
    void aReasonInOneLine() {
        assertEquals("ended with status 3: why", reason("sh", "-c", "echo; echo ' why'; echo more; exit 3"));
        assertEquals("ended with status 4", reason("sh", "-c", "exit 4"));
        assertEquals("cannot be run", reason("/nowhere"));
    }

    private static String reason(String... command) {
        return assertThrows(ProcessRunner.Failed.class, () -> ProcessRunner.lines(List.of(command), Map.of())).getMessage();
    }
}
