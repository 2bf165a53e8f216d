/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import org.codehaus.groovy.FakeInterface;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Site;
import pooledarena.program.Caller;
import pooledarena.program.Frames;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** Call sites of several frames, and those that are behind a library which is skipped. */
class FramesTest {

    @TempDir
    private Path out;

    @Test
    void twoCallersOfOneMethod() throws Exception {
        assertEquals(Map.of("call", 400L), arenas("frames=1"));
    }

    @Test
    void twoCallersOfOneMethodAreToldApart() throws Exception {
        assertEquals(Map.of("call one", 300L, "call two", 100L), arenas("frames=2"));
    }

    @Test
    void framesEndWithTheStack() throws Exception {
        assertEquals(Map.of("call one main", 300L, "call two main", 100L), arenas("frames=100"));
    }

    /** What the library opens and closes, its callers do. */
    @Test
    void aLibraryIsSkipped() throws Exception {
        assertEquals(Map.of("one", 300L, "two", 100L), arenas("skip=no.such.,skip=" + Frames.class.getName() + "$Lib"));
    }

    @Test
    void aLibraryIsSkippedBeforeSeveralFrames() throws Exception {
        assertEquals(Map.of("one main", 300L, "two main", 100L), arenas("frames=2,skip=" + Frames.class.getName() + "$Library"));
    }

    /** {@return how many arenas have a site of such methods} */
    private Map<String, Long> arenas(String options) throws Exception {
        assertEquals("done\n", Child.run(Child.STOCK, List.of(Child.recorder("out=" + out + "," + options)), Frames.class));
        Histogram histogram = Child.histogram(out);
        assertEquals(Dropped.NOTHING, histogram.dropped());
        histogram.rows().keySet().forEach(shape -> {
            assertEquals(Closing.BY_OPENER, shape.closing());
            assertFalse(shape.site().indirect());
        });
        return histogram.rows().entrySet().stream().collect(Collectors.groupingBy(row -> methods(row.getKey().site()),
                Collectors.summingLong(row -> row.getValue().arenas())));
    }

    private static String methods(Site site) {
        return Stream.concat(Stream.of(site.frame()), site.callers().stream())
                .map(frame -> frame.replaceFirst(".*\\.(\\w+):\\d+", "$1")).collect(Collectors.joining(" "));
    }

    /** Between frames, what only passes a call on is left out, as before the first one. */
    @Test
    void runtimesOfLanguages() throws Exception {
        Memory memory = new Memory(1 << 20);
        CallSites sites = new CallSites();
        sites.use(memory, 2, List.of());
        int[] found = new int[1];
        Runnable opens = () -> found[0] = sites.walk(false, null);
        Caller.twice(() -> FakeInterface.fromCache(() -> Caller.direct(opens)));
        assertEquals("direct twice", methods(sites.site(found[0])));
        Caller.library(() -> FakeInterface.fromCache(() -> Caller.direct(opens)));
        assertEquals("direct library", methods(sites.site(found[0])));
    }

    /** Each frame takes memory, for the number and to be found again; so does what an earlier recording has numbered. */
    @Test
    void memory() {
        CallSites sites = new CallSites();
        Memory memory = new Memory(8 * Memory.FRAME);
        sites.use(memory, 2, List.of());
        int[] found = new int[1];
        Runnable opens = () -> found[0] = sites.walk(false, null);
        Caller.direct(() -> Caller.direct(opens));
        assertEquals(1, found[0]);
        Caller.direct(() -> Caller.direct(opens));
        assertEquals(1, found[0]);
        Caller.twice(() -> Caller.direct(opens));
        assertEquals(0, found[0]);
        Memory next = new Memory(8 * Memory.FRAME);
        sites.use(next, 2, List.of());
        assertEquals(List.of(true, false), List.of(next.take(6 * Memory.FRAME, 0), next.take(1, 0)));
    }
}
