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
package pooledarena.benchmark;

import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;
import pooledarena.io.BadInput;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Which rows there are: the benchmarks on the class path, their titles, and which of them a form has in which order. */
public final class Catalogue {

    private static final String PACKAGE = "org.openjdk.bench.java.lang.foreign.";

    /** The titles of the benchmarks that the reports know, in the reports' order. */
    private static final Map<String, String> TITLES = new LinkedHashMap<>();

    static {
        TITLES.put("ConfinedArenaAlloc.one", "open, allocate, close");
        TITLES.put("ConfinedArenaAlloc.three", "three allocations in one arena");
        TITLES.put("ConfinedArenaAlloc.callocAndFree", "calloc and free, no arena");
        TITLES.put("ConfinedArenaNested.two", "two nested arenas");
        TITLES.put("ConfinedArenaNested.eight", "eight nested arenas");
        TITLES.put("ConfinedArenaEscape.segmentReturned", "the segment escapes");
        TITLES.put("ConfinedArenaEscape.allocateNotInlined", "allocate not inlined");
        TITLES.put("ConfinedArenaStrLen.arenaPerCall", "strlen(allocateFrom(s))");
        TITLES.put("ConfinedArenaStrLen.reusedSegment", "strlen, one reused segment");
        TITLES.put("ConfinedArenaStrLen.mallocAndFree", "strlen, malloc and free");
        TITLES.put("ConfinedArenaVirtual.allocate", "on a virtual thread");
        TITLES.put("ConfinedArenaUpcall.plainArgument", "upcall with a plain argument");
        TITLES.put("ConfinedArenaUpcall.smallStruct", "upcall with a struct of 16 bytes");
        TITLES.put("ConfinedArenaUpcall.largeStruct", "upcall with a struct of 32 bytes");
        TITLES.put("ConfinedArenaErrno.arenaPerCall", "downcall with errno");
        TITLES.put("ConfinedArenaErrno.reusedSegment", "downcall with errno, one reused segment");
        TITLES.put("ConfinedArenaOff.one", "pooling off");
        TITLES.put("ConfinedArenaOff.three", "pooling off, three allocations");
        TITLES.put("ConfinedArenaEmpty.inlined", "empty arena");
        TITLES.put("ConfinedArenaEmpty.notInlined", "empty arena, not inlined");
        TITLES.put("ConfinedArenaDepth.nested", "nested arenas");
        TITLES.put("ConfinedArenaMany.allocate", "many in one arena");
        TITLES.put("ConfinedArenaHeld.allocate", "beside arenas held open");
        TITLES.put("ConfinedArenaHeld.replaceOldest", "ten arenas and one of 1000 long-lived");
        TITLES.put("ConfinedArenaParked.oneCarrier", "beside parked virtual threads, 1 carrier");
        TITLES.put("ConfinedArenaParked.twoCarriers", "beside parked virtual threads, 2 carriers");
        TITLES.put("ConfinedArenaParked.sixteenCarriers", "beside parked virtual threads, 16 carriers");
        TITLES.put("ConfinedArenaAlternatives.confinedArena", "a confined arena and its rivals: arena");
        TITLES.put("ConfinedArenaAlternatives.prefixAllocator", "instead: prefixAllocator, not zeroed");
        TITLES.put("ConfinedArenaAlternatives.slicingAllocator", "instead: slicingAllocator, not zeroed");
        TITLES.put("ConfinedArenaAlternatives.threadLocalPool", "instead: bespoke ThreadLocal pool");
    }

    /**
     * Rows of a form.
     *
     * @param name    class and method
     * @param values  the values of the benchmark's parameters, in the order of their names, one string for each row
     * @param threads how many threads at the same time, or 0 for as many as the benchmark says
     */
    private record Selection(String name, List<String> values, int threads) {}

    /** The values of the one row of a benchmark without parameters. */
    private static final String NO_VALUE = "";

    /** Ended carriers, parked threads, bytes. */
    private static final String[] PARKED = {"0,0,5", "0,0,100", "0,0,451", "0,1000,5", "0,1000,100", "0,1000,451",
            "0,100000,5", "0,100000,100", "0,100000,451", "1000,0,5", "1000,0,100", "1000,0,451"};

    private static final List<Selection> SHORT = List.of(
            rows("ConfinedArenaAlloc.one", "5", "20", "100", "451", "2000", "65536"),
            rows("ConfinedArenaAlloc.three", "5", "100", "451", "2000"),
            rows("ConfinedArenaNested.two", "5", "100"),
            rows("ConfinedArenaNested.eight", "5", "100"),
            rows("ConfinedArenaEscape.segmentReturned", "5", "451"),
            rows("ConfinedArenaEscape.allocateNotInlined", "5"),
            rows("ConfinedArenaStrLen.arenaPerCall", "5", "100", "451", "2000"),
            rows("ConfinedArenaVirtual.allocate", "5", "100"),
            rows("ConfinedArenaErrno.arenaPerCall", NO_VALUE),
            rows("ConfinedArenaUpcall.smallStruct", NO_VALUE),
            rows("ConfinedArenaEmpty.inlined", NO_VALUE),
            rows("ConfinedArenaHeld.allocate", "8,5", "64,5", "10000,5"),
            rows("ConfinedArenaParked.twoCarriers", "0,1000,5", "0,1000,100"));

