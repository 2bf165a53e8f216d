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
