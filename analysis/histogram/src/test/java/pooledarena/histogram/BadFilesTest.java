/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.DataFormatException;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is not a whole histogram is refused with its fault, never half read. */
class BadFilesTest {

    private static final Histogram HISTOGRAM = HistogramTest.histogram(new Random(7), 1);

    @TempDir
    private Path directory;

    @Test
    void everyPlaceWhereItMayBeCutOff() throws IOException {
        byte[] whole = HistogramWriter.json(HISTOGRAM);
        int last = new String(whole, UTF_8).lastIndexOf('}');
        for (int length = 1; length <= last; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            String fault = fault(part);
            assertTrue(fault.startsWith("is not whole JSON"), length + " bytes: " + fault);
        }
    }

    @Test
    void emptyForeignAndOther() throws IOException {
        assertEquals("is empty", fault(new byte[0]));
        assertEquals("is not a \"pooled-confined-arena histogram\"", fault("{\"format\": \"another\"}".getBytes(UTF_8)));
        assertEquals("is not a \"pooled-confined-arena histogram\"", fault("[1, 2]".getBytes(UTF_8)));
        assertEquals("is not a \"pooled-confined-arena histogram\"", fault("null".getBytes(UTF_8)));
        assertEquals("is not whole JSON: line 1", fault(new byte[] {(byte) 0xca, (byte) 0xfe, (byte) 0xba, (byte) 0xbe}));
        assertEquals("is not whole JSON: line 3", fault("{\n\n]".getBytes(UTF_8)));
        assertEquals("is not whole JSON: line 1", fault("[".repeat(100_000).getBytes(UTF_8))); // deeper than is read
        assertEquals("is damaged: \"version\" is missing or is not what it should be", fault(changed("\"version\": 9,", "")));
        assertEquals("has version 8; this tool reads version 9", fault(changed("\"version\": 9", "\"version\": 8")));
    }

    @Test
    void damage() throws IOException {
        assertEquals("has version \"x\"; this tool reads version 9", fault(changed("\"version\": 9", "\"version\": \"x\"")));
        assertEquals("is damaged: \"columns\" is missing or is not what it should be",
                fault(changed("\"earlier\"", "\"other\"")));
        assertEquals("is damaged: \"jvms\" is missing or is not what it should be", fault(changed("\"jvms\"", "\"other\"")));
        assertEquals("is damaged: \"jvms\" is missing or is not what it should be", fault(changed("\"pid\": 1", "\"pid\": -1")));
        assertEquals("is damaged: \"jvms\" is missing or is not what it should be",
                fault(changed("\"cpuMillis\": 0", "\"cpuMillis\": -1")));
        assertEquals("is damaged: \"jvms\" is missing or is not what it should be", fault(changed("\"pid\": 1, ", "")));
        assertEquals("is damaged: \"jvms\" is missing or is not what it should be", fault(changed("\"host\": \"host\", ", "")));
        assertEquals("is damaged: \"dropped\" is missing or is not what it should be",
                fault(changed("\"dropped\": {\"arenas\": ", "\"dropped\": {\"arenas\": 0.5, \"x\": ")));
        assertEquals("is damaged: \"dropped\" is missing or is not what it should be",
                fault(changed("\"dropped\": {\"arenas\": ", "\"dropped\": {\"arenas\": -1")));
        String row = row(HISTOGRAM);
        assertEquals("is damaged: \"rows\" is missing or is not what it should be",
                fault(changed(row, row.replaceFirst("-?\\d+", "99"))));
        assertEquals("is damaged: \"rows\" is missing or is not what it should be",
                fault(changed(row, row.replaceFirst("\\d+, ", ""))));
    }

    /** Which of the two is right cannot be told. */
    @Test
    void aFieldTwice() throws Exception {
        for (String field : List.of("\"jvms\": [], ", "\"dropped\": {\"arenas\": 1}, ")) {
            String fault = fault(changed("\"columns\":", field + "\"columns\":"));
            assertTrue(fault.startsWith("is not whole JSON: line "), fault);
        }
    }

    /** Only the callers may be missing, as in files of one frame for each site. */
    @Test
    void sites() throws Exception {
        Histogram histogram = new Histogram(List.of(), Map.of(), Dropped.NOTHING,
                Map.of(new OtherArenas(OtherArenas.Kind.AUTO, new Site("A", "a", 1, false, List.of("B.b:2", "C.c"))), 5L));
        String whole = new String(HistogramWriter.json(histogram), UTF_8);
        String site = "[\"A\", \"a\", 1, false, [\"B.b:2\", \"C.c\"]]";
        assertTrue(whole.contains(site), whole);
        Path file = directory.resolve("sites.json");
        assertEquals(histogram, HistogramReader.read(Files.writeString(file, whole)));
        Files.writeString(file, whole.replace(site, "[\"A\", \"a\", 1, false]"));
        assertEquals(new Site("A", "a", 1), HistogramReader.read(file).others().keySet().iterator().next().site());
        for (String bad : List.of("[\"A\", \"a\", 1]", "[\"A\", \"a\"]", "[]", "[\"A\", \"a\", 1, false, [null]]",
                "[\"A\", \"a\", 1, false, [[\"B\"]]]", "[\"A\", \"a\", 1, false, \"B\"]", "[\"A\", null, 1, false]",
                "[\"A\", \"a\", null, false]")) {
            assertEquals("is damaged: \"sites\" is missing or is not what it should be",
                    fault(whole.replace(site, bad).getBytes(UTF_8)), bad);
        }
    }

