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

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import pooledarena.BadInput;
import pooledarena.Main;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Runs the benchmarks on the stock JDK, on the pooled one and on any peers, and reports. */
@Command(name = "compare",
        description = "Runs the benchmarks on the class path on a stock JDK and on one with the pooled confined arena, "
                + "prints one table, and writes report.md, compare.json, speedup.png and jmh.log.",
        footer = {"", "Example:",
                "  java --sun-misc-unsafe-memory-access=allow -cp build/arena-analysis.jar:build/micro.jar \\",
                "      pooledarena.Main compare --stock /usr/lib/jvm/jdk-25 --pooled build/image",
                "", "Exit status: 0 if all was measured, 1 if a row failed, 2 if the input was wrong."})
public final class Compare implements Callable<Integer> {

    @Option(names = "--stock", required = true, paramLabel = "HOME", description = "home of the JDK to compare with")
    private Path stock;

    @Option(names = "--pooled", required = true, paramLabel = "HOME", description = "home of the JDK with the pool")
    private Path pooled;

    @Option(names = "--peer", paramLabel = "JAVA",
            description = "the java of a further JDK to measure beside the two; may be repeated")
    private List<Path> peers = List.of();

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "build/compare",
            description = "where the files go (default: ${DEFAULT-VALUE})")
    private Path out;

    @Option(names = "--include", paramLabel = "REGEX",
            description = "only rows whose benchmark or title has a match of REGEX")
    private String include;

    @Option(names = "--full", description = "all rows instead of some, and enough forks to quote the figures")
    private boolean full;

    @Option(names = "--command", paramLabel = "TEXT",
            description = "what the report names as the command to repeat (default: this one)")
    private String command;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        SpeedupChart.requireFonts();
        List<Jvm> jvms = jvms();
        List<Row> rows = rows();
        return compare(rows, jvms, full ? Effort.FULL : Effort.SHORT);
    }

    private int compare(List<Row> rows, List<Jvm> jvms, Effort effort) throws IOException {
        PrintWriter terminal = spec.commandLine().getOut();
        try (PrintStream log = log()) {
            terminal.println("Measuring %d rows on %s: %s".formatted(rows.size(),
                    jvms.stream().map(Jvm::name).collect(Collectors.joining(", ")), effort));
            terminal.flush();
            Comparison comparison = new Measurement(jvms, effort, log, line -> {
                terminal.println(line);
                terminal.flush();
            }).measure(rows, command != null ? command : ownCommand());
            Output.write(comparison, out, true);
            terminal.println(Report.text(comparison));
            terminal.println("Wrote " + Stream.of(Output.REPORT, Output.JSON, Output.CHART, Output.LOG)
                    .map(out::resolve).filter(Files::exists).map(Path::toString).collect(Collectors.joining(", ")));
            terminal.flush();
            return comparison.hasFailure() ? Main.EXIT_FAILED : 0;
        }
    }

    private List<Jvm> jvms() {
        List<Jvm> jvms = new ArrayList<>();
        jvms.add(Jvm.ofHome(Jvm.STOCK, "--stock", stock));
        jvms.add(Jvm.ofHome(Jvm.POOLED, "--pooled", pooled));
        peers.forEach(peer -> jvms.add(Jvm.ofPeer("--peer", peer)));
        Set<String> names = new HashSet<>();
        jvms.replaceAll(jvm -> {
            String name = jvm.name();
            for (int i = 2; !names.add(name); i++) {
                name = jvm.name() + " (" + i + ")";
            }
            return jvm.renamed(name);
        });
        return jvms;
    }

    private List<Row> rows() {
        List<Row> all = Catalogue.all();
        List<Row> candidates = full ? all : Catalogue.shortForm(all);
        if (include == null) {
            return candidates;
        }
        Pattern pattern;
        try {
            pattern = Pattern.compile(include);
        } catch (PatternSyntaxException e) {
            throw new BadInput("--include " + include + ": " + e.getDescription()
                    + "; a Java regular expression is accepted; nothing was measured");
        }
        List<Row> rows = Catalogue.matching(pattern, candidates);
        if (rows.isEmpty()) {
            int others = full ? 0 : Catalogue.matching(pattern, all).size();
            throw new BadInput("--include " + include + ": matches no row"
                    + (others > 0 ? " of the short form, but " + others + " with --full" : "")
                    + "; names such as ConfinedArenaAlloc.one and titles such as \""
                    + candidates.getFirst().label() + "\" are matched; nothing was measured");
        }
        return rows;
    }

    private PrintStream log() {
        try {
            Files.createDirectories(out);
            return new PrintStream(Files.newOutputStream(out.resolve(Output.LOG)), true, UTF_8);
        } catch (IOException e) {
            throw new BadInput("--out " + out + ": cannot be written to; a directory is accepted, and made if missing; "
                    + "nothing was measured");
        }
    }

    /** {@return this command with what the shell needs; the option keeps Java silent about JMH's way to memory} */
    private String ownCommand() {
        String classPath = System.getProperty("java.class.path");
        return Stream.concat(
                        Stream.of("java", "--sun-misc-unsafe-memory-access=allow", "-cp", classPath, Main.class.getName()),
                        spec.root().commandLine().getParseResult().originalArgs().stream())
                .map(word -> word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }
}
