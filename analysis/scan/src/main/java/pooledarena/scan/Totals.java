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
package pooledarena.scan;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Counts over libraries.
 *
 * @param libraries        that were scanned
 * @param foreignLibraries of these, how many refer to the Foreign Function &amp; Memory API
 * @param openings         of confined arenas
 * @param closings         openings by how they are closed
 * @param escapes          openings by where else the arena gets to; one may be counted more than once
 * @param mostBytes        openings by the most bytes that one arena there can allocate, as far as that can be told
 * @param withoutBound     openings where that cannot be told
 * @param nested           openings inside of another of the same method
 * @param allocations      places that allocate
 * @param repeated         of these, how many may be reached more than once by one arena
 * @param constants        of these, those whose size is a constant, by that size
 * @param unknown          of these, the others, by what is known of them
 * @param otherArenas      places that get an arena that is not confined, by the method that gives it
 */
@JsonPropertyOrder({"libraries", "foreignLibraries", "openings", "closings", "escapes", "mostBytes", "withoutBound", "nested",
    "allocations", "repeated", "constants", "unknown", "otherArenas"})
record Totals(int libraries, int foreignLibraries, int openings, Map<Closing, Integer> closings,
              Map<Escape, Integer> escapes, Map<Long, Integer> mostBytes, int withoutBound, int nested, int allocations,
              int repeated, Map<Long, Integer> constants, Map<String, Integer> unknown, Map<String, Integer> otherArenas) {

    static final String STRING = "strings";
    static final String ARRAY = "arrays";
    static final String STRUCT = "structs returned by native functions";
    static final String OTHER = "other computed sizes";

    static Totals of(List<LibraryScan> scans) {
        Map<Closing, Integer> closings = new EnumMap<>(Closing.class);
        Map<Escape, Integer> escapes = new EnumMap<>(Escape.class);
        Map<Long, Integer> mostBytes = new TreeMap<>();
        Map<Long, Integer> constants = new TreeMap<>();
        Map<String, Integer> unknown = new TreeMap<>();
        Map<String, Integer> otherArenas = new TreeMap<>();
        List<Opening> openings = scans.stream().flatMap(scan -> scan.openings().stream()).toList();
        for (Opening opening : openings) {
            add(closings, opening.closing());
            opening.escapes().forEach(escape -> add(escapes, escape));
            if (opening.mostBytes() != null) {
                add(mostBytes, opening.mostBytes());
            }
        }
        List<Allocation> allocations = openings.stream().flatMap(opening -> opening.allocations().stream()).toList();
        for (Allocation allocation : allocations) {
            if (allocation.bytes() != null) {
                add(constants, allocation.bytes());
            } else {
                add(unknown, kind(allocation));
            }
        }
        scans.forEach(scan -> scan.otherArenas().forEach((method, count) -> otherArenas.merge(method, count, Integer::sum)));
        return new Totals(scans.size(), count(scans, scan -> scan.foreignClasses() > 0), openings.size(), closings, escapes,
                mostBytes, count(openings, opening -> opening.mostBytes() == null),
                count(openings, opening -> opening.nesting() > 0), allocations.size(),
                count(allocations, Allocation::repeated), constants, unknown, otherArenas);
    }

    private static String kind(Allocation allocation) {
        return "string".equals(allocation.layout()) ? STRING
                : allocation.method().equals("downcall") ? STRUCT
                : allocation.layout() != null ? ARRAY : OTHER;
    }

    private static <K> void add(Map<K, Integer> counts, K key) {
        counts.merge(key, 1, Integer::sum);
    }

    private static <T> int count(List<T> all, Predicate<T> which) {
        return (int) all.stream().filter(which).count();
    }

    int closed(Closing closing) {
        return closings.getOrDefault(closing, 0);
    }

    int constantSizes() {
        return constants.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** {@return how many of the counted sizes are more than {@code above} and at most {@code upTo} bytes} */
    static int between(Map<Long, Integer> sizes, long above, long upTo) {
        return sizes.entrySet().stream().filter(size -> size.getKey() > above && size.getKey() <= upTo)
                .mapToInt(Map.Entry::getValue).sum();
    }
}
