/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Site;
import pooledarena.histogram.Tally;
import pooledarena.program.Sites;
import pooledarena.program.Stepwise;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Where arenas are opened and closed, in all ways there are. */
class SitesTest {

    private static final List<Path> HOMES = List.of(Child.STOCK, Child.IMAGE);

    /** There is an object for each walk. */
    private static final String WALK = "pooledarena.recorder.CallSites$Walk";

    @TempDir
    private Path out;

    @ParameterizedTest
    @FieldSource("HOMES")
    void everyWay(Path home) throws Exception {
        assertEquals("done\n", Child.run(home, List.of(Child.recorder("out=" + out)), Sites.class));
        Histogram histogram = Child.histogram(out);
        assertEquals(Dropped.NOTHING, histogram.dropped());
        Map<Long, Integer> arenas = histogram.rows().entrySet().stream().collect(Collectors.groupingBy(
                row -> row.getKey().bytes(), Collectors.summingInt(row -> Math.toIntExact(row.getValue().arenas()))));
        assertEquals(Map.ofEntries(Map.entry(2L, 2), Map.entry(3L, 2), Map.entry(4L, 2), Map.entry(5L, 2), Map.entry(6L, 2),
                Map.entry(7L, 2), Map.entry(8L, 2), Map.entry(9L, 2), Map.entry(10L, 2), Map.entry(11L, 2), Map.entry(12L, 2),
                Map.entry(13L, 1)), arenas);
        assertSite(histogram, 2, "reflection", true, Closing.BY_OPENER);
        assertSite(histogram, 3, "handle", true, Closing.BY_OPENER);
        assertSite(histogram, 4, "reference", true, Closing.BY_OPENER);
        assertSite(histogram, 5, "closeable", false, Closing.BY_OPENER);
        assertSite(histogram, 6, "sameName", false, Closing.ELSEWHERE);
        assertSite(histogram, 7, "kotlin", false, Closing.BY_OPENER);
        assertSite(histogram, 8, "scala", false, Closing.BY_OPENER);
        assertSite(histogram, 9, "lambda\\$scalaLazily\\$\\d+", false, Closing.BY_OPENER);
        assertSite(histogram, 10, "guava", false, Closing.BY_OPENER);
        assertSite(histogram, 11, "large", false, Closing.ELSEWHERE);
        assertSite(histogram, 12, "run", false, Closing.BY_OPENER);
        assertSite(histogram, 13, "run", false, Closing.BY_OPENER);
    }

    /** The stack is walked for each of the first arenas that reflection opens, and for no other. */
    @Test
    void aCallSiteIsAConstant() throws Exception {
        try (Child child = Child.start(Child.STOCK, List.of("-Xmn64m", Child.recorder("out=" + out)), Sites.Thousand.class)) {
            child.await("direct", 1);
            int before = child.instances(WALK); // while the recorder warmed up
            child.step();
            child.await("direct", 2);
            assertEquals(before, child.instances(WALK));
            child.step();
            child.await("reflection", 1);
            assertEquals(before + Sites.Thousand.COUNT, child.instances(WALK));
            child.end();
        }
    }

    /** Of very many that reflection opens, walks find the call sites of a sample, which count for all. */
    @Test
    void aSampleOfMany() throws Exception {
        Child.run(Child.STOCK, List.of(Child.recorder("out=" + out)), Sites.Often.class);
        Histogram histogram = Child.histogram(out);
        assertEquals(Dropped.NOTHING, histogram.dropped());
        int all = Sites.Often.COUNT + Sites.Often.COUNT / 3;
        assertEquals(all, histogram.sum((_, _) -> true).arenas());
        assertEquals(all, histogram.sum((shape, _) -> shape.closing() == Closing.BY_OPENER).arenas());
        assertEquals(Sites.Often.COUNT, histogram.sum((shape, _) -> shape.site().indirect()).arenas());
    }

    /** Call sites of a class that was loaded before are instrumented when they are found. */
    @Test
    void aCallSiteBecomesAConstant() throws Exception {
        try (Child child = Child.start(Child.STOCK, List.of("-Xmn64m", "-XX:+EnableDynamicAgentLoading"), Stepwise.class)) {
            child.await("ready", 1);
            child.load("out=" + out);
            int before = 0;
            int walks = -1;
            for (int step = 1; walks != before && step <= 100; step++) {
                before = walks;
                child.step();
                child.await("ten", step);
                walks = child.instances(WALK);
            }
            assertTrue(walks > 0 && walks == before, walks + " walks, " + before + " before the last step");
            child.end();
        }
    }

    private static void assertSite(Histogram histogram, long bytes, String method, boolean indirect, Closing closing) {
        for (Map.Entry<Shape, Tally> row : histogram.rows().entrySet()) {
            Shape shape = row.getKey();
            if (shape.bytes() == bytes) {
                Site site = shape.site();
                assertTrue(site.method().matches(method), site.toString());
                assertEquals(indirect, site.indirect(), site.toString());
                assertEquals(closing, shape.closing(), site.toString());
            }
        }
    }
}
