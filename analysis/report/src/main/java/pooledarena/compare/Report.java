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

/** The words of a comparison's report. */
final class Report {

    private static final String UNCERTAINTY = """
            Times and bytes are the median of the iterations; half of the iterations are within ± of the time. \
            The ± of a speedup combines those of both times (root of the sum of the squared relative deviations). \
            None of this covers what changes from one run, or one machine, to the next.""";

    private Report() {}

    /** {@return what goes to the terminal when all is measured} */
    static String text(Comparison comparison) {
        StringBuilder text = new StringBuilder("\n").append(new ReportTable(comparison).toText()).append('\n');
        failures(comparison).forEach(line -> text.append("failed: ").append(line).append('\n'));
        return text.append(wrap(UNCERTAINTY)).append('\n').toString();
    }

    static String markdown(Comparison comparison, boolean withChart) {
        StringBuilder text = new StringBuilder("# Pooled confined arena compared with the stock JDK\n\n");
        if (withChart) {
            text.append("![Speedup of each row](").append(Output.CHART).append(")\n\n");
        }
        text.append(new ReportTable(comparison).toMarkdown()).append('\n');
        List<String> failures = failures(comparison);
        if (!failures.isEmpty()) {
            text.append("Failed, so without a figure:\n\n");
            failures.forEach(line -> text.append("- ").append(line).append('\n'));
            text.append('\n');
        }
        text.append(wrap(UNCERTAINTY)).append("\n\n## Where and how\n\n");
        text.append("- Machine: ").append(comparison.machine()).append('\n');
        text.append("- JMH ").append(comparison.jmhVersion()).append(", ").append(comparison.effort())
                .append("; the virtual machines take turns in each row\n");
        text.append("- Date: ").append(comparison.date()).append('\n');
        text.append("- To repeat: `").append(comparison.command()).append("`\n");
        text.append("- Raw figures: ").append(Output.JSON).append('\n');
        for (Jvm jvm : comparison.jvms()) {
            text.append("\n### ").append(jvm.name()).append("\n\n```\n").append(jvm.launcher()).append(" -version\n");
            jvm.version().forEach(line -> text.append(line).append('\n'));
            text.append("```\n");
        }
        return text.toString();
    }

    private static List<String> failures(Comparison comparison) {
        List<String> lines = new ArrayList<>();
        for (Comparison.Result result : comparison.rows()) {
            result.outcomes().forEach((jvm, outcome) -> {
                if (outcome.isFailure()) {
                    lines.add(result.row().label() + " on " + jvm + ": " + outcome.failure());
                }
            });
        }
        return lines;
    }

    private static String wrap(String text) {
        StringBuilder wrapped = new StringBuilder();
        int column = 0;
        for (String word : text.split(" ")) {
            if (column > 0 && column + 1 + word.length() > 100) {
                wrapped.append('\n');
                column = 0;
            } else if (column > 0) {
                wrapped.append(' ');
                column++;
            }
            wrapped.append(word);
            column += word.length();
        }
        return wrapped.toString();
    }
}
