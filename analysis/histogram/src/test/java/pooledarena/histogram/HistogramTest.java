/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.DataFormatException;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Histograms of few shapes and sites, so that those of different virtual machines have many in common. */
class HistogramTest {

    private static final long SEED = 20261121;

    @TempDir
    private Path directory;

    @Test
    void mergingIsAssociativeAndCommutative() {
        Random random = new Random(SEED);
        for (int i = 0; i < 200; i++) {
            Histogram a = histogram(random, 3 * i);
            Histogram b = histogram(random, 3 * i + 1);
            Histogram c = histogram(random, 3 * i + 2);
            assertEquals(merged(merged(a, b), c), merged(a, merged(b, c)));
            assertEquals(merged(a, b, c), merged(c, b, a));
            assertArrayEquals(HistogramWriter.json(merged(a, b, c)), HistogramWriter.json(merged(c, b, a)));
            assertEquals(a, merged(a, merged()));
            assertEquals(a, merged(merged(), a));
            assertNotEquals(a, merged(a, b));
        }
    }

    @Test
    void mergingAddsEqualShapesAndKeepsOthers() {
        Shape shape = shape(new Site("A", "a", 1), 5);
        Shape other = shape(new Site("A", "a", 2), 5);
        Histogram a = new Histogram(List.of(jvm(1)), Map.of(shape, new Tally(2, 10, 2)), new Dropped(1, 2, 3, 4));
        Histogram b = new Histogram(List.of(jvm(2)),
                Map.of(shape, new Tally(3, 15, 3), other, new Tally(1, 5, 1)), new Dropped(10, 20, 30, 40));
        assertEquals(new Histogram(List.of(jvm(1), jvm(2)),
                Map.of(shape, new Tally(5, 25, 5), other, new Tally(1, 5, 1)), new Dropped(11, 22, 33, 44)),
                merged(a, b));
    }

    @Test
    void sumsStopAtTheGreatestNumber() {
        Shape shape = shape(null, 5);
        Histogram a = new Histogram(List.of(jvm(1)), Map.of(shape, new Tally(1, Long.MAX_VALUE - 1, 1)),
                Dropped.NOTHING);
        Histogram b = new Histogram(List.of(jvm(2)), Map.of(shape, new Tally(1, 5, 1)), Dropped.NOTHING);
        assertEquals(Long.MAX_VALUE, merged(a, b).rows().get(shape).bytes());
    }

    @Test
    void sumOfSome() {
        Shape other = shape(null, 6);
        Histogram histogram = new Histogram(List.of(), Map.of(shape(null, 5), new Tally(1, 5, 2),
                other, new Tally(7, 8, 9)), Dropped.NOTHING);
        assertEquals(new Tally(8, 13, 11), histogram.sum((_, _) -> true));
        assertEquals(new Tally(7, 8, 9), histogram.sum((shape, _) -> shape.equals(other)));
        assertEquals(new Tally(1, 5, 2), histogram.sum((_, tally) -> tally.arenas() == 1));
        assertEquals(Tally.NOTHING, histogram.sum((_, _) -> false));
    }

    @Test
    void whatIsWrittenIsRead() throws IOException, DataFormatException {
        Random random = new Random(SEED);
        Histogram all = merged();
        for (int i = 0; i < 50; i++) {
            Histogram histogram = histogram(random, i);
            assertEquals(histogram, read(HistogramWriter.json(histogram)));
            all = merged(all, histogram);
        }
        assertEquals(all, read(HistogramWriter.json(all)));
    }

