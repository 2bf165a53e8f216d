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
package pooledarena.recommend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.CommandLine;
import pooledarena.Main;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.recordings.Histograms;

import javax.imageio.ImageIO;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RecommendTest {

    private static final long NO_LIMIT = Long.MAX_VALUE;

    @TempDir
    private Path directory;

    /** Whatever was recorded, no setting that takes less memory saves enough. */
    @Test
    void noCheaperSettingSavesEnough() {
        Random random = new Random(20261121);
        for (int round = 0; round < 50; round++) {
            Replay replay = new Replay(Trace.random(random, round % 2 == 0, 4000).recorded(), Costs.DOCUMENTED);
            double keep = random.nextDouble(0.5, 1);
            Setting chosen = new Recommendation(replay, keep, NO_LIMIT).setting;
            double most = Recommendation.all().stream().mapToDouble(replay::saved).max().orElseThrow();
            assertTrue(replay.saved(chosen) >= keep * most);
            for (Setting other : Recommendation.all()) {
                assertTrue(replay.memory(other) >= replay.memory(chosen) || replay.saved(other) < keep * most,
                        chosen + " but " + other);
            }
        }
    }

    @Test
    void oneSmallArenaAtATime() {
        assertEquals(new Setting(2, 8), recommended(Map.of(Histograms.shape(null, 20, 0), 100_000L)));
    }

    /** One in a hundred is not worth a slot of 4 KiB, three are. */
    @Test
    void fewLargeArenas() {
        Shape small = Histograms.shape(null, 20, 0);
        Shape large = Histograms.shape(null, 4000, 0);
        assertEquals(2, recommended(Map.of(small, 100_000L, large, 100L)).index());
        assertEquals(9, recommended(Map.of(small, 100_000L, large, 3000L)).index());
    }

    @Test
    void nestedArenas() {
        Map<Shape, Long> nested = Map.of(Histograms.shape(null, 20, 0), 1000L, Histograms.shape(null, 20, 1), 1000L,
                Histograms.shape(null, 20, 2), 1L);
        assertEquals(new Setting(2, 2), recommended(nested));
    }

    @Test
    void aLimitOfMemory() {
        Replay replay = new Replay(Histograms.of(1, Map.of(Histograms.shape(null, 20, 0), 1000L,
                Histograms.shape(null, 4000, 0), 1000L)), Costs.DOCUMENTED);
        assertEquals(9, new Recommendation(replay, 0.99, NO_LIMIT).setting.index());
        assertEquals(2, new Recommendation(replay, 0.99, 200).setting.index());
        assertNull(new Recommendation(replay, 0.99, 10).setting);
    }

    @Test
    void nothingThatCouldBeServed() {
        assertNull(recommended(Map.of(Histograms.shape(null, 0, 0), 1000L)));
        assertNull(recommended(Map.of(Histograms.shape(null, 1 << 20, 0), 1000L)));
        assertNull(recommended(Map.of()));
    }

    @Test
    void theCommand() throws IOException {
        Path in = Histograms.write(Histograms.of(1, Map.of(Histograms.shape(null, 0, 0), 500L,
                Histograms.shape(null, 20, 0), 900L, Histograms.shape(null, 20, 1), 99L, Histograms.shape(null, 100_000, 0), 1L)),
                directory.resolve("1.json"));
        Path out = directory.resolve("out");
        CommandLine result = CommandLine.run("recommend", in.toString(), "--out", out.toString());
        assertEquals(0, result.status());
        assertEquals("", result.err());
        String prose = result.out().replaceAll("\\s+", " ");
        assertTrue(prose.contains("Slots of 32 B and a depth of 8 serve 99.900 % of the 1,000 arenas that have bytes, wholly, and save "
                + "100 % of the time that the largest pool would, with 160 B of native memory for the thread that takes the most. "
                + "The default (8 KiB, depth 8) serves 99.900 %, saves 100 % and takes 16.1 KiB, so all that this setting gains over "
                + "it is memory."), result.out());
        assertTrue(result.out().contains("\n    -Djdk.foreign.confinedPool.size=32 -Djdk.foreign.confinedPool.depth=8\n"), result.out());
        assertFalse(result.out().contains("Only "), result.out());

        List<String> csv = Files.readAllLines(out.resolve("settings.csv"));
        assertEquals(1 + 14 * 16, csv.size());
        assertEquals("size,depth,arenas,served,bytes,servedBytes,threadMemory,stockNanos,savedNanos", csv.getFirst());
        assertTrue(csv.get(1 + 2 * 16).startsWith("32,1,1000,900,119980,18000,80,"), csv.get(1 + 2 * 16));
        assertTrue(csv.get(2 + 2 * 16).startsWith("32,2,1000,999,119980,19980,160,"), csv.get(2 + 2 * 16));
        String html = Files.readString(out.resolve("recommend.html"));
        assertEquals(4, html.split("src=\"data:image/png;base64,", -1).length - 1);
        for (String picture : RecommendDocument.PICTURES) {
            BufferedImage image = ImageIO.read(out.resolve(picture).toFile());
            assertEquals(List.of(1920, 1080), List.of(image.getWidth(), image.getHeight()));
            assertTrue(Files.readString(out.resolve("recommend.md")).contains("](" + picture + ")"));
        }
    }

    @Test
    void whatTheRecordsCannotTell() throws IOException {
        Shape virtual = new Shape(null, true, Closing.BY_OPENER, 0, 0, 8, 8, 1, 8, 1, true);
        Path in = Histograms.write(Histograms.of(1, Map.of(virtual, 5L)), directory.resolve("1.json"));
        String text = CommandLine.run("recommend", in.toString(), "--out", directory.resolve("out").toString()).out();
        assertTrue(text.contains("Only 5 arenas with bytes"), text);
        assertTrue(text.contains("100 % of the arenas with bytes were opened by virtual threads"), text);
    }

    @Test
    void noBytesAtAll() throws IOException {
        Path in = Histograms.write(Histograms.of(1, Map.of(Histograms.shape(null, 0, 0), 5L)), directory.resolve("1.json"));
        CommandLine result = CommandLine.run("recommend", in.toString(), "--out", directory.resolve("out").toString());
        assertEquals(0, result.status(), result.err());
        assertTrue(result.out().contains("No recorded arena has bytes"), result.out());
        assertFalse(result.out().contains("-Djdk"), result.out());
    }

    @Test
    void wrongOptions() throws IOException {
        Path in = Histograms.write(Histograms.of(1, Map.of()), directory.resolve("1.json"));
        assertOneLine("--keep 0.0: more than 0 and up to 100 is accepted; nothing was written", in, "--keep", "0");
        assertOneLine("--memory 0: a number from 1 on is accepted; nothing was written", in, "--memory", "0");
        assertOneLine("--costs nowhere: cannot be read; a compare.json of make compare is accepted; nothing was written",
                in, "--costs", "nowhere");
        assertOneLine("--costs " + in + ": not a \"pooled-confined-arena comparison, version 2\"; the compare.json that the compare "
                + "command wrote is accepted; nothing was written", in, "--costs", in.toString());
    }

    private static void assertOneLine(String line, Path in, String option, String value) {
        assertEquals(new CommandLine(Main.EXIT_BAD_INPUT, "", "recommend: " + line + "\n"),
                CommandLine.run("recommend", in.toString(), option, value));
    }

    private static Setting recommended(Map<Shape, Long> arenas) {
        Histogram histogram = Histograms.of(1, arenas);
        return new Recommendation(new Replay(histogram, Costs.DOCUMENTED), 0.99, NO_LIMIT).setting;
    }
}
