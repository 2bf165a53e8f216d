/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.xy.XYDataset;
import org.junit.jupiter.api.Test;
import pooledarena.Order;
import pooledarena.benchmark.Case;
import pooledarena.benchmark.Machine;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.benchmark.Results.Effort;
import pooledarena.benchmark.Results.Measured;
import pooledarena.peers.Peers.Part;
import pooledarena.text.Document;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The tables of the parts say what the figures say. */
class PartsTest {

    /** {@return the results of {@code part} with these outcomes, by the labels of their cases} */
    private static Results results(Part part, Map<String, Outcome> outcomes) {
        List<Measured> measured = part.cases().stream().filter(c -> outcomes.containsKey(c.label()))
                .map(c -> new Measured(c, outcomes.get(c.label()))).toList();
        assertEquals(outcomes.size(), measured.size());
        return new Results(part.title(), "make", "now", Machine.current(), 0.0, new Effort(1, 1, 1, 1, 1),
                List.of(), measured, List.of());
    }

    private static Outcome outcome(String unit, double score, double cpu) {
        return new Outcome(score, 1.0, unit, 24.0, 5.0, cpu);
    }

    /** {@return whether the report has a line of a table that begins with these cells} */
    private static boolean hasLine(Part part, Results results, String... cells) throws IOException {
        Document document = new Document(part.title());
        for (Group group : part.groups()) {
            group.addTo(document, results);
        }
        return document.toMarkdown().replaceAll(" +", " ").lines()
                .anyMatch(line -> line.startsWith("| " + String.join(" | ", cells) + " |"));
    }

    @Test
    void noTwoCasesHaveOnePlace() {
        for (String name : Peers.PARTS) {
            List<Case> cases = Part.of(name).cases();
            assertTrue(!cases.isEmpty(), name);
            assertEquals(cases.size(), new HashSet<>(cases.stream().map(Case::label).toList()).size(), name);
        }
    }

    @Test
    void mostThatAPoolCouldGain() throws IOException {
        Part part = Part.of("arenas");
        Results results = results(part, Map.of(
                "Open, allocate, use, close or drop, ofShared, 16 B, allocation", outcome("ns/op", 1_200, 2_400),
                "Open, allocate, use, close or drop, ofShared, 16 B, memory is there", outcome("ns/op", 1_000, 1_600),
                "Open, allocate, use, close or drop, ofShared, 16 B, empty", outcome("ns/op", 900, 900)));
        // Columns: the whole, with memory that is there, and without memory.
        assertTrue(hasLine(part, results, "ofShared, 16 B", "1200 ± 1", "1000 ± 1", "900 ± 1"));
        assertTrue(hasLine(part, results, "ofShared, 16 B", "2400", "1600", "900"));
        assertTrue(hasLine(part, results, "ofShared, 16 B", "0", "200", "300"));
        assertTrue(hasLine(part, results, "ofShared, 16 B", "1.00x", "1.20x", "1.33x"));
        assertTrue(hasLine(part, results, "ofShared, 16 B", "1.00x", "1.50x", "2.67x"));
    }

    /** The whole took less than its parts, by chance. */
    @Test
    void sharesOfTheTimeAreOfAllParts() {
        Part part = Part.of("arenas");
        Results results = results(part, Map.of(
                "Open, allocate, use, close or drop, ofShared, 16 B, allocation", outcome("ns/op", 700, 1),
                "Open, allocate, use, close or drop, ofShared, 16 B, memory is there", outcome("ns/op", 1_000, 1),
                "Open, allocate, use, close or drop, ofShared, 16 B, empty", outcome("ns/op", 900, 1)));
        Group group = part.groups().getFirst();
        CategoryDataset bars =
                ((CategoryPlot) group.picture().chart(results, group.name()).orElseThrow().plot()).getDataset();
        assertEquals(List.of("ofShared, 16 B"), bars.getColumnKeys());
        assertEquals(List.of(90.0, 10.0, 0.0), List.of(bars.getValue(0, 0), bars.getValue(1, 0), bars.getValue(2, 0)));
    }

    @Test
    void requestsAndWhatTheyAllocate() throws IOException {
        Part part = Part.of("rocksdb");
        Results results = results(part, Map.of(
                "By load, values of 16 to 8192 bytes, 2 threads, byte[], JNI", outcome("ops/s", 123_456, 10),
                "By load, values of 16 to 8192 bytes, 4 threads, arena, FFM, pooled", outcome("ops/s", 10, 10)));
        assertTrue(hasLine(part, results, "2 threads", "123456 ± 1", "-"));
        assertTrue(hasLine(part, results, "2 threads", "24", "-"));
        assertTrue(hasLine(part, results, "2 threads", "2.8", "-"));
        assertTrue(hasLine(part, results, "2 threads", "5.00", "-"));
    }

