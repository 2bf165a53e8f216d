/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.compare.Results.Machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class MachineTest {

    @Test
    void thisMachine() {
        Machine machine = Machine.current();
        assertFalse(machine.cpu().isBlank());
        assertFalse(machine.cpu().contains("model name"), machine.cpu());
        assertEquals(Runtime.getRuntime().availableProcessors(), machine.cores());
        long heap = Runtime.getRuntime().maxMemory() >> 20;
        assertTrue(machine.memoryMebibytes() >= heap && machine.memoryMebibytes() < 1L << 30, machine::toString);
        String kernel = System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch");
        assertTrue(machine.system().endsWith(kernel), machine.system());
        assertEquals(Files.exists(Path.of("/etc/os-release")), machine.system().endsWith(", " + kernel), machine.system());
        assertFalse(machine.system().startsWith(", ") || machine.system().contains("PRETTY_NAME"), machine.system());
    }

    @Test
    void whatAFileDoesNotTell(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "a: 1\nb: 2\nb: 3\n");
        assertEquals("2", Machine.value(file, "b: (.*)", "none"));
        assertEquals("none", Machine.value(file, "c: (.*)", "none"));
        assertEquals("none", Machine.value(directory.resolve("missing"), "b: (.*)", "none"));
        Path latin = Files.writeString(directory.resolve("latin"), "b: f\u00fcnf\n", StandardCharsets.ISO_8859_1); // not UTF-8
        assertEquals("none", Machine.value(latin, "b: (.*)", "none"));
    }

    /** Processors of one name may be of several generations. */
    @Test
    void processor(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("x86"),
                "cpu family\t: 25\nmodel\t\t: 17\nmodel name\t: Some CPU\nstepping\t: 1\n");
        assertEquals("Some CPU (family 25 model 17)", Machine.cpu(file, "amd64"));
        Files.writeString(file, "processor\t: 0\nCPU part\t: 0xd0c\n");
        assertEquals("aarch64", Machine.cpu(file, "aarch64"));
    }

    @Test
    void inWords() {
        assertEquals("Some CPU, 2 cores, 8 GiB, Some Linux", new Machine("Some CPU", 2, 8192, "Some Linux").toString());
        assertEquals("Some CPU, 1 core, 1 GiB, Some Linux", new Machine("Some CPU", 1, 1024, "Some Linux").toString());
    }
}
