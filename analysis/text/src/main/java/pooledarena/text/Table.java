/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import module java.base;

/** Cells in lines. The first line is the header; columns but the first are set to the right. */
public final class Table {

    private final List<List<String>> lines = new ArrayList<>();

    public Table(List<String> header) {
        add(header);
    }

    /** {@return a table with a line for each of {@code about}, whose cells the columns make} */
    public static <T> Table of(List<T> about, Map<String, Function<T, String>> columns) {
        Table table = new Table(List.copyOf(columns.keySet()));
        about.forEach(each -> table.add(columns.values().stream().map(cell -> cell.apply(each)).toList()));
        return table;
    }

    public void add(List<String> line) {
        lines.add(line.stream().map(cell -> cell.replace("|", "\\|")).toList());
    }

    /** {@return the table with columns of even width, so that it is read without being rendered, too} */
    public String toMarkdown() {
        StringBuilder format = new StringBuilder("|");
        List<String> rule = new ArrayList<>();
        for (int i = 0; i < lines.getFirst().size(); i++) {
            int column = i;
            int width = lines.stream().mapToInt(line -> line.get(column).length()).reduce(3, Math::max);
            format.append(column == 0 ? " %-" : " %").append(width).append("s |");
            rule.add("-".repeat(width - 1) + (column == 0 ? "-" : ":"));
        }
        List<List<String>> all = new ArrayList<>(lines);
        all.add(1, rule);
        format.append("\n");
        return all.stream().map(line -> format.toString().formatted(line.toArray())).collect(Collectors.joining());
    }
}
