/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import static org.junit.jupiter.api.Assertions.assertEquals;

class TableTest {

    @Test
    void columnsAreEven() {
        Table table = new Table(List.of("", "n"));
        table.add(List.of("first", "1"));
        table.add(List.of("2nd", "1,000"));
        table.add(List.of("3rd", ""));
        assertEquals("""
                |       |     n |
                | ----- | ----: |
                | first |     1 |
                | 2nd   | 1,000 |
                | 3rd   |       |
                """, table.toMarkdown());
    }

    @Test
    void aLineForEach() {
        Map<String, Function<Integer, String>> columns = new LinkedHashMap<>();
        columns.put("number", n -> "no. " + n);
        columns.put("square", n -> "" + n * n);
        Table expected = new Table(List.of("number", "square"));
        expected.add(List.of("no. 3", "9"));
        expected.add(List.of("no. 2", "4"));
        assertEquals(expected.toMarkdown(), Table.of(List.of(3, 2), columns).toMarkdown());
    }
}