    @Test
    void speedupOverNoPoolAndZeroing() throws IOException {
        Part part = Part.of("okio");
        Results results = results(part, Map.of(
                "Take 8 KiB, write one byte, give them back, 4 threads, no pool", outcome("ns/op", 900, 0),
                "Take 8 KiB, write one byte, give them back, 4 threads, pooled arena", outcome("ns/op", 300, 0),
                "Allocate n bytes, write one, drop them, 1024 B, new byte[n]", outcome("ns/op", 150, 0),
                "Allocate n bytes, write one, drop them, 1024 B, new byte[n], not zeroed", outcome("ns/op", 110, 0)));
        assertTrue(hasLine(part, results, "4 threads", "4.44", "13.3"));
        assertTrue(hasLine(part, results, "4 threads", "1.00x", "3.00x"));
        assertTrue(hasLine(part, results, "1024 B", "150 ± 1", "110 ± 1"));
        assertTrue(hasLine(part, results, "1024 B", "40"));
        assertFalse(hasLine(part, results, "1024 B", "40", "-")); // what is not zeroed is compared with nothing
    }

    /** Two of five numbers of threads, and a column that has one. */
    @Test
    void linesByThreads() {
        Part part = Part.of("okio");
        String group = "Take 8 KiB, write one byte, give them back";
        Results results = results(part, Map.of(
                group + ", 4 threads, no pool", outcome("ns/op", 1000, 0),
                group + ", 16 threads, no pool", outcome("ns/op", 4000, 0),
                group + ", 16 threads, pooled arena", outcome("ns/op", 400, 0),
                "Allocate n bytes, write one, drop them, 1024 B, new byte[n]", outcome("ns/op", 150, 0)));
        Picture picture = part.groups().getFirst().picture();
        XYDataset lines = ((XYPlot) picture.chart(results, group).orElseThrow().plot()).getDataset();
        assertEquals(List.of("no pool", "pooled arena"), List.of(lines.getSeriesKey(0), lines.getSeriesKey(1)));
        assertEquals(List.of(4.0, 4.0, 16.0, 4.0),
                List.of(lines.getXValue(0, 0), lines.getYValue(0, 0), lines.getXValue(0, 1), lines.getYValue(0, 1)));
        assertEquals(List.of(16.0, 40.0), List.of(lines.getXValue(1, 0), lines.getYValue(1, 0)));
    }

    /** A group has a heading, tables, what is to be known of them, and a chart; without figures it has a line. */
    @Test
    void whatAGroupAdds() {
        Part part = Part.of("okio");
        Group first = part.groups().getFirst();
        Group second = part.groups().getLast();
        Results results = results(part, Map.of(
                first.name() + ", 4 threads, no pool", outcome("ns/op", 1000, 0),
                first.name() + ", 16 threads, no pool", outcome("ns/op", 4000, 0)));
        Document document = new Document("Title");
        first.addTo(document, results);
        second.addTo(document, results);
        String text = document.toMarkdown().replaceAll("\\s+", " ");
        Order.assertInOrder(List.of("## " + first.name(), "| 4 threads |", first.about(), "(contention.png)",
                "Not measured: " + second.name() + "."), text);
        assertFalse(text.contains("## " + second.name()), text);
        assertFalse(text.contains("pooled arena |"), text); // it has no figures
    }

    /** Bars need all columns, and there are none without such a row. */
    @Test
    void noBars() {
        Part part = Part.of("arenas");
        Group group = part.groups().getFirst();
        assertEquals(Optional.empty(), group.picture().chart(results(part, Map.of(
                "Open, allocate, use, close or drop, ofShared, 16 B, allocation", outcome("ns/op", 700, 1))), group.name()));
    }

    /** The columns' values and the rows' values make the case. */
    @Test
    void cases() {
        Case first = Part.of("okio").cases().stream().filter(each -> each.row().equals("4 threads")).findFirst().orElseThrow();
        assertEquals(new Case("Take 8 KiB, write one byte, give them back", "4 threads", "no pool", "stock",
                Group.PACKAGE + "SegmentPools.noPool", Map.of(), 4), first);
        Case auto = Part.of("arenas").cases().stream().filter(each -> each.label().endsWith("ofAuto, 16 B, pool of 64"))
                .findFirst().orElseThrow();
        assertEquals(Map.of("slots", "64", "size", "16", "garbage", "0"), auto.parameters());
        assertEquals(1, auto.threads());
    }
}
