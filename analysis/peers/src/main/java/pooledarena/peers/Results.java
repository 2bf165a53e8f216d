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

import pooledarena.text.LineChart;

import java.awt.Color;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The figures of the cases that were measured; a filter may have left some out. */
final class Results {

    private final Map<Case, Figures> figures = new LinkedHashMap<>();

    void put(Case measured, Figures result) {
        figures.put(measured, result);
    }

    Map<Case, Figures> all() {
        return figures;
    }

    List<Case> cases() {
        return List.copyOf(figures.keySet());
    }

    boolean has(String group) {
        return figures.keySet().stream().anyMatch(c -> c.group().equals(group));
    }

    List<String> rows(String group) {
        return Case.rows(cases(), group);
    }

    List<String> columns(String group) {
        return Case.columns(cases(), group);
    }

    /** {@return the figures in this place, unless they were not measured or are a failure} */
    Optional<Figures> get(String group, String row, String column) {
        return find(group, row, column).filter(f -> !f.isFailure());
    }

    /** {@return what {@code text} makes of the figures in this place; failed, or a dash, where there are none} */
    String cell(String group, String row, String column, Function<Figures, String> text) {
        return find(group, row, column).map(f -> f.isFailure() ? "failed" : text.apply(f)).orElse("-");
    }

    /** {@return why cases failed, in a line each} */
    List<String> failures() {
        List<String> lines = new ArrayList<>();
        figures.forEach((measured, result) -> {
            if (result.isFailure()) {
                lines.add(measured.label() + ": " + result.failure());
            }
        });
        return lines;
    }

    /** {@return a line of a chart with the figures of one column over those rows whose names begin with a number} */
    LineChart.Series series(String group, String column, Color color, boolean dashed, ToDoubleFunction<Figures> y) {
        List<LineChart.Point> points = new ArrayList<>();
        for (String row : rows(group)) {
            String x = row.split(" ")[0];
            if (x.matches("\\d+")) {
                get(group, row, column).ifPresent(f ->
                        points.add(new LineChart.Point(Double.parseDouble(x), y.applyAsDouble(f))));
            }
        }
        return new LineChart.Series(column, color, dashed, null, points);
    }

    private Optional<Figures> find(String group, String row, String column) {
        return figures.entrySet().stream()
                .filter(e -> e.getKey().group().equals(group) && e.getKey().row().equals(row)
                        && e.getKey().column().equals(column))
                .map(Map.Entry::getValue).findFirst();
    }
}
