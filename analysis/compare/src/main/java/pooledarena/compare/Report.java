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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import pooledarena.benchmark.Comparison;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Machine;
import pooledarena.benchmark.OtherWork;
import pooledarena.benchmark.Quantity;
import pooledarena.text.Document;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The words of a comparison's report. */
public final class Report {

    private static final String UNCERTAINTY = """
            Times and bytes are the median of the iterations; half of the iterations are within ± of the time. \
            The ± of a speedup combines those of both times (root of the sum of the squared relative deviations). \
            None of this covers what changes from one run, or one machine, to the next.""";

    private static final String QUANTITIES = """
            Each figure is the median of the runs, half of which are within ±. Start-up is that of the process, from the \
            launcher's start to its end, with default options and the default CDS archive; a launcher that is a script \
            counts with all that it does. Objects are counted by the virtual machine's class histogram, of threads that used \
            one arena for 16 and 2,000 bytes. Resident memory of threads is what the process has more than before it \
            started them, divided by their number; its second line is what it has more than when all had started and \
            none had used an arena. The memory of open arenas, native and live objects, is what the process has more with \
            them than with threads that do the same without. These processes run interpreted and on a heap that is touched \
            before, so that neither compiler nor heap blur what threads and arenas take. The first arena of a thread is timed \
            in compiled code, in 4,000 threads one after the other, each of which has allocated objects before.""";

    private static final String PRE_TOUCH = "-XX:+AlwaysPreTouch";
    private static final String PRE_TOUCH_REASON = " (on a heap that grows, the first touch of each page costs more than "
            + "many a row that allocates)";

    private Report() {}

    /** {@return what goes to the terminal when all is measured} */
    static String text(Comparison comparison) {
        StringBuilder text = new StringBuilder();
        if (!comparison.rows().isEmpty()) {
            text.append('\n').append(ReportTable.rows(comparison).toText());
        }
        if (!comparison.quantities().isEmpty()) {
            text.append('\n').append(ReportTable.quantities(comparison).toText());
        }
        text.append('\n');
        failures(comparison).forEach(line -> text.append("failed: ").append(line).append('\n'));
        warnings(comparison).forEach(line -> text.append(line).append('\n'));
        return text.append(Document.wrap(UNCERTAINTY)).append('\n').toString();
    }

    static String markdown(Comparison comparison, List<Chart> charts) {
        StringBuilder text = new StringBuilder("# Pooled confined arena compared with the stock JDK\n\n");
        warnings(comparison).forEach(line -> text.append("**").append(line).append("**\n\n"));
        if (!comparison.rows().isEmpty()) {
            text.append(ReportTable.rows(comparison).toMarkdown()).append('\n');
        }
        if (!comparison.quantities().isEmpty()) {
            text.append("## Start-up and memory\n\n");
            text.append(ReportTable.quantities(comparison).toMarkdown()).append('\n');
            text.append(Document.wrap(QUANTITIES)).append("\n\n");
        }
        List<String> failures = failures(comparison);
        if (!failures.isEmpty()) {
            text.append("Failed, so without a figure:\n\n");
            failures.forEach(line -> text.append("- ").append(line).append('\n'));
            text.append('\n');
        }
        text.append(Document.wrap(UNCERTAINTY)).append("\n\n");
        for (Chart chart : charts) {
            text.append("![").append(chart.caption).append("](").append(chart.file).append(")\n\n");
        }
        text.append("## Where and how\n\n");
        text.append("- Machine: ").append(comparison.machine()).append('\n');
        text.append("- JMH ").append(comparison.jmhVersion()).append(", ").append(comparison.effort())
                .append("; the virtual machines take turns in each row\n");
        List<String> options = commonOptions(comparison);
        if (!options.isEmpty()) {
            text.append("- Each fork has: `").append(String.join(" ", options)).append('`')
                    .append(options.contains(PRE_TOUCH) ? PRE_TOUCH_REASON : "").append('\n');
        }
        if (comparison.otherCores() != null) {
            text.append("- Other programs kept busy meanwhile: ").append(cores(comparison)).append('\n');
        }
        text.append("- Date: ").append(comparison.date()).append('\n');
        text.append("- To repeat: `").append(comparison.command()).append("`\n");
        text.append("- Raw figures: ").append(Output.JSON).append('\n');
        for (Jvm jvm : comparison.jvms()) {
            text.append("\n### ").append(jvm.name()).append("\n\n```\n").append(String.join(" ", jvm.command("-version"))).append('\n');
            jvm.version().forEach(line -> text.append(line).append('\n'));
            text.append("```\n");
        }
        return text.toString();
    }

    /** {@return what a reader should know before the figures, in one line each} */
    private static List<String> warnings(Comparison comparison) {
        List<String> lines = new ArrayList<>();
        if (!comparison.isWhole()) {
            lines.add("Interrupted: %d of %d rows were measured.".formatted(comparison.rows().size(), comparison.planned()));
        }
        if (comparison.otherCores() != null && comparison.otherCores() >= OtherWork.TOO_MUCH) {
            lines.add("Not to be quoted: other programs kept " + cores(comparison) + " busy during the measurement.");
        }
        return lines;
    }

    private static String cores(Comparison comparison) {
        return "%.2f of %d cores".formatted(comparison.otherCores(), comparison.machine().cores());
    }

    /** {@return the options that every fork of the stock side had, from JMH's own results} */
    private static List<String> commonOptions(Comparison comparison) {
        Set<String> common = null;
        for (JsonNode run : comparison.jmh().getOrDefault(Jvm.STOCK, MissingNode.getInstance())) {
            Set<String> options = new LinkedHashSet<>();
            run.path("jvmArgs").forEach(option -> options.add(option.asText()));
            if (common == null) {
                common = options;
            } else {
                common.retainAll(options);
            }
        }
        return common == null ? List.of() : List.copyOf(common);
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
        for (Quantity quantity : comparison.quantities()) {
            quantity.amounts().forEach((jvm, amount) -> {
                if (amount.isFailure()) {
                    lines.add(quantity.title() + " on " + jvm + ": " + amount.failure());
                }
            });
        }
        return lines;
    }
}
