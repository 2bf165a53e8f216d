/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import module java.base;

/**
 * A figure to be measured: where it stands in the tables, and how it is measured.
 *
 * @param group      the rows that it belongs to: a table, or a benchmark's title
 * @param row        what is varied: a size, a load; may be empty
 * @param column     what is compared
 * @param jvm        the name of the virtual machine; null in a row that is measured on all of them
 * @param benchmark  the qualified name of the method; null if it is not measured with JMH
 * @param parameters of the benchmark, by name
 */
public record Case(String group, String row, String column, String jvm, String benchmark,
                   Map<String, String> parameters, int threads) {

    public static Case ofProcess(String group, String row, String column, JavaCommand jvm) {
        return new Case(group, row, column, jvm.name(), null, Map.of(), 1);
    }

    /** {@return the figure of this row on a virtual machine, after which its column is named} */
    public Case on(JavaCommand other) {
        return new Case(group, row, other.name(), other.name(), benchmark, parameters, threads);
    }

    /** {@return group and row} The cases of a row have the same title. */
    public String title() {
        return row.isEmpty() ? group : group + ", " + row;
    }

    /** {@return group, row and column} No two cases have the same label. */
    public String label() {
        return column.isEmpty() ? title() : title() + ", " + column;
    }

    /** {@return the value of a parameter that is a number} */
    public double number(String parameter) {
        return Double.parseDouble(parameters.get(parameter));
    }

    /** {@return class and method} */
    static String method(String benchmark) {
        return benchmark.replaceFirst(".*\\.(?=.*\\.)", "");
    }

    /** {@return whether {@code include} has a match in the label, or in the benchmark with the row after it} */
    boolean matches(Pattern include) {
        return include.matcher(label()).find() || include.matcher(benchmark + " " + row).find();
    }
}
