/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.RecordedJvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The file of this JVM, of a recorder that is told by hand what arenas do. */
class OutputTest {

    @TempDir
    private Path directory;
    private Path out;
    private Recorder recorder;
    private Output output;

    @BeforeEach
    void begin() {
        out = directory.resolve("made/if/missing");
        Options options = new Options(out, 0, 100, 1, List.of(), 8 << 20, null);
        recorder = Recorder.begin(options, new CallSites(), null);
        output = new Output(options, true, recorder);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(out)) {
            return files.toList();
        }
    }

    private Histogram written() throws Exception {
        assertEquals(1, files().size(), files().toString());
        return Child.histogram(out);
    }

    @Test
    void theFile() throws Exception {
        output.write();
        assertEquals(0, written().rows().size());
        Object arena = new Object();
        recorder.opened(arena);
        output.write();
        Histogram histogram = written();
        assertEquals(1, histogram.sum((_, _) -> true).arenas());
        RecordedJvm jvm = histogram.jvms().getFirst();
        RecordedJvm now = output.jvm();
        assertEquals(new RecordedJvm(now.host(), ProcessHandle.current().pid(), now.started(), jvm.written(), false, true, 100,
                jvm.cpuMillis(), now.java(), now.program()), jvm);
        assertTrue(jvm.host().matches("[A-Za-z0-9._-]+"), jvm.host());
        Instant started = Instant.parse(jvm.started());
        assertTrue(!started.isAfter(Instant.parse(jvm.written())) && !started.isAfter(Instant.now()), jvm.started());
        assertTrue(jvm.java().contains(System.getProperty("java.runtime.version")), jvm.java());
        assertTrue(!jvm.program().isEmpty() && System.getProperty("sun.java.command").startsWith(jvm.program()), jvm.program());
        assertTrue(files().getFirst().getFileName().toString().matches(
                "arenas-" + jvm.host() + "-" + jvm.pid() + "-\\d+\\.json"), files().toString());
    }

    @Test
    void withdrawn() throws IOException {
        output.write();
        output.withdraw("different");
        assertEquals(List.of(), files());
        output.write();
        assertEquals(List.of(), files());
    }

    @Test
    void notADirectory() throws IOException {
        Files.createDirectories(out.getParent());
        Files.createFile(out);
        assertThrows(IOException.class, output::writeFile);
    }

    /** After 1/16, 1/4, 1, 4 and 16 seconds, and then as often as asked for; what was missed is not made up for. */
    @Test
    void whenTheFileIsDue() {
        long second = 1_000_000_000;
        long due = second / 16;
        for (long next : List.of(second / 4, second, 4 * second, 14 * second, 24 * second)) {
            due = Output.next(due, due, 10);
            assertEquals(next, due);
        }
        assertEquals(104 * second, Output.next(due, 100 * second, 10));
    }

    /** All have the same form, which sorts by time. */
    @Test
    void times() {
        for (String time : List.of("2026-11-21T08:00:00Z", "2026-11-21T08:00:01Z", "2026-11-21T08:01:00Z",
                "2026-11-21T08:00:00.001Z", "2026-11-21T08:10:20.300Z")) {
            assertEquals(time, Output.iso(Instant.parse(time)));
        }
        assertEquals("2026-11-21T08:00:00.001Z", Output.iso(Instant.parse("2026-11-21T08:00:00.001999Z")));
        assertFalse(output.jvm().host().isEmpty());
    }
}
