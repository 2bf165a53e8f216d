/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jfree.chart.plot.XYPlot;
import org.jfree.data.xy.XYDataset;
import org.junit.jupiter.api.Test;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.RecordedJvm;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.Tally;
import pooledarena.model.Costs;
import pooledarena.recordings.Histograms;
import pooledarena.recordings.Recordings;
import pooledarena.text.Chart.Axis;
import pooledarena.text.Chart.Point;
import pooledarena.text.Figures;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RecommendDocumentTest {

    static final Site FRAME = new Site("jdk.internal.foreign.BufferStack$PerThread$Frame", "<init>", 1, false, List.of());

    /** What the headline says first is what part of the run is saved, and so whether it is worth it. */
    @Test
    void headlines() {
        Map<Shape, Long> small = Map.of(Histograms.shape(null, 20, 0), 10_000_000L);
        double saved = RecommendTest.document(small).replay().of(Setting.DEFAULT).saved();
        String worthIt = headline(small, 100 * saved - 1000);
        assertTrue(worthIt.matches("Worth it: the patched JDK saves 1\\.0 % of the CPU time, \\d+ ms of [0-9.]+ s, which only several "
                + "runs show\\. It saves 10,000,000 of 10,000,000 mallocs, and \\d+ MiB of garbage\\."), worthIt);
        String muchMore = headline(small, 10 * saved - 1000);
        assertTrue(muchMore.matches("Worth it: the patched JDK saves 10\\.0 % of the CPU time, \\d+ ms of [0-9.]+ s\\. It .*"), muchMore);
        String lessThanNoise = headline(small, 100 * saved + 1000);
        assertTrue(lessThanNoise.matches("Not worth it for time: the patched JDK saves [01]\\.\\d+ % of the CPU time, .*, which "
                + "cannot be told from noise\\. .*"), lessThanNoise);
        String unknown = headline(small, 0);
        assertTrue(unknown.matches("The recording does not tell the program's CPU time, so its share is not known\\. The patched "
                + "JDK saves about \\d+ ms\\. It saves 10,000,000 of .*"), unknown);
        assertEquals(List.of("true", "false", "null"), Stream.of(10 * saved, 1000 * saved, 0.0)
                .map(cpu -> figure(small, cpu, "worthIt").asText()).toList());
        assertEquals(0.01, figure(small, 100 * saved, "cpuShareSaved").asDouble(), 1e-9);
        assertTrue(figure(small, 0, "cpuShareSaved").isNull());
        String nothing = headline(Map.of(Histograms.shape(null, 0, 0), 5L), 1e9);
        assertTrue(nothing.startsWith("Not worth it: no recorded arena has memory"), nothing);
        assertEquals("false", figure(Map.of(Histograms.shape(null, 0, 0), 5L), 0, "worthIt").asText());
    }

    /** {@return what the JSON says, which is what the headline says} */
    private static JsonNode figure(Map<Shape, Long> arenas, double cpu, String name) {
        try {
            return new ObjectMapper().readTree(RecommendTest.document(Histograms.of(1, arenas), cpu).json()).path(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** No slot of the default holds these arenas. What is missing would be saved, too. */
    @Test
    void headlineOfAnotherSetting() {
        Histogram large = missing(Map.of(Histograms.shape(null, 12_000, 0), 1_000_000L), 9_000_000);
        Replay replay = new Replay(large, RecommendTest.costs(1100, 100));
        RecommendDocument document = new RecommendDocument(new Recordings(large, 1, List.of()), replay, 20e9,
                Recommendation.of(replay, 0.95, 20e9));
        assertTrue(document.headline().matches("As far as it was recorded: "
                + "Worth it, but not with the default properties: the patched JDK saves at least 5\\.0 % of "
                + "the CPU time, 1\\.00 s of 20\\.0 s, which only several runs show\\. It saves [0-9,]{7,9} of 1,000,000 mallocs, and "
                + "45\\.8 MiB of garbage\\. With the default properties it saves at least 0 % of the CPU time\\."), document.headline());
    }

    /** What was not recorded may save more: where that is most, what was recorded does not tell that little is saved. */
    @Test
    void headlinesWhereArenasAreMissing() {
        Map<Shape, Long> small = Map.of(Histograms.shape(null, 20, 0), 1_000_000L);
        double saved = RecommendTest.document(small).replay().of(Setting.DEFAULT).saved();
        String worthIt = headline(missing(small, 5_000_000), 99 * saved);
        assertTrue(worthIt.startsWith("As far as it was recorded: "
                + "Worth it: the patched JDK saves at least 1.0 % of the CPU time, "), worthIt);
        String few = headline(missing(small, 1_000_000), 200 * saved);
        assertTrue(few.startsWith("As far as it was recorded: "
                + "Not worth it for time: the patched JDK saves at least 0.500 % of the CPU time, "), few);
        String most = headline(missing(small, 1_000_001), 200 * saved);
        assertTrue(most.startsWith("As far as it was recorded: "
                + "Nothing can be said: 50.0 % of the arenas are missing. Record with a larger --memory. With what "
                + "was recorded, the patched JDK saves at least 0.500 % of the CPU time, "), most);
        String unknown = headline(missing(small, 1), 0);
        assertTrue(unknown.contains(" The patched JDK saves at least "), unknown);
    }

    /** What was recorded of a JVM that was killed does not tell whether the whole is worth it. */
    @Test
    void headlineOfWhatIsNotFinished() throws IOException {
        Map<Shape, Long> small = Map.of(Histograms.shape(null, 20, 0), 1_000_000L);
        RecordedJvm whole = Histograms.jvm(1);
        RecordedJvm killed = new RecordedJvm("host", 1, whole.started(), whole.written(), false, false, 1, 10_000, "VM 25", "app");
        Histogram histogram = new Histogram(List.of(killed), Histograms.of(1, small).rows(), new Dropped(3, 0, 2, 0));
        RecommendDocument document = RecommendTest.document(histogram, 1e12);
        assertTrue(document.headline().startsWith("As far as it was recorded: Not worth it for time: "), document.headline());
        JsonNode json = new ObjectMapper().readTree(document.json());
        assertTrue(json.path("worthIt").isNull(), json.toString());
        assertEquals(List.of(3, 2, 1, 0, 0), Stream.of("arenasMissing", "arenasRounded", "jvmsUnfinished", "filesLeftOut",
                "callsByValue").map(name -> json.path(name).asInt(-1)).toList());
    }

    /** The stock JDK opens an arena for each call by value, whose gain is not that of an arena. */
    @Test
    void headlineOfCallsByValue() throws IOException {
        assertDoesNotThrow(() -> Class.forName(FRAME.className(), false, null));
        double saved = 2_000_000 * Costs.documented().byValue();
        assertTrue(saved > 2_000_000, saved + " ns");
        Map<Shape, Long> calls = Map.of(Histograms.shape(FRAME, 0, 0), 2_000_000L);
        String besides = " Of the time, " + Figures.time(saved) + " is of 2,000,000 calls that pass structs by value or keep errno.";
        assertEquals("Worth it: the patched JDK saves 2.0 % of the CPU time, " + Figures.time(saved) + " of " + Figures.time(50 * saved)
                + ", which only several runs show. No recorded arena has memory." + besides, headline(calls, 50 * saved));
        String little = headline(calls, 1000 * saved);
        assertTrue(little.startsWith("Not worth it for time: the patched JDK saves 0.100 % of the CPU time, "), little);
        RecommendDocument both = RecommendTest.document(Histograms.of(1, Map.of(Histograms.shape(FRAME, 0, 0), 2_000_000L,
                Histograms.shape(null, 20, 0), 1_000_000L)), 50 * saved);
        double arenas = both.replay().of(Setting.DEFAULT).saved();
        assertTrue(both.headline().startsWith("Worth it: the patched JDK saves " + Figures.percent(arenas + saved, 50 * saved)),
                both.headline());
        assertTrue(both.headline().endsWith(besides), both.headline());
        JsonNode json = new ObjectMapper().readTree(both.json());
        assertEquals(Math.round(saved), json.path("nanosSavedByValue").asLong());
        assertEquals(Math.round(arenas), json.at("/default/nanosSaved").asLong());
        assertTrue(json.path("worthIt").asBoolean());
        assertEquals((arenas + saved) / (50 * saved), json.path("cpuShareSaved").asDouble(), 1e-9);
    }

    /** One arena in ten has told its call site. */
    @Test
    void callsByValueOfSampledSites() throws IOException {
        RecordedJvm jvm = Histograms.jvm(1);
        RecordedJvm sampled = new RecordedJvm("host", 1, jvm.started(), jvm.written(), true, false, 10, 10_000, "VM 25", "app");
        Map<Shape, Long> calls = Map.of(Histograms.shape(FRAME, 0, 0), 200L, Histograms.shape(null, 0, 0), 1_800L);
        Histogram histogram = new Histogram(List.of(sampled), Histograms.of(1, calls).rows(), Dropped.NOTHING);
        JsonNode json = new ObjectMapper().readTree(RecommendTest.document(histogram, 1e9).json());
        assertEquals(2000, json.path("callsByValue").asInt());
        assertEquals(Math.round(2000 * Costs.documented().byValue()), json.path("nanosSavedByValue").asLong());
        RecordedJvm without = new RecordedJvm("host", 2, jvm.started(), jvm.written(), true, false, 0, 10_000, "VM 25", "app");
        JsonNode both = new ObjectMapper().readTree(RecommendTest.document(new Histogram(List.of(sampled, without),
                histogram.rows(), Dropped.NOTHING), 1e9).json());
        assertEquals(2000, both.path("callsByValue").asInt());
    }

    /** The arenas of a file that was left out may be those that matter, and so may those that the recorder failed to count. */
    @Test
    void whatMayBeElsewhere() throws IOException {
        Map<Shape, Tally> empty = Histograms.of(1, Map.of(Histograms.shape(null, 0, 0), 5L)).rows();
        for (boolean isFile : List.of(true, false)) {
            Histogram histogram = new Histogram(List.of(Histograms.jvm(1)), empty, new Dropped(0, 0, 0, isFile ? 0 : 1));
            Replay replay = new Replay(histogram, Costs.documented());
            RecommendDocument document = new RecommendDocument(new Recordings(histogram, 1, isFile ? List.of("x.json: is empty")
                    : List.of()), replay, 1e9, Recommendation.of(replay, 0.99, 1e9));
            assertTrue(document.headline().contains("Nothing can be said: no recorded arena has memory, but "
                    + (isFile ? "files, " : "") + "arenas or "), document.headline());
            assertTrue(document.headline().startsWith("As far as it was recorded: "), document.headline());
            assertTrue(new ObjectMapper().readTree(document.json()).path("worthIt").isNull());
        }
    }

    /** Those of large structs have memory, so they are arenas as others are. Without call sites nothing is known of the others. */
    @Test
    void callsByValueThatAreNotTold() throws IOException {
        JsonNode large = new ObjectMapper().readTree(RecommendTest.document(Histograms.of(1,
                Map.of(Histograms.shape(FRAME, 1000, 0), 200L)), 1e9).json());
        assertEquals(List.of(0, 200), Stream.of("callsByValue", "arenas").map(name -> large.path(name).asInt(-1)).toList());
        RecordedJvm jvm = new RecordedJvm("host", 1, "2026-11-21T08:00:00Z", "2026-11-21T08:00:10Z", true, false, 0, 10_000, "VM 25",
                "app");
        RecommendDocument without = RecommendTest.document(new Histogram(List.of(jvm),
                Histograms.of(1, Map.of(Histograms.shape(null, 0, 0), 200L)).rows(), Dropped.NOTHING), 1e9);
        assertTrue(without.headline().startsWith("Nothing can be said: "), without.headline());
        assertTrue(new ObjectMapper().readTree(without.json()).path("worthIt").isNull());
    }

    /** Arenas that save little do not tell that calls by value do. */
    @Test
    void headlineWhereCallSitesAreMissing() throws IOException {
        RecordedJvm jvm = Histograms.jvm(1);
        RecordedJvm without = new RecordedJvm("host", 1, jvm.started(), jvm.written(), true, false, 0, 10_000, "VM 25", "app");
        for (int arenas = 0; arenas < 2; arenas++) {
            Map<Shape, Tally> rows = Histograms.of(1, arenas == 0 ? Map.of(Histograms.shape(null, 0, 0), 1_000_000L)
                    : Map.of(Histograms.shape(null, 0, 0), 1_000_000L, Histograms.shape(null, 20, 0), 1L)).rows();
            for (Histogram histogram : List.of(new Histogram(List.of(without), rows, Dropped.NOTHING),
                    new Histogram(List.of(jvm), rows, new Dropped(0, 1, 0, 0)))) {
                RecommendDocument document = RecommendTest.document(histogram, 1e9);
                assertTrue(document.headline().startsWith("Nothing can be said: " + (arenas == 0 ? "no recorded arena has memory, but "
                        + "arenas or their call sites are missing. " : "call sites are missing, and with them calls by value. Record with "
                        + "call sites, and with a larger --memory if some were dropped. With what was recorded, the patched JDK ")),
                        document.headline());
                assertTrue(new ObjectMapper().readTree(document.json()).path("worthIt").isNull());
            }
        }
    }

    private static Histogram missing(Map<Shape, Long> arenas, long missing) {
        return new Histogram(List.of(Histograms.jvm(1)), Histograms.of(1, arenas).rows(), new Dropped(missing, 0, 0, 0));
    }

    private static String headline(Histogram histogram, double cpu) {
        return RecommendTest.document(histogram, cpu).headline();
    }

    /** Threads that end after one nest, for which their slots grow and that get a pool, make more mallocs than without. */
    @Test
    void moreMallocs() {
        Map<Shape, Long> threads = new HashMap<>();
        for (int open = 0; open < 11; open++) {
            threads.put(new Shape(null, false, Closing.BY_OPENER, open, 0, open < 4 ? open : Integer.highestOneBit(open), 525, 3, 50, 300,
                    1, true), 10_000L);
        }
        RecommendDocument document = RecommendTest.document(threads);
        long more = document.replay().of(Setting.DEFAULT).mallocs() - document.replay().all.allocations();
        assertEquals(20_000, more); // each thread one as slots grow when their arenas are closed, and one for its stack
        double added = -document.replay().of(Setting.DEFAULT).saved();
        assertTrue(headline(threads, 50 * added).startsWith("Not worth it for time: the patched JDK adds 2.0 % of the CPU time, "
                + Figures.time(added) + " of " + Figures.time(50 * added) + ". It makes "), headline(threads, 50 * added));
        assertTrue(headline(threads, 1e6 * added).contains(" adds <0.001 % of the CPU time, "), headline(threads, 1e6 * added));
        assertTrue(document.headline().matches(".* It makes 20,000 mallocs more than the 330,000 of the stock JDK, and saves [0-9.]+"
                + " MiB of garbage\\."), document.headline());
        Costs costs = Costs.documented(); // with arenas that take as much heap as in stock the pools of the threads remain
        document = RecommendTest.document(Histograms.of(1, threads), new Costs("by hand", costs.stock(), costs.stock(), 0, 0, 0), 10e9);
        assertTrue(document.replay().of(Setting.DEFAULT).heapSaved() <= -10_000L * 752, document.headline());
        assertTrue(document.headline().matches(".* It makes 20,000 mallocs more than the 330,000 of the stock JDK, and makes [0-9.]+"
                + " MiB of garbage more\\."), document.headline());
    }

    private static String headline(Map<Shape, Long> arenas, double cpu) {
        return headline(Histograms.of(1, arenas), cpu);
    }

    /** One arena of virtual threads was beside 7 others, for which the default keeps slots; a depth of 1 does without. */
    @Test
    void whatASmallerDepthRisks() {
        Shape many = new Shape(null, true, Closing.BY_OPENER, 0, 8, 64, 5000, 1, 5000, 5000, 1, true);
        Shape one = new Shape(null, true, Closing.BY_OPENER, 0, 1, 64, 5000, 1, 5000, 5000, 1, true);
        Recommendation recommendation = RecommendTest.recommended(Map.of(many, 1L, one, 100_000L));
        assertEquals(Setting.DEFAULT, recommendation.setting());
        assertEquals(Setting.DEFAULT.size(), recommendation.smaller().size());
        String option = RecommendTest.document(Map.of(many, 1L, one, 100_000L)).smaller();
        assertTrue(option.endsWith("But then each arena beyond that depth may cost a malloc, and the next run may have more open at "
                + "once."), option);
    }

    /** A logarithmic axis has no 0: slots of 8 and 16 bytes serve nothing of 20 bytes. */
    @Test
    void whereThereIsNoMemory() {
        RecommendDocument document = RecommendTest.document(Map.of(Histograms.shape(null, 20, 0), 1000L));
        assertEquals(new Point(32, 56 + 64), document.points(8, new Axis("B", true), Replay.Estimate::memory).getFirst());
        assertEquals(new Point(8, 0), document.points(8, new Axis("%", false), Replay.Estimate::served).getFirst());
    }

    @Test
    void whatTheChartsShow() {
        RecommendDocument document = RecommendTest.document(Map.of(Histograms.shape(null, 700, 0), 50_000L,
                Histograms.shape(null, 700, 1), 25_000L, Histograms.shape(null, 700, 2), 25_000L));
        Map<String, XYDataset> charts = new LinkedHashMap<>();
        document.charts((picture, chart) -> charts.put(picture, ((XYPlot) chart.plot()).getDataset()));
        assertEquals(RecommendDocument.PICTURES, List.copyOf(charts.keySet()));
        Replay.Estimate estimate = document.replay().of(new Setting(1024, 1));
        assertEquals(75, at1024(charts.get("served.png"), "depth 1", 14), 0.5); // the innermost ones find no slot
        assertEquals(estimate.memory() / 1024.0, at1024(charts.get("memory.png"), "depth 1", 14 - 7));
        assertEquals(100 * estimate.saved() / document.replay().time, at1024(charts.get("saved.png"), "depth 1", 14));
        assertTrue(estimate.saved() > 0);
    }

    /** As all figures. */
    @Test
    void theSameInEveryLocale() {
        RecommendDocument document = RecommendTest.document(Map.of(Histograms.shape(null, 20, 0), 1000L));
        Locale locale = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            document.charts((_, chart) -> assertEquals("most bytes in a slot (recommended: 8,192, depth 8)",
                    ((XYPlot) chart.plot()).getDomainAxis().getLabel()));
        } finally {
            Locale.setDefault(locale);
        }
    }

    /** {@return the value for slots of 1024 bytes in a line that has so many points} */
    private static double at1024(XYDataset lines, String name, int points) {
        int line = lines.indexOf(name);
        assertTrue(line >= 0, () -> name + " in "
                + IntStream.range(0, lines.getSeriesCount()).mapToObj(lines::getSeriesKey).toList());
        assertEquals(points, lines.getItemCount(line));
        return IntStream.range(0, points).filter(i -> lines.getXValue(line, i) == 1024).mapToDouble(i -> lines.getYValue(line, i))
                .findFirst().orElseThrow();
    }
}