    @Test
    void otherArenas() throws Exception {
        Histogram histogram = new Histogram(List.of(), Map.of(), Dropped.NOTHING,
                Map.of(new OtherArenas(OtherArenas.Kind.AUTO, new Site("A", "a", 1)), 5L));
        String whole = new String(HistogramWriter.json(histogram), UTF_8);
        String good = "[0, 1, 5]";
        assertTrue(whole.contains(good), whole);
        for (String bad : List.of("[1, 1, 5]", "[-2, 1, 5]", "[0, 3, 5]", "[0, -1, 5]", "[0, 1, 0]", "[0, 1]", "[0, 1, 5, 0]")) {
            assertEquals("is damaged: \"others\" is missing or is not what it should be",
                    fault(whole.replace(good, bad).getBytes(UTF_8)), bad);
        }
        Path file = Files.writeString(directory.resolve("twice.json"), whole.replace(good, good + ", " + good));
        assertEquals(List.of(10L), List.copyOf(HistogramReader.read(file).others().values()));
    }

    /** The recorder does not look for rows of equal shape among those that it writes. */
    @Test
    void aRowTwice() throws Exception {
        String row = row(HISTOGRAM);
        Path file = Files.write(directory.resolve("twice.json"), changed(row, row + ",\n" + row));
        long arenas = Long.parseLong(row.split(", ")[HistogramWriter.COLUMNS.indexOf("arenas")]);
        assertEquals(HISTOGRAM.sum((_, _) -> true).arenas() + arenas, HistogramReader.read(file).sum((_, _) -> true).arenas());
    }

    /** Of each number of a row, what is just beyond those that it can be. */
    @Test
    void numbersThatCannotBe() throws IOException {
        Site site = new Site("A", "a", 1);
        Shape shape = new Shape(site, false, Closing.BY_OPENER, 0, 0, 0, 5, 1, 5, 5, 1, true);
        Histogram one = new Histogram(List.of(), Map.of(shape, new Tally(1, 5, 1)), Dropped.NOTHING);
        String whole = new String(HistogramWriter.json(one), UTF_8);
        Map<Integer, Long> most = Map.of(0, 0L, 1, 1L, 2, 3L, 3, (long) Integer.MAX_VALUE, 4, (long) Integer.MAX_VALUE, 5,
                (long) Integer.MAX_VALUE, 11, 1L);
        for (int i = 0; i < HistogramWriter.COLUMNS.size(); i++) {
            List<Long> bad = new ArrayList<>(List.of(i == 0 ? -2 : i == 12 ? 0L : -1L));
            if (most.containsKey(i)) {
                bad.add(most.get(i) + 1);
            }
            for (long number : bad) {
                String[] numbers = row(one).replaceAll("[\\[\\]]", "").split(", ");
                numbers[i] = Long.toString(number);
                byte[] changed = whole.replace(row(one), "[" + String.join(", ", numbers) + "]").getBytes(UTF_8);
                assertEquals("is damaged: \"rows\" is missing or is not what it should be", fault(changed), i + ": " + number);
            }
        }
    }

    @Test
    void trailingBytes() throws IOException {
        byte[] whole = HistogramWriter.json(HISTOGRAM);
        for (String tail : List.of("{}", "x", "]", "\0")) {
            byte[] more = Arrays.copyOf(whole, whole.length + tail.length());
            System.arraycopy(tail.getBytes(UTF_8), 0, more, whole.length, tail.length());
            assertTrue(fault(more).startsWith("is not whole JSON"), tail);
        }
    }

    @Test
    void aVirtualMachineTwice() throws IOException {
        String text = new String(HistogramWriter.json(HISTOGRAM), UTF_8);
        String jvm = text.substring(text.indexOf("{\"host\""), text.indexOf("}],") + 1);
        assertEquals("is damaged: \"jvms\" is missing or is not what it should be", fault(changed(jvm, jvm + ",\n" + jvm)));
    }

    /** {@return the last row of a histogram} */
    private static String row(Histogram histogram) throws IOException {
        String text = new String(HistogramWriter.json(histogram), UTF_8);
        int end = text.indexOf("],\n\"dropped\"");
        return text.substring(text.lastIndexOf("\n[", end) + 1, end);
    }

    private String fault(byte[] bytes) throws IOException {
        Path file = Files.write(directory.resolve("histogram.json"), bytes);
        return assertThrows(DataFormatException.class, () -> HistogramReader.read(file)).getMessage();
    }

    private static byte[] changed(String from, String to) throws IOException {
        String text = new String(HistogramWriter.json(HISTOGRAM), UTF_8);
        assertTrue(text.contains(from), from);
        return text.replace(from, to).getBytes(UTF_8);
    }
}
