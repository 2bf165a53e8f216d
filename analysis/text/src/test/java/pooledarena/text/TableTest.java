/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.junit.jupiter.api.Test;

import java.util.List;

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
}
