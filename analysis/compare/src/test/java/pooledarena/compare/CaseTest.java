/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

class CaseTest {

    private static final Case SIZED = new Case("open, close", "5 B", null, "p.Alloc.one", Map.of("size", "5"), 2);

    @Test
    void title() {
        assertEquals("open, close, 5 B", SIZED.title());
        assertEquals("empty", new Case("empty", "", "patch", "p.Empty.none", Map.of(), 1).title());
    }

    @Test
    void onAVirtualMachine() {
        Case there = SIZED.on(new JavaCommand("JDK 28", "/jdk/bin/java", List.of(), List.of()));
        assertEquals(new Case("open, close", "5 B", "JDK 28", "p.Alloc.one", Map.of("size", "5"), 2), there);
    }

    @Test
    void whatTheBenchmarkSays() {
        assertEquals("Alloc.one", SIZED.method());
    }
}
