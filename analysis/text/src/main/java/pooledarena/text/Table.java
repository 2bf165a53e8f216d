/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import module java.base;

/** Cells in lines. The first line is the header; columns but the first are set to the right. */
public final class Table {

    /** No figure is as long: cells of this length are not cut. */
    private static final int CUT = 24;

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
        return toText(Integer.MAX_VALUE);
    }

    /** {@return what fits in lines of {@code width} characters} Long cells are cut, and columns at the right left out. */
    String toText(int width) {
        int[] widths = IntStream.range(0, lines.getFirst().size())
                .map(column -> lines.stream().mapToInt(line -> line.get(column).length()).reduce(3, Math::max)).toArray();
        int all = widths.length;
        while (widths.length > 2 && length(Arrays.stream(widths).map(each -> Math.min(each, CUT))) > width) {
            widths = Arrays.copyOf(widths, widths.length - 1);
        }
        for (int most = Arrays.stream(widths).max().getAsInt(); most > CUT && length(Arrays.stream(widths)) > width; most--) {
            int longest = most;
            widths = Arrays.stream(widths).map(each -> Math.min(each, longest)).toArray();
        }
        StringBuilder format = new StringBuilder("|");
        List<String> rule = new ArrayList<>();
        for (int each : widths) {
            format.append(rule.isEmpty() ? " %-" : " %").append(each).append("s |");
            rule.add("-".repeat(each - 1) + (rule.isEmpty() ? "-" : ":"));
        }
        List<List<String>> shown = new ArrayList<>(lines);
        shown.add(1, rule);
        StringBuilder text = new StringBuilder();
        for (List<String> line : shown) {
            int[] most = widths;
            text.append(format.toString().formatted(IntStream.range(0, most.length)
                    .mapToObj(column -> cut(line.get(column), most[column])).toArray())).append('\n');
        }
        int out = all - widths.length;
        return text + (out == 0 ? "" : "(" + Figures.count(out, "more column") + " in the files)\n");
    }

    /** {@return the length of a line with columns of these widths} */
    private static int length(IntStream widths) {
        return widths.map(each -> each + 3).sum() + 1;
    }

    /** {@return the end of code, which tells the method, or the start of text} */
    private static String cut(String cell, int width) {
        return cell.length() <= width ? cell : cell.startsWith("`") ? "`…" + cell.substring(cell.length() - width + 2)
                : cell.substring(0, width - 1) + "…";
    }
}
