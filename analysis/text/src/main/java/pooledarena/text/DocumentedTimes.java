/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import pooledarena.io.WholeFiles;

import module java.base;

/**
 * What a report of a comparison says of the stock JDK and the image.
 *
 * @param bySize by the name of a benchmark, or the depth of a nest, and the bytes of each allocation
 */
public record DocumentedTimes(Map<String, NavigableMap<Long, Times>> bySize) {

    public static final String SOURCE = "doc/performance.md";

    /** The names of {@code try (Arena arena = Arena.ofConfined()) { arena.allocate(n); }} with one and with three. */
    public static final String ONE = "open, allocate, close";
    public static final String THREE = "three allocations in one arena";

    /** Name, bytes, and two times, what follows each left out; those but the name may be something else. */
    private static final Pattern LINE = Pattern.compile(
            "(?m)^\\| *(.*?) *\\|(?: *(\\d+) B *\\| *([\\d.]+)[^|\n]*\\| *([\\d.]+)[^|\n]*\\|)?");

    /** In nanoseconds. */
    public record Times(double stock, double pooled) {}

    public static DocumentedTimes read() {
        return of(WholeFiles.resource(DocumentedTimes.class, "performance.md"));
    }

    /** Reads tables whose third column is stock's and whose fourth is the image's. A line may leave out the name. */
    public static DocumentedTimes of(String markdown) {
        Map<String, NavigableMap<Long, Times>> bySize = new HashMap<>();
        for (String table : markdown.split("\n{2,}")) {
            Matcher cells = LINE.matcher(table.matches("\\|.*\\| stock(?s:.*)") ? table : "");
            String name = "";
            while (cells.find()) {
                name = cells.group(1).isEmpty() ? name : cells.group(1);
                if (cells.group(2) != null) {
                    bySize.computeIfAbsent(name, _ -> new TreeMap<>()).put(Long.valueOf(cells.group(2)),
                            new Times(Double.parseDouble(cells.group(3)), Double.parseDouble(cells.group(4))));
                }
            }
        }
        return new DocumentedTimes(bySize);
    }

    /** {@return the times of {@link #ONE} with the least measured size from {@code bytes} on; null if there is none} */
    public Map.Entry<Long, Times> atLeast(long bytes) {
        return bySize.get(ONE).ceilingEntry(bytes);
    }
}
