/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.Script;
import pooledarena.io.BadInput;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Scripts that answer as a {@code java} does. */
class JavaCommandTest {

    @TempDir
    private Path home;

    private Path java(String lines) throws IOException {
        return Script.write(home.resolve("bin/java"), lines);
    }

    @Test
    void aHomeIsNamedAfterItsVersion() throws IOException {
        Path java = java("echo 'openjdk version \"25.0.3\" 2026-04-21'; echo more");
        JavaCommand found = JavaCommand.ofPeer(" " + home.resolve("bin/..") + " ");
        assertEquals(new JavaCommand("JDK 25.0.3", java.toString(), List.of(),
                List.of("openjdk version \"25.0.3\" 2026-04-21", "more")), found);
        assertEquals("stock", JavaCommand.of("stock", "--stock", home, List.of()).name());
    }

    @Test
    void nameAndOptions() throws IOException {
        Path java = java("[ \"$*\" = '-Da=b c -version' ] && echo 'version \"26\"'");
        JavaCommand tuned = JavaCommand.ofPeer("tuned=" + java + " -Da=b  c");
        assertEquals(new JavaCommand("tuned", java.toString(), List.of("-Da=b", "c"), List.of("version \"26\"")), tuned);
        assertEquals(List.of(java.toString(), "-Da=b", "c", "Main", "x"), tuned.command("Main", "x"));
    }

    /** A = in an option does not make a name of what stands before it. */
    @Test
    void optionsWithoutAName() {
        assertEquals("--peer nowhere: java -version cannot be run; the java of a JDK 25 or newer, or its home directory, is accepted; "
                + "nothing was measured", assertThrows(BadInput.class, () -> JavaCommand.ofPeer("nowhere -Da=b")).getMessage());
    }

    @Test
    void whatIsNoJava() throws IOException {
        assertRefused("java -version cannot be run");
        java("exit 4");
        assertRefused("java -version ended with status 4");
        java("echo; echo ' why'; echo more; exit 3");
        assertRefused("java -version ended with status 3: why");
        java("echo hello");
        assertRefused("java -version prints no version");
        java("echo 'openjdk version \"24.0.2\" 2025-07-15'");
        assertRefused("Java 24.0.2");
    }

    private void assertRefused(String reason) {
        BadInput e = assertThrows(BadInput.class, () -> JavaCommand.of("stock", "--stock", home, List.of()));
        assertTrue(e.getMessage().startsWith("--stock " + home + ": " + reason + ";"), e.getMessage());
    }
}
