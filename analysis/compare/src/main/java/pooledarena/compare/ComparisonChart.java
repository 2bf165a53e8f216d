/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Results;
import pooledarena.benchmark.Results.Measured;
import pooledarena.text.BarChart;
import pooledarena.text.Chart;
import pooledarena.text.ChartStyle;
import pooledarena.text.LineChart.Axis;
import pooledarena.text.LineChart.Band;
import pooledarena.text.LineChart.Point;
import pooledarena.text.LineChart.Series;
import pooledarena.text.LineChart;

import module java.base;

/** The charts of a comparison, each of which can be drawn if its rows were measured. */
enum ComparisonChart {

    SPEEDUP("speedup.png"),
    SPEEDUP_BY_SIZE("speedup-by-size.png"),
    TIME_BY_SIZE("time-by-size.png"),
    NESTING("nesting.png"),
    THREADS("threads.png");

    static final List<String> FILES = Stream.of(values()).map(chart -> chart.file).toList();

    /** What is a few percent faster may just be noise. */
    private static final double FASTER = 1.05;

    private static final String ALLOC = "ConfinedArenaAlloc.one";

    final String file;

    ComparisonChart(String file) {
        this.file = file;
    }

    /** {@return the chart, if enough of its rows were measured} */
    Optional<? extends Chart> of(Results results) {
        List<JavaCommand> jvms = results.jvms();
        return switch (this) {
            case SPEEDUP -> bars(results);
            case SPEEDUP_BY_SIZE -> lines(3, "Open a confined arena, allocate once, close: how many times as fast as stock",
                    new Axis("bytes allocated", true), new Axis("stock time ÷ time", true), null, true,
                    results.contenders().stream().map(jvm -> speedups(results, jvm)));
            case TIME_BY_SIZE -> lines(3, "Open a confined arena, allocate once, close: time",
                    new Axis("bytes allocated", true), new Axis("ns per operation", true), crossover(results).orElse(null), false,
                    jvms.stream().map(jvm -> series(results, jvm, ALLOC, "", false, null, row -> row.threads() == 1,
                            m -> new Point(number(m, "size"), m.outcome().score()))));
            case NESTING -> lines(2, "Nested confined arenas, 100 bytes in each: time of each arena",
                    new Axis("arenas open at once", true), new Axis("ns per arena", false), null, false,
                    jvms.stream().map(jvm -> series(results, jvm, "ConfinedArenaDepth.nested", "", false, null,
                            row -> row.threads() == 1 && has100Bytes(row),
                            m -> new Point(number(m, "depth"), m.outcome().score() / number(m, "depth")))));
            case THREADS -> lines(2, "Open a confined arena, allocate 100 bytes, close: all threads together",
                    new Axis("threads on " + results.machine().cores() + " cores", true),
                    new Axis("million operations per second", false), null, false,
                    jvms.stream().flatMap(jvm -> Stream.of(throughput(results, jvm, ALLOC, ", platform threads", false),
                            throughput(results, jvm, "ConfinedArenaVirtual.allocate", ", virtual threads", true))));
        };
    }

    /** {@return a bar for each row and contender; none where either side failed} */
    private static Optional<BarChart> bars(Results results) {
        List<String> names = results.rows().stream().map(row -> row.title() + (results.contenders().stream()
                .allMatch(jvm -> results.speedup(row, jvm).isPresent()) ? "" : " (failed)")).toList();
        List<BarChart.Series> series = results.contenders().stream().map(jvm -> new BarChart.Series(jvm.name(),
                ChartStyle.color(results.jvms().indexOf(jvm)), results.rows().stream()
                .map(row -> results.speedup(row, jvm).map(Outcome.Speedup::factor).orElse(null)).toList())).toList();
        return series.stream().flatMap(bars -> bars.values().stream()).allMatch(Objects::isNull) ? Optional.empty()
                : Optional.of(new BarChart("Confined arenas: how many times as fast as the stock JDK", null, names,
                        "stock time ÷ time (1x: as fast as stock; logarithmic)", BarChart.Scale.FACTORS, false,
                        Outcome.Speedup::format, series));
    }

    /** {@return the last size at which pooled is faster than stock and the next, at which it is not, if there are both} */
    static Optional<Band> crossover(Results results) {
        List<Point> bySize = speedups(results, results.contenders().getFirst()).points();
        for (int i = bySize.size() - 2; i >= 0 && bySize.get(i + 1).y() < FASTER; i--) {
            if (bySize.get(i).y() >= FASTER) {
                double from = bySize.get(i).x();
                double to = bySize.get(i + 1).x();
                return Optional.of(new Band(from, to, "faster up to %,.0f bytes, no longer from %,.0f on".formatted(from, to)));
            }
        }
        return Optional.empty();
    }

    private static Series speedups(Results results, JavaCommand jvm) {
        return series(results, jvm, ALLOC, "", false, jvm == results.contenders().getFirst() ? Outcome.Speedup::format : null,
                row -> row.threads() == 1 && results.speedup(row, jvm).isPresent(),
                m -> new Point(number(m, "size"), results.speedup(m.what(), jvm).orElseThrow().factor()));
    }

    private static Series throughput(Results results, JavaCommand jvm, String benchmark, String suffix, boolean dashed) {
        return series(results, jvm, benchmark, suffix, dashed, null, ComparisonChart::has100Bytes,
                m -> new Point(m.what().threads(), m.what().threads() * 1_000 / m.outcome().score()));
    }

    /** {@return the chart of the lines with at least {@code minPoints}, if there are any} */
    private static Optional<LineChart> lines(int minPoints, String title, Axis x, Axis y, Band band, boolean one,
                                             Stream<Series> series) {
        List<Series> lines = series.filter(line -> line.points().size() >= minPoints).toList();
        return lines.isEmpty() ? Optional.empty() : Optional.of(new LineChart(title, x, y, lines, band, one));
    }

    /** {@return the line of {@code jvm} through those of a benchmark's {@code rows}, between which only x varies} */
    private static Series series(Results results, JavaCommand jvm, String benchmark, String suffix, boolean dashed,
                                 DoubleFunction<String> labels, Predicate<Case> rows, Function<Measured, Point> point) {
        return new Series(jvm.name() + suffix, ChartStyle.color(results.jvms().indexOf(jvm)), dashed, labels, results.points(
                what -> what.jvm().equals(jvm.name()) && what.benchmark() != null && what.benchmark().endsWith("." + benchmark)
                        && rows.test(what), point));
    }

    private static boolean has100Bytes(Case row) {
        return "100".equals(row.parameters().get("size"));
    }

    private static double number(Measured measured, String parameter) {
        return Double.parseDouble(measured.what().parameters().get(parameter));
    }
}
