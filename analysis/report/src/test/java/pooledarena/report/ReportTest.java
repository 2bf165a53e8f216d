/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.report;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.CommandLine;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.HistogramReader;
import pooledarena.histogram.OtherArenas;
import pooledarena.histogram.RecordedJvm;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.Tally;
import pooledarena.io.Tool;
import pooledarena.recordings.Histograms;
import pooledarena.recordings.Recordings;

import javax.imageio.ImageIO;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.zip.DataFormatException;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The files of a report, and what is printed. */
class ReportTest {

    private static final Histogram FIRST = Histograms.of(1, Map.of(
            Histograms.shape(Histograms.SITE, 0, 0), 477L, Histograms.shape(Histograms.SITE, 12, 0), 500L));
    private static final Histogram SECOND = Histograms.of(2, Map.of(
            Histograms.shape(new Site("com.example.A|B<C>", "<init>", 7), 40, 1), 22L, Histograms.shape(null, 1 << 20, 0), 1L));

    /** The colors of bars. */
    private static final int ARENAS = 0x1f6fb4;
    private static final int BYTES = 0xf0a030;

    @TempDir
    private Path directory;
    private Path in;
    private Path out;

    @BeforeEach
    void write() throws IOException {
        in = directory.resolve("in");
        out = directory.resolve("out");
        Histograms.write(FIRST, in.resolve("1.json"));
        Histograms.write(SECOND, in.resolve("2.json"));
    }

    @Test
    void theTables() {
        CommandLine result = CommandLine.run("report", in.toString(), "--out", out.toString());
        assertEquals(0, result.status());
        assertEquals("", result.err());
        String prose = result.out().replace('\n', ' ');
        assertTrue(prose.contains("- 2 JVMs, 1,000 confined arenas; "), prose);
        assertTrue(prose.contains("1,000 arenas with 523 allocations of 1,055,456 bytes: 1,055 bytes of an arena on average, "
                + "2,018 of one that has any."), prose);
        assertLine("0 477 47.7 % 0 0 % 47.7 %", result.out());
        assertLine("8 to 15 500 50.0 % 6,000 0.568 % 97.7 %", result.out());
        assertLine("32 to 63 22 2.2 % 880 0.083 % 99.900 %", result.out());
        assertLine("from 1 MiB 1 0.100 % 1,048,576 99.348 % 100 %", result.out());
        assertFalse(result.out().contains("16 to 31"), result.out());
        assertLine("The call site is known of 999 arenas, 99.900 % of all. These are the shares of those.", result.out());
        assertLine("com.example.Library.call:12 977 97.8 % 6,000 87.2 % 6.14 12 48.8 % 100 %", result.out());
        assertLine("com.example.A|B<C>.<init>:7 22 2.2 % 880 12.8 % 40.0 40 0 % 100 %", result.out());
        assertTrue(prose.contains("; app.jar "), prose);
    }

    @Test
    void progress() {
        CommandLine result = CommandLine.slow("writing", "report", in.toString(), "--out", out.toString());
        assertEquals(0, result.status());
        assertTrue(result.err().matches("(report: \\d+ s, .*\n)+"), result.err());
        assertTrue(result.err().contains(" s, writing what they have\n"), result.err());
    }

    @Test
    void thePageNeedsNoOtherFile() throws IOException {
        CommandLine.run("report", in.toString(), "--out", out.toString());
        String html = Files.readString(out.resolve("report.html"));
        Matcher source = Pattern.compile("(?:src|href)=\"([^\"]{0,22})").matcher(html);
        int pictures = 0;
        while (source.find()) {
            assertEquals("data:image/png;base64,", source.group(1));
            pictures++;
        }
        assertEquals(2, pictures);
        assertFalse(html.contains("url("));
        assertTrue(html.contains("<code>com.example.A|B&lt;C&gt;.&lt;init&gt;:7</code>"));
        assertFalse(html.contains("<init>"));
        assertTrue(html.contains(">47.7 %</td>"));
    }

