/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */
package pooledarena.report;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.CommandLine;
import pooledarena.histogram.BadHistogram;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.HistogramReader;
import pooledarena.histogram.Site;
import pooledarena.io.Tool;
import pooledarena.recordings.Histograms;

import javax.imageio.ImageIO;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The files of a report, and what is printed. */
class ReportTest {

    private static final Histogram FIRST = Histograms.of(1, Map.of(
            Histograms.shape(Histograms.SITE, 0, 0), 477L, Histograms.shape(Histograms.SITE, 12, 0), 500L));
    private static final Histogram SECOND = Histograms.of(2, Map.of(
            Histograms.shape(new Site("com.example.A|B<C>", "<init>", 7), 40, 1), 22L, Histograms.shape(null, 1 << 20, 0), 1L));

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
        assertLine("JVMs 2", result.out());
        assertLine("arenas 1,000", result.out());
        assertLine("bytes 1,055,456", result.out());
        assertLine("average bytes of an arena 1,055", result.out());
        assertLine("average bytes of an arena that has any 2,018", result.out());
        assertLine("0 bytes 477 47.7 % 0 0 %", result.out());
        assertLine("up to 15 bytes 977 97.7 % 6,000 0.568 %", result.out());
        assertLine("up to 31 bytes 977 97.7 % 6,000 0.568 %", result.out());
        assertLine("up to 63 bytes 999 99.900 % 6,880 0.652 %", result.out());
        assertLine("below 64 KiB 999 99.900 % 6,880 0.652 %", result.out());
        assertLine("from 64 KiB 1 0.100 % 1,048,576 99.348 %", result.out());
        assertLine("from 512 KiB 1 0.100 % 1,048,576 99.348 %", result.out());
        assertLine("8 to 15 500 50.0 % 6,000 0.568 %", result.out());
        assertLine("from 1 MiB 1 0.100 % 1,048,576 99.348 %", result.out());
        assertLine("12 500 50.0 % 6,000 0.568 %", result.out());
        assertLine("64 or more 1 0.100 % 1,048,576 99.348 %", result.out());
        assertLine("com.example.Library.call:12 977 97.7 % 6,000 0.568 % 6.14 12 48.8 % 100 %", result.out());
        assertLine("com.example.A|B<C>.<init>:7 22 2.2 % 880 0.083 % 40.0 40 0 % 100 %", result.out());
        assertLine("app.jar 2", result.out());
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
        assertEquals(4, pictures);
        assertFalse(html.contains("url("));
        assertTrue(html.contains("<code>com.example.A|B&lt;C&gt;.&lt;init&gt;:7</code>"));
        assertFalse(html.contains("<init>"));
        assertTrue(html.contains("<td>47.7 %</td>"));
    }

    @Test
    void theMarkdownNamesItsPictures() throws IOException {
        CommandLine.run("report", in.toString(), "--out", out.toString());
        String markdown = Files.readString(out.resolve("report.md"));
        assertTrue(markdown.contains("| `com.example.A\\|B<C>.<init>:7` | 22 | 2.2 % |"), markdown);
        for (String picture : ReportDocument.PICTURES) {
            assertTrue(markdown.contains("](" + picture + ")"), picture);
            BufferedImage image = ImageIO.read(out.resolve(picture).toFile());
            assertEquals(List.of(1920, 1080), List.of(image.getWidth(), image.getHeight()));
        }
    }

    /** Half of the arenas have 12 bytes, so that bar is as high as all others together. */
    @Test
    void barsAreShares() throws IOException {
        CommandLine.run("report", in.toString(), "--out", out.toString());
        BufferedImage image = ImageIO.read(out.resolve(ReportDocument.ARENAS_BY_BYTE).toFile());
        int zero = highest(image, 0);
        int twelve = highest(image, 1);
        int forty = highest(image, 2);
        assertEquals(477.0 / 500, (double) zero / twelve, 0.01);
        assertEquals(22.0 / 500, (double) forty / twelve, 0.01);
    }

    @Test
    void mergingFirstChangesNothing() throws IOException, BadHistogram {
        Path merged = directory.resolve("merged/all.json");
        CommandLine parts = CommandLine.run("report", in.toString(), "--out", out.toString(), "--merge", merged.toString());
        assertEquals(FIRST.merge(SECOND), HistogramReader.read(merged));
        String html = Files.readString(out.resolve("report.html"));
        CommandLine whole = CommandLine.run("report", merged.toString(), "--out", out.toString());
        assertEquals(parts.out().replace(", " + merged, ""), whole.out());
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

    @Test
    void programsWithoutArenas() throws IOException {
        Histograms.write(Histograms.of(9, Map.of()), directory.resolve("none/1.json"));
        CommandLine.run("report", in.toString(), "--out", out.toString());
        CommandLine result = CommandLine.run("report", directory.resolve("none").toString(), "--out", out.toString());
        assertEquals(0, result.status());
        assertLine("arenas 0", result.out());
        assertTrue(Files.notExists(out.resolve(ReportDocument.SITES)), "a picture of the report before");
    }

    @Test
    void fewerSites() {
        String text = CommandLine.run("report", in.toString(), "--top", "2", "--out", out.toString()).out();
        assertTrue(text.contains("The first 2 of 3."), text);
        assertFalse(text.contains("(not told)"), text);
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "report: --top 0: a number from 1 on is accepted; nothing was written\n"),
                CommandLine.run("report", in.toString(), "--top", "0"));
    }

    /** {@return the height in pixels of one of the bars, from left to right} */
    private static int highest(BufferedImage image, int bar) {
        int found = -1;
        boolean inBar = false;
        int most = 0;
        for (int x = 0; x < image.getWidth(); x++) {
            int height = 0;
            for (int y = 0; y < image.getHeight(); y++) {
                height += (image.getRGB(x, y) & 0xffffff) == 0x1f6fb4 ? 1 : 0;
            }
            if (height > 0 && !inBar) {
                found++;
            }
            inBar = height > 0;
            most = found == bar ? Math.max(most, height) : most;
        }
        return most;
    }

    /** Asserts that there is such a line, with whatever space between its words. */
    private static void assertLine(String words, String text) {
        assertTrue(text.lines().anyMatch(line -> String.join(" ", line.strip().split("\\s+")).equals(words)), words + " in\n" + text);
    }
}