    /** A program that ends may have little memory: however many call sites there are, they are written in small parts. */
    @Test
    void manyCallSites() throws IOException, DataFormatException {
        List<Integer> parts = new ArrayList<>();
        ByteArrayOutputStream stream = new ByteArrayOutputStream() {
            @Override
            public void write(byte[] bytes, int from, int length) {
                parts.add(length);
                super.write(bytes, from, length);
            }
        };
        Map<Shape, Tally> rows = new HashMap<>();
        Map<OtherArenas, Long> others = new HashMap<>();
        for (int line = 0; line < 10_000; line++) {
            rows.put(shape(new Site("A", "a", line), 5), new Tally(1, 5, 1));
            others.put(new OtherArenas(OtherArenas.Kind.SHARED, new Site("B", "b", line)), 1L);
        }
        HistogramWriter writer = new HistogramWriter(stream, List.of(jvm(1)));
        rows.forEach(writer);
        writer.end(Dropped.NOTHING, others);
        assertEquals(new Histogram(List.of(jvm(1)), rows, Dropped.NOTHING, others), read(stream.toByteArray()));
        assertTrue(Collections.max(parts) < 10_000, Collections.max(parts) + " bytes at once");
    }

    /** Numbers may be as small and as large as they can be. */
    @Test
    void limits() throws IOException, DataFormatException {
        RecordedJvm jvm = new RecordedJvm("", 0, "", "", false, true, 0, 0, "", "");
        long most = Long.MAX_VALUE;
        Map<Shape, Tally> rows = Map.of(
                new Shape(null, true, Closing.UNCLOSED, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, most, most, most,
                        most, most, false),
                new Tally(most, most, most),
                new Shape(new Site("A", "a", 1), false, Closing.BY_OPENER, 0, 0, 0, 0, 0, 0, 0, 0, false), new Tally(1, 0, 0));
        Histogram histogram = new Histogram(List.of(jvm), rows, new Dropped(0, most, 0, most));
        assertEquals(histogram, read(HistogramWriter.json(histogram)));
    }

    @Test
    void anyText() throws IOException, DataFormatException {
        String text = "\"\\\n\t\u0000\u00e9\u20ac\ud83d\ude00\ud83d";
        RecordedJvm jvm = new RecordedJvm(text, 1, text, text, true, false, 1, 0, text, text);
        Histogram histogram = new Histogram(List.of(jvm),
                Map.of(shape(new Site(text, text, -1), 5), new Tally(1, 5, 1)), Dropped.NOTHING);
        assertEquals(histogram, read(HistogramWriter.json(histogram)));
    }

    /** Each number in a histogram must make a difference, or it would be lost in merging. */
    @Test
    void shapesDifferInEachOfTheirParts() {
        Site site = new Site("A", "a", 1);
        List<Shape> shapes = List.of(
                new Shape(site, false, Closing.BY_OPENER, 0, 0, 0, 5, 1, 5, 5, 1, true),
                new Shape(null, false, Closing.BY_OPENER, 0, 0, 0, 5, 1, 5, 5, 1, true),
                new Shape(site, true, Closing.BY_OPENER, 0, 0, 0, 5, 1, 5, 5, 1, true),
                new Shape(site, false, Closing.ELSEWHERE, 0, 0, 0, 5, 1, 5, 5, 1, true),
                new Shape(site, false, Closing.BY_OPENER, 1, 0, 0, 5, 1, 5, 5, 1, true),
                new Shape(site, false, Closing.BY_OPENER, 0, 0, 0, 6, 1, 5, 5, 1, true),
                new Shape(site, false, Closing.BY_OPENER, 0, 0, 1, 5, 1, 5, 5, 1, true),
                new Shape(site, false, Closing.BY_OPENER, 0, 0, 0, 5, 2, 5, 5, 1, true),
                new Shape(site, false, Closing.BY_OPENER, 0, 1, 0, 5, 1, 5, 5, 1, true),
                new Shape(site, false, Closing.BY_OPENER, 0, 0, 0, 5, 1, 6, 5, 1, true),
                new Shape(site, false, Closing.BY_OPENER, 0, 0, 0, 5, 1, 5, 6, 1, true),
                new Shape(site, false, Closing.BY_OPENER, 0, 0, 0, 5, 1, 5, 5, 2, true),
                new Shape(site, false, Closing.BY_OPENER, 0, 0, 0, 5, 1, 5, 5, 1, false),
                new Shape(new Site("B", "a", 1), false, Closing.BY_OPENER, 0, 0, 0, 5, 1, 5, 5, 1, true),
                new Shape(new Site("A", "b", 1), false, Closing.BY_OPENER, 0, 0, 0, 5, 1, 5, 5, 1, true),
                new Shape(new Site("A", "a", 1, true, List.of()), false, Closing.BY_OPENER, 0, 0, 0, 5, 1, 5, 5, 1, true),
                new Shape(new Site("A", "a", 1, false, List.of("B.b:2")), false, Closing.BY_OPENER, 0, 0, 0, 5, 1, 5, 5, 1, true),
                new Shape(new Site("A", "a", 2), false, Closing.BY_OPENER, 0, 0, 0, 5, 1, 5, 5, 1, true));
        assertEquals(shapes.size(), shapes.stream().distinct().count());
        assertNotEquals(site, new Site("A", "a", 1, false, List.of("B.b:2")));
    }