    @Test
    void theMarkdownNamesItsPictures() throws IOException {
        CommandLine.run("report", in.toString(), "--out", out.toString());
        String markdown = Files.readString(out.resolve("report.md"));
        assertTrue(markdown.contains("| `com.example.A\\|B<C>.<init>:7` |     22 |  2.2 % |"), markdown);
        for (String picture : List.of(ReportDocument.SIZES, ReportDocument.SITES)) {
            assertTrue(markdown.contains("](" + picture + ")"), picture);
            BufferedImage image = ImageIO.read(out.resolve(picture).toFile());
            assertEquals(1920, image.getWidth());
            assertTrue(image.getHeight() >= 1080, picture);
        }
    }

    /** 477, 500, 22 and 1 of 1000 arenas have 0, 12, 40 and 1 MiB; nearly all bytes are in the last. */
    @Test
    void barsAreShares() throws IOException {
        CommandLine.run("report", in.toString(), "--out", out.toString());
        BufferedImage image = ImageIO.read(out.resolve(ReportDocument.SIZES).toFile());
        int zero = longest(image, ARENAS, 0);
        int twelve = longest(image, ARENAS, 1);
        int forty = longest(image, ARENAS, 2);
        assertEquals(477.0 / 500, (double) zero / twelve, 0.01);
        assertEquals(22.0 / 500, (double) forty / twelve, 0.01);
        assertEquals(0.99348 / 0.5, (double) longest(image, BYTES, 0) / twelve, 0.02);
    }

    @Test
    void mergingFirstChangesNothing() throws IOException, DataFormatException {
        Path merged = directory.resolve("merged/all.json");
        CommandLine parts = CommandLine.run("report", in.toString(), "--out", out.toString(), "--merge", merged.toString());
        assertEquals(Histogram.merged(List.of(FIRST, SECOND)), HistogramReader.read(merged));
        String html = Files.readString(out.resolve("report.html"));
        CommandLine whole = CommandLine.run("report", merged.toString(), "--out", out.toString());
        assertEquals(whole.out() + "Wrote " + merged + "\n", parts.out());
        assertEquals(html, Files.readString(out.resolve("report.html")));
    }

    @Test
    void whatIsMissingIsSaid() throws IOException {
        Histogram dropped = new Histogram(List.of(Histograms.jvm(3)), Map.of(), new Dropped(1, 2, 3, 4));
        Histograms.write(dropped, in.resolve("3.json"));
        String text = CommandLine.run("report", in.toString(), "--out", out.toString()).out();
        assertTrue(text.contains("1 arena is missing"), text);
        assertTrue(text.contains("2 arenas have no call site"), text);
        assertTrue(text.contains("3 arenas have their numbers rounded up"), text);
        assertTrue(text.contains("4 times the recorder failed"), text);
    }

    /** The exit status says that not all files were read, and the report which. */
    @Test
    void aFileThatIsLeftOut() throws IOException {
        Path empty = Histograms.write(Histograms.of(9, Map.of()), directory.resolve("none/1.json"));
        Path missing = directory.resolve("missing");
        CommandLine result = CommandLine.run("report", empty.toString(), missing.toString(), "--out", out.toString());
        assertEquals(Tool.EXIT_FAILED, result.status());
        assertTrue(result.out().replace("\n", "").replace(" ", "").contains("Leftout:" + missing), result.out());
    }

    @Test
    void programsWithoutArenas() throws IOException {
        Histograms.write(Histograms.of(9, Map.of()), directory.resolve("none/1.json"));
        CommandLine.run("report", in.toString(), "--out", out.toString());
        CommandLine result = CommandLine.run("report", directory.resolve("none").toString(), "--out", out.toString());
        assertEquals(0, result.status());
        assertTrue(result.out().contains("- 1 JVM, 0 confined arenas; "), result.out());
        assertTrue(Files.notExists(out.resolve(ReportDocument.SITES)), "a picture of the report before");
    }

