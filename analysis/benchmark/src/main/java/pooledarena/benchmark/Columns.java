/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import pooledarena.text.Table;

import module java.base;

/**
 * The columns of a table whose lines are alike.
 *
 * @param <L> what a line is about
 */
public final class Columns<L> {

    private final List<String> header = new ArrayList<>();
    private final List<Function<L, String>> cells = new ArrayList<>();

    public Columns<L> add(String name, Function<L, String> cell) {
        header.add(name);
        cells.add(cell);
        return this;
    }

    public Table table(List<L> lines) {
        Table table = new Table(header);
        lines.forEach(line -> table.add(cells.stream().map(cell -> cell.apply(line)).toList()));
        return table;
    }
}
