/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.probe;

import org.junit.jupiter.api.Test;
import pooledarena.probe.ThreadObjects.Objects;

import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

class ThreadObjectsTest {

    @Test
    void aHistogramIsRead() {
        assertEquals(Map.of(
                        "[B", new Objects(12_345, 678_904),
                        "java.lang.Thread", new Objects(20, 2_080),
                        "java.lang.Thread$FieldHolder", new Objects(20, 800)),
                ThreadObjects.parse("""
                         num     #instances         #bytes  class name (module)
                        -------------------------------------------------------
                           1:         12345         678904  [B (java.base@25.0.3)
                           2:            20           2080  java.lang.Thread (java.base@25.0.3)
                          10:            20            800  java.lang.Thread$FieldHolder (java.base@25.0.3)
                        Total         12385         681784
                        """));
    }

    @Test
    void onlyWhatGrewWithTheThreadsCounts() {
        Map<String, Objects> before = Map.of("grows", new Objects(5, 80), "stays", new Objects(3, 72));
        Map<String, Objects> after = Map.of("grows", new Objects(15, 240), "stays", new Objects(4, 96),
                "isNew", new Objects(20, 640));
        // 160 of the one and 640 of the other, for ten threads.
        assertEquals(80, ThreadObjects.perThread(before, after, 10));
        assertEquals(16, ThreadObjects.each(before, "grows"));
    }
}
