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
package pooledarena.peers;

import org.junit.jupiter.api.Test;
import pooledarena.benchmark.Effort;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The tables of the parts say what the figures say. */
class PartsTest {

    /** A lab that wants no more than what was measured. */
    private static final Lab LAB = new Lab(Map.of(), List.of(), new Effort(1, 1, 1, 1, 1), Pattern.compile("(?!)"), null,
            Path.of("."), new PrintStream(OutputStream.nullOutputStream(), false, UTF_8), _ -> { });

    private static Figures figures(String unit, double score, double cpu) {
        return new Figures(score, 1.0, unit, 24.0, 3.0 * (1 << 20), 5.0, 2.0, 1_000.0, cpu, null);
    }

    private static String report(Part part, Results results) throws Exception {
        return part.report(results, LAB).stream()
                .map(section -> section.heading() + "\n" + (section.table() == null ? "" : section.table().toText()))
                .collect(Collectors.joining());
    }

    private static Case find(Part part, String label) {
        return part.cases().stream().filter(c -> c.label().equals(label)).findFirst().orElseThrow();
    }

    @Test
    void noTwoCasesHaveOnePlace() {
        Part.ALL.forEach((name, part) -> {
            assertTrue(!part.cases().isEmpty(), name);
            assertEquals(part.cases().size(), new HashSet<>(part.cases().stream().map(Case::label).toList()).size(), name);
        });
    }

    @Test
    void casesOfARowAreNeighbours() {
        Part.ALL.forEach((name, part) -> {
            List<Case> cases = part.cases();
            long changes = 1;
            for (int i = 1; i < cases.size(); i++) {
                changes += cases.get(i - 1).isBeside(cases.get(i)) ? 0 : 1;
            }
            assertEquals(cases.stream().map(c -> c.group() + "|" + c.row()).distinct().count(), changes, name);
        });
    }

    @Test
    void mostThatAPoolCouldGain() throws Exception {
        ArenasPart part = new ArenasPart();
        Results results = new Results();
        results.put(find(part, "arena, ofShared, 16 B, allocation"), figures("ns/op", 1_200, 2_400));
        results.put(find(part, "arena, ofShared, 16 B, memory is there"), figures("ns/op", 1_000, 1_600));
        results.put(find(part, "arena, ofShared, 16 B, empty"), figures("ns/op", 900, 900));
        String report = report(part, results);
        assertTrue(report.matches("(?s).*ofShared, 16 B +1200 ± 1 +2400 +900 +100 +200 +1\\.20x +1\\.50x.*"), report);
    }

    @Test
    void requestsAndWhatTheyAllocate() throws Exception {
        RocksDbPart part = new RocksDbPart();
        Results results = new Results();
        results.put(find(part, "load, 2 threads, byte[], JNI"), figures("ops/s", 123_456, 10));
        results.put(find(part, "load, 2 threads, arena, FFM, pooled"), Figures.failed("no reason"));
        String report = report(part, results);
        assertTrue(report.matches("(?s).*2 threads +byte\\[\\], JNI +123,456 +1 +24 +3\\.0 +5\\.00.*"), report);
        assertTrue(report.matches("(?s).*2 threads +arena, FFM, pooled +failed.*"), report);
        assertEquals(List.of("load, 2 threads, arena, FFM, pooled: no reason"), results.failures());
    }

    @Test
    void speedupOverNoPoolAndZeroing() throws Exception {
        OkioPart part = new OkioPart();
        Results results = new Results();
        results.put(find(part, "threads, 4 threads, no pool"), figures("ns/op", 900, 0));
        results.put(find(part, "threads, 4 threads, pooled arena"), figures("ns/op", 300, 0));
        results.put(find(part, "zeroing, 1024 B, new byte[n]"), figures("ns/op", 150, 0));
        results.put(find(part, "zeroing, 1024 B, new byte[n], not zeroed"), figures("ns/op", 110, 0));
        String report = report(part, results);
        assertTrue(report.matches("(?s).*4 +4\\.4 +13\\.3 +3\\.0x.*"), report);
        assertTrue(report.matches("(?s).*1024 B +150 ± 1 +40 +- +- +- +-.*"), report);
    }
}
