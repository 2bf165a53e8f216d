/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import pooledarena.io.WholeFiles;

import module java.base;

/**
 * What doc/performance.md says of the stock JDK and the image.
 *
 * @param bySize by the name of a benchmark, or the depth of a nest, and the bytes of each allocation
 */
public record DocumentedTimes(Map<String, NavigableMap<Long, Times>> bySize) {

    public static final String SOURCE = "doc/performance.md";

    /** The name of {@code try (Arena arena = Arena.ofConfined()) { arena.allocate(n); }}. */
    public static final String ONE = "open, allocate, close";

    /** In nanoseconds. */
    public record Times(double stock, double pooled) {}

    public static DocumentedTimes read() {
        return of(WholeFiles.resource(DocumentedTimes.class, "performance.md"));
    }

    /** Reads the tables whose third column is stock's and whose fourth is the image's. A line without name has that before it. */
    public static DocumentedTimes of(String markdown) {
        Map<String, NavigableMap<Long, Times>> bySize = new HashMap<>();
        boolean ofStock = false;
        String name = "";
        String before = "";
        for (String line : markdown.lines().filter(l -> l.startsWith("|")).toList()) {
            String[] cells = line.split(" *\\| *");
            if (line.startsWith("| ---")) {
                ofStock = before.contains("| stock");
            } else if (cells.length > 4) {
                name = cells[1].isEmpty() ? name : cells[1];
                if (ofStock && cells[2].matches("\\d+ B")) {
                    bySize.computeIfAbsent(name, _ -> new TreeMap<>()).put(Long.valueOf(cells[2].replace(" B", "")),
                            new Times(Double.parseDouble(cells[3]), Double.parseDouble(cells[4])));
                }
            }
            before = line;
        }
        return new DocumentedTimes(bySize);
    }

    /** {@return the times of {@link #ONE} with the least measured size that is not below {@code bytes}; null if there is none} */
    public Map.Entry<Long, Times> atLeast(long bytes) {
        return bySize.get(ONE).ceilingEntry(bytes);
    }
}
