/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Opens an arena every millisecond until the file in the given directory has grown, or for half a minute, and halts. */
public final class Halts {

    private Halts() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Path file;
        try (Stream<Path> files = Files.list(Path.of(args[0]))) {
            file = files.findAny().orElseThrow();
        }
        long size = Files.size(file);
        long end = System.nanoTime() + 30_000_000_000L;
        while (Files.size(file) <= size && System.nanoTime() < end) {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(8);
            }
            Thread.sleep(1);
        }
        Runtime.getRuntime().halt(0);
    }
}
