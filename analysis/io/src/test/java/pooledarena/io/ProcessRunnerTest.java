/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.io;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class ProcessRunnerTest {

    @Test
    void linesOfBothStreamsWithTheEnvironment() throws IOException {
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
        return assertThrows(IOException.class, () -> ProcessRunner.lines(List.of(command), Map.of())).getMessage();
    }
}
