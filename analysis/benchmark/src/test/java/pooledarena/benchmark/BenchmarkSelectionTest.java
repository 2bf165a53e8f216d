/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BenchmarkSelectionTest {

    @Test
    void aRowIsNamedByItsParametersAndThreads() {
        assertEquals("", BenchmarkSelection.size(Map.of(), 1));
        assertEquals("2 threads", BenchmarkSelection.size(Map.of(), 2));
        assertEquals("8 deep", BenchmarkSelection.size(Map.of("depth", "8"), 1));
        assertEquals("64 held, 5 B", BenchmarkSelection.size(Map.of("size", "5", "held", "64"), 1));
        assertEquals("100 allocations, 5 B", BenchmarkSelection.size(Map.of("count", "100", "size", "5"), 1));
        assertEquals("1000 parked, 5 B", BenchmarkSelection.size(Map.of("ended", "0", "parked", "1000", "size", "5"), 1));
        assertEquals("7 carriers ended, 0 parked", BenchmarkSelection.size(Map.of("ended", "7", "parked", "0"), 1));
        assertEquals("5 B, 4 threads", BenchmarkSelection.size(Map.of("size", "5"), 4));
    }

    @Test
    void everyRowOfEveryBenchmarkIsThere() {
        assertEquals(List.of("MeasuredBenchmarks.array, 1024 B", "MeasuredBenchmarks.array, 16 B",
                        "MeasuredBenchmarks.broken, 1024 B", "MeasuredBenchmarks.broken, 16 B", "MeasuredBenchmarks.once",
                        "MeasuredBenchmarks.options"),
                BenchmarkSelection.all().stream().map(Case::label).sorted().toList());
    }

    @Test
    void titleAndSizeAreMatchedAndBenchmarkAndSize() {
        Case row = new Case("open, close", "5 B", "", null, "p.Alloc.one", Map.of("size", "5"), 1);
        for (String expression : List.of("", "close, 5 B", "Alloc.one 5 B$", "^open")) {
            assertTrue(row.matches(Pattern.compile(expression)), expression);
        }
        assertFalse(row.matches(Pattern.compile("stock")));
    }
}
