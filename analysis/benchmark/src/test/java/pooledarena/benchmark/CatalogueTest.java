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
package pooledarena.benchmark;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;

class CatalogueTest {

    @Test
    void threadsArePowersOfTwoUpToFourForEachCore() {
        assertEquals(List.of(2, 4), Catalogue.threads(1));
        assertEquals(List.of(2, 4, 8), Catalogue.threads(2));
        assertEquals(List.of(2, 4, 8, 16), Catalogue.threads(6));
    }

    @Test
    void aRowIsNamedByItsParametersAndThreads() {
        assertEquals("t", new Row("t", "b", Map.of(), 1).label());
        assertEquals("t, 2 threads", new Row("t", "b", Map.of(), 2).label());
        assertEquals("t, 8 deep", new Row("t", "b", Map.of("depth", "8"), 1).label());
        assertEquals("t, 64 held, 5 B", label("held", "64", "size", "5"));
        assertEquals("t, 100 allocations, 5 B", label("count", "100", "size", "5"));
        assertEquals("t, 1000 parked, 5 B", label("ended", "0", "parked", "1000", "size", "5"));
        assertEquals("t, 7 carriers ended, 0 parked", label("ended", "7", "parked", "0"));
        assertEquals("t, 5 B, 4 threads", new Row("t", "b", Map.of("size", "5"), 4).label());
    }

    private static String label(String... parameters) {
        Map<String, String> ordered = new TreeMap<>();
        for (int i = 0; i < parameters.length; i += 2) {
            ordered.put(parameters[i], parameters[i + 1]);
        }
        return new Row("t", "b", ordered, 1).label();
    }

    @Test
    void effortTellsItsTime() {
        // 3 rows on 2 sides, 5 forks of 0.8 s and 6 x 0.2 s and 5 x 0.2 s: 30 x 3 s.
        assertEquals(90, Effort.FULL.time(3, 2).toSeconds());
        assertEquals(36, Effort.FULL.withForks(2).time(3, 2).toSeconds());
    }
}
