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
package pooledarena.recommend;

import org.junit.jupiter.api.Test;
import pooledarena.BadInput;
import pooledarena.compare.Comparison;
import pooledarena.compare.Jvm;
import pooledarena.compare.Outcome;
import pooledarena.compare.Row;
import pooledarena.histogram.Tally;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CostsTest {

    private static final Path FILE = Path.of("compare.json");

    @Test
    void aCurve() {
        Curve curve = new Curve(Map.of(10.0, 5.0, 20.0, 6.0, 40.0, 10.0));
        assertEquals(5, curve.at(1));
        assertEquals(5, curve.at(10));
        assertEquals(5.5, curve.at(15));
        assertEquals(6, curve.at(20));
        assertEquals(8, curve.at(30));
        assertEquals(14, curve.at(60));
    }

    @Test
    void whatWasMeasuredCostsThat() {
        assertEquals(22.3, Costs.DOCUMENTED.stock(new Tally(1, 5, 1, null)), 1e-9);
        assertEquals(1.14, Costs.DOCUMENTED.pooled(new Tally(1, 5, 1, null), 64, 8192, true), 1e-9);
        assertEquals(3 * 97.5, Costs.DOCUMENTED.stock(new Tally(3, 900, 9, null)), 1e-9);
        assertEquals(3 * 6.09, Costs.DOCUMENTED.pooled(new Tally(3, 900, 9, null), 64, 8192, true), 1e-9);
    }

    /** Each further allocation takes half of what the third and the second take together. */
    @Test
    void manyAllocations() {
        assertEquals(26.2 + 4 * (97.5 - 26.2) / 2, Costs.DOCUMENTED.stock(new Tally(1, 500, 5, null)), 1e-9);
    }

    /** Slots of 64 bytes: then blocks of 128, 256 and so on up to 16 KiB, of which all further ones are. */
    @Test
    void furtherBlocks() {
        Costs costs = new Costs("", new Curve(Map.of(0.0, 0.0, 1.0, 1.0)), new Curve(Map.of(8.0, 3.0, 64.0, 3.0)),
                new Curve(Map.of(0.0, 0.0, 1.0, 1.0)), new Curve(Map.of(8.0, 5.0, 64.0, 5.0)));
        assertEquals(3, costs.pooled(new Tally(1, 8, 1, null), 64, 64, true));
        assertEquals(3 + 128, costs.pooled(new Tally(1, 8, 1, null), 65, 64, true));
        assertEquals(2 * (3 + 128 + 256), costs.pooled(new Tally(2, 16, 2, null), 64 + 128 + 1, 64, true));
        int doubled = 128 + 256 + 512 + 1024 + 2048 + 4096 + 8192;
        assertEquals(3 + doubled + 3 * 16384, costs.pooled(new Tally(1, 8, 1, null), 64 + doubled + 2 * 16384 + 1, 64, true));
        assertEquals(3 + 65_536, costs.pooled(new Tally(1, 8, 1, null), 65_537, 65_536, true));
        assertTrue(costs.pooled(new Tally(1, 8, 1, null), 64, 64, false) > 3);
    }

    @Test
    void ofAComparison() {
        Costs costs = Costs.of(comparison(
                result("one", 8, 1, 20, 2), result("one", 64, 1, 30, 4), result("one", 16_384, 1, 500, 501),
                result("one", 64, 2, 1000, 1000),
                result("three", 8, 1, 60, 4), result("three", 64, 1, 90, 6)), FILE);
        assertEquals(20, costs.stock(new Tally(1, 8, 1, null)));
        assertEquals(25, costs.stock(new Tally(1, 36, 1, null)));
        assertEquals(4, costs.pooled(new Tally(1, 64, 1, null), 64, 8192, true));
        assertEquals(6, costs.pooled(new Tally(1, 120, 1, null), 64, 8192, true), 1e-9); // not on the way to 16 KiB, which had no slot
        assertEquals(90, costs.stock(new Tally(1, 192, 3, null)));
        assertTrue(costs.source.startsWith("compare.json: "), costs.source);
    }

    @Test
    void aComparisonThatLacksThem() {
        BadInput e = assertThrows(BadInput.class, () -> Costs.of(comparison(
                result("one", 8, 1, 20, 2), result("one", 64, 1, 30, 4), result("three", 8, 1, 60, 4)), FILE));
        assertEquals("--costs compare.json: has not two sizes of ConfinedArenaAlloc.three on stock; a compare.json of make compare "
                + "is accepted; nothing was written", e.getMessage());
    }

    private static Comparison comparison(Comparison.Result... results) {
        return new Comparison(null, Map.of(), "2026-01-02", "make compare", null, null, "1.37", null, List.of(), results.length,
                new ArrayList<>(List.of(results)), List.of(), Map.of());
    }

    private static Comparison.Result result(String method, int size, int threads, double stock, double pooled) {
        return new Comparison.Result(new Row("", "bench.ConfinedArenaAlloc." + method, Map.of("size", Integer.toString(size)), threads),
                Map.of(Jvm.STOCK, new Outcome(stock, 0.0, 0.0, null), Jvm.POOLED, new Outcome(pooled, 0.0, 0.0, null)));
    }
}
