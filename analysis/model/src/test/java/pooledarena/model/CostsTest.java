/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.model;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.io.BadInput;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CostsTest {

    @TempDir
    private Path directory;

    /** What is recommended must be measured: the default, and slots of up to 64 KiB. */
    @Test
    void documented() {
        Costs costs = Costs.documented();
        assertEquals("doc/performance/costs.json", costs.source());
        assertEquals(65536, costs.largestSlot());
        assertTrue(costs.pooled().one().containsKey(16384L), costs.pooled().toString());
        for (long size : costs.pooled().one().keySet()) {
            assertTrue(costs.pooled().arena(1, size) > 0 && costs.pooled().arena(1, size) < 1.1 * costs.stock().arena(1, size),
                    size + " B");
        }
        assertTrue(costs.stock().heap(1, 1) > costs.pooled().heap(1, 1));
    }

    /** Linear between and beyond measured sizes; each further allocation costs half of what one and three differ by. */
    @Test
    void times() {
        Costs.Times times = new Costs.Times(new TreeMap<>(Map.of(10L, 100.0, 20L, 110.0, 120L, 310.0)),
                new TreeMap<>(Map.of(10L, 120.0, 20L, 150.0)), 16, 48);
        assertEquals(100, times.arena(1, 1));
        assertEquals(105, times.arena(1, 15));
        assertEquals(210, times.arena(1, 70));
        assertEquals(330, times.arena(1, 130));
        assertEquals(100 + 4 * 10, times.arena(5, 10));
        assertEquals(310 + 20 + 200, times.arena(2, 120));
        assertEquals(2 * 16 + 6 * 48, times.heap(2, 6));
    }

    @Test
    void ofAComparison() throws IOException {
        Costs costs = Costs.of(figures(8192));
        assertEquals(8192, costs.largestSlot());
        assertEquals(Map.of(5L, 30.0, 8192L, 80.0, 65536L, 800.0), costs.stock().one());
        assertEquals(Map.of(5L, 2.0, 8192L, 40.0), costs.pooled().one());
        assertEquals((40 - 8 * 2) / 7.0, costs.notResident());
        assertEquals(3 - 2, costs.carried());
        assertEquals(21 - 9, costs.byValue());
        assertEquals(120 + 3 * 48, costs.stock().heap(1, 3));
        assertEquals(104, costs.pooled().heap(1, 3));
    }

    /** A slot of that size must hold what is said to be pooled. */
    @Test
    void whatIsNotMeasuredIsRefused() throws IOException {
        Path small = figures(4096);
        assertFault(small, "lacks ConfinedArenaAlloc.one with 8192 bytes");
        Path large = figures(16384);
        Files.writeString(large, Files.readString(large).replace("\"size\": \"5\"", "\"size\": \"16384\""));
        assertFault(large, "lacks ConfinedArenaAlloc.one with 8192 bytes");
        for (String none : List.of("-1.0", "1e999")) {
            Path bad = figures(8192);
            Files.writeString(bad, Files.readString(bad).replace("\"cpuNsPerOp\": 9.0", "\"cpuNsPerOp\": " + none));
            assertFault(bad, "lacks ConfinedArenaStructReturn.twoRegisters");
        }
        assertFault(Files.writeString(directory.resolve("empty"), "{}"), "lacks ConfinedArenaAlloc.one");
        assertFault(Files.writeString(directory.resolve("report.md"), "# A report"), "is not JSON");
        assertFault(directory.resolve("nowhere"), "cannot be read (there is no such file or directory)");
    }

    private static void assertFault(Path file, String fault) {
        assertEquals("--costs " + file + ": " + fault + "; the figures.json of make compare is accepted; nothing was written",
                assertThrows(BadInput.class, () -> Costs.of(file)).getMessage());
    }

    private Path figures(int largest) throws IOException {
        String rows = String.join(",\n", row("Alloc.one", 5, 30, 0, 2, 0), row("Alloc.one", largest, 80, 0, 40, 0),
                row("Alloc.one", 65536, 800, 0, 800, 0), row("Alloc.three", 5, 90, 144, 4, 0), row("Nested.eight", 5, 300, 0, 40,
                        0),
                row("Virtual.allocate", 5, 31, 0, 3, 0), row("Escape.allocateNotInlined", 5, 43, 168, 16, 104),
                row("StructReturn.twoRegisters", 0, 21, 0, 9, 0));
        return Files.writeString(directory.resolve("figures.json"),
                "{\"jvms\": [{\"name\": \"stock\"}, {\"name\": \"pooled\"}], \"measured\": [" + rows + "]}");
    }

    private static String row(String method, int size, double stock, double stockHeap, double pooled, double pooledHeap) {
        String format = "{\"what\": {\"benchmark\": \"p.ConfinedArena%s\", \"jvm\": \"%s\", \"parameters\": {\"size\": \"%d\"}, "
                + "\"threads\": 1}, \"outcome\": {\"score\": 1, \"bytesPerOp\": %s, \"cpuNsPerOp\": %s}}";
        return format.formatted(method, "stock", size, stockHeap, stock) + ",\n" + format.formatted(method, "pooled", size,
                pooledHeap, pooled);
    }
}
