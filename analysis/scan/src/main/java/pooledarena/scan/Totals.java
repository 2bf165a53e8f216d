/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import pooledarena.scan.Opening.Closing;
import pooledarena.scan.Opening.Escape;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts over libraries: of openings, the places that open a confined arena, and of allocations from these.
 *
 * @param foreignLibraries how many of the libraries refer to the Foreign Function &amp; Memory API
 * @param escapes          openings by where else the arena gets to; one may be counted more than once
 * @param mostBytes        openings by the most bytes that one arena there can allocate, where that is known
 * @param nested           openings inside of another of the same method
 * @param repeated         allocations that may be reached more than once by one arena
 * @param constants        allocations of a constant size, by that size
 * @param unknown          the others, by what is known of them
 * @param otherArenas      places that get an arena that is not confined, by the method that gives it
 */
record Totals(int libraries, int foreignLibraries, int openings, Map<Closing, Integer> closings,
              Map<Escape, Integer> escapes, Map<Long, Integer> mostBytes, int withoutBound, int nested, int allocations,
              int repeated, Map<Long, Integer> constants, Map<String, Integer> unknown, Map<String, Integer> otherArenas,
              Map<Workaround.Kind, Integer> workarounds) {

    static final String STRING = "strings";
    static final String ARRAY = "arrays";
    static final String STRUCT = "structs returned by native functions";
    static final String OTHER = "other computed sizes";

    static Totals of(List<LibraryScan> scans) {
        List<Opening> openings = scans.stream().flatMap(scan -> scan.openings().stream()).toList();
        List<Allocation> allocations = openings.stream().flatMap(opening -> opening.allocations().stream()).toList();
        Map<Long, Integer> mostBytes = count(openings.stream().map(Opening::mostBytes).filter(Objects::nonNull));
        return new Totals(scans.size(), (int) scans.stream().filter(scan -> scan.foreignClasses() > 0).count(), openings.size(),
                count(openings.stream().map(Opening::closing)),
                count(openings.stream().flatMap(opening -> opening.escapes().stream())), mostBytes,
                openings.size() - sum(mostBytes), (int) openings.stream().filter(opening -> opening.nesting() > 0).count(),
                allocations.size(), (int) allocations.stream().filter(Allocation::repeated).count(),
                count(allocations.stream().map(Allocation::bytes).filter(Objects::nonNull)),
                count(allocations.stream().filter(allocation -> allocation.bytes() == null).map(Totals::kind)),
                sum(scans.stream().flatMap(scan -> scan.otherArenas().entrySet().stream())),
                count(scans.stream().flatMap(scan -> scan.workarounds().stream()).map(Workaround::kind)));
    }

    private static String kind(Allocation allocation) {
        return Allocation.STRING.equals(allocation.layout()) ? STRING
                : allocation.method().equals(Allocation.DOWNCALL) ? STRUCT
                : allocation.layout() != null ? ARRAY : OTHER;
    }

    private static <K> Map<K, Integer> count(Stream<K> all) {
        return sum(all.map(key -> Map.entry(key, 1)));
    }

    private static <K> Map<K, Integer> sum(Stream<Map.Entry<K, Integer>> counts) {
        return counts.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Integer::sum, TreeMap::new));
    }

    private static int sum(Map<?, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    int closed(Closing closing) {
        return closings.getOrDefault(closing, 0);
    }

    int constantSizes() {
        return sum(constants);
    }

    /** {@return how many of the counted sizes are more than {@code above} and at most {@code upTo} bytes} */
    static int between(Map<Long, Integer> sizes, long above, long upTo) {
        return sum(new TreeMap<>(sizes).subMap(above, false, upTo, true));
    }
}
