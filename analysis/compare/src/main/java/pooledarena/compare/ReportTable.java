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

import pooledarena.benchmark.Comparison;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Quantity;
import pooledarena.benchmark.Speedup;
import pooledarena.text.Figures;
import pooledarena.text.Table;

import java.util.ArrayList;
import java.util.List;

/** The tables of a comparison. */
public final class ReportTable {

    private static final String FAILED = "failed";
    private static final String NONE = "-";

    private ReportTable() {}

    /** {@return a line for each row} */
    static Table rows(Comparison comparison) {
        Table table = new Table(header(comparison));
        comparison.rows().forEach(result -> table.add(line(comparison, result)));
        return table;
    }

    /** {@return a line for each quantity} */
    static Table quantities(Comparison comparison) {
        List<String> header = new ArrayList<>(List.of("quantity", "unit", comparison.stock().name()));
        for (Jvm jvm : comparison.contenders()) {
            header.addAll(List.of(jvm.name(), jvm.name() + " − stock", jvm.name() + " ÷ stock"));
        }
        Table table = new Table(header);
        for (Quantity quantity : comparison.quantities()) {
            Quantity.Amount before = quantity.on(comparison.stock());
            List<String> cells = new ArrayList<>(List.of(quantity.title(), quantity.unit(), amountCell(quantity, comparison.stock())));
            for (Jvm jvm : comparison.contenders()) {
                Quantity.Amount after = quantity.on(jvm);
                boolean whole = !before.isFailure() && !after.isFailure();
                cells.add(amountCell(quantity, jvm));
                cells.add(whole ? difference(quantity, after.value() - before.value()) : NONE);
                cells.add(whole && before.value() > 0 ? String.format("%.3f", after.value() / before.value()) : NONE);
            }
            table.add(cells);
        }
        return table;
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
                result.row().title(), result.row().size().isEmpty() ? NONE : result.row().size(),
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
                : Figures.time(outcome.nsPerOp(), outcome.nsPerOp()) + " ± " + Figures.time(outcome.nsPerOpDeviation(), outcome.nsPerOp());
    }

    private static String amountCell(Quantity quantity, Jvm jvm) {
        Quantity.Amount amount = quantity.on(jvm);
        return amount.isFailure() ? FAILED
                : amount.runs() == 1 ? number(quantity, amount.value())
                : number(quantity, amount.value()) + " ± " + number(quantity, amount.deviation());
    }

    private static String number(Quantity quantity, double value) {
        return String.format(quantity.unit().equals("B") || quantity.unit().equals("ns") ? "%.0f" : Math.abs(value) < 100 ? "%.2f" : "%.1f", value);
    }

    private static String difference(Quantity quantity, double value) {
        return (value > 0 ? "+" : value < 0 ? "−" : "") + number(quantity, Math.abs(value));
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
