/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results.Measured;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Measures start-up and memory with real processes, of one JDK on both sides. */
class ProcessesTest {

    private static final Path JDK = Path.of(System.getProperty("java.home"));

    private final List<Jvm> jvms = List.of(
            Jvm.ofHome(Jvm.STOCK, "--stock", JDK), Jvm.ofHome(Jvm.POOLED, "--pooled", JDK));

    /** {@return the titles, in their order} */
    private static List<String> titles(List<Measured> measured) {
        return measured.stream().map(m -> m.what().row()).distinct().toList();
    }

    private static Outcome get(List<Measured> measured, int title, Jvm jvm) {
        return measured.stream().filter(m -> m.what().row().equals(titles(measured).get(title)) && m.what().jvm().equals(jvm.name()))
                .findFirst().orElseThrow().outcome();
    }

    private static double value(List<Measured> measured, int title, Jvm jvm) {
        Outcome outcome = get(measured, title, jvm);
        assertFalse(outcome.isFailure(), outcome::toString);
        return outcome.score();
    }

    @Test
    void objectsOfOneJdkAreAlikeOnBothSides() throws IOException {
        List<Measured> measured = Footprint.measure(jvms, List.of(), List.of(), 1, _ -> { });
        assertEquals(5, titles(measured).size());
        for (int title = 0; title < 3; title++) {
            assertEquals(value(measured, title, jvms.get(0)), value(measured, title, jvms.get(1)));
            assertEquals(0, value(measured, title, jvms.get(0)) % 8); // objects are aligned
        }
        double platform = value(measured, 0, jvms.get(0));
        double virtual = value(measured, 1, jvms.get(0));
        assertTrue(platform > 100 && platform < 400, () -> "platform thread " + platform);
        assertTrue(virtual > 60 && virtual < 400, () -> "virtual thread " + virtual);
        for (Jvm jvm : jvms) {
            assertEquals("ns", get(measured, 3, jvm).unit());
            assertTrue(value(measured, 4, jvm) < value(measured, 3, jvm), "the clock alone takes less than an arena");
        }
    }

    @Test
    void eachThreadTakesAtLeastAPageOfStack() throws IOException {
        List<String> progress = new ArrayList<>();
        List<Measured> measured = Footprint.measure(jvms, List.of(new Footprint.Threads(50, "8", "100")), List.of(), 1,
                progress::add);
        assertEquals(3, progress.size());
        assertEquals("resident memory of each of 50 threads that used one arena, for 8 and 100 B", titles(measured).get(3));
        for (Jvm jvm : jvms) {
            double bytes = value(measured, 3, jvm);
            assertTrue(bytes >= 8 << 10 && bytes < 1 << 20, () -> bytes + " B");
            assertTrue(value(measured, 4, jvm) <= bytes);
        }
    }

    /** In the stock JDK an allocation is one of malloc's, and an arena has objects; page by page that is seen. */
    @Test
    void openArenasTakeWhatTheyAllocateAndTheirObjects() throws IOException {
        for (String threads : List.of("platform", "virtual")) {
            List<Measured> measured = Footprint.measure(jvms, List.of(),
                    List.of(new Footprint.Open(threads, 10_000, 2, 1000)), 1, _ -> { });
            for (Jvm jvm : jvms) {
                double whole = value(measured, 3, jvm);
                double nativeBytes = value(measured, 4, jvm);
                assertTrue(nativeBytes >= 1900 && nativeBytes < 2800, () -> threads + ", native " + nativeBytes + " B");
                assertTrue(whole - nativeBytes >= 48 && whole - nativeBytes < 1000, () -> threads + ", heap " + (whole - nativeBytes));
            }
        }
    }

    @Test
    void startUpTakesTimeAndNoMoreProcessorTimeThanThereIs() throws IOException {
        List<Measured> measured = StartUp.measure(jvms, 3, _ -> { });
        assertEquals(List.of(StartUp.TITLE + ", time", StartUp.TITLE + ", processor time"), titles(measured));
        for (Jvm jvm : jvms) {
            double time = value(measured, 0, jvm);
            double cpu = value(measured, 1, jvm);
            assertTrue(time > 5 && time < 60_000, () -> time + " ms");
            assertTrue(cpu > 5 && cpu < time * Runtime.getRuntime().availableProcessors(), () -> cpu + " of " + time + " ms");
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
        Jvm broken = Jvm.ofHome(Jvm.POOLED, "--pooled", home);
        List<Measured> measured = Footprint.measure(List.of(jvms.get(0), broken), List.of(new Footprint.Threads(1, "8")),
                List.of(new Footprint.Open("platform", 1, 1, 8)), 1, _ -> { });
        assertEquals(9, titles(measured).size());
        for (int title = 0; title < 9; title++) {
            assertFalse(get(measured, title, jvms.get(0)).isFailure());
            assertEquals("ended with status 7: no memory", get(measured, title, broken).failure());
        }
        assertEquals("has no CDS archive that it can use: java -Xshare:on -version ended with status 7: no memory",
                get(StartUp.measure(List.of(broken), 1, _ -> { }), 0, broken).failure());
    }
}
