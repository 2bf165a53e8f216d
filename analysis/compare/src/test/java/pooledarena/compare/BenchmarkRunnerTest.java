/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.Script;
import pooledarena.compare.Results.Effort;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Measures with real forks, each as short as JMH can. */
class BenchmarkRunnerTest {

    private static final Path JDK = Path.of(System.getProperty("java.home"));
    private static final Effort LEAST = new Effort(2, 1, 10, 3, 20);

    private final JavaCommand stock = JavaCommand.of(JavaCommand.STOCK, "--stock", JDK, List.of());

    @Test
    void measuresEveryCaseAndTellsWhatIsDone() throws IOException {
        List<JavaCommand> jvms = List.of(stock, JavaCommand.of(JavaCommand.PATCH, "--patched", JDK, List.of("-Dgiven=1")));
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        List<String> progress = new ArrayList<>();
        Results results;
        Map<String, byte[]> raw;
        try (PrintStream logStream = new PrintStream(log, false, UTF_8)) {
            BenchmarkRunner runner = new BenchmarkRunner(jvms, LEAST, logStream, progress::add);
            runner.run(Stream.concat(rows("array").stream(), rows("broken 16").stream())
                    .flatMap(row -> jvms.stream().map(row::on)).toList());
            results = runner.results("a title", "the command");
            raw = runner.rawJson();
        }
        assertEquals(4, results.measured().size());
        assertEquals(List.of("array 16 B", "array 1024 B"), results.rows().stream()
                .map(row -> row.what().group().replace("MeasuredBenchmarks.", "") + " " + row.what().row()).toList());
        assertEquals(List.of("jmh-stock.json", "jmh-patch.json"), List.copyOf(raw.keySet()));
        for (JavaCommand jvm : jvms) {
            for (String size : List.of("16", "1024")) {
                Outcome outcome = get(results, "MeasuredBenchmarks.array", size + " B", jvm.name());
                // A byte array has a header of 16 bytes, or 12 and padding.
                assertEquals(Integer.parseInt(size) + 16, outcome.bytesPerOp(), 8);
                assertTrue(outcome.score() > 0 && outcome.slowed() >= 0.5 && outcome.cpuNsPerOp() > 0, outcome::toString);
                assertEquals("ns/op", outcome.unit());
            }
            // What JMH wrote has both forks with all iterations; the row that failed is not there.
            JsonNode json = new ObjectMapper().readTree(raw.get("jmh-" + jvm.name() + ".json"));
            assertEquals(2, json.size());
            assertEquals(2, json.get(0).get("forks").intValue());
            assertTrue(json.get(0).get("jvmArgs").toString().contains("-Dpooledarena.fork=true"), json.get(0)::toString);
            assertEquals(jvm != stock, json.get(0).get("jvmArgs").toString().contains("-Dgiven=1"), json.get(0)::toString);
            assertEquals(2, json.get(0).get("primaryMetric").get("rawData").size());
            assertEquals(3, json.get(0).get("primaryMetric").get("rawData").get(1).size());
            double fastest = StreamSupport.stream(json.get(0).get("primaryMetric").get("rawData").spliterator(), false)
                    .mapToDouble(fork -> StreamSupport.stream(fork.spliterator(), false).mapToDouble(JsonNode::doubleValue).min()
                            .orElseThrow()).average().orElseThrow();
            assertEquals(fastest, get(results, "MeasuredBenchmarks.array", "16 B", jvm.name()).score(), 1e-9);
        }
        assertEquals(List.of("MeasuredBenchmarks.broken, 16 B, stock: java.lang.IllegalStateException: broken on purpose",
                "MeasuredBenchmarks.broken, 16 B, patch: java.lang.IllegalStateException: broken on purpose"), results.failures());
        assertEquals(3, progress.size());
        assertTrue(progress.getFirst().startsWith("[2/6] MeasuredBenchmarks.array, 16 B: stock "), progress.getFirst());
        assertTrue(progress.getFirst().matches(".*; \\d{1,2}:\\d\\d left"), progress.getFirst());
        assertEquals("0:03", BenchmarkRunner.timeLeft(2_999_999_999L, 3, 7));
        assertEquals("0:04", BenchmarkRunner.timeLeft(3_000_000_000L, 3, 7));
        assertEquals("2:05", BenchmarkRunner.timeLeft(25_000_000_000L, 2, 12));
        assertEquals("100:00", BenchmarkRunner.timeLeft(60_000_000_000L, 1, 101));
        assertEquals("[6/6] MeasuredBenchmarks.broken, 16 B: failed; 0:00 left", progress.getLast());
        assertTrue(log.toString(UTF_8).contains("Warmup Iteration"));

    }

