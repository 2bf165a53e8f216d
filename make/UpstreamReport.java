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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares what jtreg reported of the same tests on the stock JDK and in configurations of the image.
 *
 * <p>{@code java UpstreamReport.java again DIR CONFIG...} prints the tests, each with its configuration, that have a worse
 * result there than on the stock JDK and therefore are to run once more, on both. {@code table DIR CONFIG...} prints the
 * comparison; exit status 1 when there are differences, 2 when it cannot be made.
 *
 * <p>Results are read from {@code DIR/NAME/report} with {@code stock} or a configuration as the name, those of the second
 * run from {@code DIR/NAME/again/report}; {@code DIR/NAME/seconds} is how long the run took.
 */
public final class UpstreamReport {

    private static final String STOCK = "stock";

    /** From good to bad; the last two are equally bad. */
    private enum Status {
        PASSED, SKIPPED, NOT_RUN, FAILED, ERROR;

        boolean worseThan(Status other) {
            return compareTo(other) > 0 && other.compareTo(FAILED) < 0;
        }

        @Override
        public String toString() {
            return name().toLowerCase().replace('_', ' ');
        }
    }

    private record Result(Status status, String reason) {

        static final Result NONE = new Result(Status.NOT_RUN, "not applicable there, or not found");

        @Override
        public String toString() {
            return status == Status.PASSED || reason.isEmpty() ? status.toString() : status + " (" + reason + ")";
        }
    }

    /** A test that was worse than on the stock JDK, with what came of the second run where there was one. */
    private record Worse(String config, String test, Result stock, Result here, Result stockAgain, Result hereAgain) {

        boolean ranAgain() {
            return stockAgain != null && hereAgain != null;
        }

        boolean isDifference() {
            return !ranAgain() || hereAgain.status.worseThan(stockAgain.status);
        }

        @Override
        public String toString() {
            return config + ": " + test + ": " + here + ", on stock " + stock
                    + (ranAgain() ? "; alone: " + hereAgain + ", on stock " + stockAgain : "");
        }
    }

    /** A line of jtreg's summary. */
    private static final Pattern LINE = Pattern.compile("(\\S+)\\s+(Passed|Failed|Error|Not run)\\.\\s*(.*)");

    private final Path dir;
    private final List<String> configs;
    private final Map<String, Map<String, Result>> results = new TreeMap<>();

    private UpstreamReport(Path dir, List<String> configs) throws IOException {
        this.dir = dir;
        this.configs = configs;
        results.put(STOCK, read(dir.resolve(STOCK)));
        for (String config : configs) {
            results.put(config, read(dir.resolve(config)));
        }
    }

    public static void main(String[] args) {
        if (args.length < 3 || !List.of("again", "table").contains(args[0])) {
            System.err.println("UpstreamReport: accepted is again|table DIR CONFIG...; nothing was compared");
            System.exit(2);
        }
        try {
            UpstreamReport report = new UpstreamReport(Path.of(args[1]), List.of(args).subList(2, args.length));
            if (args[0].equals("again")) {
                report.printAgain();
            } else if (report.printTable() > 0) {
                System.exit(1);
            }
        } catch (IOException e) {
            String what = e instanceof NoSuchFileException ? "no such file: " + e.getMessage() : e.getMessage();
            System.err.println("UpstreamReport: " + what + "; nothing was compared");
            System.exit(2);
        }
    }

    private static Map<String, Result> read(Path run) throws IOException {
        Path summary = summary(run);
        Map<String, Result> results = new TreeMap<>();
        int number = 0;
        for (String line : Files.readAllLines(summary)) {
            number++;
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw new IOException(summary + ":" + number + ": not a test and its result");
            }
            String reason = matcher.group(3).strip();
            results.put(matcher.group(1), new Result(switch (matcher.group(2)) {
                case "Passed" -> reason.startsWith("Skipped") ? Status.SKIPPED : Status.PASSED;
                case "Failed" -> Status.FAILED;
                case "Error" -> Status.ERROR;
                default -> Status.NOT_RUN;
            }, reason));
        }
        return results;
    }

    /** A second run that was not needed, or was stopped before its end, has no summary. */
    private static Map<String, Result> readIfThere(Path run) throws IOException {
        return Files.exists(summary(run)) ? read(run) : Map.of();
    }

    private static Path summary(Path run) {
        return run.resolve("report/text/summary.txt");
    }

    private List<Worse> worse() throws IOException {
        List<Worse> worse = new ArrayList<>();
        Map<String, Result> stock = results.get(STOCK);
        Map<String, Result> stockAgain = readIfThere(dir.resolve(STOCK).resolve("again"));
        for (String config : configs) {
            Map<String, Result> here = results.get(config);
            Map<String, Result> hereAgain = readIfThere(dir.resolve(config).resolve("again"));
            Map<String, Result> tests = new TreeMap<>(stock);
            tests.putAll(here);
            for (String test : tests.keySet()) {
                Result onStock = stock.getOrDefault(test, Result.NONE);
                Result onImage = here.getOrDefault(test, Result.NONE);
                if (onImage.status.worseThan(onStock.status)) {
                    worse.add(new Worse(config, test, onStock, onImage, stockAgain.get(test), hereAgain.get(test)));
                }
            }
        }
        return worse;
    }

    /** What jtreg leaves out in a configuration it leaves out a second time, too. */
    private void printAgain() throws IOException {
        for (Worse worse : worse()) {
            if (worse.here.status != Status.NOT_RUN) {
                System.out.println(worse.config + " " + worse.test);
            }
        }
    }

    /** Returns the number of differences. */
    private long printTable() throws IOException {
        if (count(STOCK, Status.PASSED) == 0) {
            throw new IOException("no test passed on the stock JDK");
        }
        List<Worse> worse = worse();
        System.out.printf("%n%-14s %7s %7s %7s %7s %12s %8s%n",
                "configuration", "passed", "failed", "error", "skipped", "differences", "minutes");
        printRow(STOCK, "");
        for (String config : configs) {
            printRow(config, worse.stream().filter(w -> w.config.equals(config) && w.isDifference()).count());
        }
        printList("Differences to stock", worse.stream().filter(Worse::isDifference).toList());
        printList("Worse than on stock once, but not when run again alone on both, hence no difference",
                worse.stream().filter(w -> !w.isDifference()).toList());
        printList("Fails on stock, hence no difference", results.get(STOCK).entrySet().stream()
                .filter(entry -> entry.getValue().status.compareTo(Status.FAILED) >= 0)
                .map(entry -> entry.getKey() + ": " + entry.getValue()).toList());
        long differences = worse.stream().filter(Worse::isDifference).count();
        System.out.printf("%n%s to stock%n", differences == 0 ? "No difference"
                : differences + (differences == 1 ? " difference" : " differences"));
        return differences;
    }

    private void printRow(String name, Object differences) throws IOException {
        Path seconds = dir.resolve(name).resolve("seconds");
        String minutes = Files.exists(seconds) ? "%.1f".formatted(Integer.parseInt(Files.readString(seconds).strip()) / 60.0) : "";
        System.out.printf("%-14s %7d %7d %7d %7d %12s %8s%n", name, count(name, Status.PASSED), count(name, Status.FAILED),
                count(name, Status.ERROR), count(name, Status.SKIPPED), differences, minutes);
    }

    private long count(String name, Status status) {
        return results.get(name).values().stream().filter(result -> result.status == status).count();
    }

    private static void printList(String title, List<?> lines) {
        if (!lines.isEmpty()) {
            System.out.printf("%n%s:%n", title);
            lines.forEach(line -> System.out.println("  " + line));
        }
    }
}
