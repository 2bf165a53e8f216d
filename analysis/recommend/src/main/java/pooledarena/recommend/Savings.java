/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import org.jfree.data.statistics.Statistics;
import pooledarena.io.*;
import pooledarena.text.*;

import module java.base;

/**
 * What programs were measured to save, beside what was estimated from their recordings. A saving is the difference
 * between the runs of one round, the stock JDK's less the other's; its spread is the least and the most of all rounds.
 */
public final class Savings {

    private static final String STOCK = "stock";

    /** What is measured of a run: its column in the file of runs. In round 0 it is the mallocs, in others the rest. */
    enum Quantity {

        CPU("CPU time", Figures::time), WALL("elapsed time", Figures::time), HEAP("bytes of heap", Figures::bytes),
        MALLOCS("mallocs", value -> Figures.count(Math.round(value)));

        private final String title;
        private final DoubleFunction<String> unit;

        Quantity(String title, DoubleFunction<String> unit) {
            this.title = title;
            this.unit = unit;
        }

        private String spread(List<Double> values) {
            return unit.apply(Statistics.calculateMedian(values)) + (values.size() == 1 ? ""
                    : " (" + unit.apply(Collections.min(values)) + " to " + unit.apply(Collections.max(values)) + ")");
        }
    }

    /** A program on one of the JVMs, or with one of the settings, that it was measured on. */
    record Side(String program, String label) {}

    private static final Pattern RUN = Pattern.compile("[^,]+,[^,]+,(0(,-?\\d+){4}|[1-9]\\d*(,-?\\d+){3},)");

    /** Lines of cells: program, label, round, and figures by {@link Quantity}. */
    private final List<String[]> runs;

    /** @param lines as measure-programs.sh writes them */
    Savings(List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            if (!RUN.matcher(lines.get(i)).matches()) {
                throw new BadInput("line " + (i + 1) + ": " + Document.printable(lines.get(i)) + ": is not whole; accepted is "
                        + "program,label,round,CPU,wall,heap, with mallocs at the end in round 0; nothing was written");
            }
        }
        runs = lines.stream().map(line -> line.split(",")).toList();
    }

    /** @param args the file of runs, the directories of recommendations and to write to, the command to repeat it */
    public static void main(String[] args) throws IOException {
        try {
            Table table = new Savings(Files.readAllLines(Path.of(args[0]))).table(Path.of(args[1]));
            Document document = new Document("What programs save").paragraph("Median of what a program saves of the stock "
                    + "JDK's, round by round, and in brackets the least and the most. An estimate that is missing is of "
                    + "another pool or setting, or of a program without recording.").table(table).code(args[3]);
            document.publish(new PrintWriter(System.out), Path.of(args[2]), "savings", Map.of(), List.of());
        } catch (BadInput e) {
            System.err.println(args[0] + ", " + e.getMessage());
            System.exit(Tool.EXIT_BAD_INPUT);
        }
        if (Tool.orOutputLost(0) != 0) {
            System.exit(Tool.EXIT_FAILED);
        }
    }

    Table table(Path recommendations) throws IOException {
        Table table = new Table("program", "on", "", "rounds", "stock", "saved", "estimate", "within 2x");
        for (Side side : runs.stream().map(cells -> new Side(cells[0], cells[1])).distinct().toList()) {
            Map<Quantity, Double> estimates = estimates(recommendations, side);
            for (Quantity quantity : Quantity.values()) {
                List<Double> saved = saved(side, quantity);
                if (!saved.isEmpty() && !side.label.equals(STOCK)) {
                    Optional<Double> estimate = Optional.ofNullable(estimates.get(quantity));
                    table.add(side.program, side.label, quantity.title, saved.size(),
                            quantity.spread(List.copyOf(rounds(new Side(side.program, STOCK), quantity).values())),
                            quantity.spread(saved), estimate.map(quantity.unit::apply).orElse(""),
                            estimate.map(value -> agreement(value, saved)).orElse(""));
                }
            }
        }
        return table;
    }

    private static Map<Quantity, Double> estimates(Path recommendations, Side side) throws IOException {
        Path file = recommendations.resolve("recommend/" + side.program + "/recommend.json");
        JsonNode json = Files.exists(file) ? new ObjectMapper().readTree(Files.readAllBytes(file)) : NullNode.getInstance();
        JsonNode figures = switch (side.label) {
            case "image" -> json.path("default");
            case "recommended" -> json.path("recommended");
            default -> NullNode.getInstance(); // another java, which may be called as a setting is
        };
        return !figures.has("mallocsSaved") ? Map.of() : Map.of(
                Quantity.CPU, figures.path("nanosSaved").asDouble() + json.path("nanosSavedByValue").asDouble(),
                Quantity.MALLOCS, figures.path("mallocsSaved").asDouble(),
                Quantity.HEAP, figures.path("heapBytesSaved").asDouble());
    }

    /** {@return what each round in which both ran saved} */
    List<Double> saved(Side side, Quantity quantity) {
        Map<Integer, Double> stock = rounds(new Side(side.program, STOCK), quantity);
        return rounds(side, quantity).entrySet().stream().filter(round -> stock.containsKey(round.getKey()))
                .map(round -> stock.get(round.getKey()) - round.getValue()).toList();
    }

    private SortedMap<Integer, Double> rounds(Side side, Quantity quantity) {
        return runs.stream().filter(cells -> new Side(cells[0], cells[1]).equals(side)
                && cells[2].equals("0") == (quantity == Quantity.MALLOCS))
                .collect(Collectors.toMap(cells -> Integer.valueOf(cells[2]),
                        cells -> Double.valueOf(cells[3 + quantity.ordinal()]), (_, last) -> last, TreeMap::new));
    }

    /** {@return whether what was measured is within a factor of two of the estimate, as far as its spread tells} */
    static String agreement(double estimate, List<Double> measured) {
        double median = Statistics.calculateMedian(measured);
        double low = Math.min(estimate / 2, estimate * 2);
        double high = Math.max(estimate / 2, estimate * 2);
        return median >= low && median <= high ? "yes"
                : Collections.min(measured) <= high && Collections.max(measured) >= low ? "within its spread" : "no";
    }
}
