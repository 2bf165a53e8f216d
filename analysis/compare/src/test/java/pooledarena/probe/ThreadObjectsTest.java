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
