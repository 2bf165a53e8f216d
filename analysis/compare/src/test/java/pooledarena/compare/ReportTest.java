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
import pooledarena.benchmark.Comparison;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Machine;
import pooledarena.benchmark.Quantity;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ReportTest {

    @Test
    void tableHasEveryFigure() {
        assertEquals("""
                | benchmark | size | stock ns/op | pooled ns/op | stock B/op | pooled B/op | speedup \
                | JDK 28 ns/op | JDK 28 B/op | JDK 28 speedup |
                | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
                | open and close | 5 B | 20.0 ± 2.0 | 2.00 ± 0.10 | 144 | 0 | 10.0x ± 1.1 | 5.00 ± 0.00 | 48 | 4.00x ± 0.40 |
                | empty | - | 1.00 ± 0.50 | 2.00 ± 0.00 | 0 | 0 | 0.50x ± 0.25 | 1.00 ± 0.00 | 0 | 1.00x ± 0.50 |
                """, ReportTable.rows(Samples.whole()).toMarkdown());
    }

    @Test
    void textColumnsAreAligned() {
        assertEquals("""
                benchmark       size  stock ns/op  pooled ns/op  stock B/op  pooled B/op       speedup
                open and close   5 B   20.0 ± 2.0        failed         144       failed             -
                empty              -  1.00 ± 0.50   2.00 ± 0.00           0            0  0.50x ± 0.25
                """, ReportTable.rows(Samples.withFailure()).toText());
    }

    @Test
    void aFailureIsToldWithItsReason() {
        String line = "open and close, 5 B on pooled: IllegalStateException: closed\n";
        assertTrue(Report.text(Samples.withFailure()).contains("failed: " + line));
        assertTrue(Report.markdown(Samples.withFailure(), List.of()).contains("- " + line));
        assertTrue(Samples.withFailure().hasFailure());
        assertFalse(Report.text(Samples.whole()).contains("failed:"));
        assertFalse(Samples.whole().hasFailure());
    }

    @Test
    void quantitiesHaveDifferenceAndRatio() {
        Quantity bytes = new Quantity("object", "B", Map.of(
                Jvm.STOCK, Quantity.Amount.of(160), Jvm.POOLED, Quantity.Amount.of(168)));
        Quantity time = new Quantity("start-up", "ms", Map.of( // medians 40 and 38.5, deviations 1 and 0.5
                Jvm.STOCK, Quantity.Amount.of(39, 40, 90), Jvm.POOLED, Quantity.Amount.of(38.5, 38, 39)));
        Quantity broken = new Quantity("memory", "KiB", Map.of(
                Jvm.STOCK, Quantity.Amount.of(0), Jvm.POOLED, Quantity.Amount.failed("ended with status 1")));
        Comparison comparison = Samples.of(List.of(Samples.STOCK, Samples.POOLED)).with(List.of(bytes, time, broken), null);
        assertEquals("""
                | quantity | unit | stock | pooled | pooled − stock | pooled ÷ stock |
                | --- | ---: | ---: | ---: | ---: | ---: |
                | object | B | 160 | 168 | +8 | 1.050 |
                | start-up | ms | 40.00 ± 1.00 | 38.50 ± 0.50 | −1.50 | 0.963 |
                | memory | KiB | 0.00 | failed | - | - |
                """, ReportTable.quantities(comparison).toMarkdown());
        assertTrue(comparison.hasFailure());
        assertTrue(Report.text(comparison).contains("failed: memory on pooled: ended with status 1\n"));
    }

    @Test
    void aBusyMachineAndAnInterruptionAreToldFirst() {
        Comparison whole = Samples.whole();
        Comparison comparison = new Comparison(whole.format(), whole.fields(), whole.date(), whole.command(), whole.machine(),
                0.5, whole.jmhVersion(), whole.effort(), whole.jvms(), 9, whole.rows(), whole.quantities(), whole.jmh());
        assertTrue(Report.markdown(comparison, List.of()).startsWith("""
                # Pooled confined arena compared with the stock JDK

                **Interrupted: 2 of 9 rows were measured.**

                **Not to be quoted: other programs kept 0.50 of 2 cores busy during the measurement.**

                | benchmark"""));
        assertTrue(Report.text(comparison).contains("\nInterrupted: 2 of 9 rows were measured.\nNot to be quoted: "));
    }

    @Test
    void optionsThatAllForksHadAreNamed() throws IOException {
        Comparison whole = Samples.whole();
        Comparison comparison = new Comparison(whole.format(), whole.fields(), whole.date(), whole.command(), whole.machine(),
                null, whole.jmhVersion(), whole.effort(), whole.jvms(), 2, whole.rows(), List.of(), Map.of(Jvm.STOCK,
                Comparison.parse("""
                        [{"jvmArgs": ["-Xmx1g", "-XX:+AlwaysPreTouch", "-Done"]}, {"jvmArgs": ["-Xmx1g", "-XX:+AlwaysPreTouch"]}]
                        """.getBytes(UTF_8))));
        assertTrue(Report.markdown(comparison, List.of()).contains(
                "- Each fork has: `-Xmx1g -XX:+AlwaysPreTouch` (on a heap that grows, "));
    }

    @Test
    void reportNamesMachineVersionsDateAndCommand() {
        String report = Report.markdown(Samples.whole(), List.of(Chart.SPEEDUP));
        assertTrue(report.contains("- Machine: Some CPU, 2 cores, 8 GiB, Some Linux\n"), report);
        assertTrue(report.contains("- JMH 1.37, 1 fork, each 6 x 200 ms warm-up and 10 x 150 ms measurement;"), report);
        assertTrue(report.contains("- Date: 2026-01-02 03:04 Z\n"), report);
        assertTrue(report.contains("- To repeat: `make compare`\n"), report);
        assertTrue(report.contains("/jdk/stock/bin/java -version\nopenjdk version \"25.0.3\" 2026-04-21\n"), report);
        assertTrue(report.contains("/jdk/pooled/bin/java -version\n"), report);
        assertTrue(report.contains("(speedup.png)"), report);
        assertTrue(report.contains("- Other programs kept busy meanwhile: 0.04 of 2 cores\n"), report);
        assertFalse(report.contains("**"), report);
        assertFalse(Report.markdown(Samples.whole(), List.of()).contains("speedup.png"));
    }
}
