/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.JavaCommand;

import java.util.Map;

/** What is compared in the rows of a group: a benchmark, which is a class and a method, on a virtual machine. */
record Column(String name, String jvm, String benchmark) {

    static final String PACKAGE = "org.openjdk.bench.java.lang.foreign.peers.";

    static Column ofStock(String name, String benchmark) {
        return new Column(name, JavaCommand.STOCK, benchmark);
    }

    static Column ofPooled(String name, String benchmark) {
        return new Column(name, JavaCommand.POOLED, benchmark);
    }

    Case in(String group, String row, Map<String, String> parameters, int threads) {
        return new Case(group, row, name, jvm, PACKAGE + benchmark, parameters, threads);
    }
}
