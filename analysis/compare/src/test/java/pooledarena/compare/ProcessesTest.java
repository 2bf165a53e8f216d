/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results.Measured;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Measures start-up and memory with real processes, of one JDK on both sides. */
class ProcessesTest {

    private static final Path JDK = Path.of(System.getProperty("java.home"));

    private final List<JavaCommand> jvms = List.of(JavaCommand.ofPeer("--stock", "stock=" + JDK), JavaCommand.ofPeer("--pooled", "pooled=" + JDK));

    /** {@return the titles, in their order} */
    private static List<String> titles(List<Measured> measured) {
        return measured.stream().map(m -> m.what().row()).distinct().toList();
    }

    private static Outcome get(List<Measured> measured, int title, JavaCommand jvm) {
        return measured.stream().filter(m -> m.what().row().equals(titles(measured).get(title)) && m.what().jvm().equals(jvm.name()))
                .findFirst().orElseThrow().outcome();
    }

    private static double value(List<Measured> measured, int title, JavaCommand jvm) {
        Outcome outcome = get(measured, title, jvm);
        assertFalse(outcome.isFailure(), outcome::toString);
        return outcome.score();
    }

    @Test
    void objectsOfOneJdkAreAlikeOnBothSides() {
        List<Measured> measured = ProcessFigures.threadObjects(jvms);
        for (int title = 0; title < 2; title++) {
            double bytes = value(measured, title, jvms.get(0));
            assertEquals(bytes, value(measured, title, jvms.get(1)));
            assertEquals(0, bytes % 8); // objects are aligned
            assertTrue(bytes > 100 && bytes < 500, () -> bytes + " B");
        }
    }

    /** In the stock JDK an allocation is one of malloc's, and an arena has objects; page by page that is seen. */
    @Test
    void openArenasTakeWhatTheyAllocateAndTheirObjects() {
        for (List<Measured> measured : List.of(ProcessFigures.arenas(jvms, "platform", 1, 2_000, 2000, "open"),
                ProcessFigures.arenas(jvms, "virtual", 2_000, 1, 2000, "open"))) {
            for (JavaCommand jvm : jvms) {
                double whole = value(measured, 0, jvm);
                assertTrue(whole >= 2000 + 48 && whole < 3800, () -> titles(measured) + " " + whole + " B");
            }
        }
    }

    @Test
    void closedArenasLeaveLessThanOpenOnes() {
        List<Measured> measured = ProcessFigures.arenas(jvms, "platform", 100, 1, 2000, "closed");
        assertEquals(List.of("arena that was closed for 2,000 B, platform threads, B"), titles(measured));
        for (JavaCommand jvm : jvms) {
            assertTrue(value(measured, 0, jvm) < 1900, () -> get(measured, 0, jvm).toString());
        }
    }

    @Test
    void theFirstArenaTakesTime() {
        List<Measured> measured = ProcessFigures.firstArena(jvms);
        for (JavaCommand jvm : jvms) {
            assertTrue(value(measured, 0, jvm) > 0 && value(measured, 0, jvm) < 1e6, () -> get(measured, 0, jvm).toString());
        }
    }

    @Test
    void startUpTakesTime() throws IOException {
        List<Measured> measured = ProcessFigures.startUp(jvms, 3);
        for (JavaCommand jvm : jvms) {
            double time = value(measured, 0, jvm);
            assertTrue(time > 5 && time < 60_000, () -> time + " ms");
        }
    }

    @Test
    void aProgramThatFailsIsAFailureOfItsSideAlone(@TempDir Path home) throws IOException {
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                [ "$1" = -version ] && { echo 'openjdk version "25"'; exit; }
                echo 'no memory' >&2
                exit 7
                """);
        assertTrue(java.toFile().setExecutable(true));
        JavaCommand broken = JavaCommand.ofPeer("--pooled", "pooled=" + home);
        List<Measured> measured = ProcessFigures.threadObjects(List.of(jvms.get(0), broken));
        for (int title = 0; title < 2; title++) {
            assertFalse(get(measured, title, jvms.get(0)).isFailure());
            assertEquals("ended with status 7: no memory", get(measured, title, broken).failure());
        }
        assertEquals("ended with status 7: no memory", get(ProcessFigures.startUp(List.of(broken), 1), 0, broken).failure());
    }

    @Test
    void startUpWithoutACdsArchiveFails() throws IOException {
        JavaCommand without = JavaCommand.ofPeer("--peer", "without=" + JDK + " -XX:SharedArchiveFile=/nowhere");
        assertTrue(get(ProcessFigures.startUp(List.of(without), 1), 0, without).isFailure());
    }
}
