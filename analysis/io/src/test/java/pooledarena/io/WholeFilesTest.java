/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.io;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class WholeFilesTest {

    @TempDir
    private Path out;

    @Test
    void aFailedWriteLeavesTheEarlierFiles() throws IOException {
        WholeFiles.write(out, Map.of("a", new byte[1], "b", new byte[1]), List.of());
        Files.createDirectory(out.resolve("b.tmp")); // where the next would be prepared
        Files.createFile(out.resolve("b.tmp/in the way"));
        assertThrows(IOException.class, () ->
                WholeFiles.write(out, Map.of("a", new byte[2], "b", new byte[2]), List.of()));
        assertEquals(1, Files.size(out.resolve("a")));
        assertEquals(1, Files.size(out.resolve("b")));
        assertFalse(Files.exists(out.resolve("a.tmp")));
    }

    /** Of a file that is to be written, or to be removed. */
    @Test
    void aDirectoryInTheWay() throws IOException {
        WholeFiles.write(out, Map.of("a", new byte[1]), List.of());
        Files.createDirectories(out.resolve("b/in the way"));
        Map<String, byte[]> files = new TreeMap<>(Map.of("a", new byte[2], "b", new byte[2]));
        assertThrows(FileSystemException.class, () -> WholeFiles.write(out, files, List.of()));
        assertEquals(1, Files.size(out.resolve("a")));
        files.remove("b");
        assertThrows(FileSystemException.class, () -> WholeFiles.write(out, files, List.of("a", "b")));
        assertEquals(1, Files.size(out.resolve("a")));
        assertFalse(Files.exists(out.resolve("a.tmp")));
    }

    /** The file is named, where there is such a device. */
    @Test
    void aDiskThatIsFull() throws IOException {
        Assumptions.assumeTrue(Files.exists(Path.of("/dev/full")));
        Files.createSymbolicLink(out.resolve("a.tmp"), Path.of("/dev/full"));
        FileSystemException full = assertThrows(FileSystemException.class,
                () -> WholeFiles.write(out, Map.of("a", new byte[1]), List.of()));
        assertEquals(out.resolve("a.tmp").toString(), full.getFile());
        assertFalse(Files.exists(out.resolve("a.tmp"), LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void aFileOfAnEarlierRunDoesNotStay() throws IOException {
        WholeFiles.write(out, Map.of("a", new byte[1], "b", new byte[1]), List.of("a", "b"));
        WholeFiles.write(out, Map.of("a", new byte[1]), List.of("a", "b"));
        assertFalse(Files.exists(out.resolve("b")));
        assertTrue(Files.exists(out.resolve("a")));
    }

    @Test
    void aFileIsNoDirectory() throws IOException {
        Path file = Files.createFile(out.resolve("file"));
        assertThrows(BadInput.class, () -> WholeFiles.makeDirectory("--out", file));
    }

    @Test
    void whatIsBesideAClass() {
        assertTrue(WholeFiles.resource(WholeFilesTest.class, "WholeFilesTest.class").contains("whatIsBesideAClass"));
    }
}
