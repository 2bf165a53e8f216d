/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recordings;

import org.junit.jupiter.api.Test;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.RecordedJvm;
import pooledarena.histogram.Tally;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is said of the virtual machines that a histogram is from. */
class OriginTest {

    @Test
    void nothing() {
        Histogram nothing = histogram(Dropped.NOTHING);
        assertEquals("0 JVMs, 0 confined arenas", Origin.lines(nothing).getFirst());
        assertEquals(Duration.ZERO, Origin.time(nothing.jvms()));
        assertEquals(Duration.ZERO, Origin.cpu(nothing));
        assertEquals(List.of(), Origin.warnings(nothing));
        assertEquals(0, Origin.unfinished(nothing));
    }

    @Test
    void oneJvm() {
        Histogram one = histogram(Dropped.NOTHING, Histograms.jvm(1));
        assertEquals(List.of("1 JVM, 3 confined arenas; 2026-11-21", "VM 25; app.jar"), Origin.lines(one));
        assertEquals(Duration.ofSeconds(10), Origin.time(one.jvms()));
        assertEquals(Duration.ofSeconds(10), Origin.cpu(one));
        assertEquals(List.of(), Origin.warnings(one));
    }

    /** The most frequent first, and of those the first by name; a path only shows its last name. */
    @Test
    void manyJvms() {
        Histogram many = histogram(Dropped.NOTHING, jvm(1, "2026-11-22", "a.jar"), jvm(2, "2026-11-21", "c.jar"),
                jvm(3, "2026-11-23", "/d/c.jar"), jvm(4, "2026-11-21", ""), jvm(5, "2026-11-21", "b.jar"));
        assertEquals(List.of("5 JVMs, 3 confined arenas; 2026-11-21 to 2026-11-23", "VM 25; c.jar, (no name), a.jar and 1 other"),
                Origin.lines(many));
        Histogram three = histogram(Dropped.NOTHING, jvm(1, "2026-11-22", "a"), jvm(2, "2026-11-22", "b"),
                jvm(3, "2026-11-22", "c"));
        assertEquals(List.of("3 JVMs, 3 confined arenas; 2026-11-22", "VM 25; a, b, c"), Origin.lines(three));
    }

    @Test
    void arenasThatNoRowHas() {
        assertEquals(3 + 7, Origin.arenas(histogram(new Dropped(7, 1, 1, 1))));
        assertEquals(Long.MAX_VALUE, Origin.arenas(histogram(new Dropped(Long.MAX_VALUE, 0, 0, 0))));
    }

    /** A file that was edited may have no times. */
    @Test
    void theTimeThatFilesTell() {
        assertEquals(Duration.ofSeconds(20), Origin.time(List.of(Histograms.jvm(1), jvm(2, "today", "x"), Histograms.jvm(3))));
    }

    /** The sum is told if each file tells its part. */
    @Test
    void processorTime() {
        assertEquals(Duration.ofSeconds(20), Origin.cpu(histogram(Dropped.NOTHING, Histograms.jvm(1), Histograms.jvm(3))));
        assertEquals(Duration.ZERO, Origin.cpu(histogram(Dropped.NOTHING, Histograms.jvm(1), jvm(2, "2026-11-21", "x"))));
    }

    /** As in a file that is damaged. */
    @Test
    void aTimeThatIsNone() {
        RecordedJvm damaged = new RecordedJvm("host", 1, "", "T", false, true, 0, 0, "", "");
        assertEquals("1 JVM, 3 confined arenas", Origin.lines(histogram(Dropped.NOTHING, damaged)).getFirst());
    }

    @Test
    void whatIsMissing() {
        RecordedJvm halted = new RecordedJvm("host", 1, "", "2026-11-21", false, true, 0, 0, "", "");
        RecordedJvm sampled = new RecordedJvm("host", 2, "", "2026-11-21", false, true, 100, 0, "", "");
        Histogram one = histogram(new Dropped(1, 1, 1, 1), halted);
        Histogram two = histogram(new Dropped(2, 2, 2, 2), halted, sampled);
        assertEquals(1, Origin.unfinished(one));
        assertEquals(2, Origin.unfinished(two));
        List<String> begins = List.of("1 arena is missing", "1 arena has its numbers rounded", "1 arena has no call site",
                "1 time the recorder failed", "1 JVM was killed or still ran, so what it did after its file ",
                "1 JVM was recorded only", "1 JVM has call sites of a sample");
        List<String> plurals = List.of("2 arenas are missing", "2 arenas have their numbers rounded",
                "2 arenas have no call site", "2 times the recorder failed",
                "2 JVMs were killed or still ran, so what they did after their files ",
                "2 JVMs were recorded only", "2 JVMs have call sites of a sample");
        assertBegin(begins, Origin.warnings(one));
        assertBegin(plurals, Origin.warnings(two));
    }

    /** As in a file that was edited. */
    @Test
    void aJvmThatRanForAges() {
        RecordedJvm old = new RecordedJvm("host", 1, "-1000000000-01-01T00:00:00Z", "2026-11-21T08:00:00Z", false, false, 1, 0, "", "");
        List<String> warnings = Origin.warnings(histogram(Dropped.NOTHING, old));
        assertTrue(warnings.getFirst().matches("1 JVM was killed .* \\S+ s after its start, is missing\\."), warnings.toString());
    }

    /** Together longer than any time that can be told. */
    @Test
    void jvmsThatRanForAges() {
        RecordedJvm[] old = IntStream.range(0, 150).mapToObj(pid -> new RecordedJvm("host", pid, "-1000000000-01-01T00:00:00Z",
                "+1000000000-12-31T23:59:59Z", false, false, 1, 0, "", "")).toArray(RecordedJvm[]::new);
        assertTrue(Origin.time(List.of(old)).toDays() > 1_000_000_000_000L);
        List<String> warnings = Origin.warnings(histogram(Dropped.NOTHING, old));
        assertTrue(warnings.getFirst().startsWith("150 JVMs were killed or still ran, "), warnings.toString());
    }

    private static void assertBegin(List<String> begins, List<String> warnings) {
        assertEquals(begins.size(), warnings.size(), warnings.toString());
        for (String begin : begins) {
            assertTrue(warnings.stream().anyMatch(warning -> warning.startsWith(begin)), begin + " in " + warnings);
        }
    }

    private static RecordedJvm jvm(int pid, String day, String program) {
        return new RecordedJvm("host", pid, day + "T08:00:00Z", day + "T08:00:10Z", true, false, 1, 0, "VM 25", program);
    }

    /** {@return a histogram with three arenas} With no JVM it has none. */
    private static Histogram histogram(Dropped dropped, RecordedJvm... jvms) {
        return new Histogram(List.of(jvms), jvms.length == 0 && dropped.equals(Dropped.NOTHING) ? Map.of()
                : Map.of(Histograms.shape(null, 8, 0), new Tally(3, 24, 3)), dropped);
    }
}
