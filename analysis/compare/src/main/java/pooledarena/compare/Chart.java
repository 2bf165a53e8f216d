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
import pooledarena.benchmark.Row;
import pooledarena.benchmark.Speedup;
import pooledarena.text.ChartStyle;
import pooledarena.text.LineChart;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The charts of a comparison, each of which can be drawn if its rows were measured. */
enum Chart {

    SPEEDUP("speedup.png", "Speedup of each row") {
        @Override
        boolean canDraw(Comparison comparison) {
            return SpeedupChart.hasBars(comparison);
        }

        @Override
        byte[] png(Comparison comparison) throws IOException {
            return SpeedupChart.png(comparison);
        }
    },

    SPEEDUP_BY_SIZE("speedup-by-size.png", "Speedup by size of the allocation") {
        @Override
        Optional<LineChart> lines(Comparison comparison) {
            List<LineChart.Series> series = new ArrayList<>();
            for (Jvm jvm : comparison.contenders()) {
                series.add(series(comparison, jvm, "", false,
                        jvm == comparison.contenders().getFirst() ? Speedup::format : null,
                        SIZED, SIZE, (result, outcome) -> result.on(comparison.stock()).nsPerOp() / outcome.nsPerOp()));
            }
            return chart(MIN_SIZES, series, points -> new LineChart(
                    "Open a confined arena, allocate once, close: how many times as fast as stock",
                    new LineChart.Axis("bytes allocated", true), new LineChart.Axis("stock time ÷ time", true),
                    points, null, true));
        }
    },

    TIME_BY_SIZE("time-by-size.png", "Time by size of the allocation") {
        @Override
        Optional<LineChart> lines(Comparison comparison) {
            List<LineChart.Series> series = new ArrayList<>();
            for (Jvm jvm : comparison.jvms()) {
                series.add(series(comparison, jvm, "", false, null, SIZED, SIZE,
                        (_, outcome) -> outcome.nsPerOp()));
            }
            return chart(MIN_SIZES, series, points -> new LineChart(
                    "Open a confined arena, allocate once, close: time",
                    new LineChart.Axis("bytes allocated", true), new LineChart.Axis("ns per operation", true),
                    points, crossover(comparison).orElse(null), false));
        }
    },

    NESTING("nesting.png", "Time of each arena by the number of nested arenas") {
        @Override
        Optional<LineChart> lines(Comparison comparison) {
            ToDoubleFunction<Row> depth = row -> Double.parseDouble(row.parameters().get("depth"));
            List<LineChart.Series> series = new ArrayList<>();
            for (Jvm jvm : comparison.jvms()) {
                series.add(series(comparison, jvm, "", false, null,
                        row -> isOf(row, "ConfinedArenaDepth.nested") && "100".equals(row.parameters().get("size")),
                        depth, (result, outcome) -> outcome.nsPerOp() / depth.applyAsDouble(result.row())));
            }
            return chart(2, series, points -> new LineChart(
                    "Nested confined arenas, 100 bytes in each: time of each arena",
                    new LineChart.Axis("arenas open at once", true), new LineChart.Axis("ns per arena", false),
                    points, null, false));
        }
    },

    THREADS("threads.png", "Throughput by the number of threads") {
        @Override
        Optional<LineChart> lines(Comparison comparison) {
            List<LineChart.Series> series = new ArrayList<>();
            for (Jvm jvm : comparison.jvms()) {
                series.add(throughput(comparison, jvm, "ConfinedArenaAlloc.one", ", platform threads", false));
                series.add(throughput(comparison, jvm, "ConfinedArenaVirtual.allocate", ", virtual threads", true));
            }
            return chart(2, series, points -> new LineChart(
                    "Open a confined arena, allocate 100 bytes, close: all threads together",
                    new LineChart.Axis("threads on " + comparison.machine().cores() + " cores", true),
                    new LineChart.Axis("million operations per second", false), points, null, false));
        }

        private static LineChart.Series throughput(Comparison comparison, Jvm jvm, String benchmark, String suffix,
                                                   boolean dashed) {
            return series(comparison, jvm, suffix, dashed, null,
                    row -> isOf(row, benchmark) && "100".equals(row.parameters().get("size")),
                    Row::threads, (result, outcome) -> result.row().threads() * 1_000 / outcome.nsPerOp());
        }
    };

