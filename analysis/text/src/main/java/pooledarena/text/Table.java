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

    public Table(Object... header) {
        add(header);
    }

    public static <T> Table of(List<T> about, Map<String, Function<T, String>> columns) {
        Table table = new Table(columns.keySet().toArray());
        about.forEach(each -> table.add(columns.values().stream().map(cell -> cell.apply(each)).toArray()));
        return table;
    }

    /** Adds a line; what is null is not known. */
    public void add(Object... cells) {
        lines.add(Stream.of(cells).map(cell -> Document.printable(Objects.toString(cell, "?")).replace("|", "\\|")).toList());
    }

    /**
     * {@return the table in Markdown, with columns of even width, so that it is read without being rendered, too}
     *
     * @param width of a line: long cells are cut to it, then columns at the right left out
     */
    public String toText(int width) {
        int all = lines.getFirst().size();
        List<Integer> widths = IntStream.range(0, all).mapToObj(column -> lines.stream()
                .mapToInt(line -> line.get(column).length()).reduce(3, Math::max)).collect(Collectors.toCollection(ArrayList::new));
        while (widths.size() > 2 && length(widths, CUT) > width) {
            widths.removeLast();
        }
        int most = IntStream.iterate(Collections.max(widths), longest -> longest - 1)
                .filter(longest -> longest <= CUT || length(widths, longest) <= width).findFirst().getAsInt();
        StringBuilder format = new StringBuilder("|");
        List<String> rule = new ArrayList<>();
        for (int each : widths) {
            int shown = Math.min(each, most);
            format.append(rule.isEmpty() ? " %-" : " %").append(shown).append("s |");
            rule.add("-".repeat(shown - 1) + (rule.isEmpty() ? "-" : ":"));
        }
        List<List<String>> shown = new ArrayList<>(lines);
        shown.add(1, rule);
        String text = shown.stream().map(line -> line.stream().limit(widths.size()).map(cell -> cut(cell, most)).toArray())
                .map(cells -> format.toString().formatted(cells) + "\n").collect(Collectors.joining());
        int out = all - widths.size();
        return text + (out == 0 ? "" : "(" + Figures.count(out, "more column") + " in the files)\n");
    }

    /** {@return the length of a line with columns of these widths, but of {@code most} where they are wider} */
    private static int length(List<Integer> widths, int most) {
        return widths.stream().mapToInt(each -> Math.min(each, most) + 3).sum() + 1;
    }

    /** {@return the end of code, which tells the method, or the start of text} */
    private static String cut(String cell, int width) {
        return cell.length() <= width ? cell : cell.startsWith("`") ? "`…" + cell.substring(cell.length() - width + 2)
                : cell.substring(0, width - 1) + "…";
    }
}
