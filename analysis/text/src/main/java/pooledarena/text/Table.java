/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import module java.base;

/** Cells in lines. The first line is the header; columns but the first are set to the right. */
public final class Table {

    private final List<List<String>> lines = new ArrayList<>();
    private boolean code;

    public Table(List<String> header) {
        lines.add(header);
    }

    /** {@return a table with a line for each of {@code about}, whose cells the columns make} */
    public static <T> Table of(List<T> about, Map<String, Function<T, String>> columns) {
        Table table = new Table(List.copyOf(columns.keySet()));
        about.forEach(each -> table.add(columns.values().stream().map(cell -> cell.apply(each)).toList()));
        return table;
    }

    public void add(List<String> line) {
        lines.add(line);
    }

    /** {@return this, whose first column is now set as code, as names of classes and methods should be} */
    public Table withCode() {
        code = true;
        return this;
    }

    /** {@return the table with columns of even width, so that it is read without being rendered, too} */
    public String toMarkdown() {
        int columns = lines.getFirst().size();
        StringBuilder[] text = new StringBuilder[lines.size() + 1];
        Arrays.setAll(text, _ -> new StringBuilder("|"));
        for (int column = 0; column < columns; column++) {
            boolean first = column == 0;
            List<String> cells = new ArrayList<>();
            for (List<String> line : lines) {
                String cell = line.get(column).replace("|", "\\|");
                cells.add(code && first && !cells.isEmpty() ? "`" + cell + "`" : cell);
            }
            int width = cells.stream().mapToInt(String::length).reduce(3, Math::max);
            cells.add(1, first ? "-".repeat(width) : "-".repeat(width - 1) + ":");
            for (int i = 0; i < text.length; i++) {
                text[i].append((first ? " %-" + width + "s |" : " %" + width + "s |").formatted(cells.get(i)));
            }
        }
        return String.join("\n", text) + "\n";
    }

    /** {@return the table without lines between its cells} */
    public String toText() {
        return toMarkdown().replaceFirst("\n.*", "").replaceAll("(?m)^\\| |[ |]+$", "").replace(" | ", "  ");
    }
}
