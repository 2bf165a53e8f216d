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
import pooledarena.benchmark.Catalogue;
import pooledarena.benchmark.Comparison;
import pooledarena.benchmark.Effort;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Measurement;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Row;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Measures with real forks, each as short as JMH can. */
class MeasurementTest {

    private static final Path JDK = Path.of(System.getProperty("java.home"));
    private static final Effort LEAST = new Effort(2, 1, 10, 3, 20);

    @Test
    void measuresEveryRowOnEverySideAndWritesWholeFiles(@TempDir Path out) throws IOException {
        List<Row> rows = new ArrayList<>(Catalogue.matching(Pattern.compile("MeasuredBenchmarks.array"), Catalogue.all()));
        assertEquals(List.of("16 B", "1024 B"), rows.stream().map(Row::size).toList());
        rows.addAll(Catalogue.matching(Pattern.compile("broken 16"), Catalogue.all()));
        assertEquals(3, rows.size());

        List<Jvm> jvms = List.of(Jvm.ofHome(Jvm.STOCK, "--stock", JDK), Jvm.ofHome(Jvm.POOLED, "--pooled", JDK));
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        List<String> progress = new ArrayList<>();
        List<Comparison> checkpoints = new ArrayList<>();
        Comparison comparison;
        try (PrintStream logStream = new PrintStream(log, false, UTF_8)) {
            comparison = new Measurement(jvms, LEAST, logStream, progress::add)
                    .measure(rows, "the command", checkpoints::add);
        }

        for (Jvm jvm : jvms) {
            // A byte array has a header of 16 bytes, or 12 and padding.
            assertEquals(32, comparison.rows().get(0).on(jvm).bytesPerOp(), 8);
            assertEquals(1040, comparison.rows().get(1).on(jvm).bytesPerOp(), 8);
            assertTrue(comparison.rows().get(0).on(jvm).nsPerOp() > 0);
            assertEquals("java.lang.IllegalStateException: broken on purpose", comparison.rows().get(2).on(jvm).failure());
            // Both forks with all iterations are in the raw result, and the row that failed is not.
            assertEquals(2, comparison.jmh().get(jvm.name()).size());
            var raw = comparison.jmh().get(jvm.name()).get(0);
            assertEquals(2, raw.get("forks").intValue());
            assertEquals(2, raw.get("primaryMetric").get("rawData").size());
            assertEquals(3, raw.get("primaryMetric").get("rawData").get(1).size());
        }
        assertTrue(comparison.hasFailure());
        assertEquals(3, progress.size());
        assertEquals(List.of(1, 2, 3), checkpoints.stream().map(checkpoint -> checkpoint.rows().size()).toList());
        assertFalse(checkpoints.get(1).isWhole());
        assertEquals(2, checkpoints.get(1).jmh().get(Jvm.STOCK).size());
        assertTrue(comparison.isWhole());
        assertTrue(progress.get(0).startsWith("[ 1/3] MeasuredBenchmarks.array, 16 B: stock "), progress.get(0));
        assertTrue(progress.get(0).endsWith(" left"), progress.get(0));
        assertEquals("[ 3/3] MeasuredBenchmarks.broken, 16 B: stock failed, pooled failed", progress.get(2));
        assertTrue(log.toString(UTF_8).contains("Warmup Iteration"));

        Output.writePartial(checkpoints.get(0), out);
        assertEquals(checkpoints.get(0), Comparison.fromJson(Files.readAllBytes(out.resolve(Output.PARTIAL)), "partial"));
        Output.write(comparison, out, true);
        try (Stream<Path> files = Files.list(out)) {
            assertEquals(List.of("compare.json", "report.md", "speedup.png"),
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
        assertEquals(comparison, Comparison.fromJson(Files.readAllBytes(out.resolve(Output.JSON)), "compare.json"));
        assertEquals(Report.markdown(comparison, List.of(Chart.SPEEDUP)), Files.readString(out.resolve(Output.REPORT)));
    }

    @Test
    void aPeersOptionsAndTheThreadsReachTheFork() throws IOException {
        List<Row> rows = Catalogue.matching(Pattern.compile("options"), Catalogue.all()).stream()
                .map(row -> row.withThreads(2)).toList();
        assertEquals("MeasuredBenchmarks.options, 2 threads", rows.getFirst().label());
        Jvm plain = Jvm.ofHome(Jvm.STOCK, "--stock", JDK);
        Jvm peer = Jvm.ofPeer("--peer", "a name=" + JDK + " -Xmx64m -Dpooledarena.bytes=4096");
        assertEquals("a name", peer.name());
        assertEquals(List.of(peer.launcher(), "-Xmx64m", "-Dpooledarena.bytes=4096", "-version"), peer.command("-version"));
        Comparison comparison;
        try (PrintStream log = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8)) {
            comparison = new Measurement(List.of(plain, peer), LEAST, log, _ -> { }).measure(rows, "the command", _ -> { });
        }
        // An array has a header of 16 bytes, or 12 and padding.
        assertEquals(16, comparison.rows().getFirst().on(plain).bytesPerOp(), 8);
        assertEquals(4096 + 16, comparison.rows().getFirst().on(peer).bytesPerOp(), 8);
        assertEquals(2, comparison.jmh().get(plain.name()).get(0).get("threads").intValue());
    }

    @Test
    void aSideThatBreaksFailsItsRowAndLeavesTheOther(@TempDir Path home) throws IOException {
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                [ "$1" = -version ] || exit 7
                echo 'openjdk version "25"'
                """);
        assertTrue(java.toFile().setExecutable(true));
        List<Row> rows = Catalogue.matching(Pattern.compile("array 16"), Catalogue.all());
        List<Jvm> jvms = List.of(Jvm.ofHome(Jvm.STOCK, "--stock", JDK), Jvm.ofHome(Jvm.POOLED, "--pooled", home));
        Comparison comparison;
        try (PrintStream log = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8)) {
            comparison = new Measurement(jvms, LEAST, log, _ -> { }).measure(rows, "the command", _ -> { });
        }
        Comparison.Result result = comparison.rows().getFirst();
        assertFalse(result.on(jvms.get(0)).isFailure());
        assertTrue(result.on(jvms.get(1)).isFailure());
        assertEquals(1, result.on(jvms.get(1)).failure().lines().count());
        assertTrue(result.speedup(jvms.get(1)).isEmpty());
    }

    @Test
    void aFailedWriteLeavesTheEarlierFiles(@TempDir Path out) throws IOException {
        Output.write(Samples.whole(), out, true);
        String report = Files.readString(out.resolve(Output.REPORT));
        Files.createDirectory(out.resolve("report.md.tmp")); // where the next report would be prepared
        Files.createFile(out.resolve("report.md.tmp/in the way"));
        try {
            Output.write(Samples.withFailure(), out, true);
            throw new AssertionError("the write went through");
        } catch (IOException expected) {
            assertEquals(report, Files.readString(out.resolve(Output.REPORT)));
            assertEquals(Samples.whole(), Comparison.fromJson(Files.readAllBytes(out.resolve(Output.JSON)), "compare.json"));
            assertFalse(Files.exists(out.resolve("compare.json.tmp")));
        }
    }

    @Test
    void theChartOfAnEarlierComparisonDoesNotStay(@TempDir Path out) throws IOException {
        Output.write(Samples.whole(), out, true);
        assertTrue(Files.exists(out.resolve(Chart.SPEEDUP.file)));
        Output.write(Samples.of(List.of(Samples.STOCK, Samples.POOLED), Samples.result(
                Samples.PLAIN, Outcome.failed("no"), Outcome.failed("no"))), out, true);
        assertFalse(Files.exists(out.resolve(Chart.SPEEDUP.file)));
    }
}
