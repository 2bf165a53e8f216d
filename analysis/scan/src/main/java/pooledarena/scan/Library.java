/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Class files that belong together: a jar file, a module, a directory. They are read when they are asked for.
 *
 * @param files  what reads them, by their names there
 * @param others finds classes that do not belong to it, but can be looked into, by their internal names
 * @param fault  why it cannot be read; null if it can
 */
record Library(String name, Map<String, Supplier<byte[]>> files, Function<String, Optional<Supplier<byte[]>>> others,
               String fault) {

    Library(String name, Map<String, Supplier<byte[]>> files, Function<String, Optional<Supplier<byte[]>>> others) {
        this(name, files, others, null);
    }

    static Library unreadable(String name, String fault) {
        return new Library(name, Map.of(), _ -> Optional.empty(), fault);
    }
}
