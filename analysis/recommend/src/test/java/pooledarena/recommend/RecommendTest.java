/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.CommandLine;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.RecordedJvm;
import pooledarena.histogram.Shape;
import pooledarena.histogram.SlotReplay;
import pooledarena.histogram.Tally;
import pooledarena.io.Tool;
import pooledarena.recordings.Histograms;
import pooledarena.recordings.Recordings;
import pooledarena.text.DocumentedTimes.Times;

import javax.imageio.ImageIO;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RecommendTest {

    @TempDir
    private Path directory;

    /** Whatever was recorded, the default is only left for what saves more, and nothing that takes fewer pages saves enough. */
    @Test
    void noBetterSetting() {
        Random random = new Random(20261121);
        for (int round = 0; round < 50; round++) {
            Replay replay = new Replay(Trace.random(random, round % 2 == 0, 4000, 20).recorded(), Costs.DOCUMENTED);
            double keep = random.nextDouble(0.5, 1);
            Recommendation recommendation = Recommendation.of(replay, keep);
            double enough = keep * Setting.ALL.stream().mapToDouble(s -> replay.of(s).saved()).max().orElseThrow();
            assertTrue(replay.of(recommendation.setting()).saved() >= enough);
            assertEquals(replay.of(Setting.DEFAULT).saved() >= enough, recommendation.setting().equals(Setting.DEFAULT));
            Setting cheapest = recommendation.smaller() == null ? recommendation.setting() : recommendation.smaller();
            assertTrue(replay.of(cheapest).saved() >= enough);
            for (Setting other : Setting.ALL) {
                assertTrue(Recommendation.pages(replay.of(other).memory()) >= Recommendation.pages(replay.of(cheapest).memory())
                        || replay.of(other).saved() < enough, cheapest + " but " + other);
            }
        }
    }

    @Test
    void oneSmallArenaAtATime() {
        Recommendation recommendation = recommended(Map.of(Histograms.shape(null, 20, 0), 100_000L));
        assertEquals(Setting.DEFAULT, recommendation.setting());
        assertNull(recommendation.smaller());
    }

    /** For one in a thousand a slot of 4 KiB, which is two pages with its header, can be spared; three in a hundred are worth it. */
    @Test
    void fewLargeArenas() {
        Shape small = Histograms.shape(null, 20, 0);
        Shape large = Histograms.shape(null, 4100, 0);
        Recommendation spared = recommended(Map.of(small, 100_000L, large, 100L));
        assertEquals(Setting.DEFAULT, spared.setting());
        assertEquals(new Setting(9, 8), spared.smaller());
        assertEquals("Where there are very many threads, what follows saves nearly as much time, and a thread keeps 120 B of slots "
                + "instead of 4.13 KiB. But then a larger allocation costs a malloc, and one that is only larger than what was "
                + "recorded may be such.", document(Map.of(small, 100_000L, large, 100L)).smaller());
        assertNull(recommended(Map.of(small, 100_000L, large, 3000L)).smaller());
    }

    /** Half of the arenas are larger than the default size. */
    @Test
    void largerThanTheDefault() {
        Shape small = Histograms.shape(null, 20, 0);
        Shape large = new Shape(null, false, Closing.BY_OPENER, 0, 1, 90_000, 90_000, 10, 9000, 9000, 1, true);
        long[] served = new long[SlotReplay.SIZES];
        Arrays.fill(served, 11, served.length, 90_000_000L);
        Recommendation recommendation = Recommendation.of(new Replay(new Histogram(List.of(Histograms.jvm(1)),
                Map.of(small, Histograms.tally(small, 1000), large, new Tally(1000, 90_000_000, 10_000, served)),
                Dropped.NOTHING), Costs.DOCUMENTED), 0.99);
        assertTrue(recommendation.setting().size() > Setting.DEFAULT.size(), recommendation.toString());
    }

    @Test
    void nestedArenas() {
        Map<Shape, Long> nested = Map.of(Histograms.shape(null, 20, 0), 1000L, Histograms.shape(null, 20, 1), 1000L,
                Histograms.shape(null, 20, 2), 1L);
        assertEquals(Setting.DEFAULT, recommended(nested).setting());
    }

    /** 40 arenas open at once, 100 bytes each: with the default they all find slots, though only one the resident slot. */
    @Test
    void deeperThanTheDefault() {
        Map<Shape, Long> nested = IntStream.range(0, 40).boxed()
                .collect(Collectors.toMap(i -> Histograms.shape(null, 100, i), _ -> 1000L));
        Replay replay = new Replay(Histograms.of(1, nested), Costs.DOCUMENTED);
        assertEquals(40_000, replay.of(Setting.DEFAULT).served());
        assertEquals(40 * (128 + 64), replay.of(Setting.DEFAULT).memory());
        assertEquals(replay.of(new Setting(10, 16)).saved(), replay.of(Setting.DEFAULT).saved());
    }

    @Test
    void nothingThatCouldBeServed() {
        Recommendation nothing = new Recommendation(Setting.DEFAULT, null, 0);
        assertEquals(nothing, recommended(Map.of(Histograms.shape(null, 0, 0), 1000L)));
        assertEquals(nothing, recommended(Map.of(Histograms.shape(null, (1 << 20) + 1, 0), 1000L)));
        assertEquals(nothing, recommended(Map.of()));
    }

    @Test
    void theCommand() throws IOException {
        Path in = Histograms.write(Histograms.of(1, Map.of(Histograms.shape(null, 0, 0), 5000L,
                Histograms.shape(null, 20, 0), 9000L, Histograms.shape(null, 20, 1), 999L,
                Histograms.shape(null, 100_000, 0), 1L)), directory.resolve("1.json"));
        Path out = directory.resolve("out");
        CommandLine result = CommandLine.run("recommend", in.toString(), "--out", out.toString());
        assertEquals(0, result.status());
        assertEquals("", result.err());
        String prose = result.out().replaceAll("[\\s|]+", " ");
        assertTrue(prose.matches(".* Leave the default\\. It saves [0-9.]+ % of the time that the best setting would\\. .*"), result.out());
        assertTrue(prose.contains(" default 8,192 8 99.990 % 1 0.010 % 240 B "), result.out());
        assertTrue(prose.contains(" 10,000 arenas with bytes were recorded, and 10,000 allocations, each a malloc without a pool. "), result.out());
        assertFalse(result.out().contains("-Djdk"), result.out());
        assertFalse(result.out().contains("Only "), result.out());
        assertFalse(result.out().contains("virtual threads"), result.out());
        assertTrue(prose.contains(" % of the 10.0 s that these JVMs ran "), result.out());

        List<String> csv = Files.readAllLines(out.resolve("settings.csv"));
        assertEquals(1 + 18 * 16, csv.size());
        assertEquals("size,depth,arenas,served,allocations,mallocs,threadMemory,stockNanos,savedNanos", csv.getFirst());
        assertTrue(csv.get(1 + 2 * 16).startsWith("32,1,10000,9999,10000,1,192,"), csv.get(1 + 2 * 16));
        assertTrue(csv.get(2 + 2 * 16).startsWith("32,2,10000,9999,10000,1,192,"), csv.get(2 + 2 * 16));
        String html = Files.readString(out.resolve("recommend.html"));
        assertEquals(3, html.split("src=\"data:image/png;base64,", -1).length - 1);
        for (String picture : RecommendDocument.PICTURES) {
            BufferedImage image = ImageIO.read(out.resolve(picture).toFile());
            assertEquals(List.of(1920, 1080), List.of(image.getWidth(), image.getHeight()));
            assertTrue(Files.readString(out.resolve("recommend.md")).contains("](" + picture + ")"));
        }
    }

    @Test
    void whatTheRecordsCannotTell() throws IOException {
        Shape virtual = new Shape(null, true, Closing.BY_OPENER, 0, 1, 8, 8, 1, 8, 8, 1, true);
        Path in = Histograms.write(Histograms.of(1, Map.of(virtual, 5L)), directory.resolve("1.json"));
        String text = CommandLine.run("recommend", in.toString(), "--out", directory.resolve("out").toString()).out();
        assertTrue(text.contains("Only 5 arenas with bytes"), text);
        assertTrue(text.contains("100 % of the arenas with bytes were opened by virtual threads"), text);
        assertTrue(text.replaceAll("\\s+", " ").contains("Which of them share a carrier is taken as it was"), text);
    }

    @Test
    void noBytesAtAll() throws IOException {
        Path in = Histograms.write(Histograms.of(1, Map.of(Histograms.shape(null, 0, 0), 5L)), directory.resolve("1.json"));
        CommandLine result = CommandLine.run("recommend", in.toString(), "--out", directory.resolve("out").toString());
        assertEquals(0, result.status(), result.err());
        assertTrue(result.out().contains("Leave the default. No setting saves time. Arenas with bytes: 0."), result.out());
        assertFalse(result.out().contains("-Djdk"), result.out());
        assertFalse(result.out().contains("Only "), result.out());
        assertFalse(result.out().contains("time saved"), result.out());
    }

    /** The exit status says that not all files were read, and the report which. */
    @Test
    void aFileThatIsLeftOut() throws IOException {
        Path in = Histograms.write(Histograms.of(1, Map.of()), directory.resolve("1.json"));
        Path missing = directory.resolve("missing");
        CommandLine result = CommandLine.run("recommend", in.toString(), missing.toString(), "--out",
                directory.resolve("out").toString());
        assertEquals(Tool.EXIT_FAILED, result.status());
        assertTrue(result.out().replace("\n", "").replace(" ", "").contains("Leftout:" + missing), result.out());
    }

    /** Arenas that each make their blocks gain by larger ones; no setting spares them all mallocs. */
    @Test
    void whatNoSettingServes() {
        Shape unclosed = new Shape(null, false, Closing.UNCLOSED, 0, 0, 40, 40, 5, 8, 8, 1, true);
        Replay replay = new Replay(Histograms.of(1, Map.of(unclosed, 1000L)), Costs.DOCUMENTED);
        assertTrue(replay.of(Setting.DEFAULT).saved() > 0);
        assertEquals(new Recommendation(Setting.DEFAULT, null, 0), Recommendation.of(replay, 0.95));
    }

    /** A JVM whose file does not tell how long it ran. */
    @Test
    void noTimeThatItRan() {
        RecordedJvm jvm = new RecordedJvm("host", 1, "2026-11-21T08:00:00Z", "2026-11-21T08:00:00Z", true, false, 1, "VM 25",
                "app.jar");
        Shape shape = Histograms.shape(null, 20, 0);
        Histogram histogram = new Histogram(List.of(jvm), Map.of(shape, Histograms.tally(shape, 5)), Dropped.NOTHING);
        assertFalse(document(histogram).document().toText().contains("these JVMs ran"));
    }

    /** The charts have nothing above zero to draw, that of memory has nothing at all. */
    @Test
    void onlyArenasThatAreTooLarge() throws IOException {
        Path in = Histograms.write(Histograms.of(1, Map.of(Histograms.shape(null, 1 << 21, 0), 5L)), directory.resolve("1.json"));
        CommandLine result = CommandLine.run("recommend", in.toString(), "--out", directory.resolve("out").toString());
        assertEquals(0, result.status(), result.err());
        assertTrue(result.out().startsWith("# Recommended setting of the confined pool"), result.out());
        assertTrue(result.out().contains("Leave the default. No setting saves time. Arenas with bytes: 5."), result.out());
        assertFalse(Files.exists(directory.resolve("out/memory.png")));
        assertTrue(Files.exists(directory.resolve("out/served.png")));
    }

    /** A JVM that halted before its first arena was written: that is not one without arenas. */
    @Test
    void aJvmThatHalted() throws IOException {
        RecordedJvm halted = new RecordedJvm("host", 1, "2026-11-21T08:00:00Z", "2026-11-21T08:00:01Z", false, false, 1, "VM 25", "app.jar");
        Path in = Histograms.write(new Histogram(List.of(halted), Map.of(), Dropped.NOTHING), directory.resolve("1.json"));
        String text = CommandLine.run("recommend", in.toString(), "--out", directory.resolve("out").toString()).out()
                .replaceAll("\\s+", " ");
        assertTrue(text.contains("Nothing can be recommended: no recorded arena has bytes, but arenas are missing."), text);
        assertTrue(text.contains("1 JVM was killed or still ran, so what it did after its file was written, 1.00 s after its start, is missing."), text);
        assertFalse(text.contains("Leave the default"), text);
    }

    /** The default serves a quarter of the time that there is to save: enough for --keep 20, too little for --keep 30. */
    @Test
    void howMuchIsKept() throws IOException {
        Shape small = Histograms.shape(null, 20, 0);
        Shape large = Histograms.shape(null, 12_000, 0);
        Costs costs = costs(100, 20);
        Replay replay = new Replay(Histograms.of(1, Map.of(small, 1000L, large, 3000L)), costs);
        assertEquals(80_000, replay.of(Setting.DEFAULT).saved());
        assertEquals(320_000, replay.of(new Setting(11, 1)).saved());
        assertEquals(Setting.DEFAULT, Recommendation.of(replay, 0.2).setting());
        assertEquals(16_384, Recommendation.of(replay, 0.3).setting().size());
        Path in = Histograms.write(Histograms.of(1, Map.of(small, 100_000L, large, 10L)), directory.resolve("1.json"));
        String out = directory.resolve("out").toString();
        assertTrue(CommandLine.run("recommend", in.toString(), "--keep", "50", "--out", out).out().contains("Leave the default."));
        String text = CommandLine.run("recommend", in.toString(), "--keep", "100", "--out", out).out();
        assertTrue(text.contains("-Djdk.foreign.confinedPool.size=16384"), text);
        assertTrue(text.replaceAll("\\s+", " ").matches(".* Set what follows\\. The default saves [0-9.]+ %, this 100 % of the time that the "
                + "best setting would\\. .*"), text);
    }

    @Test
    void wrongOptions() throws IOException {
        Path in = Histograms.write(Histograms.of(1, Map.of()), directory.resolve("1.json"));
        assertOneLine("--keep 0.0: more than 0 and up to 100 is accepted; nothing was written", in, "--keep", "0");
        assertOneLine("--costs nowhere: cannot be read; a report.md of make compare is accepted; nothing was written",
                in, "--costs", "nowhere");
        assertOneLine("--costs " + in + ": has not two sizes of \"open, allocate, close\" up to 8192 bytes; a report.md of make "
                + "compare is accepted; nothing was written", in, "--costs", in.toString());
    }

    private static void assertOneLine(String line, Path in, String option, String value) {
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "recommend: " + line + "\n"),
                CommandLine.run("recommend", in.toString(), option, value));
    }

    /** {@return costs of so many nanoseconds, whatever an arena allocates at once} */
    static Costs costs(double stock, double pooled) {
        NavigableMap<Long, Times> times = new TreeMap<>(Map.of(1L, new Times(stock, pooled), 2L, new Times(stock, pooled)));
        return new Costs("by hand", times, times, 0);
    }

    static Recommendation recommended(Map<Shape, Long> arenas) {
        Histogram histogram = Histograms.of(1, arenas);
        return Recommendation.of(new Replay(histogram, Costs.DOCUMENTED), 0.99);
    }

    static RecommendDocument document(Map<Shape, Long> arenas) {
        return document(Histograms.of(1, arenas));
    }

    private static RecommendDocument document(Histogram histogram) {
        Replay replay = new Replay(histogram, Costs.DOCUMENTED);
        return new RecommendDocument(new Recordings(histogram, 1, List.of()), replay, Costs.DOCUMENTED,
                Recommendation.of(replay, 0.99));
    }
}
