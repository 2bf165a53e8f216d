/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;
import pooledarena.io.BadInput;

import module java.base;

/** The benchmarks on the class path, their titles, and the rows of the short and of the full form of a comparison. */
public final class BenchmarkSelection {

    private static final String PACKAGE = "org.openjdk.bench.java.lang.foreign.";

    /** The one row of a benchmark without parameters. */
    private static final String ONCE = "-";

    /** Ended carriers, parked threads, bytes. */
    private static final String PARKED = "0,0,5 0,0,100 0,0,451 0,1000,5 0,1000,100 0,1000,451 0,100000,5 0,100000,100 "
            + "0,100000,451 1000,0,5 1000,0,100 1000,0,451";

    /**
     * A benchmark, named by class and method.
     *
     * @param rows those of the full form, with a star those of the short form too: the values of the parameters, in the
     *             order of their names
     */
    private record Known(String name, String title, String rows) {}

    /** In the reports' order. */
    private static final List<Known> KNOWN = List.of(
            new Known("ConfinedArenaAlloc.one", "open, allocate, close",
                    "1 5* 20* 64 100* 256 451* 1024 2000* 4096 8192 16384 32768 65536*"),
            new Known("ConfinedArenaAlloc.three", "three allocations in one arena", "5* 100* 451* 2000*"),
            new Known("ConfinedArenaNested.two", "two nested arenas", "5* 100*"),
            new Known("ConfinedArenaNested.eight", "eight nested arenas", "5* 100* 451"),
            new Known("ConfinedArenaEscape.segmentReturned", "the segment escapes", "5* 451*"),
            new Known("ConfinedArenaEscape.allocateNotInlined", "allocate not inlined", "5*"),
            new Known("ConfinedArenaStrLen.arenaPerCall", "strlen(allocateFrom(s))", "5* 100* 451* 2000*"),
            new Known("ConfinedArenaStrLen.reusedSegment", "strlen, one reused segment", "5 100 451 2000"),
            new Known("ConfinedArenaStrLen.mallocAndFree", "strlen, malloc and free", ""),
            new Known("ConfinedArenaVirtual.allocate", "on a virtual thread", "5* 100*"),
            new Known("ConfinedArenaUpcall.plainArgument", "upcall with a plain argument", "-"),
            new Known("ConfinedArenaUpcall.smallStruct", "upcall with a struct of 16 bytes", "-*"),
            new Known("ConfinedArenaUpcall.largeStruct", "upcall with a struct of 32 bytes", "-"),
            new Known("ConfinedArenaErrno.arenaPerCall", "downcall with errno", "-*"),
            new Known("ConfinedArenaErrno.reusedSegment", "downcall with errno, one reused segment", "-"),
            new Known("ConfinedArenaOff.one", "pooling off", "5 100"),
            new Known("ConfinedArenaOff.three", "pooling off, three allocations", ""),
            new Known("ConfinedArenaEmpty.inlined", "empty arena", "-*"),
            new Known("ConfinedArenaEmpty.notInlined", "empty arena, not inlined", "-"),
            new Known("ConfinedArenaDepth.nested", "nested arenas", "1,100 2,100 4,100 8,100 12,100 16,100 64,100"),
            new Known("ConfinedArenaMany.allocate", "many in one arena",
                    "100,5 100,100 100,451 1000,5 1000,100 1000,451"),
            new Known("ConfinedArenaMixed.one", "after arenas of other shapes", "large,5 all,5* all,100* all,2000"),
            new Known("ConfinedArenaMixed.three", "three allocations, after arenas of other shapes", "all,5 all,100"),
            new Known("ConfinedArenaMixed.hundred", "100 allocations, after arenas of other shapes", "all,5 all,100"),
            new Known("ConfinedArenaMixed.seldomLarge", "one of 1024 allocates 16 KiB", "no,5 all,5"),
            new Known("ConfinedArenaMixed.seldomThrows", "one of 1024 throws", "no,5 all,5"),
            new Known("ConfinedArenaHeld.allocate", "beside arenas held open",
                    "0,5 0,100 0,451 8,5* 8,100 8,451 64,5* 64,100 64,451 10000,5* 10000,100 10000,451"),
            new Known("ConfinedArenaHeld.replaceOldest", "ten arenas and one of 1000 long-lived", "5 100"),
            new Known("ConfinedArenaParked.oneCarrier", "beside parked virtual threads, 1 carrier", PARKED),
            new Known("ConfinedArenaParked.twoCarriers", "beside parked virtual threads, 2 carriers",
                    PARKED.replace("0,1000,5 0,1000,100 ", "0,1000,5* 0,1000,100* ")),
            new Known("ConfinedArenaParked.sixteenCarriers", "beside parked virtual threads, 16 carriers", PARKED),
            new Known("ConfinedArenaAlternatives.confinedArena", "a confined arena and its rivals: arena", ""),
            new Known("ConfinedArenaAlternatives.prefixAllocator", "instead: prefixAllocator, not zeroed", "100 2000"),
            new Known("ConfinedArenaAlternatives.slicingAllocator", "instead: slicingAllocator, not zeroed",
                    "100 2000"),
            new Known("ConfinedArenaAlternatives.threadLocalPool", "instead: bespoke ThreadLocal pool", "100 2000"),
            new Known("ConfinedArenaAlloc.callocAndFree", "calloc and free, no arena", "100 2000"));

