/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import static java.nio.charset.StandardCharsets.UTF_8;

/** What {@code try (Arena arena = Arena.ofConfined()) { arena.allocate(n); }} costs, as doc/performance.md has it. */
final class PlainForm {

    static final String DOCUMENT = "performance.md";
    private static final String TITLE = "open, allocate, close";

    /** What one takes on the stock JDK and on the image. */
    record Nanoseconds(String stock, String image) {}

    private final NavigableMap<Long, Nanoseconds> bySize = new TreeMap<>();

    /** Reads the rows of the benchmark in tables that compare with the stock JDK; the name is only in the first row. */
    PlainForm(String markdown) {
        boolean ofStock = false;
        String name = "";
        for (String line : markdown.lines().toList()) {
            String[] cells = line.split(" *\\| *");
            if (cells.length < 5) {
                continue;
            }
            if (cells[3].startsWith("stock")) {
                ofStock = cells[4].startsWith("pooled");
            } else if (cells[3].endsWith("ns/op")) {
                ofStock = false;
            }
            name = cells[1].isEmpty() ? name : cells[1];
            if (ofStock && name.equals(TITLE) && cells[2].matches("\\d+ B")) {
                bySize.put(Long.valueOf(cells[2].replace(" B", "")), new Nanoseconds(cells[3], cells[4]));
            }
        }
    }

    static PlainForm documented() {
        try (InputStream stream = PlainForm.class.getResourceAsStream(DOCUMENT)) {
            return new PlainForm(new String(stream.readAllBytes(), UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the cost by the size that was measured and is not below {@code bytes}; null if there is none} */
    Map.Entry<Long, Nanoseconds> atLeast(long bytes) {
        return bySize.ceilingEntry(bytes);
    }
}
