/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.peers;

import pooledarena.benchmark.Case;
import pooledarena.benchmark.JavaCommand;
import pooledarena.benchmark.MeasuringCommand.Extra;

import module java.base;

/**
 * What is measured beside one of the peers.
 *
 * @param extras without JMH on these virtual machines, with files in a directory
 */
record Part(String title, List<Group> groups, BiFunction<List<JavaCommand>, Path, List<Extra>> extras) {

    static final String PACKAGE = "org.openjdk.bench.java.lang.foreign.peers.";

    Part(String title, List<Group> groups) {
        this(title, groups, (_, _) -> List.of());
    }

    /** {@return a column of what is still to be placed: a benchmark, which is a class and a method} */
    static Case onStock(String column, String benchmark) {
        return new Case("", "", column, JavaCommand.STOCK, PACKAGE + benchmark, Map.of(), 1);
    }

    static Case onPooled(String column, String benchmark) {
        return new Case("", "", column, JavaCommand.POOLED, PACKAGE + benchmark, Map.of(), 1);
    }
}
