/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MainTest {

    /** An old java must be able to load the class that it enters the tools by. */
    @Test
    void aLauncherThatIsTooOld() throws IOException {
        try (InputStream launcher = Launcher.class.getResourceAsStream("Launcher.class")) {
            assertEquals(ClassFile.JAVA_8_VERSION, ClassFile.of().parse(launcher.readAllBytes()).majorVersion());
        }
        for (String classVersion : List.of("52.0", "61.0", "68.0")) {
            assertTrue(Launcher.isOld(classVersion), classVersion);
        }
        for (String classVersion : List.of("69.0", "72.0")) {
            assertFalse(Launcher.isOld(classVersion), classVersion);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"compare", "render", "record", "report", "recommend", "peers", "scan"})
    void everyCommandHasHelp(String name) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp",
                System.getProperty("java.class.path"), Main.class.getName(), name, "--help").start();
        String help = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor());
        assertTrue(help.contains("Example"), help);
        assertFalse(help.contains("${"), help);
    }
}
