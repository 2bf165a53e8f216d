/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.JavaCommand;
import pooledarena.text.ChartStyle;

import java.awt.Color;
import java.util.Map;

/** What is compared in the rows of a group: a benchmark, which is a class and a method, on a virtual machine. */
record Column(String name, String jvm, String benchmark, Color color, boolean dashed) {

    static final String PACKAGE = "org.openjdk.bench.java.lang.foreign.peers.";

    static final Color STOCK = ChartStyle.color(0);
    static final Color POOLED = ChartStyle.color(1);
    static final Color PEER = ChartStyle.color(2);
    static final Color SECOND_PEER = ChartStyle.color(3);
    static final Color THIRD_PEER = ChartStyle.color(4);
    static final Color NO_POOL = new Color(0xc0392b);

    static Column ofStock(String name, String benchmark, Color color) {
        return new Column(name, JavaCommand.STOCK, benchmark, color, false);
    }

    static Column ofPooled(String name, String benchmark) {
        return new Column(name, JavaCommand.POOLED, benchmark, POOLED, false);
    }

    Column dashedLine() {
        return new Column(name, jvm, benchmark, color, true);
    }

    Case in(String group, String row, Map<String, String> parameters, int threads) {
        return new Case(group, row, name, jvm, PACKAGE + benchmark, parameters, threads);
    }

    static String threads(int count) {
        return count + (count == 1 ? " thread" : " threads");
    }

    /** {@return the number that a row of sizes or threads begins with} */
    static double number(String row) {
        return Double.parseDouble(row.split(" ")[0]);
    }
}
