/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import org.openjdk.jmh.util.ListStatistics;
import org.openjdk.jmh.util.Statistics;
import pooledarena.io.BadInput;
import pooledarena.io.WholeFiles;
import pooledarena.text.Document;
import pooledarena.text.Figures;
import pooledarena.text.Table;

import module java.base;

/**
 * What programs were measured to save, beside what was estimated from their recordings. A saving is the difference between the
 * runs of one round, the stock JDK's less the other's; its spread is the least and the most of all rounds.
 */
public final class Savings {

    private static final String STOCK = "stock";
    private static final Pattern OPTIONS = Pattern.compile("confinedPool\\.size=(\\d+) \\S*confinedPool\\.depth=(\\d+)");

    /** What is measured of a run: its column in the file of runs. In round 0 it is the mallocs, in all others the rest. */
    enum Quantity {

        CPU("CPU time", Figures::time), WALL("elapsed time", Figures::time), HEAP("bytes of heap", Figures::bytes),
        MALLOCS("mallocs", value -> Figures.count(Math.round(value)));

        private final String title;
        private final DoubleFunction<String> unit;

        Quantity(String title, DoubleFunction<String> unit) {
            this.title = title;
            this.unit = unit;
        }

        private String spread(double... values) {
            Statistics of = new ListStatistics(values);
            return unit.apply(of.getPercentile(50))
                    + (values.length == 1 ? "" : " (" + unit.apply(of.getMin()) + " to " + unit.apply(of.getMax()) + ")");
        }
    }

    private record Side(String program, String label) {}

    /** Lines of cells: program, label, round, and figures by {@link Quantity}. */
    private final List<String[]> runs;

    /** @param lines as measure-programs.sh writes them */
    Savings(List<String> lines) {
        runs = lines.stream().map(line -> line.split(",")).toList();
    }

    /** @param args the file of runs, the directory of recommendations, the directory to write to, and the command to repeat it */
    public static void main(String[] args) throws IOException {
        try {
            Savings savings = new Savings(Files.readAllLines(Path.of(args[0])));
            Document document = new Document("What programs save").paragraph("Median of what a program saves of the stock JDK's, "
                    + "round by round, and in brackets the least and the most. An estimate that is missing is of another pool or "
                    + "setting.").table(savings.table(Path.of(args[1]))).code(args[3]);
            System.out.print(document.toText());
            WholeFiles.write("OUT", Path.of(args[2]), document.files("savings"), List.of());
        } catch (BadInput e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    Table table(Path recommendations) throws IOException {
        Table table = new Table(List.of("program", "on", "", "rounds", "stock", "saved", "estimate", "within 2x"));
        for (Side side : runs.stream().map(cells -> new Side(cells[0], cells[1])).distinct().toList()) {
            Map<Quantity, Double> estimates = estimates(recommendations, side);
            for (Quantity quantity : Quantity.values()) {
                double[] saved = saved(side.program, side.label, quantity);
                if (saved.length > 0 && !side.label.equals(STOCK)) {
                    Double estimate = estimates.get(quantity);
                    table.add(List.of(side.program, side.label, quantity.title, Integer.toString(saved.length),
                            quantity.spread(doubles(rounds(side.program, STOCK, quantity))), quantity.spread(saved),
                            estimate == null ? "" : quantity.unit.apply(estimate),
                            estimate == null ? "" : agreement(estimate, saved)));
                }
            }
        }
        return table;
    }

    /** {@return what the settings of {@code side} save, as far as it was estimated} */
    private static Map<Quantity, Double> estimates(Path recommendations, Side side) throws IOException {
        Path csv = recommendations.resolve("recommend/" + side.program + "/settings.csv");
        if (!Files.exists(csv)) {
            throw new BadInput(csv + ": is not there; make recordings writes it; nothing was written");
        }
        Matcher recommended = OPTIONS.matcher(Files.readString(recommendations.resolve(side.program + ".recommend")));
        String setting = switch (side.label) {
            case "image" -> Setting.DEFAULT.size() + "," + Setting.DEFAULT.depth() + ",";
            case "recommended" -> recommended.find() ? recommended.group(1) + "," + recommended.group(2) + "," : "none";
            default -> "none";
        };
        List<String> lines = Files.readAllLines(csv);
        List<String> names = List.of(lines.getFirst().split(","));
        return lines.stream().filter(line -> line.startsWith(setting)).map(line -> line.split(",")).map(cells -> Map.of(
                Quantity.CPU, Double.valueOf(cells[names.indexOf("savedNanos")]),
                Quantity.MALLOCS, Double.parseDouble(cells[names.indexOf("allocations")])
                        - Double.parseDouble(cells[names.indexOf("mallocs")]))).findFirst().orElse(Map.of());
    }

    /** {@return what each round in which both ran saved} */
    double[] saved(String program, String label, Quantity quantity) {
        Map<Integer, Double> others = rounds(program, label, quantity);
        Map<Integer, Double> saved = rounds(program, STOCK, quantity);
        saved.keySet().retainAll(others.keySet());
        saved.replaceAll((round, stock) -> stock - others.get(round));
        return doubles(saved);
    }

    private Map<Integer, Double> rounds(String program, String label, Quantity quantity) {
        return runs.stream().filter(cells -> cells[0].equals(program) && cells[1].equals(label)
                && cells[2].equals("0") == (quantity == Quantity.MALLOCS))
                .collect(Collectors.toMap(cells -> Integer.valueOf(cells[2]),
                        cells -> Double.valueOf(cells[3 + quantity.ordinal()]), (_, last) -> last, TreeMap::new));
    }

    private static double[] doubles(Map<Integer, Double> rounds) {
        return rounds.values().stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** {@return whether what was measured is within a factor of two of what was estimated, as far as its spread tells} */
    static String agreement(double estimate, double[] measured) {
        Statistics of = new ListStatistics(measured);
        double median = of.getPercentile(50);
        return median >= estimate / 2 && median <= estimate * 2 ? "yes"
                : of.getMin() <= estimate * 2 && of.getMax() >= estimate / 2 ? "within its spread" : "no";
    }
}
