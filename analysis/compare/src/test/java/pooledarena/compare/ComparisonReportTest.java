/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.jfree.chart.plot.CategoryPlot;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ComparisonReportTest {

    /** {@return the cells of each line of a table in Markdown, without the line under the header} */
    private static List<List<String>> cells(String markdown) {
        return markdown.lines().filter(line -> !line.startsWith("| ---"))
                .map(line -> Stream.of(line.split("\\|")).map(String::strip).skip(1).toList()).toList();
    }

    private static String report(Results results) throws IOException {
        return Samples.report(results).document().toMarkdown();
    }

    @Test
    void aLineForEachRowWithAllFigures() {
        List<List<String>> lines = cells(Samples.report(Samples.whole()).times().toText(Integer.MAX_VALUE));
        assertEquals(3, lines.size());
        assertEquals(List.of("open and close", "5 B", "20.0 ± 2.0", "2.00 ± 0.10", "5.00 ± 0.00", "144", "0", "48", "10.0x ± 1.1",
                "2.50x ± 0.13"), lines.get(1));
        assertEquals(List.of("empty", "-", "1.00 ± 0.50", "2.00 ± 0.00", "1.00 ± 0.00", "0", "0", "0", "0.50x ± 0.25",
                "0.50x ± 0.00"), lines.get(2));
        assertEquals("JDK 28 ÷ patch", lines.get(0).getLast());
    }

    @Test
    void whatFailedIsNamedAndHasNoFigure() throws IOException {
        List<List<String>> lines = cells(Samples.report(Samples.withFailure()).times().toText(Integer.MAX_VALUE));
        assertEquals(List.of("open and close", "5 B", "20.0 ± 2.0", "-", "144", "-", "-"), lines.get(1));
        String report = report(Samples.withFailure());
        assertTrue(report.contains("Failed: open and close, 5 B, patch: IllegalStateException: closed"), report);
    }

    /** The same figures with a peer beside them, and one that failed. */
    @Test
    void csv() throws IOException {
        assertEquals("""
                benchmark,case,unit,stock,patch,"JDK 28","stock B/op","patch B/op","JDK 28 B/op","stock ÷ patch","JDK 28 ÷ patch"
                "open and close","5 B",ns/op,20,2,5,144,0,48,10,2.5
                empty,,ns/op,1,2,1,0,0,0,0.5,0.5
                """, new String(Samples.report(Samples.whole()).csv(), StandardCharsets.UTF_8));
        assertEquals("\"open and close\",\"5 B\",ns/op,20,,144,,", new String(Samples.report(Samples.withFailure()).csv(),
                StandardCharsets.UTF_8).lines().toList().get(1));
    }

    @Test
    void otherFiguresThanTimesHaveAQuotient() throws IOException {
        Results results = Samples.of(List.of(Samples.STOCK, Samples.PATCH),
                Samples.row(Samples.SIZED, Samples.outcome(20, 2, 144), Samples.outcome(2, 0.1, 0)),
                row("start-up", new Outcome(40.0, 0.0, null, "ms/op", null, null, null), other("ms/op", 41)),
                row("memory", other("B", 0), other("B", 800)), row("other", other("B", 3)));
        List<List<String>> lines = cells(Samples.report(results).others().toText(Integer.MAX_VALUE));
        assertEquals(List.of("start-up, ms/op", "40.0 ± 0.0", "41.0", "1.025"), lines.get(1));
        assertEquals(List.of("memory, B", "0.00", "800", "-"), lines.get(2));
        assertEquals(List.of("other, B", "3.00", "-", "-"), lines.get(3));
        assertEquals(2, cells(Samples.report(results).times().toText(Integer.MAX_VALUE)).size());
        assertTrue(report(results).contains("## Start-up, threads and memory\n\n| quantity"), report(results));
        assertEquals(1, ((CategoryPlot) Samples.report(results).speedups().orElseThrow().plot()).getDataset().getColumnCount());
    }

    private static Outcome other(String unit, double value) {
        return new Outcome(value, null, null, unit, null, null, null);
    }

    private static Samples.Row row(String title, Outcome... outcomes) {
        return Samples.row(Samples.row(title, "", "bench." + title, Map.of(), 1), outcomes);
    }

    @Test
    void whereAndHowIsThere() throws IOException {
        String report = report(Samples.whole());
        for (String part : List.of("Some CPU, 2 cores, 8 GiB, Some Linux", "2026-01-02 03:04 Z", "`make compare`",
                "/jdk/stock/bin/java -version", "openjdk version \"25.0.3\" 2026-04-21", "/jdk/patched/bin/java -version",
                "(speedup.png)", "0.04 of 2 cores", "the quartiles of the forks", "The median iteration took 1.01 times that of the fastest")) {
            assertTrue(report.contains(part), part + " in " + report);
        }
        assertFalse(report.contains("**"), "a warning");
        assertFalse(report.contains("Start-up, threads and memory"), "figures that are not there");
    }

    @Test
    void whatSpoilsTheFiguresIsSaidFirst() throws IOException {
        String busy = report(Samples.busy());
        assertTrue(busy.indexOf("Not to be quoted: other programs kept 0.50 of 2 cores busy") < busy.indexOf("| benchmark"), busy);
        assertTrue(busy.contains("Not to be quoted"));
        // The charts have these lines under their titles.
        assertEquals(List.of("Some CPU, 2 cores, 8 GiB, Some Linux; 2026-01-02 03:04 Z",
                "stock: OpenJDK Runtime Environment Vendor-25.0.3+9 (build 25.0.3+9-LTS)",
                "patch: OpenJDK Runtime Environment Vendor-25.0.3+9 with a pool (build 25.0.3+9-LTS)",
                "JDK 28: OpenJDK Runtime Environment (build 28+1)"), Samples.report(Samples.whole()).origin());
        assertEquals("Not to be quoted: other programs kept 0.50 of 2 cores busy during the measurement.",
                Samples.report(Samples.busy()).origin().getLast());
        assertEquals("Slowed from outside: the median iteration took 1.40 times the time of the fastest. Some forks may have no "
                + "undisturbed iteration; five forks or more make that rare.", Samples.report(Samples.slowed(1.4)).origin().getLast());
        assertEquals(Samples.report(Samples.whole()).origin(), Samples.report(Samples.slowed(1.09)).origin());
    }

    /** Of an even number of figures the median is between two. */
    @Test
    void theMedianOfTwo() throws IOException {
        String report = report(Samples.of(List.of(Samples.STOCK, Samples.PATCH), Samples.row(Samples.SIZED,
                new Outcome(20.0, null, 1.15, "ns/op", 0.0, null, null), new Outcome(2.0, null, 1.0, "ns/op", 0.0, null, null))));
        assertTrue(report.matches("(?s).*The median iteration took 1\\.0[78] times that of the fastest.*"), report);
        assertFalse(report.contains("Slowed from outside"), report);
    }
}
