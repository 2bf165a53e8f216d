/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */
package pooledarena.peers;

import java.util.List;
import java.util.Map;

/**
 * A figure to be measured: where it stands in the tables of its part, and how it is got.
 *
 * @param group      the tables that it is for
 * @param row        what is varied: a size, a load
 * @param column     what is compared
 * @param jvm        the name of the virtual machine that it is measured on
 * @param benchmark  the class and method, without the package
 * @param parameters the values of the benchmark's parameters
 * @param threads    how many threads run the benchmark at the same time
 */
record Case(String group, String row, String column, String jvm, String benchmark, Map<String, String> parameters,
            int threads) {

    private static final String PACKAGE = "org.openjdk.bench.java.lang.foreign.peers.";

    String qualifiedBenchmark() {
        return PACKAGE + benchmark;
    }

    /** {@return group, row and column in one, which a filter is matched with} */
    String label() {
        return group + ", " + row + ", " + column;
    }

    /** {@return whether the virtual machines take turns over this case and {@code other}} */
    boolean isBeside(Case other) {
        return group.equals(other.group) && row.equals(other.row);
    }

    static Case of(String group, String row, String column, String jvm, String benchmark, Map<String, String> parameters) {
        return new Case(group, row, column, jvm, benchmark, parameters, 1);
    }

    /** {@return the rows of {@code cases}, in their order} */
    static List<String> rows(List<Case> cases, String group) {
        return cases.stream().filter(c -> c.group.equals(group)).map(Case::row).distinct().toList();
    }

    /** {@return the columns of {@code cases}, in their order} */
    static List<String> columns(List<Case> cases, String group) {
        return cases.stream().filter(c -> c.group.equals(group)).map(Case::column).distinct().toList();
    }
}