    @Test
    void roundingUp() {
        Shape exact = new Shape(new Site("A", "a", 1), true, Closing.ELSEWHERE, 5, 6, 3, 105, 3, 5, 100, 16, true);
        assertEquals(new Shape(exact.site(), true, Closing.ELSEWHERE, 8, 8, 3, 128, 4, 8, 128, 16, false), exact.rounded());
        Shape least = new Shape(null, false, Closing.BY_OPENER, 0, 0, 0, 0, 0, 0, 0, 0, true);
        assertEquals(new Shape(null, false, Closing.BY_OPENER, 0, 0, 0, 0, 0, 0, 0, 0, false), least.rounded());
        Shape most = new Shape(null, false, Closing.BY_OPENER, 1, 1, 0, Long.MAX_VALUE, 2, 8, (1L << 62) + 1, 1, true);
        assertEquals(Long.MAX_VALUE, most.rounded().bytes());
        assertEquals(Long.MAX_VALUE, most.rounded().largest());
        assertEquals(1L << 62, shape(null, 1L << 62).rounded().bytes());
    }

    private static Histogram merged(Histogram... histograms) {
        return Histogram.merged(List.of(histograms));
    }

    static RecordedJvm jvm(int pid) {
        return new RecordedJvm("host", pid, "2026-11-21T08:00:00Z", "2026-11-21T09:00:00Z", true, false, 1, 0, "VM 25", "Main");
    }

    private static Shape shape(Site site, long bytes) {
        return new Shape(site, false, Closing.BY_OPENER, 0, 0, 0, bytes, 1, bytes, bytes, 1, true);
    }

    static Histogram histogram(Random random, int pid) {
        Map<Shape, Tally> rows = new HashMap<>();
        for (int i = random.nextInt(1, 20); i > 0; i--) {
            Site site = random.nextInt(4) == 0 ? null : new Site("C" + random.nextInt(2), "m", random.nextInt(2),
                    random.nextBoolean(), Collections.nCopies(random.nextInt(3), "B.b:" + random.nextInt(2)));
            int allocations = random.nextInt(4);
            int bytes = 8 * random.nextInt(3);
            Shape shape = new Shape(site, random.nextBoolean(), Closing.values()[random.nextInt(4)], random.nextInt(2), 0,
                    0, bytes, allocations, bytes, bytes, 1, random.nextBoolean());
            rows.put(shape, new Tally(1 + random.nextInt(100), 100 + random.nextInt(100), random.nextInt(100)));
        }
        Map<OtherArenas, Long> others = new HashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            Site site = random.nextInt(4) == 0 ? null : new Site("D" + random.nextInt(2), "m", 1);
            others.put(new OtherArenas(OtherArenas.Kind.values()[random.nextInt(3)], site), 1 + random.nextLong(100));
        }
        return new Histogram(List.of(jvm(pid)), rows,
                new Dropped(random.nextInt(5), random.nextInt(5), random.nextInt(5), random.nextInt(5)), others);
    }

    private Histogram read(byte[] json) throws IOException, DataFormatException {
        return HistogramReader.read(Files.write(directory.resolve("histogram.json"), json));
    }
}
