/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */
package pooledarena.io;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

class WholeFilesTest {

    @TempDir
    private Path out;

    @Test
    void aFailedWriteLeavesTheEarlierFiles() throws IOException {
        WholeFiles.write("--out", out, Map.of("a", new byte[1], "b", new byte[1]), List.of());
        Files.createDirectory(out.resolve("b.tmp")); // where the next would be prepared
        Files.createFile(out.resolve("b.tmp/in the way"));
        assertThrows(IOException.class, () ->
                WholeFiles.write("--out", out, Map.of("a", new byte[2], "b", new byte[2]), List.of()));
        assertEquals(1, Files.size(out.resolve("a")));
        assertEquals(1, Files.size(out.resolve("b")));
        assertFalse(Files.exists(out.resolve("a.tmp")));
    }

    @Test
    void aFileOfAnEarlierRunDoesNotStay() throws IOException {
        WholeFiles.write("--out", out, Map.of("a", new byte[1], "b", new byte[1]), List.of("a", "b"));
        WholeFiles.write("--out", out, Map.of("a", new byte[1]), List.of("a", "b"));
        assertFalse(Files.exists(out.resolve("b")));
    }

    @Test
    void aFileIsNoDirectory() throws IOException {
        Path file = Files.createFile(out.resolve("file"));
        assertThrows(BadInput.class, () -> WholeFiles.write("--out", file, Map.of(), List.of()));
    }
}