    private static final List<Selection> FULL = List.of(
            rows("ConfinedArenaAlloc.one", "1", "5", "20", "64", "100", "256", "451", "1024", "2000", "4096", "8192",
                    "16384", "32768", "65536"),
            rows("ConfinedArenaAlloc.three", "5", "100", "451", "2000"),
            rows("ConfinedArenaNested.two", "5", "100"),
            rows("ConfinedArenaNested.eight", "5", "100", "451"),
            rows("ConfinedArenaEscape.segmentReturned", "5", "451"),
            rows("ConfinedArenaEscape.allocateNotInlined", "5"),
            rows("ConfinedArenaStrLen.arenaPerCall", "5", "100", "451", "2000"),
            rows("ConfinedArenaStrLen.reusedSegment", "5", "100", "451", "2000"),
            rows("ConfinedArenaVirtual.allocate", "5", "100"),
            rows("ConfinedArenaUpcall.plainArgument", NO_VALUE),
            rows("ConfinedArenaUpcall.smallStruct", NO_VALUE),
            rows("ConfinedArenaUpcall.largeStruct", NO_VALUE),
            rows("ConfinedArenaErrno.arenaPerCall", NO_VALUE),
            rows("ConfinedArenaErrno.reusedSegment", NO_VALUE),
            rows("ConfinedArenaOff.one", "5", "100"),
            rows("ConfinedArenaEmpty.inlined", NO_VALUE),
            rows("ConfinedArenaEmpty.notInlined", NO_VALUE),
            rows("ConfinedArenaDepth.nested", "1,100", "2,100", "4,100", "8,100", "12,100", "16,100", "64,100"),
            rows("ConfinedArenaMany.allocate", "100,5", "100,100", "100,451", "1000,5", "1000,100", "1000,451"),
            rows("ConfinedArenaHeld.allocate", "0,5", "0,100", "0,451", "8,5", "8,100", "8,451", "64,5", "64,100", "64,451",
                    "10000,5", "10000,100", "10000,451"),
            rows("ConfinedArenaHeld.replaceOldest", "5", "100"),
            rows("ConfinedArenaParked.oneCarrier", PARKED),
            rows("ConfinedArenaParked.twoCarriers", PARKED),
            rows("ConfinedArenaParked.sixteenCarriers", PARKED),
            rows("ConfinedArenaAlternatives.prefixAllocator", "100", "2000"),
            rows("ConfinedArenaAlternatives.slicingAllocator", "100", "2000"),
            rows("ConfinedArenaAlternatives.threadLocalPool", "100", "2000"),
            rows("ConfinedArenaAlloc.callocAndFree", "100", "2000"));

    /** What the full form also measures with more than one thread, at the end. */
    private static final List<Selection> THREADED = List.of(
            rows("ConfinedArenaAlloc.one", "100"),
            rows("ConfinedArenaVirtual.allocate", "100"));

    private Catalogue() {}

    /** {@return the title in reports of a benchmark, which is named by its class and method} */
    public static String title(String name) {
        return TITLES.get(name);
    }

    /** {@return every row that the benchmarks on the class path have, those that the catalogue knows first} */
    public static List<Row> all() {
        SortedMap<String, BenchmarkListEntry> left = benchmarks();
        List<Row> rows = new ArrayList<>();
        TITLES.forEach((name, title) -> {
            BenchmarkListEntry entry = left.remove(PACKAGE + name);
            if (entry != null) {
                rows.addAll(rows(title, entry));
            }
        });
        left.forEach((name, entry) -> rows.addAll(rows(simpleName(name), entry)));
        return rows;
    }

    /** {@return the rows of the short form, each of which must be among {@code all}} */
    public static List<Row> shortForm(List<Row> all) {
        return SHORT.stream().flatMap(selection -> select(selection, all)).toList();
    }

    /** {@return the rows of the full form, each of which must be among {@code all}} */
    public static List<Row> fullForm(List<Row> all, int cores) {
        Stream<Selection> threaded = THREADED.stream().flatMap(selection -> threads(cores).stream()
                .map(threads -> new Selection(selection.name, selection.values, threads)));
        return Stream.concat(FULL.stream(), threaded).flatMap(selection -> select(selection, all)).toList();
    }

    /** {@return the powers of two beyond one, up to four threads for each of {@code cores}} */
    static List<Integer> threads(int cores) {
        return IntStream.iterate(2, threads -> threads <= 4 * cores, threads -> threads * 2).boxed().toList();
    }

    private static Selection rows(String name, String... values) {
        return new Selection(name, List.of(values), 0);
    }

    private static Stream<Row> select(Selection selection, List<Row> all) {
        return selection.values.stream().map(values -> all.stream()
                .filter(row -> row.benchmark().equals(PACKAGE + selection.name))
                .filter(row -> String.join(",", row.parameters().values()).equals(values))
                .findFirst()
                .map(row -> selection.threads == 0 ? row : row.withThreads(selection.threads))
                .orElseThrow(() -> new BadInput("the benchmarks on the class path lack "
                        + (selection.name + " " + values).strip() + ", which is asked for; put a micro.jar of the same "
                        + "sources there; nothing was measured")));
    }

    /** {@return the rows whose benchmark, size or title has a match of {@code include}} */
    public static List<Row> matching(Pattern include, List<Row> rows) {
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
        return combinations.stream().map(c -> new Row(title, entry.getUsername(), c, entry.getThreads().orElse(1))).toList();
    }

    private static String simpleName(String benchmark) {
        int method = benchmark.lastIndexOf('.');
        return benchmark.substring(benchmark.lastIndexOf('.', method - 1) + 1);
    }
}
