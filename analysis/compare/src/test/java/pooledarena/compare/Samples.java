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

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import pooledarena.benchmark.Comparison;
import pooledarena.benchmark.Effort;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Machine;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Row;

import java.util.List;
import java.util.Map;

/** Comparisons that were counted by hand. */
final class Samples {

    static final Jvm STOCK = new Jvm(Jvm.STOCK, "/jdk/stock/bin/java", List.of(), List.of(
            "openjdk version \"25.0.3\" 2026-04-21",
            "OpenJDK Runtime Environment Vendor-25.0.3+9 (build 25.0.3+9-LTS)"));
    static final Jvm POOLED = new Jvm(Jvm.POOLED, "/jdk/pooled/bin/java", List.of(), List.of(
            "openjdk version \"25.0.3\" 2026-04-21",
            "OpenJDK Runtime Environment Vendor-25.0.3+9 with a pool (build 25.0.3+9-LTS)"));
    static final Jvm PEER = new Jvm("JDK 28", "/jdk/peer/bin/java", List.of(), List.of(
            "openjdk version \"28\" 2027-03-16",
            "OpenJDK Runtime Environment (build 28+1)"));

    static final Row SIZED = new Row("open and close", "bench.Alloc.one", Map.of("size", "5"), 1);
    static final Row PLAIN = new Row("empty", "bench.Empty.none", Map.of(), 1);

    private Samples() {}

    /** Two rows: on the first pooled is 10x and the peer 4x as fast as stock, on the second 0.5x and 1x. */
    static Comparison whole() {
        return of(List.of(STOCK, POOLED, PEER),
                result(SIZED, outcome(20, 2, 144), outcome(2, 0.1, 0), outcome(5, 0, 48)),
                result(PLAIN, outcome(1, 0.5, 0), outcome(2, 0, 0), outcome(1, 0, 0)));
    }

    /** The first row fails on the pooled side. */
    static Comparison withFailure() {
        return of(List.of(STOCK, POOLED),
                result(SIZED, outcome(20, 2, 144), Outcome.failed("IllegalStateException: closed")),
                result(PLAIN, outcome(1, 0.5, 0), outcome(2, 0, 0)));
    }

    static Comparison of(List<Jvm> jvms, Comparison.Result... results) {
        return new Comparison(Comparison.FORMAT, Comparison.FIELDS, "2026-01-02 03:04 Z", "make compare",
                new Machine("Some CPU", 2, 8192, "Some Linux"), 0.04, "1.37", Effort.SHORT, jvms, results.length,
                List.of(results), List.of(), Map.of(Jvm.STOCK, JsonNodeFactory.instance.arrayNode().add("raw")));
    }

    /** Pooled is 10x as fast as stock at 8 bytes, 2x at 64, and about as fast at 1024 and 4096. */
    static Comparison bySize() {
        return of(List.of(STOCK, POOLED),
                result(one(1024, 1), outcome(40, 0, 0), outcome(39, 0, 0)),
                result(one(8, 1), outcome(20, 0, 0), outcome(2, 0, 0)),
                result(one(64, 1), outcome(30, 0, 0), outcome(15, 0, 0)),
                result(one(4096, 1), outcome(80, 0, 0), outcome(81, 0, 0)));
    }

    static Row one(int size, int threads) {
        return new Row("one", "bench.ConfinedArenaAlloc.one", Map.of("size", Integer.toString(size)), threads);
    }

    static Comparison.Result result(Row row, Outcome stock, Outcome pooled) {
        return new Comparison.Result(row, Map.of(Jvm.STOCK, stock, Jvm.POOLED, pooled));
    }

    static Comparison.Result result(Row row, Outcome stock, Outcome pooled, Outcome peer) {
        return new Comparison.Result(row, Map.of(Jvm.STOCK, stock, Jvm.POOLED, pooled, PEER.name(), peer));
    }

    static Outcome outcome(double ns, double deviation, double bytes) {
        return new Outcome(ns, deviation, bytes, null);
    }
}
