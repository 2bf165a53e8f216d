/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Scripts that answer as a program does, such as {@code java}. */
public final class Script {

    private Script() {}

    /** {@return {@code file}, which is now a script of the shell with these lines and can be run} */
    public static Path write(Path file, String lines) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + lines + "\n");
        if (!file.toFile().setExecutable(true)) {
            throw new IOException(file + " cannot be made executable");
        }
        return file;
    }
}
