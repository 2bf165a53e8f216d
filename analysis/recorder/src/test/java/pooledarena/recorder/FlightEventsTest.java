/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.histogram.HistogramWriter;
import pooledarena.histogram.Site;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The events that Flight Recorder gets, of a recorder that is told by hand what arenas do. */
class FlightEventsTest {

    private static final String EVENT = "pooledarena.ConfinedArenaShape";

    /** No other recorder's of this JVM. */
    private final long bytes = 100_000 + Math.floorMod(System.nanoTime(), 1_000_000_000);

    @TempDir
    private Path directory;

    @Test
    void events() throws Exception {
        Options options = new Options(directory, 0, 1, 1, List.of(), 8 << 20, null);
        Recorder recorder = Recorder.begin(options, new CallSites(), null);
        FlightEvents.offer(recorder);
        int site = recorder.sites.number(new Site("A", "a", 7));
        Object arena = new Object();
        recorder.opening(site);
        recorder.opened(arena);
        recorder.allocated(arena, bytes, 16);
        recorder.closing(arena, CallSites.method("A", "a"));
        recorder.closed(arena);
        List<RecordedEvent> events = recorded(true);
        assertEquals(1, events.size(), "of one chunk, as each has the total");
        RecordedEvent event = events.getFirst();
        assertEquals("A.a:7", event.getString("site"));
        assertEquals("BY_OPENER", event.getString("closing"));
        assertEquals(1, event.getLong("arenas"));
        assertEquals(bytes, event.getLong("largest"));
        assertEquals(16, event.getLong("alignment"));
        assertNull(event.getStackTrace());
        for (String column : HistogramWriter.COLUMNS) {
            assertTrue(event.hasField(column), column);
        }
        assertEquals(List.of(), recorded(false));
        FlightEvents.offer(Recorder.begin(options, new CallSites(), null)); // which has no such arena
        assertEquals(List.of(), recorded(true));
    }

    /** A recording that has ended does not keep the threads of the program for ever. */
    @Test
    void aRecordingThatHasEnded() throws Exception {
        assertEquals("let go: true\n", MemoryTest.printed(Ended.class, "-XX:SoftRefLRUPolicyMSPerMB=0"));
    }

    /** Collects what is kept of such a recording as the JVM does when the heap is full. */
    static final class Ended {

        public static void main(String[] args) {
            WeakReference<Recorder> ended = ended();
            for (int i = 0; i < 10 && !ended.refersTo(null); i++) {
                System.gc();
            }
            System.out.println("let go: " + ended.refersTo(null));
        }

        private static WeakReference<Recorder> ended() {
            Recorder recorder = Recorder.begin(new Options(null, 0, 1, 1, List.of(), 8 << 20, null), new CallSites(), null);
            FlightEvents.offer(recorder);
            Recorder.end();
            return new WeakReference<>(recorder);
        }
    }

    private List<RecordedEvent> recorded(boolean enabled) throws Exception {
        Path file = directory.resolve(enabled + ".jfr");
        try (Recording recording = new Recording()) {
            if (!enabled) {
                recording.disable(EVENT);
            }
            recording.start();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream().filter(event -> event.getEventType().getName().equals(EVENT)
                && event.getLong("bytes") == bytes).toList();
    }
}
