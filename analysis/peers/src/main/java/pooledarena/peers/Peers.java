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

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import pooledarena.benchmark.Comparison;
import pooledarena.benchmark.Effort;
import pooledarena.benchmark.Jvm;
import pooledarena.benchmark.Machine;
import pooledarena.benchmark.Measurement;
import pooledarena.benchmark.OtherWork;
import pooledarena.io.BadInput;
import pooledarena.io.Tool;
import pooledarena.io.WholeFiles;
import pooledarena.text.ChartStyle;
import pooledarena.text.Document;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Measures the pooled arena beside other ways to keep allocation off the hot path. */
@Command(name = "peers",
        description = "Measures confined arenas of a stock JDK and of one with the pool beside RocksDB's, Netty's and "
                + "Okio's ways to memory, or other arenas; prints tables, and writes report.md, figures.json, charts and "
                + "jmh.log. The benchmarks and the peers' libraries must be on the class path.",
        footer = {"", "Example, after make peers-build:",
                "  java --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED \\",
                "      -cp 'build/arena-analysis.jar:build/peers/peers.jar:build/deps/peers/*' \\",
                "      pooledarena.Main peers okio --stock /usr/lib/jvm/jdk-25 --pooled build/image --include zeroing",
                "", "Exit status: 0 if all was measured, 1 if a row failed, 2 if the input was wrong."})
public final class Peers implements Callable<Integer> {

    private static final Effort EFFORT = new Effort(1, 5, 200, 5, 200);

    private static final String REPORT = "report.md";
    private static final String FIGURES = "figures.json";

    @Parameters(index = "0", paramLabel = "PART", description = "rocksdb, netty, okio or arenas")
    private String name;

    @Option(names = "--stock", required = true, paramLabel = "HOME", description = "home of the JDK to compare with")
    private Path stock;

