/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.JavaCommand;

import java.util.Map;

/**
 * What is compared in the rows of a group: a benchmark, which is a class and a method, on a virtual machine.
 *
 * @param color of its line, one of {@link pooledarena.text.ChartStyle#color}
 */
record Column(String name, String jvm, String benchmark, int color, boolean dashed) {

    static final String PACKAGE = "org.openjdk.bench.java.lang.foreign.peers.";

    /** The color of the stock arena; those of peers follow that of the pooled one. */
    static final int STOCK = 0;

    static Column ofStock(String name, String benchmark, int color) {
        return new Column(name, JavaCommand.STOCK, benchmark, color, false);
    }

    static Column ofPooled(String name, String benchmark) {
        return new Column(name, JavaCommand.POOLED, benchmark, STOCK + 1, false);
    }

    Column dashedLine() {
        return new Column(name, jvm, benchmark, color, true);
    }

    Case in(String group, String row, Map<String, String> parameters, int threads) {
        return new Case(group, row, name, jvm, PACKAGE + benchmark, parameters, threads);
    }
}
