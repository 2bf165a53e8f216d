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
import static org.junit.jupiter.api.Assertions.assertTrue;

class TableTest {

    @Test
    void columnsAreEven() {
        Table table = new Table("", "n");
        table.add("first", "1");
        table.add("2nd", "1,000");
        table.add("3rd", "");
        assertEquals("""
                |       |     n |
                | ----- | ----: |
                | first |     1 |
                | 2nd   | 1,000 |
                | 3rd   |       |
                """, table.toText(Integer.MAX_VALUE));
    }

    @Test
    void aLineForEach() {
        Map<String, Function<Integer, String>> columns = new LinkedHashMap<>();
        columns.put("number", n -> "no. " + n);
        columns.put("square", n -> "" + n * n);
        Table expected = new Table("number", "square");
        expected.add("no. 3", "9");
        expected.add("no. 2", "4");
        assertEquals(expected.toText(Integer.MAX_VALUE), Table.of(List.of(3, 2), columns).toText(Integer.MAX_VALUE));
    }

    /** Text is cut first, a call site where it begins; then there are fewer columns. */
    @Test
    void onATerminal() {
        Table table = new Table("call site", "1", "description", "2");
        table.add("`com.example.library.binding.Name.method:12`", "1,000", "x".repeat(40), "12 %");
        table.add("`A.a:1`", "2", "y", "");
        assertEquals(table.toText(Integer.MAX_VALUE), table.toText(1000));
        Map<Integer, String> ends = Map.of(55, "(2 more columns in the files)", 65, "(1 more column in the files)", 75, "|", 100, "|");
        ends.forEach((width, end) -> {
            String text = table.toText(width);
            assertTrue(text.lines().allMatch(line -> line.length() <= width), width + ":\n" + text);
            assertTrue(text.endsWith(end + "\n"), width + ":\n" + text);
        });
        assertTrue(table.toText(80).contains("| `…ary.binding.Name.method:12` | 1,000 | " + "x".repeat(28) + "… | 12 % |"), table.toText(80));
        // What fits exactly is shown; two columns stay where they do not fit, and no cell is cut further.
        assertTrue(table.toText(70).lines().allMatch(line -> line.length() == 70), table.toText(70));
        assertTrue(table.toText(74).lines().allMatch(line -> line.length() == 74), table.toText(74));
        assertEquals(table.toText(36), table.toText(30));
    }
}
