/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import pooledarena.compare.Results.Effort;
import pooledarena.compare.Results.Machine;
import pooledarena.compare.Results.Measured;
import pooledarena.compare.Results.Row;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** What is said of figures by hand: two rows of one group on two virtual machines, and one that only stock has. */
class ResultsTest {

    private static final JavaCommand STOCK = new JavaCommand("stock", "/jdk/stock/bin/java", List.of(),
            List.of("version 25", "Build 1"));
    private static final JavaCommand PATCH = new JavaCommand("patch", "/jdk/patched/bin/java", List.of("-Da"),
            List.of("version 25", "Build 2"));
    private static final Outcome TWENTY = new Outcome(20.0, null, null, "ns/op", null, null, null);
    private static final Outcome TWO = new Outcome(2.0, null, null, "ns/op", null, null, null);
    private static final Case SMALL = new Case("open", "5 B", null, "p.Alloc.one", Map.of("size", "5"), 1);
    private static final Case LARGE = new Case("open", "100 B", null, "p.Alloc.one", Map.of("size", "100"), 1);
    private static final Case OTHER = new Case("memory", "", null, "p.Memory.all", Map.of(), 1);

    private static final Results RESULTS = new Results("A title", "make compare", "2026-01-02 03:04",
            new Machine("Some CPU", 2, 8192, "Some Linux"), 0.04, new Effort(1, 2, 100, 3, 200), List.of(STOCK, PATCH),
            List.of(new Measured(SMALL.on(STOCK), TWENTY), new Measured(LARGE.on(STOCK), TWENTY),
                    new Measured(OTHER.on(STOCK), new Outcome(7.0, null, null, "B", null, null, null)),
                    new Measured(OTHER.on(STOCK), new Outcome(8.0, null, null, "calls", null, null, null)),
                    new Measured(SMALL.on(PATCH), TWO), new Measured(LARGE.on(PATCH), TWO)), List.of("closed"));

    /** Threads that share a processor have as much of an iteration as others, in about the same time. */
    @Test
    void iterationsOfThreadsThatShareProcessors() {
        Effort effort = new Effort(1, 6, 200, 60, 20);
        assertEquals(effort, effort.shared(1, 2));
        assertEquals(effort, effort.shared(2, 2));
        assertEquals(new Effort(1, 6, 200, 30, 40), effort.shared(3, 2));
        assertEquals(new Effort(1, 6, 200, 7, 160), effort.shared(16, 2));
        assertEquals(new Effort(1, 6, 200, 5, 640), effort.shared(64, 2));
        assertEquals(new Effort(1, 1, 10, 3, 160), new Effort(1, 1, 10, 3, 20).shared(16, 2));
    }

    /** What one benchmark counts in two units has two rows. */
    @Test
    void rows() {
        List<Row> rows = RESULTS.rows();
        assertEquals(List.of("open, 5 B", "open, 100 B", "memory", "memory"),
                rows.stream().map(row -> row.what().title()).toList());
        assertEquals(Map.of("stock", TWENTY, "patch", TWO), rows.getFirst().outcomes());
        assertEquals(List.of("B", "calls"), rows.subList(2, 4).stream().map(Row::unit).toList());
    }

    @Test
    void cells() {
        Row both = RESULTS.rows().getFirst();
        Row one = RESULTS.rows().getLast();
        assertEquals("20.0", both.cell("stock", Outcome::scoreWithError));
        assertEquals("-", one.cell("patch", Outcome::scoreWithError));
        assertEquals(Optional.of(10.0), both.both("patch", "stock", (patch, stock) -> stock.score() / patch.score()));
        assertEquals(Optional.empty(), one.both("patch", "stock", (_, _) -> "both"));
        Row withoutStock = new Row(SMALL, Map.of("patch", TWO));
        assertEquals(Optional.empty(), withoutStock.both("patch", "stock", (_, _) -> "both"));
    }

    /** Other programs read this form, so its names stay. */
    @Test
    void asJson() throws IOException {
        byte[] json = new ObjectMapper().writeValueAsBytes(RESULTS);
        assertEquals(RESULTS, new ObjectMapper().readValue(json, Results.class));
        assertEquals("""
                {"what":{"group":"open","row":"5 B","jvm":"stock","benchmark":"p.Alloc.one","parameters":{"size":"5"},\
                "threads":1},\
                "outcome":{"score":20.0,"error":null,"slowed":null,"unit":"ns/op","bytesPerOp":null,\
                "gcMillisPerSecond":null,"cpuNsPerOp":null}}""",
                new ObjectMapper().readTree(json).get("measured").get(0).toString());
    }
}
