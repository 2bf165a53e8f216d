/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.text.ChartStyle;
import pooledarena.text.LineChart;
import pooledarena.text.LineChart.Axis;
import pooledarena.text.LineChart.Series;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The charts of a comparison, each of which can be drawn if its rows were measured. */
enum ComparisonChart {

    SPEEDUP("speedup.png", "Speedup of each row") {
        @Override
        Optional<byte[]> png(Results results) throws IOException {
            return SpeedupChart.hasBars(results) ? Optional.of(SpeedupChart.png(results)) : Optional.empty();
        }
    },

    SPEEDUP_BY_SIZE("speedup-by-size.png", "Speedup by size of the allocation") {
        @Override
        Optional<LineChart> lines(Results results) {
            return chart(MIN_SIZES, results.contenders().stream().map(jvm -> series(results, jvm, ALLOC, "size", "", false,
                    jvm == results.contenders().getFirst() ? Outcome.Speedup::format : null,
                    (row, _) -> results.speedup(row, jvm).orElseThrow().factor())), new LineChart(
                    "Open a confined arena, allocate once, close: how many times as fast as stock",
                    new Axis("bytes allocated", true), new Axis("stock time ÷ time", true), List.of(), null, true));
        }
    },

    TIME_BY_SIZE("time-by-size.png", "Time by size of the allocation") {
        @Override
        Optional<LineChart> lines(Results results) {
            return chart(MIN_SIZES, results.jvms().stream().map(jvm ->
                    series(results, jvm, ALLOC, "size", "", false, null, (_, outcome) -> outcome.score())), new LineChart(
                    "Open a confined arena, allocate once, close: time",
                    new Axis("bytes allocated", true), new Axis("ns per operation", true), List.of(),
                    crossover(results).orElse(null), false));
        }
    },

    NESTING("nesting.png", "Time of each arena by the number of nested arenas") {
        @Override
        Optional<LineChart> lines(Results results) {
            return chart(2, results.jvms().stream().map(jvm -> series(results, jvm, "ConfinedArenaDepth.nested", "depth", "", false,
                    null, (row, outcome) -> outcome.score() / number(row, "depth"))), new LineChart(
                    "Nested confined arenas, 100 bytes in each: time of each arena",
                    new Axis("arenas open at once", true), new Axis("ns per arena", false), List.of(), null, false));
        }
    },

    THREADS("threads.png", "Throughput by the number of threads") {
        @Override
        Optional<LineChart> lines(Results results) {
            ToDoubleBiFunction<Case, Outcome> throughput = (row, outcome) -> row.threads() * 1_000 / outcome.score();
            return chart(2, results.jvms().stream().flatMap(jvm -> Stream.of(
                    series(results, jvm, ALLOC, THREAD_COUNT, ", platform threads", false, null, throughput),
                    series(results, jvm, "ConfinedArenaVirtual.allocate", THREAD_COUNT, ", virtual threads", true, null, throughput))),
                    new LineChart("Open a confined arena, allocate 100 bytes, close: all threads together",
                            new Axis("threads on " + results.machine().cores() + " cores", true),
                            new Axis("million operations per second", false), List.of(), null, false));
        }
    };

    /** What is a few percent faster may just be noise. */
    private static final double FASTER = 1.05;

    private static final int MIN_SIZES = 3;
    private static final String ALLOC = "ConfinedArenaAlloc.one";

    /** In the place of a benchmark's parameter. */
    private static final String THREAD_COUNT = "";

    final String file;
    final String caption;

    ComparisonChart(String file, String caption) {
        this.file = file;
        this.caption = caption;
    }

    /** {@return the chart as PNG, if enough of its rows were measured} */
    Optional<byte[]> png(Results results) throws IOException {
        Optional<LineChart> lines = lines(results);
        return lines.isPresent() ? Optional.of(lines.get().png(results.origin())) : Optional.empty();
    }

    /** {@return the chart, if enough of its rows were measured} */
    Optional<LineChart> lines(Results results) {
        return Optional.empty();
    }

    /** {@return the last size at which pooled is faster than stock and the next, at which it is not, if there are both} */
    static Optional<LineChart.Band> crossover(Results results) {
        List<LineChart.Point> bySize = series(results, results.contenders().getFirst(), ALLOC, "size", "", false, null,
                (row, _) -> results.speedup(row, results.contenders().getFirst()).orElseThrow().factor()).points();
        for (int i = bySize.size() - 2; i >= 0 && bySize.get(i + 1).y() < FASTER; i--) {
            if (bySize.get(i).y() >= FASTER) {
                double from = bySize.get(i).x();
                double to = bySize.get(i + 1).x();
                return Optional.of(new LineChart.Band(from, to,
                        String.format("faster up to %,.0f bytes, no longer from %,.0f on", from, to)));
            }
        }
        return Optional.empty();
    }

    private static Optional<LineChart> chart(int minPoints, Stream<Series> series, LineChart frame) {
        List<Series> whole = series.filter(line -> line.points().size() >= minPoints).toList();
        return whole.isEmpty() ? Optional.empty()
                : Optional.of(new LineChart(frame.title(), frame.x(), frame.y(), whole, frame.band(), frame.one()));
    }

    /**
     * {@return the line of {@code jvm} through those rows of a benchmark in which only x varies, without those that failed}
     *
     * @param x a parameter, with one thread; or {@link #THREAD_COUNT}
     */
    private static Series series(Results results, Jvm jvm, String benchmark, String x, String suffix, boolean dashed,
                                 DoubleFunction<String> labels, ToDoubleBiFunction<Case, Outcome> y) {
        ToDoubleFunction<Case> place = row -> x.equals(THREAD_COUNT) ? row.threads() : number(row, x);
        List<LineChart.Point> points = new ArrayList<>();
        for (Case row : results.rows()) {
            if (row.benchmark() != null && row.benchmark().endsWith("." + benchmark) && results.speedup(row, jvm).isPresent()
                    && (x.equals(THREAD_COUNT) || row.threads() == 1)
                    && (x.equals("size") || "100".equals(row.parameters().get("size")))) {
                results.get(row.group(), row.row(), jvm.name()).ifPresent(outcome ->
                        points.add(new LineChart.Point(place.applyAsDouble(row), y.applyAsDouble(row, outcome))));
            }
        }
        points.sort(Comparator.comparingDouble(LineChart.Point::x));
        return new Series(jvm.name() + suffix, ChartStyle.color(results.jvms().indexOf(jvm)), dashed, labels, points);
    }

    private static double number(Case row, String parameter) {
        return Double.parseDouble(row.parameters().get(parameter));
    }
}
