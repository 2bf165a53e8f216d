/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A directory that nobody can read, not even root: its path without links is longer than a path may be.
 *
 * @param near a link to a directory with a long path
 * @param far  the directory, by that link
 */
public record FarDirectory(Path near, Path far) implements AutoCloseable {

    private static final Path NAME = Path.of("x".repeat(250));

    /** Makes a link to such a directory. */
    public static FarDirectory linked(Path link, Path work) throws IOException {
        Path near = Files.createSymbolicLink(work.resolve("near"), Files.createDirectories(deeper(work)));
        Path far = Files.createDirectories(deeper(near));
        Files.createSymbolicLink(link, far);
        return new FarDirectory(near, far);
    }

    private static Path deeper(Path path) {
        for (int i = 0; i < 10; i++) {
            path = path.resolve(NAME);
        }
        return path;
    }

    /** Removes the directory, which whoever clears away the rest cannot reach. */
    @Override
    public void close() throws IOException {
        for (Path path = far; !path.equals(near); path = path.getParent()) {
            Files.delete(path);
        }
    }
}
