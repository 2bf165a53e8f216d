/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import module java.base;

/** Cells in lines, as text for the terminal and as Markdown. The first line is the header. */
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

    public String toText() {
        int[] widths = IntStream.range(0, lines.getFirst().size())
                .map(column -> lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0)).toArray();
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder padded = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String padding = " ".repeat(widths[column] - line.get(column).length());
                padded.append(column == 0 ? line.get(column) + padding : "  " + padding + line.get(column));
            }
            text.append(padded.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    public String toMarkdown() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            List<String> cells = new ArrayList<>(lines.get(i).stream().map(cell -> cell.replace("|", "\\|")).toList());
            if (code && i > 0) {
                cells.set(0, "`" + cells.getFirst() + "`");
            }
            text.append("| ").append(String.join(" | ", cells)).append(" |\n");
            if (i == 0) {
                text.append("| --- |").append(" ---: |".repeat(cells.size() - 1)).append('\n');
            }
        }
        return text.toString();
    }
}
