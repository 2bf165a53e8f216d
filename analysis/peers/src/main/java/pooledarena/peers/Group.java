/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.Measurement;
import pooledarena.benchmark.MeasuringCommand.Extra;
import pooledarena.benchmark.Results.Row;
import pooledarena.benchmark.Results;
import pooledarena.text.Document;
import pooledarena.text.Table;

import module java.base;

/**
 * What belongs together in a part: what is measured, and how the report shows it, with a table for each figure.
 *
 * @param about    what a reader must know of the figures
 * @param measured with JMH; null if nothing is
 * @param counted  without JMH; null if nothing is
 * @param picture  a chart, if there is enough for it; null if there is none
 */
record Group(String name, String about, List<Grid> measured, Counted counted, List<Figure> figures, Picture picture) {

    static final String PACKAGE = "org.openjdk.bench.java.lang.foreign.peers.";

    /** Counts native allocations where it is preloaded; missing where nothing could compile it. */
    private static final Path MALLOC_COUNTER = Path.of("build/peers/libcountmalloc.so");

    /**
     * Each column in each row.
     *
     * @param columns by name: a virtual machine, a benchmark, and values of its parameters
     * @param rows    by name: values of the other parameters, and of {@code threads}
     */
    record Grid(Map<String, String> columns, Map<String, String> rows) {

        private Stream<Case> cases(String group) {
            return rows.entrySet().stream().flatMap(row -> columns.entrySet().stream().map(column -> {
                String[] how = (column.getValue() + " " + row.getValue()).split(" ");
                Map<String, String> values = new TreeMap<>();
                Stream.of(how).skip(2).map(value -> value.split("=")).forEach(pair -> values.put(pair[0], pair[1]));
                int threads = Integer.parseInt(Objects.requireNonNullElse(values.remove("threads"), "1"));
                return new Case(group, row.getKey(), column.getKey(), how[0], PACKAGE + how[1], values, threads);
            }));
        }
    }

    /**
     * What is counted in processes, one for each row.
     *
     * @param program HotPath or MallocCount
     * @param rows    by name: a virtual machine, and what the program does
     */
    record Counted(String program, List<String> columns, Map<String, String> rows) {

        private boolean isCode() {
            return program.equals("HotPath");
        }

        void measure(String group, Path out, Measurement measurement) {
            Function<String, JavaCommand> jvm = row -> measurement.jvm(rows.get(row).split(" ")[0]);
            measurement.processes(List.copyOf(rows.keySet()), 1, "", columns,
                    (row, column) -> Case.ofProcess(group, row, column, jvm.apply(row)),
                    row -> count(jvm.apply(row), rows.get(row).split(" ")[1], out));
        }

        private double[] count(JavaCommand jvm, String what, Path out) throws IOException {
            return isCode() ? CompiledMethod.count(jvm, PACKAGE + program, what, out.resolve("hot-path"))
                    : jvm.values(columns.size(), Map.of("LD_PRELOAD", MALLOC_COUNTER.toAbsolutePath().toString()),
                            List.of("--enable-native-access=ALL-UNNAMED", PACKAGE + program, "mixed", what));
        }
    }

    List<Case> cases() {
        return measured == null ? List.of() : measured.stream().flatMap(grid -> grid.cases(name)).toList();
    }

    /** {@return what is measured without JMH, if it can be here} Listings go to a directory in {@code out}. */
    Optional<Extra> extra(Path out) {
        boolean possible = counted != null && (counted.isCode()
                ? CompiledMethod.canBeRead(System.getProperty("os.arch"), System.getenv("PATH")) : Files.exists(MALLOC_COUNTER));
        return possible ? Optional.of(new Extra(name, measurement -> counted.measure(name, out, measurement)))
                : Optional.empty();
    }

    void addTo(Document document, Results results) {
        List<Row> rows = results.rows(name);
        if (rows.isEmpty()) {
            document.paragraph("Not measured: " + name + ".");
            return;
        }
        document.heading(name);
        List<String> names = rows.stream().flatMap(row -> row.outcomes().keySet().stream()).distinct().toList();
        for (Figure figure : figures) {
            Map<String, Function<Row, String>> columns = new LinkedHashMap<>();
            columns.put(figure.unit(), row -> row.what().row());
            names.stream().filter(column -> rows.stream().anyMatch(row -> !figure.cell(row, column).equals("-")))
                    .forEach(column -> columns.put(column, row -> figure.cell(row, column)));
            document.table(Table.of(rows, columns));
        }
        document.paragraph(about);
        if (picture != null) {
            picture.chart(results, name)
                    .ifPresent(chart -> document.picture(picture.file(), chart, results.origin()));
        }
    }
}
