/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.junit.jupiter.api.Test;
import pooledarena.benchmark.Case;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.benchmark.Results.Measured;

import java.io.IOException;
import java.util.List;
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

    @Test
    void aLineForEachRowWithAllFigures() {
        List<List<String>> lines = cells(new ComparisonReport(Samples.whole()).benchmarks().toMarkdown());
        assertEquals(3, lines.size());
        assertEquals(List.of("open and close", "5 B", "20.0 ± 2.0", "2.00 ± 0.10", "144", "0", "10.0x ± 1.1", "5.00 ± 0.00", "48",
                "4.00x ± 0.40"), lines.get(1));
        assertEquals(List.of("empty", "-", "1.00 ± 0.50", "2.00 ± 0.00", "0", "0", "0.50x ± 0.25", "1.00 ± 0.00", "0",
                "1.00x ± 0.50"), lines.get(2));
        assertEquals("JDK 28 speedup", lines.get(0).getLast());
    }

    @Test
    void whatFailedIsNamedAndHasNoFigure() throws IOException {
        List<List<String>> lines = cells(new ComparisonReport(Samples.withFailure()).benchmarks().toMarkdown());
        assertEquals(List.of("open and close", "5 B", "20.0 ± 2.0", "failed", "144", "failed", "-"), lines.get(1));
        String report = new ComparisonReport(Samples.withFailure()).document().toMarkdown();
        assertTrue(report.contains("Failed: open and close, 5 B, pooled: IllegalStateException: closed"), report);
    }

    @Test
    void processesHaveDifferenceAndQuotient() {
        Results results = Samples.of(List.of(Samples.STOCK, Samples.POOLED)).with(Stream.of(
                process("start-up", Samples.STOCK, Outcome.of("ms", 40, 40, 40)), process("start-up", Samples.POOLED, Outcome.of("ms", 41)),
                process("memory", Samples.STOCK, Outcome.of("B", 0)), process("memory", Samples.POOLED, Outcome.of("B", 800)),
                process("other", Samples.STOCK, Outcome.of("B", 3)), process("other", Samples.POOLED, Outcome.failed("no")))
                .toList(), 0.0);
        List<List<String>> lines = cells(new ComparisonReport(results).processes().toMarkdown());
        assertEquals(List.of("start-up", "ms", "40.00 ± 0.00", "41.00", "+1.00", "1.025"), lines.get(1));
        assertEquals(List.of("memory", "B", "0", "800", "+800", "-"), lines.get(2));
        assertEquals(List.of("other", "B", "3", "failed", "-", "-"), lines.get(3));
    }

    private static Measured process(String title, Jvm jvm, Outcome outcome) {
        return new Measured(Case.ofProcess(ComparisonReport.PROCESSES, title, jvm.name(), jvm), outcome);
    }

    @Test
    void whereAndHowIsThere() throws IOException {
        String report = new ComparisonReport(Samples.whole()).document().toMarkdown();
        for (String part : List.of("Some CPU, 2 cores, 8 GiB, Some Linux", "2026-01-02 03:04 Z", "`make compare`",
                "/jdk/stock/bin/java -version", "openjdk version \"25.0.3\" 2026-04-21", "/jdk/pooled/bin/java -version",
                "(speedup.png)", "0.04 of 2 cores", "99.9 %")) {
            assertTrue(report.contains(part), part + " in " + report);
        }
        assertFalse(report.contains("**"), "a warning");
    }

    @Test
    void whatSpoilsTheFiguresIsSaidFirst() throws IOException {
        String busy = new ComparisonReport(Samples.whole().with(List.of(), 0.5)).document().toMarkdown();
        assertTrue(busy.indexOf("Not to be quoted: other programs kept 0.50 of 2 cores busy") < busy.indexOf("| benchmark"), busy);
        assertTrue(busy.contains("Not to be quoted"));
        // The charts have these lines under their titles.
        assertEquals(2, Samples.whole().origin().size());
        assertEquals("Not to be quoted: other programs kept 0.50 of 2 cores busy during the measurement.",
                Samples.whole().with(List.of(), 0.5).origin().getLast());
    }
}
