/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.histogram.Tally;
import pooledarena.io.BadInput;
import pooledarena.text.DocumentedTimes;
import pooledarena.text.DocumentedTimes.Times;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CostsTest {

    @Test
    void aCurve() {
        NavigableMap<Long, Times> times = new TreeMap<>(Map.of(10L, new Times(5, 1), 20L, new Times(6, 2), 40L, new Times(10, 4)));
        assertEquals(5, Costs.at(1, times, Times::stock));
        assertEquals(5, Costs.at(10, times, Times::stock));
        assertEquals(5.5, Costs.at(15, times, Times::stock));
        assertEquals(6, Costs.at(20, times, Times::stock));
        assertEquals(8, Costs.at(30, times, Times::stock));
        assertEquals(14, Costs.at(60, times, Times::stock));
        assertEquals(3, Costs.at(30, times, Times::pooled));
    }

    private final Costs costs = Costs.of(DocumentedTimes.of("""
            | | | 28 ns/op | 28 tuned ns/op | ours ns/op |
            | --- | --- | ---: | ---: | ---: |
            | open, allocate, close | 64 B | 1.8 | 1.9 | 1.7 |

            | | | stock ns/op | pooled ns/op | pooled B/op | speedup |
            | --- | --- | ---: | ---: | ---: | ---: |
            | open, allocate, close | 5 B | 20.0 | 1.00 | 0 | 20.0x ± 0.2 |
            |  | 105 B | 30.0 | 3.00 | 0 | 10.0x ± 0.2 |
            |  | 65536 B | 363 | 430 | 0 | 0.84x ± 0.02 |
            | three allocations in one arena | 5 B | 60.0 | 2.00 | 0 | 30.0x ± 0.9 |
            |  | 105 B | 90.0 | 7.00 | 0 | 12.9x ± 0.1 |
            | two nested arenas | 5 B | 52.7 | 3.45 | 0 | 15.3x ± 0.6 |
            """));

    @Test
    void ofADocument() {
        assertEquals(20, costs.stock(new Tally(1, 5, 1, null)));
        assertEquals(25, costs.stock(new Tally(1, 55, 1, null)));
        assertEquals(363, costs.stock(new Tally(1, 65_536, 1, null)));
        assertEquals(1, costs.pooled(new Tally(1, 5, 1, null), Map.of()));
        assertEquals(5, costs.pooled(new Tally(1, 205, 1, null), Map.of()), 1e-9); // 65536 bytes had no slot
        assertEquals(105, costs.largestPooled());
        assertEquals(3 * 90, costs.stock(new Tally(3, 945, 9, null)), 1e-9);
        assertEquals(3 * 7, costs.pooled(new Tally(3, 945, 9, null), Map.of()), 1e-9);
        assertEquals(1.45, costs.notResident(), 1e-9); // 3.45 less twice 1.00
    }

    /** That the document has what is looked for there, and a pool that is faster. */
    @Test
    void theDocument() {
        for (int allocations : new int[] {1, 3}) {
            for (int size : new int[] {5, 100, 451, 2000}) {
                Tally tally = new Tally(1, (long) allocations * size, allocations, null);
                double pooled = Costs.DOCUMENTED.pooled(tally, Map.of());
                assertTrue(pooled > 0 && pooled < Costs.DOCUMENTED.stock(tally), pooled + " ns");
                assertTrue(Costs.DOCUMENTED.notResident() > 0);
            }
        }
    }

    /** Each further allocation takes half of what the third and the second take together. */
    @Test
    void manyAllocations() {
        assertEquals(30 + 4 * (90 - 30) / 2, costs.stock(new Tally(1, 525, 5, null)), 1e-9);
    }

    /** What is made costs what stock takes for it: 20 ns + 0.1 ns for each byte above 5, and above 105 333 ns for 65431 bytes. */
    @Test
    void blocksThatAreMade() {
        assertEquals(1 + 25.9, costs.pooled(new Tally(1, 5, 1, null), Map.of(64, 1L)), 1e-9);
        assertEquals(2 * (1 + 3 * 25.9 + 363), costs.pooled(new Tally(2, 10, 2, null), Map.of(64, 3L, 65_536, 1L)), 1e-9);
    }

    /** As make compare writes it: what failed or has another unit is not read. */
    private static final String REPORT = """
            # A comparison

            | benchmark | size | stock ns/op | pooled ns/op | stock B/op | pooled B/op | speedup |
            | --- | ---: | ---: | ---: | ---: | ---: | ---: |
            | open, allocate, close | 8 B | 20.0 ± 0.1 | 2.00 ± 0.03 | 48 | 0 | 10.0x ± 0.2 |
            | open, allocate, close | 16 B | failed | 2.00 ± 0.03 | failed | 0 | - |
            | open, allocate, close | 64 B | 30.0 ± 0.1 | 4.00 | 48 | 0 | 7.50x |
            | open, allocate, close | 16384 B | 500 ± 2 | 501 ± 4 | 48 | 48 | 1.00x ± 0.01 |
            | empty arena | - | 6.00 ± 0.1 | 1.00 ± 0.00 | 48 | 0 | 6.00x ± 0.1 |
            | open, allocate, close | 64 B, 2 threads | 1000 ± 0.1 | 1000 ± 0.1 | 48 | 0 | 1.00x |
            | three allocations in one arena | 8 B | 60.0 ± 0.1 | 4.00 ± 0.1 | 48 | 0 | 15.0x ± 0.2 |
            | three allocations in one arena | 64 B | 90.0 ± 0.1 | 6.00 ± 0.1 | 48 | 0 | 15.0x ± 0.2 |
            """;

    @TempDir
    private Path directory;

    private Path report(String text) throws IOException {
        return Files.writeString(directory.resolve("report.md"), text);
    }

    @Test
    void ofAComparison() throws IOException {
        Path report = report(REPORT);
        Costs costs = Costs.of(report);
        assertEquals(20, costs.stock(new Tally(1, 8, 1, null)));
        assertEquals(25, costs.stock(new Tally(1, 36, 1, null)));
        assertEquals(4, costs.pooled(new Tally(1, 64, 1, null), Map.of()));
        assertEquals(6, costs.pooled(new Tally(1, 120, 1, null), Map.of()), 1e-9); // not on the way to 16 KiB, which had no slot
        assertEquals(90, costs.stock(new Tally(1, 192, 3, null)));
        assertEquals(Costs.DOCUMENTED.notResident(), costs.notResident());
        assertEquals(report.toString(), costs.source());
    }

    @Test
    void aComparisonThatLacksThem() throws IOException {
        Path report = report(REPORT.replace("| three allocations in one arena | 64 B", "| three allocations in one arena | 64 KiB"));
        BadInput e = assertThrows(BadInput.class, () -> Costs.of(report));
        assertEquals("--costs " + report + ": has not two sizes of \"three allocations in one arena\" up to 8192 bytes; a report.md "
                + "of make compare is accepted; nothing was written", e.getMessage());
    }
}
