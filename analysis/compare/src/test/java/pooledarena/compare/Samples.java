/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.compare.Results.Effort;
import pooledarena.compare.Results.Machine;
import pooledarena.compare.Results.Measured;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Comparisons that were counted by hand. */
final class Samples {

    static final JavaCommand STOCK = new JavaCommand(JavaCommand.STOCK, "/jdk/stock/bin/java", List.of(), List.of(
            "openjdk version \"25.0.3\" 2026-04-21",
            "OpenJDK Runtime Environment Vendor-25.0.3+9 (build 25.0.3+9-LTS)"));
    static final JavaCommand PATCH = new JavaCommand(JavaCommand.PATCH, "/jdk/patched/bin/java", List.of(), List.of(
            "openjdk version \"25.0.3\" 2026-04-21",
            "OpenJDK Runtime Environment Vendor-25.0.3+9 with a pool (build 25.0.3+9-LTS)"));
    static final JavaCommand PEER = new JavaCommand("JDK 28", "/jdk/peer/bin/java", List.of(), List.of(
            "openjdk version \"28\" 2027-03-16",
            "OpenJDK Runtime Environment (build 28+1)"));

    static final BenchmarkSelection SELECTION = new BenchmarkSelection("confined");

    static final Case SIZED = row("open and close", "5 B", "bench.Alloc.one", Map.of("size", "5"), 1);
    static final Case PLAIN = row("empty", "", "bench.Empty.none", Map.of(), 1);

    /** What was measured in a row. */
    record Row(List<Measured> measured) {}

    private Samples() {}

    /** Two rows: on the first the patch is 10x and the peer 4x as fast as stock, on the second 0.5x and 1x. */
    static Results whole() {
        return of(List.of(STOCK, PATCH, PEER),
                row(SIZED, outcome(20, 2, 144), outcome(2, 0.1, 0), outcome(5, 0, 48)),
                row(PLAIN, outcome(1, 0.5, 0), outcome(2, 0, 0), outcome(1, 0, 0)));
    }

    /** The first row fails on the patched side. */
    static Results withFailure() {
        return of(0.04, List.of(STOCK, PATCH), List.of("open and close, 5 B, patch: IllegalStateException: closed"),
                row(SIZED, outcome(20, 2, 144), null),
                row(PLAIN, outcome(1, 0.5, 0), outcome(2, 0, 0)));
    }

    /** Other programs kept half a core busy. */
    static Results busy() {
        return of(0.5, whole().jvms(), List.of(), new Row(whole().measured()));
    }

    /** The median iteration was so many times slower than the fastest one. */
    static Results slowed(double slowed) {
        return of(whole().jvms(), new Row(whole().measured().stream().map(each -> new Measured(each.what(), new Outcome(
                each.outcome().score(), null, slowed, "ns/op", 0.0, null, null))).toList()));
    }

    static Results of(List<JavaCommand> jvms, Row... rows) {
        return of(0.04, jvms, List.of(), rows);
    }

    private static Results of(double otherCores, List<JavaCommand> jvms, List<String> failures, Row... rows) {
        return new Results("A comparison", "make compare", "2026-01-02 03:04 Z",
                new Machine("Some CPU", 2, 8192, "Some Linux"), otherCores, new Effort(1, 1, 1, 1, 1), jvms,
                Stream.of(rows).flatMap(row -> row.measured.stream()).toList(), failures);
    }

    /** The patch is 10x as fast as stock at 8 bytes, 2x at 64, and about as fast at 1024 and 4096; a row has two threads. */
    static Results bySize() {
        return of(List.of(STOCK, PATCH),
                row(one(1024, 1), outcome(40, 0, 0), outcome(39, 0, 0)),
                row(one(8, 1), outcome(20, 0, 0), outcome(2, 0, 0)),
                row(one(64, 1), outcome(30, 0, 0), outcome(15, 0, 0)),
                row(one(4096, 1), outcome(80, 0, 0), outcome(81, 0, 0)),
                row(one(100, 2), outcome(25, 0, 0), outcome(2.5, 0, 0)));
    }

    static Case one(int size, int threads) {
        return row(SELECTION.known("ConfinedArenaAlloc.one").title(), size + " B, " + threads, "bench.ConfinedArenaAlloc.one",
                Map.of("size", Integer.toString(size)), threads);
    }

    static Case row(String title, String size, String benchmark, Map<String, String> parameters, int threads) {
        return new Case(title, size, null, benchmark, parameters, threads);
    }

    /** {@return the row with the outcomes of stock, the patch and the peer; null for one that failed} */
    static Row row(Case row, Outcome... outcomes) {
        List<JavaCommand> jvms = List.of(STOCK, PATCH, PEER);
        List<Measured> measured = new ArrayList<>();
        for (int i = 0; i < outcomes.length; i++) {
            if (outcomes[i] != null) {
                measured.add(new Measured(row.on(jvms.get(i)), outcomes[i]));
            }
        }
        return new Row(measured);
    }

    static ComparisonReport report(Results results) {
        return new ComparisonReport(results, SELECTION);
    }

    static Outcome outcome(double ns, double error, double bytes) {
        return new Outcome(ns, error, 1.01, "ns/op", bytes, null, null);
    }
}