    @Test
    void aPeersOptionsAndTheThreadsReachTheFork() throws IOException {
        JavaCommand peer = JavaCommand.ofPeer("a name=" + JDK + " -Xmx64m -Dpooledarena.bytes=4096");
        assertEquals("a name", peer.name());
        assertEquals(List.of(peer.launcher(), "-Xmx64m", "-Dpooledarena.bytes=4096", "-version"), peer.command("-version"));
        Case row = rows("options").getFirst();
        Case threaded = new Case(row.group(), "2 threads", null, row.benchmark(), row.parameters(), 2);
        Results results = measure(List.of(stock, peer), threaded);
        // An array has a header of 16 bytes, or 12 and padding.
        assertEquals(16, get(results, row.group(), "2 threads", JavaCommand.STOCK).bytesPerOp(), 8);
        assertEquals(4096 + 16, get(results, row.group(), "2 threads", "a name").bytesPerOp(), 8);
    }

    /** Virtual threads that never yield need a carrier each; so many are there anyway as there are processors. */
    @Test
    void carriersForMoreThreadsThanProcessors() throws IOException {
        int processors = Runtime.getRuntime().availableProcessors();
        Case row = rows("options").getFirst();
        try (PrintStream log = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8)) {
            BenchmarkRunner runner = new BenchmarkRunner(List.of(stock), new Effort(1, 0, 1, 1, 10), log, _ -> { });
            runner.run(Stream.of(processors, processors + 1).map(threads ->
                    new Case("with threads", threads + "", "stock", row.benchmark(), row.parameters(), threads)).toList());
            List<Boolean> told = new ArrayList<>();
            new ObjectMapper().readTree(runner.rawJson().get("jmh-stock.json")).forEach(run -> told.add(run.get("jvmArgs")
                    .toString().contains("-Djdk.virtualThreadScheduler.parallelism=" + run.get("threads"))));
            assertEquals(List.of(false, true), told);
        }
    }

    @Test
    void aSingleShotRunsAsOftenAsItSaysAndGivesWhatItCounts() throws IOException {
        Results results = measure(List.of(stock), rows("once").getFirst());
        assertEquals(new Outcome(1.0, null, null, "B", null, null, null), get(results, "MeasuredBenchmarks.once", "", "stock"));
        assertNull(results.otherCores());
    }

    @Test
    void aSideThatBreaksFailsItsCaseAndLeavesTheOther(@TempDir Path home) throws IOException {
        Script.write(home.resolve("bin/java"), """
                [ "$1" = -version ] || exit 7
                echo 'openjdk version "25"'
                """);
        JavaCommand broken = JavaCommand.of(JavaCommand.PATCH, "--patched", home, List.of());
        Case row = rows("array 16").getFirst();
        Results results = measure(List.of(stock, broken), row);
        assertEquals(List.of("stock"), results.measured().stream().map(m -> m.what().jvm()).toList());
        assertEquals(1, results.failures().size());
        assertEquals(1, results.failures().getFirst().lines().count());
    }

    /** A thread of this process, which is another one to the fork, is busy; the fork's own work does not count. */
    @Test
    void otherProgramsThatWorkAreSeen() throws IOException {
        Thread busy = Thread.ofPlatform().daemon().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        });
        try (PrintStream log = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8)) {
            BenchmarkRunner runner = new BenchmarkRunner(List.of(stock), new Effort(1, 1, 10, 3, 300), log, _ -> { });
            assertNull(runner.results("", "").otherCores());
            runner.run(List.of(rows("array 16").getFirst().on(stock)));
            int cores = Runtime.getRuntime().availableProcessors();
            double others = runner.results("", "").otherCores();
            assertTrue(others > 0.3 && others < cores - 0.05, () -> others + " of " + cores);
        } finally {
            busy.interrupt();
        }
    }

    private static Outcome get(Results results, String group, String row, String jvm) {
        return results.rows().stream().filter(each -> each.what().group().equals(group) && each.what().row().equals(row))
                .findFirst().orElseThrow().outcomes().get(jvm);
    }

    private static List<Case> rows(String include) {
        return new BenchmarkSelection("confined").all().stream()
                .filter(row -> row.matches(Pattern.compile("MeasuredBenchmarks\\." + include))).toList();
    }

    private static Results measure(List<JavaCommand> jvms, Case row) throws IOException {
        try (PrintStream log = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8)) {
            BenchmarkRunner runner = new BenchmarkRunner(jvms, LEAST, log, _ -> { });
            runner.run(jvms.stream().map(row::on).toList());
            return runner.results("a title", "the command");
        }
    }
}
