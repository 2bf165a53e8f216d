/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Replaces its JVM with one that has the same command line and an argument more, and opens arenas there. */
public final class Again {

    private Again() {}

    public static void main(String[] args) throws Throwable {
        if (args.length > 0) {
            second();
        } else {
            first();
        }
    }

    @SuppressWarnings("restricted")
    private static void first() throws Throwable {
        List<String> command = new ArrayList<>(List.of(Files.readString(Path.of("/proc/self/cmdline")).split("\0")));
        command.add("again");
        Linker linker = Linker.nativeLinker();
        MethodHandle execv = linker.downcallHandle(linker.defaultLookup().findOrThrow("execv"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment arguments = arena.allocate(ValueLayout.ADDRESS, command.size() + 1);
            for (int i = 0; i < command.size(); i++) {
                arguments.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(command.get(i)));
            }
            int status = (int) execv.invokeExact(arguments.get(ValueLayout.ADDRESS, 0), arguments);
            throw new IOException("execv: " + status);
        }
    }

    private static void second() {
        for (int i = 0; i < 100; i++) {
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(8);
            }
        }
    }
}
