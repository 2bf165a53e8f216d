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

import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;
import pooledarena.BadInput;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Which rows there are: the benchmarks on the class path, their order, their titles, and the short form's share. */
final class Catalogue {

    private static final String PACKAGE = "org.openjdk.bench.java.lang.foreign.";

    /**
     * A benchmark that the reports know.
     *
     * @param name       class and method
     * @param title      the title of its rows
     * @param shortSizes the values of its parameter that are rows of the short form
     */
    private record Known(String name, String title, String... shortSizes) {}

    /** Stands for the one row of a benchmark without parameters. */
    private static final String NO_SIZE = "";

    private static final List<Known> KNOWN = List.of(
            new Known("ConfinedArenaAlloc.one", "open, allocate, close", "5", "20", "100", "451", "2000", "65536"),
            new Known("ConfinedArenaAlloc.three", "three allocations in one arena", "5", "100", "451", "2000"),
            new Known("ConfinedArenaAlloc.callocAndFree", "calloc and free, no arena"),
            new Known("ConfinedArenaNested.two", "two nested arenas", "5", "100"),
            new Known("ConfinedArenaNested.eight", "eight nested arenas", "5", "100"),
            new Known("ConfinedArenaEscape.segmentReturned", "the segment escapes", "5", "451"),
            new Known("ConfinedArenaEscape.allocateNotInlined", "allocate not inlined", "5"),
            new Known("ConfinedArenaStrLen.arenaPerCall", "strlen(allocateFrom(s))", "5", "100", "451", "2000"),
            new Known("ConfinedArenaStrLen.reusedSegment", "strlen, one reused segment"),
            new Known("ConfinedArenaStrLen.mallocAndFree", "strlen, malloc and free"),
            new Known("ConfinedArenaVirtual.allocate", "on a virtual thread", "5", "100"),
            new Known("ConfinedArenaErrno.arenaPerCall", "downcall with errno", NO_SIZE),
            new Known("ConfinedArenaErrno.reusedSegment", "downcall with errno, one reused segment"),
            new Known("ConfinedArenaUpcall.plainArgument", "upcall with a plain argument"),
            new Known("ConfinedArenaUpcall.smallStruct", "upcall with a struct of 16 bytes", NO_SIZE),
            new Known("ConfinedArenaUpcall.largeStruct", "upcall with a struct of 32 bytes"),
            new Known("ConfinedArenaEmpty.inlined", "empty arena", NO_SIZE),
            new Known("ConfinedArenaEmpty.notInlined", "empty arena, not inlined"),
            new Known("ConfinedArenaAlternatives.confinedArena", "a confined arena and its rivals: arena"),
            new Known("ConfinedArenaAlternatives.prefixAllocator", "… prefixAllocator, not zeroed"),
            new Known("ConfinedArenaAlternatives.slicingAllocator", "… slicingAllocator, not zeroed"),
            new Known("ConfinedArenaAlternatives.threadLocalPool", "… bespoke ThreadLocal pool"));

    private Catalogue() {}

    /** {@return every row that the benchmarks on the class path have, those that the catalogue knows first} */
    static List<Row> all() {
        SortedMap<String, BenchmarkListEntry> left = benchmarks();
        List<Row> rows = new ArrayList<>();
        for (Known known : KNOWN) {
            BenchmarkListEntry entry = left.remove(PACKAGE + known.name);
            if (entry != null) {
                rows.addAll(rows(known.title, entry));
            }
        }
        left.forEach((name, entry) -> rows.addAll(rows(simpleName(name), entry)));
        return rows;
    }

    /** {@return the rows of the short form, each of which must be among {@code all}} */
    static List<Row> shortForm(List<Row> all) {
        List<Row> rows = new ArrayList<>();
        for (Known known : KNOWN) {
            for (String size : known.shortSizes) {
                rows.add(all.stream()
                        .filter(row -> row.benchmark().equals(PACKAGE + known.name))
                        .filter(row -> String.join(",", row.parameters().values()).equals(size))
                        .findFirst()
                        .orElseThrow(() -> new BadInput(
                                "the benchmarks on the class path lack " + known.name + " " + size
                                        + ", which the short form needs; put a micro.jar of the same sources there;"
                                        + " nothing was measured")));
            }
        }
        return rows;
    }

    /** {@return the rows whose benchmark, size or title has a match of {@code include}} */
    static List<Row> matching(Pattern include, List<Row> rows) {
        return rows.stream()
                .filter(row -> include.matcher(row.benchmark() + " " + row.size()).find()
                        || include.matcher(row.label()).find())
                .toList();
    }

    private static SortedMap<String, BenchmarkListEntry> benchmarks() {
        if (Catalogue.class.getResource(BenchmarkList.BENCHMARK_LIST) == null) {
            throw new BadInput("there are no benchmarks on the class path; put micro.jar there; nothing was measured");
        }
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
        SortedMap<String, BenchmarkListEntry> benchmarks = new TreeMap<>();
        BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(nowhere, VerboseMode.SILENT), List.of())
                .forEach(entry -> benchmarks.put(entry.getUsername(), entry));
        return benchmarks;
    }

    private static List<Row> rows(String title, BenchmarkListEntry entry) {
        List<Map<String, String>> combinations = List.of(Map.of());
        if (entry.getParams().hasValue()) {
            for (var parameter : new TreeMap<>(entry.getParams().get()).entrySet()) {
                List<Map<String, String>> longer = new ArrayList<>();
                for (Map<String, String> combination : combinations) {
                    for (String value : parameter.getValue()) {
                        Map<String, String> extended = new LinkedHashMap<>(combination);
                        extended.put(parameter.getKey(), value);
                        longer.add(extended);
                    }
                }
                combinations = longer;
            }
        }
        return combinations.stream().map(c -> new Row(title, entry.getUsername(), c)).toList();
    }

    private static String simpleName(String benchmark) {
        int method = benchmark.lastIndexOf('.');
        return benchmark.substring(benchmark.lastIndexOf('.', method - 1) + 1);
    }
}
