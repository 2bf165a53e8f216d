/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.io.BadInput;
import pooledarena.io.WholeFiles;
import pooledarena.text.Document;
import pooledarena.text.Figures;
import pooledarena.text.Table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What programs were measured to save, beside what was estimated from their recordings. A saving is the difference between the
 * runs of one round, the stock JDK's less the other's; its spread is the least and the most of all rounds.
 */
public final class Savings {

    private static final String STOCK = "stock";
    private static final Pattern OPTIONS = Pattern.compile("confinedPool\\.size=(\\d+) \\S*confinedPool\\.depth=(\\d+)");

    /** What is measured of a run: its column in the file of runs. In round 0 it is the mallocs, in all others the rest. */
    enum Quantity { CPU, WALL, HEAP, MALLOCS }

    /** A run's figures, by {@link Quantity}. */
    private final Map<String, Map<String, TreeMap<Integer, double[]>>> runs = new LinkedHashMap<>();

    /** @param lines program, label, round, and the figures, as measure-programs.sh writes them */
    Savings(List<String> lines) {
        for (String line : lines) {
            String[] cells = line.split(",");
            double[] figures = new double[Quantity.values().length];
            for (int i = 3; i < cells.length; i++) {
                figures[i - 3] = Double.parseDouble(cells[i]);
            }
            runs.computeIfAbsent(cells[0], _ -> new LinkedHashMap<>()).computeIfAbsent(cells[1], _ -> new TreeMap<>())
                    .put(Integer.valueOf(cells[2]), figures);
        }
    }

    /** @param args the file of runs, the directory of recommendations, the directory to write to, and the command to repeat it */
    public static void main(String[] args) throws IOException {
        try {
            Savings savings = new Savings(Files.readAllLines(Path.of(args[0])));
            Document document = new Document("What programs save").paragraph("Median of what a program saves of the stock JDK's, round "
                    + "by round, and in brackets the least and the most. An estimate that is missing is of another pool or setting.")
                    .table(savings.table(Path.of(args[1]))).code(args[3]);
            System.out.print(document.toText());
            WholeFiles.write("OUT", Path.of(args[2]), document.files("savings"), List.of());
        } catch (BadInput e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    Table table(Path recommendations) throws IOException {
        Table table = new Table(List.of("program", "on", "rounds", "CPU, stock", "CPU saved", "estimate", "elapsed time saved", "heap, stock",
                "heap saved", "mallocs, stock", "mallocs saved", "estimate", "within 2x: CPU", "mallocs"));
        for (String program : runs.keySet()) {
            Map<String, TreeMap<Integer, double[]>> labels = runs.get(program);
            for (String label : labels.keySet()) {
                if (label.equals(STOCK) || !labels.containsKey(STOCK)) {
                    continue;
                }
                double[] estimate = estimate(recommendations, program, label);
                double[] cpu = saved(program, label, Quantity.CPU);
                double[] mallocs = saved(program, label, Quantity.MALLOCS);
                table.add(List.of(program, label, Integer.toString(cpu.length),
                        Figures.time(median(figures(program, STOCK, Quantity.CPU))), spread(cpu, Figures::time),
                        estimate == null ? "" : Figures.time(estimate[0]), spread(saved(program, label, Quantity.WALL), Figures::time),
                        Figures.bytes(median(figures(program, STOCK, Quantity.HEAP))),
                        spread(saved(program, label, Quantity.HEAP), Savings::signedBytes),
                        count(median(figures(program, STOCK, Quantity.MALLOCS))), mallocs.length == 0 ? "" : count(median(mallocs)),
                        estimate == null ? "" : count(estimate[1]), estimate == null ? "" : agreement(estimate[0], cpu),
                        estimate == null || mallocs.length == 0 ? "" : agreement(estimate[1], mallocs)));
            }
        }
        return table;
    }

    /** {@return the nanoseconds and the mallocs that are saved by the settings of {@code label}, null if there is no estimate} */
    private static double[] estimate(Path recommendations, String program, String label) throws IOException {
        Path settings = recommendations.resolve("recommend/" + program + "/settings.csv");
        if (!Files.exists(settings)) {
            throw new BadInput(settings + ": is not there; make recordings writes it; nothing was written");
        }
        String size = Integer.toString(Setting.DEFAULT.size());
        String depth = Integer.toString(Setting.DEFAULT.depth());
        if (label.equals("recommended")) {
            Matcher matcher = OPTIONS.matcher(Files.readString(recommendations.resolve(program + ".recommend")));
            if (!matcher.find()) {
                return null;
            }
            size = matcher.group(1);
            depth = matcher.group(2);
        } else if (!label.equals("image")) {
            return null;
        }
        List<String> lines = Files.readAllLines(settings);
        List<String> names = Arrays.asList(lines.getFirst().split(","));
        String start = size + "," + depth + ",";
        String[] cells = lines.stream().filter(line -> line.startsWith(start)).findFirst().orElseThrow().split(",");
        return new double[] {Double.parseDouble(cells[names.indexOf("savedNanos")]), Double.parseDouble(cells[names.indexOf("allocations")])
                - Double.parseDouble(cells[names.indexOf("mallocs")])};
    }

    /** {@return what each round in which both ran saved} */
    double[] saved(String program, String label, Quantity quantity) {
        Map<Integer, double[]> stock = runs.get(program).get(STOCK);
        Map<Integer, double[]> others = runs.get(program).get(label);
        return stock.keySet().stream().filter(round -> others.containsKey(round) && (round == 0) == (quantity == Quantity.MALLOCS))
                .mapToDouble(round -> stock.get(round)[quantity.ordinal()] - others.get(round)[quantity.ordinal()]).toArray();
    }

    private double[] figures(String program, String label, Quantity quantity) {
        return runs.get(program).get(label).entrySet().stream()
                .filter(run -> (run.getKey() == 0) == (quantity == Quantity.MALLOCS))
                .mapToDouble(run -> run.getValue()[quantity.ordinal()]).toArray();
    }

    /** {@return whether what was measured is within a factor of two of what was estimated, as far as its spread tells} */
    static String agreement(double estimate, double[] measured) {
        double median = median(measured);
        double least = Arrays.stream(measured).min().orElse(0);
        double most = Arrays.stream(measured).max().orElse(0);
        return median >= estimate / 2 && median <= estimate * 2 ? "yes"
                : least <= estimate * 2 && most >= estimate / 2 ? "within its spread" : "no";
    }

    static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length == 0 ? Double.NaN : sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    private static String spread(double[] values, DoubleFunction<String> unit) {
        return values.length == 0 ? "" : unit.apply(median(values)) + (values.length == 1 ? "" : " ("
                + unit.apply(Arrays.stream(values).min().orElseThrow()) + " to " + unit.apply(Arrays.stream(values).max().orElseThrow()) + ")");
    }

    private static String count(double value) {
        return Double.isNaN(value) ? "" : Figures.count(Math.round(value));
    }

    private static String signedBytes(double bytes) {
        return (bytes < 0 ? "-" : "") + Figures.bytes(Math.abs(bytes));
    }
}
