/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.XYDataset;
import org.junit.jupiter.api.Test;
import pooledarena.Order;
import pooledarena.benchmark.Results.Effort;
import pooledarena.benchmark.Results.Measured;
import pooledarena.benchmark.Results.Row;
import pooledarena.text.Chart.Axis;
import pooledarena.text.Chart.Point;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is said of figures by hand: two rows of one group on two virtual machines, and one that only stock has. */
class ResultsTest {

    private static final JavaCommand STOCK = new JavaCommand("stock", "/jdk/stock/bin/java", List.of(),
            List.of("version 25", "Build 1"));
    private static final JavaCommand POOLED = new JavaCommand("pooled", "/jdk/pooled/bin/java", List.of("-Da"),
            List.of("version 25", "Build 2"));
    private static final Outcome TWENTY = Outcome.of("ns/op", 20);
    private static final Outcome TWO = Outcome.of("ns/op", 2);
    private static final Case SMALL = new Case("open", "5 B", "", null, "p.Alloc.one", Map.of("size", "5"), 1);
    private static final Case LARGE = new Case("open", "100 B", "", null, "p.Alloc.one", Map.of("size", "100"), 1);
    private static final Case OTHER = new Case("memory", "", "", null, "p.Memory.all", Map.of(), 1);

    private static Results results(Double otherCores, List<String> failures) {
        List<Measured> measured = List.of(new Measured(SMALL.on(STOCK), TWENTY), new Measured(LARGE.on(STOCK), TWENTY),
                new Measured(OTHER.on(STOCK), Outcome.of("B", 7)), new Measured(SMALL.on(POOLED), TWO),
                new Measured(LARGE.on(POOLED), TWO));
        return new Results("A title", "make compare", "2026-01-02 03:04", new Machine("Some CPU", 2, 8192, "Some Linux"),
                otherCores, new Effort(1, 2, 100, 3, 200), List.of(STOCK, POOLED), measured, failures);
    }

    private static final Results RESULTS = results(0.04, List.of());

    @Test
    void rows() {
        List<Row> open = RESULTS.rows("open");
        assertEquals(List.of("5 B", "100 B"), open.stream().map(row -> row.what().row()).toList());
        assertEquals(Map.of("stock", TWENTY, "pooled", TWO), open.getFirst().outcomes());
        assertEquals(List.of("open", "open", "memory"), RESULTS.rows(_ -> true).stream().map(row -> row.what().group()).toList());
        assertEquals("B", RESULTS.rows("memory").getFirst().unit());
        assertEquals(STOCK, RESULTS.stock());
        assertEquals(List.of(POOLED), RESULTS.contenders());
    }

    @Test
    void cells() {
        Row both = RESULTS.rows("open").getFirst();
        Row one = RESULTS.rows("memory").getFirst();
        assertEquals("20.0", both.cell("stock", Outcome::scoreWithError));
        assertEquals("-", one.cell("pooled", Outcome::scoreWithError));
        assertEquals("10.0x", both.cell("stock", "pooled", (stock, pooled) -> Outcome.times(stock.score() / pooled.score())));
        assertEquals("-", one.cell("stock", "pooled", (_, _) -> "both"));
        assertEquals("-", one.cell("pooled", "stock", (_, _) -> "both"));
    }

    @Test
    void aLineForEachColumn() {
        Axis axis = new Axis("B", false);
        XYDataset lines = ((XYPlot) RESULTS.lines("by size", axis, axis, what -> what.group().equals("open"),
                m -> new Point(m.what().number("size"), m.outcome().score())).orElseThrow().plot()).getDataset();
        assertEquals(List.of("stock", "pooled"), List.of(lines.getSeriesKey(0), lines.getSeriesKey(1)));
        assertEquals(List.of(5.0, 20.0, 100.0, 2.0),
                List.of(lines.getXValue(0, 0), lines.getYValue(0, 0), lines.getXValue(1, 1), lines.getYValue(1, 1)));
        assertEquals(Optional.empty(), RESULTS.lines("one point", axis, axis, what -> what.row().equals("5 B"),
                _ -> new Point(1, 1)));
    }

    @Test
    void whereTheyAreFrom() {
        List<String> origin = List.of("Some CPU, 2 cores, 8 GiB, Some Linux; 2026-01-02 03:04", "stock: Build 1",
                "pooled: Build 2");
        assertEquals(origin, RESULTS.origin());
        assertEquals(origin, results(null, List.of()).origin());
        assertEquals(origin, results(0.09, List.of()).origin());
        List<String> disturbed = results(0.1, List.of()).origin();
        assertEquals(origin, disturbed.subList(0, 3));
        assertTrue(disturbed.getLast().startsWith("Not to be quoted: other programs kept 0.10 of 2 cores busy"),
                disturbed.getLast());
    }

    @Test
    void theReport() {
        String text = results(0.5, List.of("open, 5 B: too slow"))
                .document((document, given) -> document.paragraph("Report of " + given.title())).toMarkdown();
        Order.assertInOrder(List.of("# A title", "**Not to be quoted", "**Failed: open, 5 B: too slow**", "Report of A title",
                "## Where and how", "Some CPU, 2 cores", "1 fork, each 2 x 100 ms warm-up and 3 x 200 ms measurement",
                "0.50 of 2 cores", "2026-01-02 03:04", "`make compare`", "stock:",
                "    /jdk/stock/bin/java -version\n    version 25\n    Build 1", "pooled:",
                "    /jdk/pooled/bin/java -Da -version"), text);
        String quiet = results(null, List.of()).document((_, _) -> { }).toMarkdown();
        assertFalse(quiet.contains("**"), quiet);
        assertTrue(quiet.contains("busy meanwhile: not known"), quiet);
    }

    @Test
    void asJson() throws IOException {
        assertEquals(RESULTS, new ObjectMapper().readValue(RESULTS.toJson(), Results.class));
    }
}