    /** What is a few percent faster may just be noise. */
    private static final double FASTER = 1.05;

    private static final int MIN_SIZES = 3;

    private static final Predicate<Row> SIZED = row -> isOf(row, "ConfinedArenaAlloc.one") && row.threads() == 1;
    private static final ToDoubleFunction<Row> SIZE = row -> Double.parseDouble(row.parameters().get("size"));

    final String file;
    final String caption;

    Chart(String file, String caption) {
        this.file = file;
        this.caption = caption;
    }

    /** {@return those that can be drawn} */
    static List<Chart> of(Comparison comparison) {
        return Stream.of(values()).filter(chart -> chart.canDraw(comparison)).toList();
    }

    boolean canDraw(Comparison comparison) {
        return lines(comparison).isPresent();
    }

    byte[] png(Comparison comparison) throws IOException {
        return lines(comparison).orElseThrow().png(comparison.origin());
    }

    /** {@return the chart, if enough of its rows were measured} */
    Optional<LineChart> lines(Comparison comparison) {
        return Optional.empty();
    }

    /** {@return the last size at which pooled is faster than stock and the next, at which it is not, if there are both} */
    static Optional<LineChart.Band> crossover(Comparison comparison) {
        List<Comparison.Result> bySize = comparison.rows().stream()
                .filter(result -> SIZED.test(result.row()))
                .filter(result -> result.speedup(comparison.contenders().getFirst()).isPresent())
                .sorted(Comparator.comparingDouble(result -> SIZE.applyAsDouble(result.row())))
                .toList();
        for (int i = bySize.size() - 2; i >= 0; i--) {
            if (isFaster(comparison, bySize.get(i + 1))) {
                return Optional.empty();
            }
            if (isFaster(comparison, bySize.get(i))) {
                double from = SIZE.applyAsDouble(bySize.get(i).row());
                double to = SIZE.applyAsDouble(bySize.get(i + 1).row());
                return Optional.of(new LineChart.Band(from, to, String.format(
                        "faster up to %,.0f bytes, no longer from %,.0f on", from, to)));
            }
        }
        return Optional.empty();
    }

    private static boolean isFaster(Comparison comparison, Comparison.Result result) {
        return result.speedup(comparison.contenders().getFirst()).orElseThrow().factor() >= FASTER;
    }

    private static Optional<LineChart> chart(int minPoints, List<LineChart.Series> series,
                                             Function<List<LineChart.Series>, LineChart> make) {
        List<LineChart.Series> whole = series.stream().filter(line -> line.points().size() >= minPoints).toList();
        return whole.isEmpty() ? Optional.empty() : Optional.of(make.apply(whole));
    }

    /** {@return the line of {@code jvm} through the rows that {@code rows} accepts, without those that failed} */
    private static LineChart.Series series(Comparison comparison, Jvm jvm, String suffix, boolean dashed,
                                           DoubleFunction<String> labels, Predicate<Row> rows, ToDoubleFunction<Row> x,
                                           ToDoubleBiFunction<Comparison.Result, Outcome> y) {
        List<LineChart.Point> points = comparison.rows().stream()
                .filter(result -> rows.test(result.row()))
                .filter(result -> !result.on(jvm).isFailure() && !result.on(comparison.stock()).isFailure())
                .map(result -> new LineChart.Point(x.applyAsDouble(result.row()), y.applyAsDouble(result, result.on(jvm))))
                .sorted(Comparator.comparingDouble(LineChart.Point::x))
                .toList();
        return new LineChart.Series(jvm.name() + suffix, ChartStyle.color(comparison.jvms().indexOf(jvm)), dashed,
                labels, points);
    }

    private static boolean isOf(Row row, String benchmark) {
        return row.benchmark().endsWith("." + benchmark);
    }
}
