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
package pooledarena.compare;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Quantity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Measures start-up and memory with real processes, of one JDK on both sides. */
class QuantitiesTest {

    private static final Path JDK = Path.of(System.getProperty("java.home"));

    private final List<Jvm> jvms = List.of(
            Jvm.ofHome(Jvm.STOCK, "--stock", JDK), Jvm.ofHome(Jvm.POOLED, "--pooled", JDK));

    @Test
    void objectsOfOneJdkAreAlikeOnBothSides() throws IOException {
        List<Quantity> quantities = Footprint.measure(jvms, List.of(), List.of(), 1, _ -> { });
        assertEquals(5, quantities.size());
        for (Quantity quantity : quantities.subList(0, 3)) {
            assertFalse(quantity.hasFailure(), quantity::toString);
            assertEquals(quantity.on(jvms.get(0)), quantity.on(jvms.get(1)), quantity::toString);
            assertEquals(0, quantity.on(jvms.get(0)).value() % 8, quantity::toString); // objects are aligned
        }
        double platform = quantities.get(0).on(jvms.get(0)).value();
        double virtual = quantities.get(1).on(jvms.get(0)).value();
        assertTrue(platform > 100 && platform < 400, () -> "platform thread " + platform);
        assertTrue(virtual > 60 && virtual < 400, () -> "virtual thread " + virtual);
    }

    @Test
    void eachThreadTakesAtLeastAPageOfStack() throws IOException {
        List<String> progress = new ArrayList<>();
        List<Quantity> quantities = Footprint.measure(jvms, List.of(new Footprint.Threads(50, "8", "100")), List.of(), 1,
                progress::add);
        assertEquals(List.of("Measured the objects of threads", "Measured the resident memory of 50 threads, 1 times on each",
                "Measured the first arena of threads, 1 times on each"), progress);
        Quantity whole = quantities.get(3);
        assertEquals("resident memory of each of 50 threads that used one arena, for 8 and 100 B", whole.title());
        for (Jvm jvm : jvms) {
            double bytes = whole.on(jvm).value();
            assertTrue(bytes >= 8 << 10 && bytes < 1 << 20, () -> bytes + " B");
            assertTrue(quantities.get(4).on(jvm).value() <= bytes);
        }
    }

    /** In the stock JDK an allocation is one of malloc's, and an arena has objects; page by page that is seen. */
    @Test
    void openArenasTakeWhatTheyAllocateAndTheirObjects() throws IOException {
        for (String threads : List.of("platform", "virtual")) {
            List<Quantity> quantities = Footprint.measure(jvms, List.of(),
                    List.of(new Footprint.Open(threads, 10_000, 2, 1000)), 1, _ -> { }).subList(3, 5);
            for (Jvm jvm : jvms) {
                double whole = quantities.get(0).on(jvm).value();
                double nativeBytes = quantities.get(1).on(jvm).value();
                assertTrue(nativeBytes >= 1900 && nativeBytes < 2800, () -> threads + ", native " + nativeBytes + " B");
                assertTrue(whole - nativeBytes >= 48 && whole - nativeBytes < 1000, () -> threads + ", heap " + (whole - nativeBytes));
            }
        }
    }

    @Test
    void theFirstArenaOfAThreadTakesTime() throws IOException {
        List<Quantity> quantities = Footprint.measure(jvms, List.of(), List.of(), 1, _ -> { }).subList(3, 5);
        assertEquals("ns", quantities.getFirst().unit());
        for (Jvm jvm : jvms) {
            assertTrue(quantities.get(1).on(jvm).value() < quantities.get(0).on(jvm).value(), quantities::toString);
        }
    }

    @Test
    void startUpTakesTimeAndNoMoreProcessorTimeThanThereIs() throws IOException {
        List<Quantity> quantities = StartUp.measure(jvms, 3, _ -> { });
        assertEquals(List.of(StartUp.TITLE + ", time", StartUp.TITLE + ", processor time"),
                quantities.stream().map(Quantity::title).toList());
        for (Jvm jvm : jvms) {
            double time = quantities.get(0).on(jvm).value();
            double cpu = quantities.get(1).on(jvm).value();
            assertEquals(3, quantities.get(0).on(jvm).runs());
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
        List<Quantity> quantities = new ArrayList<>(Footprint.measure(List.of(jvms.get(0), broken), List.of(new Footprint.Threads(1, "8")),
                List.of(new Footprint.Open("platform", 1, 1, 8)), 1, _ -> { }));
        assertEquals(9, quantities.size());
        for (Quantity quantity : quantities) {
            assertFalse(quantity.on(jvms.get(0)).isFailure());
            assertEquals("ended with status 7: no memory", quantity.on(broken).failure());
        }
        assertEquals("has no CDS archive that it can use: java -Xshare:on -version ended with status 7",
                StartUp.measure(List.of(broken), 1, _ -> { }).getFirst().on(broken).failure());
    }
}