    @Option(names = "--pooled", required = true, paramLabel = "HOME", description = "home of the JDK with the pool")
    private Path pooled;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "where the files go")
    private Path out;

    @Option(names = "--include", paramLabel = "REGEX", defaultValue = "",
            description = "only what has a match of REGEX in the benchmark's name, or in group, row and column")
    private String include;

    @Option(names = "--forks", paramLabel = "N", defaultValue = "1",
            description = "fresh processes for each figure (default: ${DEFAULT-VALUE})")
    private int forks;

    @Option(names = "--fork-option", paramLabel = "OPTION", description = "a Java option for every fork; may be repeated")
    private List<String> forkOptions = List.of();

    @Option(names = "--malloc-counter", paramLabel = "FILE",
            description = "the library that counts native allocations; without it they are not counted")
    private Path counter;

    @Option(names = "--command", required = true, paramLabel = "TEXT",
            description = "what the report names as the command to repeat")
    private String command;

    @Spec
    private CommandSpec spec;

    /** All that was measured, as it is written to a file. */
    private record Record(String title, String date, String command, Machine machine, Double otherCores, Effort effort,
                          List<Jvm> jvms, List<Entry> figures) {}

    private record Entry(Case measured, Figures figures) {}

    @Override
    public Integer call() throws IOException {
        ChartStyle.requireFonts();
        Part part = part();
        Effort effort = EFFORT.withForks(forks);
        Map<String, Jvm> jvms = new LinkedHashMap<>();
        jvms.put(Jvm.STOCK, Jvm.ofHome(Jvm.STOCK, "--stock", stock));
        jvms.put(Jvm.POOLED, Jvm.ofHome(Jvm.POOLED, "--pooled", pooled));
        Consumer<String> progress = line -> {
            spec.commandLine().getOut().println(line);
            spec.commandLine().getOut().flush();
        };
        try (PrintStream log = Measurement.log(out)) {
            Lab lab = new Lab(jvms, forkOptions, effort, Measurement.pattern(include),
                    counter == null ? null : counter.toAbsolutePath(), out, log, progress);
            long cases = part.cases().stream().filter(lab::wants).count();
            if (cases == 0 && part.extras().stream().noneMatch(lab::wants)) {
                throw new BadInput("--include " + include + ": matches nothing; labels such as \""
                        + part.cases().getFirst().label() + "\" and names such as " + part.cases().getFirst().benchmark()
                        + " are matched; nothing was measured");
            }
            progress.accept(part.title() + ": " + cases + " cases, " + effort);
            return measure(part, lab);
        }
    }

    private int measure(Part part, Lab lab) throws IOException {
        Optional<OtherWork> before = OtherWork.now();
        Results results = lab.measure(part.cases());
        List<Section> sections = part.report(results, lab);
        Record record = new Record(part.title(),
                ZonedDateTime.now().format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm xxx")), command, Machine.current(),
                before.flatMap(then -> OtherWork.now().map(then::coresUntil)).orElse(null), lab.effort(),
                List.copyOf(lab.jvms().values()),
                results.all().entrySet().stream().map(e -> new Entry(e.getKey(), e.getValue())).toList());
        write(record, sections, results.failures());
        lab.progress().accept(text(record, sections, results.failures()));
        lab.progress().accept("Wrote " + out.resolve(REPORT) + " with its charts, " + out.resolve(FIGURES) + " and "
                + out.resolve(Measurement.LOG));
        return results.failures().isEmpty() ? 0 : Tool.EXIT_FAILED;
    }

    private void write(Record record, List<Section> sections, List<String> failures) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put(FIGURES, JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValueAsBytes(record));
        List<String> origin = Comparison.origin(record.machine, record.date, record.jvms);
        for (Section section : sections) {
            if (section.chart() != null) {
                files.put(section.chart().file(), section.chart().drawing().png(origin));
            }
        }
        files.put(REPORT, markdown(record, sections, failures).getBytes(UTF_8));
        // A chart of an earlier run would pass for one of this.
        try (var old = Files.newDirectoryStream(out, "*.png")) {
            for (Path chart : old) {
                Files.delete(chart);
            }
        }
        WholeFiles.writeWhole(out, files);
    }

    private static String text(Record record, List<Section> sections, List<String> failures) {
        StringBuilder text = new StringBuilder();
        for (Section section : sections) {
            text.append('\n').append(section.heading()).append("\n\n");
            if (section.table() != null) {
                text.append(section.table().toText());
            }
            if (!section.note().isEmpty()) {
                text.append(Document.wrap(section.note())).append('\n');
            }
        }
        failures.forEach(line -> text.append("failed: ").append(line).append('\n'));
        warning(record).ifPresent(line -> text.append('\n').append(line).append('\n'));
        return text.toString();
    }

    private static String markdown(Record record, List<Section> sections, List<String> failures) {
        StringBuilder text = new StringBuilder("# ").append(record.title).append("\n\n");
        warning(record).ifPresent(line -> text.append("**").append(line).append("**\n\n"));
        for (Section section : sections) {
            text.append("## ").append(section.heading()).append("\n\n");
            if (section.table() != null) {
                text.append(section.table().toMarkdown()).append('\n');
            }
            if (!section.note().isEmpty()) {
                text.append(Document.wrap(section.note())).append("\n\n");
            }
            if (section.chart() != null) {
                text.append("![").append(section.heading()).append("](").append(section.chart().file()).append(")\n\n");
            }
        }
        if (!failures.isEmpty()) {
            text.append("Failed, so without a figure:\n\n");
            failures.forEach(line -> text.append("- ").append(line).append('\n'));
            text.append('\n');
        }
        text.append("## Where and how\n\n- Machine: ").append(record.machine).append("\n- JMH, ").append(record.effort)
                .append("; the cases of a row take turns. Figures are medians of the iterations; half of the iterations are ")
                .append("within ±\n");
        record.jvms.forEach(jvm -> text.append("- ").append(jvm.name()).append(": ").append(jvm.build()).append('\n'));
        libraries().forEach(library -> text.append("- ").append(library).append('\n'));
        if (record.otherCores != null) {
            text.append("- Other programs kept busy meanwhile: %.2f of %d cores\n".formatted(record.otherCores,
                    record.machine.cores()));
        }
        return text.append("- Date: ").append(record.date).append("\n- To repeat: `").append(record.command)
                .append("`\n- Raw figures: ").append(FIGURES).append('\n').toString();
    }

    /** {@return the versions of the peers on the class path, which are in the names of their files} */
    private static TreeSet<String> libraries() {
        TreeSet<String> names = new TreeSet<>();
        for (String entry : System.getProperty("java.class.path").split(Pattern.quote(java.io.File.pathSeparator))) {
            String file = Path.of(entry).getFileName().toString();
            if (file.matches("(?:rocksdbjni|netty-buffer|okio-jvm)-.*\\.jar")) {
                names.add(file.substring(0, file.length() - ".jar".length()));
            }
        }
        return names;
    }

    private static Optional<String> warning(Record record) {
        return record.otherCores == null || record.otherCores < OtherWork.TOO_MUCH ? Optional.empty()
                : Optional.of("Not to be quoted: other programs kept %.2f of %d cores busy during the measurement."
                        .formatted(record.otherCores, record.machine.cores()));
    }

    private Part part() {
        Part part = Part.ALL.get(name);
        if (part == null) {
            throw new BadInput(name + ": no such part; rocksdb, netty, okio and arenas are accepted; nothing was measured");
        }
        return part;
    }
}