    /** What the full form also measures with more than one thread, at the end; all with 100 bytes. */
    private static final List<String> THREADED = List.of("ConfinedArenaAlloc.one", "ConfinedArenaVirtual.allocate");

    private static final Map<String, String> UNITS = Map.of("size", "B", "length", "chars", "depth", "deep",
            "ended", "carriers ended", "count", "allocations", "others", "other arenas");

    private BenchmarkSelection() {}

    public static String title(String name) {
        return KNOWN.stream().filter(known -> known.name.equals(name)).findFirst().orElseThrow().title;
    }

    /** {@return every row that the benchmarks on the class path have, known ones first} */
    public static List<Case> all() {
        if (BenchmarkSelection.class.getResource(BenchmarkList.BENCHMARK_LIST) == null) {
            throw new BadInput("there are no benchmarks on the class path; put micro.jar there; nothing was measured");
        }
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        SortedMap<String, BenchmarkListEntry> left = new TreeMap<>();
        OutputFormat silent = OutputFormatFactory.createFormatInstance(nowhere, VerboseMode.SILENT);
        BenchmarkList.defaultList().getAll(silent, List.of()).forEach(entry -> left.put(entry.getUsername(), entry));
        List<Case> rows = new ArrayList<>();
        for (Known known : KNOWN) {
            BenchmarkListEntry entry = left.remove(PACKAGE + known.name);
            if (entry != null) {
                rows.addAll(rows(known.title, entry));
            }
        }
        left.forEach((name, entry) -> rows.addAll(rows(Case.method(name), entry)));
        return rows;
    }

    public static List<Case> form(boolean full) {
        List<Case> all = all();
        Stream<Case> rows = KNOWN.stream().flatMap(known -> Stream.of(known.rows.split(" "))
                .filter(row -> full ? !row.isEmpty() : row.endsWith("*"))
                .map(row -> select(known.name, row.replace("*", ""), all)));
        Stream<Case> threaded = THREADED.stream().filter(_ -> full).map(name -> select(name, "100", all))
                .flatMap(row -> threads(Runtime.getRuntime().availableProcessors()).stream()
                        .map(threads -> row(row.group(), row.benchmark(), row.parameters(), threads)));
        return Stream.concat(rows, threaded).toList();
    }

    /** {@return the powers of two beyond one, up to four threads for each of {@code cores}} */
    static List<Integer> threads(int cores) {
        return IntStream.iterate(2, threads -> threads <= 4 * cores, threads -> threads * 2).boxed().toList();
    }

    /** {@return parameters and threads with their units, without zero ended carriers and one thread} */
    static String size(Map<String, String> parameters, int threads) {
        List<String> parts = new ArrayList<>();
        new TreeMap<>(parameters).forEach((name, value) -> parts.add(value + " " + UNITS.getOrDefault(name, name)));
        parts.remove("0 " + UNITS.get("ended"));
        if (threads > 1) {
            parts.add(threads + " threads");
        }
        return String.join(", ", parts);
    }

    private static Case select(String name, String values, List<Case> all) {
        return all.stream().filter(row -> row.benchmark().equals(PACKAGE + name)
                        && (values.equals(ONCE) || values.equals(String.join(",", row.parameters().values()))))
                .findFirst().orElseThrow(() -> new BadInput("the benchmarks on the class path lack " + name + " "
                        + values + ", which is asked for; put a micro.jar of the same sources there; nothing was "
                        + "measured"));
    }

    private static List<Case> rows(String title, BenchmarkListEntry entry) {
        List<Map<String, String>> combinations = List.of(Map.of());
        for (var parameter : new TreeMap<>(entry.getParams().orElse(Map.of())).entrySet()) {
            combinations = combinations.stream().flatMap(combination -> Stream.of(parameter.getValue()).map(value -> {
                Map<String, String> extended = new TreeMap<>(combination);
                extended.put(parameter.getKey(), value);
                return extended;
            })).toList();
        }
        return combinations.stream().map(parameters ->
                row(title, entry.getUsername(), parameters, entry.getThreads().orElse(1))).toList();
    }

    private static Case row(String title, String benchmark, Map<String, String> parameters, int threads) {
        return new Case(title, size(parameters, threads), "", null, benchmark, parameters, threads);
    }
}