    /** One arena in a hundred has its call site told: the shares are of these. */
    @Test
    void callSitesOfASample() throws IOException {
        Site other = new Site("com.example.Other", "read", 3);
        Histograms.write(Histograms.of(1, Map.of(Histograms.shape(null, 8, 0), 9900L, Histograms.shape(Histograms.SITE, 8, 0), 75L,
                Histograms.shape(other, 8, 0), 25L)), directory.resolve("sample/1.json"));
        String text = CommandLine.run("report", directory.resolve("sample").toString(), "--out", out.toString()).out();
        assertLine("The call site is known of 100 arenas, 1.0 % of all. These are the shares of those.", text);
        assertLine("com.example.Library.call:12 75 75.0 % 600 75.0 % 8.00 8 0 % 100 %", text);
        assertLine("com.example.Other.read:3 25 25.0 % 200 25.0 % 8.00 8 0 % 100 %", text);
        BufferedImage image = ImageIO.read(out.resolve(ReportDocument.SITES).toFile());
        assertEquals(75.0 / 25, (double) longest(image, ARENAS, 0) / longest(image, ARENAS, 1), 0.02);
    }

    /** Sites with callers have a row each, a line of a flame graph each, and keep their first frame where a chart has no room. */
    @Test
    void severalFrames() throws IOException {
        Site library = new Site("com.example.Library", "call", 12, true, List.of("com.example.A.<init>:3",
                "com.example.Main.main"));
        Site other = new Site("com.example.Library", "call", 12, true, List.of("com.example.B.b:4"));
        Path file = Histograms.write(Histograms.of(1, Map.of(Histograms.shape(library, 8, 0), 75L,
                Histograms.shape(library, 9, 0), 5L, Histograms.shape(other, 8, 0), 20L,
                Histograms.shape(Histograms.SITE, 8, 0), 7L, Histograms.shape(null, 8, 0), 3L)),
                directory.resolve("frames/1.json"));
        Path collapsed = directory.resolve("new/collapsed.txt");
        CommandLine result = CommandLine.run("report", file.toString(), "--out", out.toString(),
                "--collapsed", collapsed.toString());
        assertEquals(0, result.status(), result.err());
        assertTrue(result.out().endsWith("Wrote " + collapsed + "\n"), result.out());
        String markdown = Files.readString(out.resolve("report.md"));
        String first = "com.example.Library.call:12 (reflection)";
        assertTrue(markdown.contains("| `" + first + " < com.example.A.<init>:3 < com.example.Main.main` |     80 |"), markdown);
        assertTrue(markdown.contains("| `" + first + " < com.example.B.b:4`"), markdown);
        assertEquals(List.of("com.example.B.b:4;" + first + " 20", "com.example.Library.call:12 7",
                "com.example.Main.main;com.example.A.<init>:3;" + first + " 80"), Files.readAllLines(collapsed));
        Site forged = new Site("A\nB 5", "a", 1);
        assertEquals("A?B 5.a:1 9\n", new ReportDocument(Histograms.of(1, Map.of(Histograms.shape(forged, 8, 0), 9L))).collapsed());
        CommandLine bad = CommandLine.run("report", file.toString(), "--out", out.toString(), "--collapsed", directory.toString());
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "report: --collapsed " + directory + ": is not a regular file; "
                + "one is accepted, and made if missing; nothing was written\n"), bad);
    }

    /** Call sites whose names are alike as far as a chart has room have a bar each. */
    @Test
    void namesThatAreCut() throws IOException {
        Map<Shape, Long> arenas = new HashMap<>();
        for (int line = 1; line <= 3; line++) {
            Site site = new Site("com.example." + "x".repeat(90), "call", 1, false, List.of("com.example.Main.main:" + line));
            arenas.put(Histograms.shape(site, 8, 0), 40L >> line);
        }
        Histograms.write(Histograms.of(1, arenas), directory.resolve("cut/1.json"));
        CommandLine.run("report", directory.resolve("cut").toString(), "--out", out.toString());
        BufferedImage image = ImageIO.read(out.resolve(ReportDocument.SITES).toFile());
        for (int bar = 1; bar <= 2; bar++) {
            assertEquals(1.0 / (1 << bar), (double) longest(image, ARENAS, bar) / longest(image, ARENAS, 0), 0.02);
        }
    }

    /** Arenas that are told apart by who opened and closed them, and how: no two of these lines have the same figures. */
    @Test
    void howTheyAreUsed() throws IOException {
        Map<Closing, Long> closings = Map.of(Closing.BY_OPENER, 400L, Closing.ELSEWHERE, 300L, Closing.NOT_TOLD, 200L, Closing.UNCLOSED, 100L);
        Map<Shape, Long> arenas = new HashMap<>();
        closings.forEach((closing, count) -> arenas.put(new Shape(Histograms.SITE, closing == Closing.ELSEWHERE, closing,
                0, 1, 0, 8, 1, 8, 8, 1, true), count));
        Histograms.write(Histograms.of(1, arenas), directory.resolve("use/1.json"));
        String text = CommandLine.run("report", directory.resolve("use").toString(), "--out", out.toString()).out();
        assertLine("opened by platform threads 700 70.0 % 5,600 70.0 %", text);
        assertLine("opened by virtual threads 300 30.0 % 2,400 30.0 %", text);
        assertLine("closed by the method that opened them 400 40.0 % 3,200 40.0 %", text);
        assertLine("closed by another method 300 30.0 % 2,400 30.0 %", text);
        assertLine("closed, not told by what 200 20.0 % 1,600 20.0 %", text);
        assertLine("not closed 100 10.0 % 800 10.0 %", text);
    }

    /** Eight JVMs of five programs and two Javas: the three most frequent programs are named. */
    @Test
    void otherPrograms() throws IOException {
        List<RecordedJvm> jvms = new ArrayList<>();
        for (String program : List.of("a.jar", "b.jar", "b.jar", "b.jar", "c.jar", "c.jar", "d.jar", "e.jar")) {
            jvms.add(new RecordedJvm("host", jvms.size(), "2026-11-21T08:00:00Z", "2026-11-21T08:00:10Z", true, false, 1, 0,
                    jvms.size() < 2 ? "VM 26" : "VM 25", program));
        }
        String text = text(new Histogram(jvms, Map.of(), Dropped.NOTHING), 1);
        assertTrue(text.contains("- 8 JVMs, 0 confined arenas; 2026-11-21\n"), text);
        assertTrue(text.contains("- VM 25, VM 26; b.jar, c.jar, a.jar and 2 others\n"), text);
    }

    /** What a file says of a program is neither Markdown nor a line of its own. */
    @Test
    void aProgramWithMarkdown() {
        RecordedJvm jvm = new RecordedJvm("host", 1, "2026-11-21T08:00:00Z", "2026-11-21T08:00:10Z", true, false, 1, 0, "VM 25",
                "*a*\n# b");
        String text = text(new Histogram(List.of(jvm), Map.of(), Dropped.NOTHING), 1);
        assertTrue(text.contains("- VM 25; \\*a\\*?# b\n"), text);
    }

    private static String text(Histogram histogram, int top) {
        return ReportDocument.of(new Recordings(histogram, 1, List.of()), top).toText(Integer.MAX_VALUE);
    }

    /** What is in both, in one of them, and a file of each that cannot be read. */
    @Test
    void twoRecordings() throws IOException {
        Path later = Histograms.write(Histograms.of(3, Map.of(Histograms.shape(Histograms.SITE, 12, 0), 750L,
                Histograms.shape(new Site("com.example.New", "call", 1), 40, 0), 250L)), directory.resolve("later/3.json"));
        CommandLine result = CommandLine.run("report", "--compare", in.toString(), later.getParent().toString(), "--out", out.toString());
        assertEquals(0, result.status(), result.err());
        assertLine("arenas 1,000 1,000 0 %", result.out());
        assertLine("JVMs 2 1 -50.0 %", result.out());
        assertLine("time that they ran 20.0 s 10.0 s -50.0 %", result.out());
        assertLine("allocations 523 1,000 +91.2 %", result.out());
        assertLine("bytes 1,055,456 19,000 -98.2 %", result.out());
        assertLine("bytes of an arena 1,055 19.0 -98.2 %", result.out());
        assertLine("0 477 47.7 % 0 0 % gone 0 0 0 %", result.out());
        assertLine("8 to 15 500 50.0 % 750 75.0 % +50.0 % 6,000 9,000 +50.0 %", result.out());
        assertLine("com.example.New.call:1 0 0 % 250 25.0 % new 0 10,000 new", result.out());
        assertLine("com.example.Library.call:12 978 97.8 % 750 75.0 % -23.3 % 6,006 9,000 +49.9 %", result.out());
        assertLine("with 1 allocation 523 52.3 % 1,000 100 % +91.2 % 1,055,456 19,000 -98.2 %", result.out());
        assertTrue(result.out().contains("- before: 2 JVMs, 1,000 confined arenas; "), result.out());
        assertTrue(result.out().contains("- after: 1 JVM, 1,000 confined arenas; "), result.out());
        assertTrue(result.out().indexOf("com.example.New") < result.out().indexOf("com.example.Library"), result.out());
        BufferedImage image = ImageIO.read(out.resolve(ReportDocument.SIZES).toFile());
        assertEquals(250.0 / 750, (double) longest(image, BYTES, 1) / longest(image, BYTES, 0), 0.02); // the second color
        for (Path side : List.of(in, later.getParent())) {
            Path empty = Files.createFile(side.resolve("empty.json"));
            CommandLine part = CommandLine.run("report", "--compare", in.toString(), later.getParent().toString(), "--out", out.toString());
            assertEquals(Tool.EXIT_FAILED, part.status());
            assertEquals("report: " + empty + ": is empty; it is left out\n", part.err());
            Files.delete(empty);
        }
        assertEquals(Tool.EXIT_BAD_INPUT, CommandLine.run("report", "--compare", directory.resolve("none").toString(), in.toString(),
                "--out", out.toString()).status());
    }

    /** What changed is a number of arenas that are never pooled. */
    @Test
    void twoRecordingsOfOtherKinds() {
        Histogram before = Histograms.of(1, Map.of());
        Histogram after = new Histogram(List.of(Histograms.jvm(2)), Map.of(), Dropped.NOTHING,
                Map.of(new OtherArenas(OtherArenas.Kind.SHARED, null), 900_000L, new OtherArenas(OtherArenas.Kind.AUTO, null), 100_000L));
        assertLine("arenas of other kinds 0 1,000,000 new", compared(before, after, 1));
        assertLine("arenas of other kinds 1,000,000 1,000,000 0 %", compared(after, after, 1));
        assertLine("arenas 0 0 0 %", compared(before, after, 1));
    }

    /** Two figures that differ do not look equal. */
    @Test
    void changes() {
        assertEquals("+<0.001 %", ComparedDocument.change(1_000_000, 1_000_001));
        assertEquals(">-0.001 %", ComparedDocument.change(1_000_000, 999_999));
        assertEquals("+0.999 %", ComparedDocument.change(100_000, 100_999));
        assertEquals("-0.999 %", ComparedDocument.change(100_000, 99_001));
        assertEquals(List.of("+1.00 %", "-1.00 %", "+100 %", "+900 %"), List.of(ComparedDocument.change(100, 101),
                ComparedDocument.change(100, 99), ComparedDocument.change(1, 2), ComparedDocument.change(1, 10)));
        assertEquals(List.of("0 %", "0 %", "new", "gone"), List.of(ComparedDocument.change(0, 0), ComparedDocument.change(5, 5),
                ComparedDocument.change(0, 5), ComparedDocument.change(5, 0)));
    }

    @Test
    void lessThanASecond() {
        RecordedJvm jvm = new RecordedJvm("host", 1, "2026-11-21T08:00:00Z", "2026-11-21T08:00:00.400Z", true, false, 1, 0, "VM 25", "app");
        RecordedJvm longer = new RecordedJvm("host", 2, "2026-11-21T08:00:00Z", "2026-11-21T08:00:00.900Z", true, false, 1, 0, "VM 25",
                "app");
        Map<Shape, Tally> rows = Map.of(Histograms.shape(Histograms.SITE, 8, 0), new Tally(1, 8, 1));
        assertLine("time that they ran 400 ms 900 ms +125 %", compared(new Histogram(List.of(jvm), rows, Dropped.NOTHING),
                new Histogram(List.of(longer), rows, Dropped.NOTHING), 1));
    }

    /** How long a JVM has run says nothing if it was recorded only for some of that time. */
    @Test
    void recordingsOfARunningJvm() {
        Map<Shape, Tally> rows = Map.of(Histograms.shape(Histograms.SITE, 8, 0), new Tally(1, 8, 1));
        Histogram whole = new Histogram(List.of(Histograms.jvm(1)), rows, Dropped.NOTHING);
        Histogram attached = new Histogram(List.of(new RecordedJvm("host", 2, "2026-11-01T08:00:00Z", "2026-11-21T08:00:00Z", true, true,
                1, 0, "VM 25", "app")), rows, Dropped.NOTHING);
        assertTrue(compared(whole, whole, 1).contains("time that they ran"));
        assertFalse(compared(whole, attached, 1).contains("time that they ran"));
        assertFalse(compared(attached, whole, 1).contains("time that they ran"));
    }

    /** The JVMs of a fleet run for more than 292 years, which are as many nanoseconds as a long counts. */
    @Test
    void recordingsOfAFleet() {
        List<RecordedJvm> jvms = IntStream.range(0, 300).mapToObj(pid -> new RecordedJvm("host", pid, "2025-01-01T00:00:00Z",
                "2026-01-01T00:00:00Z", true, false, 1, 0, "VM 25", "app.jar")).toList();
        Histogram fleet = new Histogram(jvms, Map.of(Histograms.shape(Histograms.SITE, 8, 0), new Tally(1, 8, 1)), Dropped.NOTHING);
        assertLine("JVMs 300 300 0 %", compared(fleet, fleet, 1));
    }

    /** The same program, once with the call sites of one arena in a hundred: no call site has fewer. */
    @Test
    void aSampleAndAll() throws IOException {
        Site other = new Site("com.example.Other", "read", 3);
        Path all = Histograms.write(Histograms.of(1, Map.of(Histograms.shape(Histograms.SITE, 8, 0), 7500L,
                Histograms.shape(other, 8, 0), 2500L)), directory.resolve("all.json"));
        Path sample = Histograms.write(Histograms.of(2, Map.of(Histograms.shape(null, 8, 0), 9900L,
                Histograms.shape(Histograms.SITE, 8, 0), 75L, Histograms.shape(other, 8, 0), 25L)), directory.resolve("sample.json"));
        String text = CommandLine.run("report", "--compare", all.toString(), sample.toString(), "--out", out.toString()).out();
        assertLine("com.example.Library.call:12 7,500 75.0 % 7,500 75.0 % 0 % 60,000 60,000 0 %", text);
        assertLine("com.example.Other.read:3 2,500 25.0 % 2,500 25.0 % 0 % 20,000 20,000 0 %", text);
        assertTrue(text.replace('\n', ' ').contains("The call site is known of 100 % of the arenas before and 1.0 % after. The others "
                + "are taken to be from the same call sites."), text);
    }

    private static String compared(Histogram before, Histogram after, int top) {
        return ComparedDocument.of(new Recordings(before, 1, List.of()), new Recordings(after, 1, List.of("x.json: is empty")), top)
                .toText(Integer.MAX_VALUE);
    }

    @Test
    void onlyTheEarlierOneIsASample() {
        Histogram sample = Histograms.of(1, Map.of(Histograms.shape(null, 8, 0), 50L, Histograms.shape(Histograms.SITE, 8, 0), 50L));
        Histogram all = Histograms.of(2, Map.of(Histograms.shape(Histograms.SITE, 8, 0), 100L));
        assertTrue(compared(sample, all, 1).contains("The call site is known of 50.0 % of the arenas before and 100 % after."));
        assertFalse(compared(all, all, 1).contains("The call site is known"));
    }

    @Test
    void theFirstCallSites() {
        Histogram two = Histograms.of(1, Map.of(Histograms.shape(Histograms.SITE, 8, 0), 50L,
                Histograms.shape(new Site("com.example.Other", "read", 3), 8, 0), 50L));
        assertTrue(compared(two, two, 1).contains("The first 1 of 2."));
        String all = compared(two, two, 2);
        assertFalse(all.contains("The first "), all);
        assertTrue(all.contains("`com.example.Other.read:3`"), all);
        assertFalse(all.contains("`8 to 15`"), all);
    }

    /** What is missing is told of each side, also if there is no arena. */
    @Test
    void twoRecordingsThatLackSomething() {
        Histogram lost = new Histogram(List.of(Histograms.jvm(1)), Map.of(), new Dropped(7, 0, 0, 0));
        String text = compared(lost, Histograms.of(2, Map.of()), 1);
        assertTrue(text.contains("before: 7 arenas are missing"), text);
        assertTrue(text.contains("Left out after: x.json: is empty"), text);
        assertTrue(text.contains("after: 1 JVM, 0 confined arenas"), text);
        assertFalse(text.contains("Sizes"), text);
    }

    /** Rows of one rounded shape, whose arenas are of another size after than before. */
    @Test
    void roundedRows() throws IOException {
        Shape rounded = Histograms.shape(Histograms.SITE, 16, 0).rounded();
        Path before = Histograms.write(new Histogram(List.of(Histograms.jvm(1)), Map.of(rounded, new Tally(100, 900, 100)),
                Dropped.NOTHING), directory.resolve("before.json"));
        Path after = Histograms.write(new Histogram(List.of(Histograms.jvm(2)), Map.of(rounded, new Tally(50, 800, 50)),
                Dropped.NOTHING), directory.resolve("after.json"));
        String text = CommandLine.run("report", "--compare", before.toString(), after.toString(), "--out", out.toString()).out();
        assertLine("8 to 15 100 100 % 0 0 % gone 900 0 gone", text);
        assertLine("16 to 31 0 0 % 50 100 % new 0 800 new", text);
    }

    /** A rounded row tells no size that no arena had. */
    @Test
    void theLargestOfARoundedRow() {
        Shape rounded = Histograms.shape(Histograms.SITE, 5000, 0).rounded();
        assertLine("com.example.Library.call:12 1 100 % 5,000 100 % 5,000 5,000 0 % 100 %",
                text(new Histogram(List.of(Histograms.jvm(1)), Map.of(rounded, new Tally(1, 5000, 1)), Dropped.NOTHING), 1));
    }

    /** On a terminal of 80 columns no line of a table is longer; the file has all. */
    @Test
    void aTerminal() throws Exception {
        assumeTrue(new ProcessBuilder("sh", "-c", "command -v script").redirectErrorStream(true).start().waitFor() == 0, "no script");
        Histograms.write(Histograms.of(3, Map.of(Histograms.shape(new Site("com.example." + "x".repeat(60), "call", 1), 8, 0), 9L)),
                in.resolve("3.json"));
        Process process = new ProcessBuilder("script", "-qec", "stty cols 80; " + System.getProperty("java.home")
                + "/bin/java -Djava.awt.headless=true -cp " + System.getProperty("java.class.path") + " " + CommandLine.class.getName() + " report "
                + in + " --out " + out, "/dev/null").start();
        List<String> table = process.inputReader().lines().filter(line -> line.startsWith("|")).toList();
        assertEquals(0, process.waitFor());
        assertTrue(table.size() > 10, table.toString());
        assertTrue(table.stream().allMatch(line -> line.length() <= 80), table.toString());
        assertTrue(Files.readAllLines(out.resolve("report.md")).stream().anyMatch(line -> line.length() > 120));
    }

    @Test
    void mergingIntoWhatIsNoFile() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Files.createFile(directory.resolve("file")));
        for (Path path : List.of(directory, link)) {
            assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "report: --merge " + path
                    + ": is not a regular file; one is accepted, and made if missing; nothing was written\n"),
                    CommandLine.run("report", in.toString(), "--out", out.toString(), "--merge", path.toString()));
            assertTrue(Files.notExists(out));
        }
        assertTrue(Files.isSymbolicLink(link)); // as /dev/stdout is, which a file in its place would break for all
    }

    /** A recording that was to be read, but is where a file of an option goes, stays. */
    @Test
    void aRecordingInThePlaceOfAFile() throws IOException, DataFormatException {
        Histogram histogram = Histograms.of(9, Map.of(Histograms.shape(Histograms.SITE, 8, 0), 9L));
        Path other = Histograms.write(histogram, directory.resolve("other.json"));
        for (String option : List.of("--merge", "--collapsed", "--csv")) {
            assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "report: " + option + " " + other + ": is a recording with JVMs that "
                    + (option.equals("--merge") ? "are not merged here" : "would be lost") + "; another file is accepted; nothing was "
                    + "written\n"), CommandLine.run("report", in.toString(), "--out", out.toString(), option, other.toString()));
            assertEquals(histogram, HistogramReader.read(other));
            assertTrue(Files.notExists(out.resolve("report.md")));
        }
        for (int i = 0; i < 2; i++) {
            assertEquals(0, CommandLine.run("report", in.toString(), other.toString(), "--out", out.toString(), "--merge",
                    directory.resolve("all.json").toString()).status());
        }
    }

    /** Before anything is read or written. */
    @Test
    void filesThatCannotBe() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        Path same = directory.resolve("same");
        for (String option : List.of("--merge", "--collapsed", "--csv")) {
            assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "report: " + option + " " + file + ": cannot be written to "
                    + "(it is there already, and is no directory); a directory is accepted, and made if missing; nothing was done\n"),
                    CommandLine.run("report", in.toString(), "--out", out.toString(), option, file.resolve("x").toString()));
        }
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "report: --csv " + same + ": is the file of another option, too; "
                + "one for each is accepted; nothing was written\n"), CommandLine.run("report", in.toString(), "--out", out.toString(),
                "--merge", directory.resolve("in/../same").toString(), "--csv", same.toString()));
        assertEquals(Tool.EXIT_BAD_INPUT, CommandLine.run("report", in.toString(), "--out", out.toString(), "--csv", same.toString(),
                "--merge", same + ".tmp").status()); // where the rows are written aside
        for (String name : List.of("report.md", "report.html", ReportDocument.SIZES, ReportDocument.SITES, "report.md.tmp")) {
            assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "report: --csv " + out.resolve(name) + ": is the file of another "
                    + "option, too; one for each is accepted; nothing was written\n"), CommandLine.run("report", in.toString(), "--out",
                    out.toString(), "--csv", out.resolve(name).toString()));
        }
        assertTrue(Files.notExists(out));
    }

    @Test
    void fewerSites() {
        String text = text(Histogram.merged(List.of(FIRST, SECOND)), 1);
        assertTrue(text.contains("The first 1 of 2."), text);
        assertFalse(text.contains("com.example.A"), text);
    }

    /** {@return the length in pixels of one of the bars of a color, from top to bottom} */
    private static int longest(BufferedImage image, int color, int bar) {
        int found = -1;
        boolean inBar = false;
        int most = 0;
        for (int y = 0; y < image.getHeight(); y++) {
            int length = 0;
            for (int x = 0; x < image.getWidth(); x++) {
                length += (image.getRGB(x, y) & 0xffffff) == color ? 1 : 0;
            }
            // The sample of the color in the legend is shorter.
            if (length > 20 && !inBar) {
                found++;
            }
            inBar = length > 20;
            most = found == bar ? Math.max(most, length) : most;
        }
        return most;
    }

    /** Asserts that there is such a line, whatever separates its words. */
    private static void assertLine(String words, String text) {
        assertTrue(text.lines().map(line -> line.replaceAll("[|` \\\\]+", " ").strip())
                .anyMatch(words.replaceAll("[|]", " ")::equals), words + " in\n" + text);
    }
}
