/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.Measurement;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Measures start-up and memory with real processes, of one JDK on both sides. */
class ProcessesTest {

    private static final Path JDK = Path.of(System.getProperty("java.home"));

    private final List<JavaCommand> jvms = List.of(JavaCommand.ofPeer("--stock", "stock=" + JDK), JavaCommand.ofPeer("--pooled", "pooled=" + JDK));

    private final Measurement measurement = of(jvms);
    private final ProcessFigures figures = new ProcessFigures(measurement);

    private static Measurement of(List<JavaCommand> jvms) {
        return new Measurement(jvms, null, null, null);
    }

    /** {@return the titles, in their order} */
    private List<String> titles() {
        return measurement.measured().stream().map(m -> m.what().row()).distinct().toList();
    }

    /** {@return the value with this title, of those measured so far} */
    private double value(int title, JavaCommand jvm) {
        return measurement.measured().stream()
                .filter(m -> m.what().row().equals(titles().get(title)) && m.what().jvm().equals(jvm.name()))
                .findFirst().orElseThrow().outcome().score();
    }

    @Test
    void objectsOfOneJdkAreAlikeOnBothSides() {
        figures.threadObjects();
        for (int title = 0; title < 2; title++) {
            double bytes = value(title, jvms.get(0));
            assertEquals(bytes, value(title, jvms.get(1)));
            assertEquals(0, bytes % 8); // objects are aligned
            assertTrue(bytes > 100 && bytes < 500, () -> bytes + " B");
        }
    }

    /** In the stock JDK an allocation is one of malloc's, and an arena has objects; page by page that is seen. */
    @Test
    void openArenasTakeWhatTheyAllocateAndTheirObjects() {
        figures.arenas("platform", 1, 2_000, 2000, "open");
        figures.arenas("virtual", 2_000, 1, 2000, "open");
        for (int title = 0; title < 2; title++) {
            for (JavaCommand jvm : jvms) {
                double bytes = value(title, jvm);
                assertTrue(bytes >= 2000 + 48 && bytes < 3800, () -> titles() + " " + bytes + " B");
            }
        }
    }

    @Test
    void closedArenasLeaveLessThanOpenOnes() {
        figures.arenas("platform", 100, 1, 2000, "closed");
        assertEquals(List.of("arena that was closed for 2,000 B, platform threads, B"), titles());
        for (JavaCommand jvm : jvms) {
            assertTrue(value(0, jvm) < 1900, () -> measurement.measured().toString());
        }
    }

    @Test
    void theFirstArenaTakesTime() {
        figures.firstArena();
        for (JavaCommand jvm : jvms) {
            assertTrue(value(0, jvm) > 0 && value(0, jvm) < 1e6, () -> measurement.measured().toString());
        }
    }

    @Test
    void startUpTakesTime() throws IOException {
        figures.startUp(3);
        for (JavaCommand jvm : jvms) {
            assertTrue(value(0, jvm) > 5 && value(0, jvm) < 60_000, () -> measurement.measured().toString());
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
        Measurement halfMeasured = of(List.of(jvms.get(0), broken));
        ProcessFigures halfBroken = new ProcessFigures(halfMeasured);
        halfBroken.threadObjects();
        halfBroken.startUp(1);
        assertEquals(List.of("stock", "stock", "stock"), halfMeasured.measured().stream().map(m -> m.what().jvm()).toList());
        assertEquals(List.of("Start-up and memory, platform thread that has not started, B, pooled: ended with status 7: no memory",
                "Start-up and memory, virtual thread that has not started, B, pooled: ended with status 7: no memory",
                "Start-up and memory, start-up of an empty main, ms, pooled: ended with status 7: no memory"), halfMeasured.failures());
    }

    @Test
    void startUpWithoutACdsArchiveFails() throws IOException {
        JavaCommand without = JavaCommand.ofPeer("--peer", "without=" + JDK + " -XX:SharedArchiveFile=/nowhere");
        Measurement failing = of(List.of(without));
        new ProcessFigures(failing).startUp(1);
        assertEquals(1, failing.failures().size());
    }
}
