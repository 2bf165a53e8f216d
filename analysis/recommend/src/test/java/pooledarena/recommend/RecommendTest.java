/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.CommandLine;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.RecordedJvm;
import pooledarena.histogram.Shape;
import pooledarena.io.Tool;
import pooledarena.model.Costs;
import pooledarena.recordings.Histograms;
import pooledarena.recordings.Recordings;

import javax.imageio.ImageIO;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RecommendTest {

    @TempDir
    private Path directory;

    /** Of a run of 10 s another setting must save 0.1 s more. Then the least of those that save nearly all is recommended. */
    @Test
    void onlyWhatARunShows() {
        Shape small = Histograms.shape(null, 20, 0);
        Shape large = Histograms.shape(null, 12_000, 0);
        Costs costs = costs(1100, 100);
        Replay replay = new Replay(Histograms.of(1, Map.of(small, 1_000_000L, large, 90_000L)), costs);
        assertEquals(1e9, replay.of(Setting.DEFAULT).saved(), 1e6);
        assertEquals(1.09e9, replay.of(new Setting(16384, 8)).saved(), 1e6);
        assertEquals(new Recommendation(Setting.DEFAULT, null, 0.1), rounded(Recommendation.of(replay, 0.95, 10e9)));
        assertEquals(Setting.DEFAULT, Recommendation.of(replay, 1, 10e9).setting());
        Recommendation shown = Recommendation.of(replay, 1, 8e9);
        assertEquals(16384, shown.setting().size());
        assertTrue(shown.isMeasurable());
        assertEquals(Setting.DEFAULT, shown.answer());
    }

    /** The answer is about the default, unless only the recommended setting saves what a run shows. */
    @Test
    void whatTheAnswerIsAbout() {
        Setting other = new Setting(16384, 8);
        assertEquals(Setting.DEFAULT, new Recommendation(other, null, Recommendation.MEASURABLE).answer());
        assertTrue(new Recommendation(Setting.DEFAULT, null, Recommendation.MEASURABLE).isMeasurable());
        Recommendation only = new Recommendation(other, null, 0.009);
        assertEquals(other, only.answer());
        assertTrue(only.isMeasurable());
        assertFalse(new Recommendation(Setting.DEFAULT, null, 0.009).isMeasurable());
    }

    /** What is recommended saves what a run shows, with what calls by value lose; that these save makes no setting worth it. */
    @Test
    void anotherSettingBesideCallsByValue() {
        Costs plain = costs(1100, 100);
        Map<Shape, Long> rows = Map.of(Histograms.shape(null, 12_000, 0), 100_000L,
                Histograms.shape(RecommendDocumentTest.FRAME, 0, 0), 1_000_000L);
        for (int byValue : new int[] {-50, 50}) { // of 80 ms that a run shows, arenas save 100
            Replay replay = new Replay(Histograms.of(1, rows), new Costs("by hand", plain.stock(), plain.pooled(), 0, 0, byValue));
            assertEquals(byValue * 1e6, replay.savedByValue);
            assertEquals(byValue < 0 ? 8192 : 16384, Recommendation.of(replay, 1, 8e9).setting().size());
        }
    }

    /** Where the processor time is not known, no setting can be said to matter. */
    @Test
    void withoutProcessorTime() {
        Replay replay = new Replay(Histograms.of(1, Map.of(Histograms.shape(null, 12_000, 0), 1_000_000L)), costs(1100, 100));
        assertTrue(replay.of(new Setting(16384, 1)).saved() > 0);
        Recommendation recommendation = Recommendation.of(replay, 0.95, 0);
        assertEquals(Setting.DEFAULT, recommendation.setting());
        assertFalse(recommendation.isMeasurable());
    }

    /** None of which no costs are measured. */
    @Test
    void onlyWhatIsMeasured() {
        Shape large = Histograms.shape(null, 200_000, 0);
        Replay replay = new Replay(Histograms.of(1, Map.of(large, 10_000_000L)), Costs.documented());
        assertEquals(Costs.documented().largestSlot(), replay.estimates.getLast().setting().size());
        assertEquals(Setting.DEFAULT, Recommendation.of(replay, 0.95, 1e9).setting());
    }

    private static Recommendation rounded(Recommendation recommendation) {
        return new Recommendation(recommendation.setting(), recommendation.smaller(),
                Math.round(100 * recommendation.share()) / 100.0);
    }

    /** For one in a thousand a slot of 4 KiB, which is two pages with its header, can be spared; half of them are worth it. */
    @Test
    void fewLargeArenas() {
        Shape small = Histograms.shape(null, 20, 0);
        Shape large = Histograms.shape(null, 4100, 0);
        Recommendation spared = recommended(Map.of(small, 100_000L, large, 100L));
        assertEquals(Setting.DEFAULT, spared.setting());
        assertEquals(new Setting(4096, 8), spared.smaller());
        String text = document(Map.of(small, 100_000L, large, 100L)).smaller();
        assertTrue(text.matches("Where there are very many threads, what follows saves nearly as much, and a thread keeps "
                + "\\d+ B of slots instead of [4-5]\\.\\d+ KiB\\. But then a larger allocation costs a malloc, and one that is "
                + "only larger "
                + "than what was recorded may be such\\."), text);
        assertNull(recommended(Map.of(small, 100_000L, large, 50_000L)).smaller());
    }

    @Test
    void nothingThatCouldBeServed() {
        for (Map<Shape, Long> arenas : List.of(Map.of(Histograms.shape(null, 0, 0), 1000L),
                Map.of(Histograms.shape(null, (1 << 20) + 1, 0), 1000L), Map.<Shape, Long>of())) {
            Recommendation nothing = recommended(arenas);
            assertEquals(Setting.DEFAULT, nothing.setting());
            assertNull(nothing.smaller());
            assertFalse(nothing.isMeasurable());
        }
    }

    @Test
    void theCommand() throws IOException {
        Path in = Histograms.write(Histograms.of(1, Map.of(Histograms.shape(null, 0, 0), 5000L,
                Histograms.shape(null, 20, 0), 90_000L, Histograms.shape(null, 20, 1), 9_999L,
                Histograms.shape(null, 100_000, 0), 1L)), directory.resolve("1.json"));
        Path out = directory.resolve("out");
        CommandLine result = CommandLine.run("recommend", in.toString(), "--out", out.toString());
        assertEquals(0, result.status());
        assertEquals("", result.err());
        String prose = result.out().replaceAll("[\\s|]+", " ");
        assertTrue(prose.matches("# What the pool saves Not worth it for time: the patched JDK saves "
                + "0\\.\\d+ % of the CPU time, [0-9.]+ ms of 10\\.0 s, which cannot be told from noise\\. "
                + "It saves 99,\\d+ of 100,000 mallocs, "
                + "and [0-9.]+ MiB of garbage\\. Leave the default properties: no others whose costs are measured save 1\\.0 % "
                + "of the CPU time more\\. .*"),
                result.out());
        assertTrue(prose.contains(" 100,000 arenas with memory were recorded, and 100,000 allocations, each a malloc "),
                result.out());
        assertFalse(result.out().contains("-Djdk"), result.out());
        assertFalse(result.out().contains("Only "), result.out());
        assertFalse(result.out().contains("virtual threads"), result.out());
        assertEquals("", Files.readString(out.resolve("java.args")));

        JsonNode json = new ObjectMapper().readTree(out.resolve("recommend.json").toFile());
        assertEquals("pooled-confined-arena recommendation", json.path("format").asText());
        assertEquals(List.of(1L, 100_000L, 0L, 100_000L, 10_000_000_000L), Stream.of("version", "arenas", "arenasOfVirtualThreads",
                "allocations", "cpuNanos").map(name -> json.path(name).asLong()).toList());
        assertFalse(json.path("worthIt").asBoolean(true));
        assertEquals(json.path("default"), json.path("recommended"));
        assertEquals(8192, json.at("/default/size").asInt());
        assertEquals(100_000, json.at("/default/mallocs").asLong() + json.at("/default/mallocsSaved").asLong());
        assertTrue(json.at("/default/nanosSaved").asLong() > 0 && json.at("/default/heapBytesSaved").asLong() > 0);
        assertEquals(json.at("/default/nanosSaved").asLong() / 10e9, json.path("cpuShareSaved").asDouble(), 1e-9);
        assertEquals(14 * 5, json.path("settings").size());
        String html = Files.readString(out.resolve("recommend.html"));
        assertEquals(3, html.split("src=\"data:image/png;base64,", -1).length - 1);
        for (String picture : RecommendDocument.PICTURES) {
            BufferedImage image = ImageIO.read(out.resolve(picture).toFile());
            assertEquals(List.of(1920, 1080), List.of(image.getWidth(), image.getHeight()));
            assertTrue(Files.readString(out.resolve("recommend.md")).contains("](" + picture + ")"));
        }
    }

    /** What is recommended is in a file that java reads, and the first line does not say that nothing is saved. */
    @Test
    void anotherSetting() throws IOException {
        Path in = Histograms.write(Histograms.of(1, Map.of(Histograms.shape(null, 12_000, 0), 20_000_000L)),
                directory.resolve("1.json"));
        Path out = directory.resolve("out");
        String text = CommandLine.run("recommend", in.toString(), "--out", out.toString()).out().replaceAll("\\s+", " ");
        assertTrue(text.matches("# What the pool saves Worth it, but not with the default properties: the patched JDK saves "
                + "([0-9.]+ % of the CPU time), [0-9.]+ m?s of 10\\.0 s(, which only several runs show)?\\. It saves [0-9,]{10} of "
                + "20,000,000 mallocs, and [0-9.]+ [MG]iB of garbage\\. With the default properties it saves 0 % of the CPU time\\. "
                + "Set what follows\\. It saves \\1, since a slot holds allocations of up to 16 KiB\\. A thread keeps [0-9.]+ KiB of "
                + "slots instead of 0 B\\. -Djdk\\.foreign\\.confinedPool\\.size=16384 -Djdk.*"),
                text);
        assertTrue(text.contains(" | 0 B | 0 ns | | largest | "), text); // the default
        assertEquals(new Setting(16384, 8).options(), Files.readString(out.resolve("java.args")));
        JsonNode json = new ObjectMapper().readTree(out.resolve("recommend.json").toFile());
        assertEquals(16384, json.at("/recommended/size").asInt());
        assertEquals(8192, json.at("/default/size").asInt());
        assertTrue(json.path("worthIt").asBoolean());
        assertEquals(json.at("/recommended/nanosSaved").asLong() / 10e9, json.path("cpuShareSaved").asDouble(), 1e-9);
    }

    @Test
    void whatTheRecordsCannotTell() throws IOException {
        Shape virtual = new Shape(null, true, Closing.BY_OPENER, 0, 1, 0, 8, 1, 8, 8, 1, true);
        Path in = Histograms.write(Histograms.of(1, Map.of(virtual, 5L)), directory.resolve("1.json"));
        String text = CommandLine.run("recommend", in.toString(), "--out", directory.resolve("out").toString()).out();
        assertTrue(text.contains("Only 5 arenas with memory"), text);
        assertTrue(text.contains("100 % of the arenas with memory were opened by virtual threads"), text);
        assertTrue(text.replaceAll("\\s+", " ").contains("Which of them share a carrier is taken as it was"), text);
    }

    @Test
    void noBytesAtAll() throws IOException {
        Path in = Histograms.write(Histograms.of(1, Map.of(Histograms.shape(null, 0, 0), 5L)), directory.resolve("1.json"));
        CommandLine result = CommandLine.run("recommend", in.toString(), "--out", directory.resolve("out").toString());
        assertEquals(0, result.status(), result.err());
        assertTrue(result.out().contains("Not worth it: no recorded arena has memory, so the patched JDK saves nothing."),
                result.out());
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

    /** The charts have nothing above zero to draw, that of memory has nothing at all. */
    @Test
    void onlyArenasThatAreTooLarge() throws IOException {
        Path in = Histograms.write(Histograms.of(1, Map.of(Histograms.shape(null, 1 << 21, 0), 5L)), directory.resolve("1.json"));
        CommandLine result = CommandLine.run("recommend", in.toString(), "--out", directory.resolve("out").toString());
        assertEquals(0, result.status(), result.err());
        assertTrue(result.out().startsWith("# What the pool saves"), result.out());
        assertTrue(result.out().replaceAll("\\s+", " ").contains(" It saves 0 of 5 mallocs, "), result.out());
        assertFalse(Files.exists(directory.resolve("out/memory.png")));
        assertTrue(Files.exists(directory.resolve("out/served.png")));
    }

    /** A JVM that halted before its first arena was written: that is not one without arenas. */
    @Test
    void aJvmThatHalted() throws IOException {
        RecordedJvm halted = new RecordedJvm("host", 1, "2026-11-21T08:00:00Z", "2026-11-21T08:00:01Z", false, false, 1, 0,
                "VM 25", "app.jar");
        Path in = Histograms.write(new Histogram(List.of(halted), Map.of(), Dropped.NOTHING), directory.resolve("1.json"));
        String text = CommandLine.run("recommend", in.toString(), "--out", directory.resolve("out").toString()).out()
                .replaceAll("\\s+", " ");
        assertTrue(text.contains("Nothing can be said: no recorded arena has memory, but arenas or their call sites are missing."), text);
        assertTrue(text.contains("1 JVM was killed or still ran, so what it did after its file was written, 1.00 s after its start, "
                + "is missing."), text);
        assertFalse(text.contains("Leave the default") || text.contains("worth it"), text);
    }

    /** As in a file that was edited: more than a long counts in nanoseconds. */
    @Test
    void processorTimeOfAges() throws IOException {
        RecordedJvm old = new RecordedJvm("host", 1, "2026-11-21T08:00:00Z", "2026-11-21T08:00:01Z", true, false, 1, Long.MAX_VALUE,
                "VM 25", "app.jar");
        Path in = Histograms.write(new Histogram(List.of(old), Map.of(), Dropped.NOTHING), directory.resolve("1.json"));
        assertEquals(0, CommandLine.run("recommend", in.toString(), "--out", directory.resolve("out").toString()).status());
    }

    @Test
    void progress() throws IOException {
        Path in = Histograms.write(Histograms.of(1, Map.of(Histograms.shape(null, 20, 0), 9L)), directory.resolve("1.json"));
        CommandLine result = CommandLine.slow("replaying", "recommend", in.toString(), "--out", directory.resolve("out").toString());
        assertEquals(0, result.status());
        assertTrue(result.err().matches("(recommend: \\d+ s, .*\n)+"), result.err());
        assertTrue(result.err().contains(" s, replaying them with each setting\n"), result.err());
    }

    @Test
    void wrongOptions() throws IOException {
        Path in = Histograms.write(Histograms.of(1, Map.of()), directory.resolve("1.json"));
        assertOneLine("--keep 0.0: more than 0 and up to 100 is accepted; nothing was written", in, "--keep", "0");
        assertOneLine("--costs nowhere: cannot be read (there is no such file or directory); the figures.json of make compare is accepted; "
                + "nothing was written",
                in, "--costs", "nowhere");
        assertOneLine("--costs " + in + ": lacks ConfinedArenaAlloc.one; the figures.json of make compare is accepted; nothing was "
                + "written", in, "--costs", in.toString());
    }

    private static void assertOneLine(String line, Path in, String option, String value) {
        assertEquals(new CommandLine(Tool.EXIT_BAD_INPUT, "", "recommend: " + line + "\n"),
                CommandLine.run("recommend", in.toString(), option, value));
    }

    /** {@return costs of so many nanoseconds, whatever an arena allocates at once} */
    static Costs costs(double stock, double pooled) {
        return new Costs("by hand", times(stock, 48), times(pooled, 0), 0, 0, 0);
    }

    private static Costs.Times times(double nanos, double heap) {
        NavigableMap<Long, Double> times = new TreeMap<>(Map.of(1L, nanos, 65536L, nanos));
        return new Costs.Times(times, times, 0, heap);
    }

    static Recommendation recommended(Map<Shape, Long> arenas) {
        return Recommendation.of(new Replay(Histograms.of(1, arenas), Costs.documented()), 0.99, 10e9);
    }

    static RecommendDocument document(Map<Shape, Long> arenas) {
        return document(Histograms.of(1, arenas), 10e9);
    }

    static RecommendDocument document(Histogram histogram, double cpu) {
        return document(histogram, Costs.documented(), cpu);
    }

    static RecommendDocument document(Histogram histogram, Costs costs, double cpu) {
        Replay replay = new Replay(histogram, costs);
        return new RecommendDocument(new Recordings(histogram, 1, List.of()), replay, cpu,
                Recommendation.of(replay, 0.99, cpu));
    }
}
