/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recordings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.FarDirectory;
import pooledarena.histogram.Histogram;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Files that are good, and files that are not: each is named with its fault, and the rest goes on. */
class RecordingsTest {

    private static final Histogram A = Histograms.of(1, Map.of(Histograms.shape(Histograms.SITE, 5, 0), 3L));
    private static final Histogram B = Histograms.of(2, Map.of(Histograms.shape(Histograms.SITE, 5, 0), 4L,
            Histograms.shape(null, 9, 1), 1L));
    private static final Histogram C = Histograms.of(3, Map.of(Histograms.shape(null, 0, 0), 7L));

    @TempDir
    private Path directory;

    @Test
    void filesOfAllDepthsAreMerged() throws IOException {
        Histograms.write(A, directory.resolve("a.json"));
        Histograms.write(B, directory.resolve("host/b.json"));
        Path alone = Histograms.write(C, directory.resolve("else/c.histogram"));
        Files.writeString(directory.resolve("dump"), "");
        assertEquals(new Recordings(merged(A, B), 2, List.of()), read(directory));
        assertEquals(new Recordings(merged(C, B, A), 3, List.of()), read(directory, alone));
    }

    @Test
    void mergedFilesCountAsTheirParts() throws IOException {
        Path ab = Histograms.write(merged(A, B), directory.resolve("ab.json"));
        Path c = Histograms.write(C, directory.resolve("c.json"));
        Path a = Histograms.write(A, directory.resolve("a.json"));
        Path bc = Histograms.write(merged(B, C), directory.resolve("bc.json"));
        assertEquals(read(ab, c).histogram(), read(bc, a).histogram());
    }

    @Test
    void aJvmDoesNotCountTwice() throws IOException {
        Path ab = Histograms.write(merged(A, B), directory.resolve("1.json"));
        Path a = Histograms.write(A, directory.resolve("2.json"));
        assertEquals(new Recordings(merged(A, B), 1, List.of(a + ": has process 1 of host, started 2026-11-21T08:00:00Z, which is in "
                + ab + ", too")), read(directory));
    }

    @Test
    void manyFiles() throws IOException {
        long arenas = 0;
        for (int i = 1; i <= 100; i++) {
            Histograms.write(Histograms.of(i, Map.of(Histograms.shape(null, i, 0), (long) i)), directory.resolve(i + ".json"));
            arenas += i;
        }
        Histogram all = read(directory).histogram();
        assertEquals(100, all.jvms().size());
        assertEquals(100, all.rows().size());
        assertEquals(arenas, all.rows().values().stream().mapToLong(tally -> tally.arenas()).sum());
    }

    /** What is given and has no histograms; for what is in a file, see the reader's tests. */
    @Test
    void inputsWithoutHistograms() throws IOException {
        Path empty = Files.createFile(directory.resolve("empty.json"));
        Path none = Files.createDirectories(directory.resolve("none/deeper.json")).getParent();
        Path missing = directory.resolve("missing");
        Path device = Path.of("/dev/null");
        Path unreadable = Path.of("/proc/self/mem");
        Recordings read = read(missing, device, unreadable, none, empty);
        assertEquals(new Recordings(merged(), 0, read.faults()), read);
        assertEquals(5, read.faults().size(), read.faults().toString());
        assertTrue(read.faults().containsAll(List.of(empty + ": is empty", none + ": has no files *.json",
                missing + ": is not there", device + ": is neither a file nor a directory")), read.faults().toString());
        assertTrue(read.faults().stream().anyMatch(fault -> fault.startsWith(unreadable + ": cannot be read: ")),
                read.faults().toString());
    }

    @Test
    void aLinkToADirectory() throws IOException {
        Histograms.write(A, directory.resolve("run/a.json"));
        Path latest = Files.createSymbolicLink(directory.resolve("latest"), directory.resolve("run"));
        assertEquals(new Recordings(merged(A), 1, List.of()), read(latest));
        assertEquals(new Recordings(merged(A), 1, List.of()), read(directory)); // not twice
    }

    /** Links lead to the same place twice, in a circle, and nowhere. */
    @Test
    void linksInADirectory() throws IOException {
        Path run = Histograms.write(A, directory.resolve("run/a.json")).getParent();
        Path all = Files.createDirectory(directory.resolve("all"));
        for (String name : List.of("one", "two")) {
            Files.createSymbolicLink(all.resolve(name), run);
        }
        Files.createSymbolicLink(all.resolve("up"), all);
        assertEquals(new Recordings(merged(A), 1, List.of()), read(all));
        Path file = Files.createSymbolicLink(all.resolve("gone.json"), Path.of("nowhere"));
        Path host = Files.createSymbolicLink(all.resolve("host"), Path.of("nowhere"));
        assertEquals(new Recordings(merged(A), 1, List.of(file + ": is not there", host + ": is not there")), read(all));
    }

    /** The rest is read. */
    @Test
    void aDirectoryThatCannotBeRead() throws IOException {
        Path all = Histograms.write(A, directory.resolve("all/run/a.json")).getParent().getParent();
        try (FarDirectory _ = FarDirectory.linked(all.resolve("far"), directory)) {
            Recordings read = read(all);
            assertEquals(new Recordings(merged(A), 1, read.faults()), read);
            assertEquals(1, read.faults().size(), read.faults().toString());
            assertTrue(read.faults().getFirst().startsWith(all.resolve("far") + ": cannot be read: "), read.faults().toString());
        }
    }

    private static Histogram merged(Histogram... histograms) {
        return Histogram.merged(List.of(histograms));
    }

    private static Recordings read(Path... inputs) {
        return Recordings.read(List.of(inputs), _ -> { });
    }
}
