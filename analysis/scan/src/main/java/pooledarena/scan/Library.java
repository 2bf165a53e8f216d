/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Class files that belong together: a jar file, a module, a directory. They are read when they are asked for.
 *
 * @param files  its class files, each by its name there
 * @param others finds classes that do not belong to it, but can be looked into, by their internal names
 * @param fault  why it cannot be read; null if it can
 */
record Library(String name, Map<String, Source> files, Function<String, Optional<Source>> others, String fault) {

    /** A class file that can be read. */
    interface Source {
        byte[] read() throws IOException;
    }

    Library(String name, Map<String, Source> files, Function<String, Optional<Source>> others) {
        this(name, files, others, null);
    }

    static Library unreadable(String name, String fault) {
        return new Library(name, Map.of(), _ -> Optional.empty(), fault);
    }
}
