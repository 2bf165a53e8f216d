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

import java.util.ArrayList;
import java.util.List;

/** The table of a comparison, as text for the terminal and as Markdown for the report. */
final class ReportTable {

    private static final String FAILED = "failed";
    private static final String NONE = "-";

    private final List<List<String>> lines = new ArrayList<>();

    ReportTable(Comparison comparison) {
        lines.add(header(comparison));
        comparison.rows().forEach(result -> lines.add(line(comparison, result)));
    }

    /** {@return {@code nanoseconds} with as many decimals as give {@code scale} three figures or so} */
    static String time(double nanoseconds, double scale) {
        return String.format(scale < 10 ? "%.2f" : scale < 100 ? "%.1f" : "%.0f", nanoseconds);
    }

    String toText() {
        int[] widths = new int[lines.getFirst().size()];
        for (List<String> line : lines) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], line.get(column).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder padded = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String padding = " ".repeat(widths[column] - line.get(column).length());
                padded.append(column == 0 ? line.get(column) + padding : "  " + padding + line.get(column));
            }
            text.append(padded.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    String toMarkdown() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            text.append("| ").append(String.join(" | ", lines.get(i))).append(" |\n");
            if (i == 0) {
                text.append("| --- |").append(" ---: |".repeat(lines.getFirst().size() - 1)).append('\n');
            }
        }
        return text.toString();
    }

    private static List<String> header(Comparison comparison) {
        List<String> cells = new ArrayList<>(List.of("benchmark", "size",
                "stock ns/op", "pooled ns/op", "stock B/op", "pooled B/op", "speedup"));
        for (Jvm peer : peers(comparison)) {
            cells.add(peer.name() + " ns/op");
            cells.add(peer.name() + " B/op");
            cells.add(peer.name() + " speedup");
        }
        return cells;
    }

    private static List<String> line(Comparison comparison, Comparison.Result result) {
        Jvm pooled = comparison.contenders().getFirst();
        Outcome before = result.on(comparison.stock());
        Outcome after = result.on(pooled);
        List<String> cells = new ArrayList<>(List.of(
                result.row().title(), result.row().parameters().isEmpty() ? NONE : result.row().size(),
                timeCell(before), timeCell(after), bytesCell(before), bytesCell(after), speedupCell(result, pooled)));
        for (Jvm peer : peers(comparison)) {
            cells.add(timeCell(result.on(peer)));
            cells.add(bytesCell(result.on(peer)));
            cells.add(speedupCell(result, peer));
        }
        return cells;
    }

    private static List<Jvm> peers(Comparison comparison) {
        return comparison.jvms().subList(2, comparison.jvms().size());
    }

    private static String timeCell(Outcome outcome) {
        return outcome.isFailure() ? FAILED
                : time(outcome.nsPerOp(), outcome.nsPerOp()) + " ± " + time(outcome.nsPerOpDeviation(), outcome.nsPerOp());
    }

    private static String bytesCell(Outcome outcome) {
        return outcome.isFailure() ? FAILED
                : outcome.bytesPerOp() == null ? NONE
                : String.format("%.0f", outcome.bytesPerOp());
    }

    private static String speedupCell(Comparison.Result result, Jvm jvm) {
        return result.speedup(jvm).map(Speedup::toString).orElse(NONE);
    }
}
