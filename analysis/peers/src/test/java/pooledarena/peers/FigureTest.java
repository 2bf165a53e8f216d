/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import org.junit.jupiter.api.Test;
import pooledarena.benchmark.Case;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results.Row;
import pooledarena.peers.Figure.Comparison;
import pooledarena.peers.Figure.Quantity;

import java.util.HashMap;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Four threads that each need 2 microseconds and 1.5 MiB. */
class FigureTest {

    private static final Case WHAT = new Case("group", "row", "", "stock", "p.B.m", Map.of("size", "64"), 4);
    private static final Outcome OUTCOME = new Outcome(2000.0, 30.0, "ns/op", 1_572_864.0, 5.0, 12.34);
    private static final Outcome HALF = new Outcome(1000.0, 30.0, "ns/op", 0.0, 0.0, 12.34);

    @Test
    void quantities() {
        Map<Quantity, Double> values = new HashMap<>();
        Map<Quantity, String> cells = new HashMap<>();
        Row row = new Row(WHAT, Map.of("stock", OUTCOME));
        for (Quantity quantity : Quantity.values()) {
            values.put(quantity, quantity.of(WHAT, OUTCOME));
            cells.put(quantity, new Figure("", quantity, null, null).cell(row, "stock"));
        }
        assertEquals(Map.of(Quantity.SIZE, 64.0, Quantity.THREADS, 4.0, Quantity.SCORE, 2000.0, Quantity.COUNT, 2000.0,
                Quantity.MILLIONS, 2.0, Quantity.THOUSANDS, 2.0, Quantity.BYTES, 1_572_864.0, Quantity.MEBIBYTES, 3000.0,
                Quantity.GC_MILLIS, 5.0, Quantity.CPU, 12.34), values);
        assertEquals(Map.of(Quantity.SIZE, "64.0", Quantity.THREADS, "4.00", Quantity.SCORE, "2000 ± 30", Quantity.COUNT, "2000",
                Quantity.MILLIONS, "2.00", Quantity.THOUSANDS, "2.00", Quantity.BYTES, "1572864", Quantity.MEBIBYTES, "3000.0",
                Quantity.GC_MILLIS, "5.00", Quantity.CPU, "12"), cells);
    }

    @Test
    void comparisons() {
        Row row = new Row(WHAT, Map.of("a", OUTCOME, "a, half", HALF));
        assertEquals("0.50x", new Figure("", Quantity.SCORE, Comparison.TIMES_AS_FAST, "*, half").cell(row, "a"));
        assertEquals("2.00x", new Figure("", Quantity.SCORE, Comparison.TIMES_AS_FAST, "a").cell(row, "a, half"));
        assertEquals("-1000", new Figure("", Quantity.SCORE, Comparison.LESS, "*, half").cell(row, "a"));
        assertEquals("1000", new Figure("", Quantity.SCORE, Comparison.MORE, "*, half").cell(row, "a"));
        assertEquals("-", new Figure("", Quantity.SCORE, Comparison.MORE, "*, half").cell(row, "a, half"));
    }
}
