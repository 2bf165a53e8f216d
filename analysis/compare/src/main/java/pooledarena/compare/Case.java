/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import module java.base;

/**
 * A figure to be measured: where it stands in the tables, and how it is measured.
 *
 * @param group      the benchmark's title
 * @param row        what is varied: a size, a load; may be empty
 * @param jvm        the name of the virtual machine, which is its column; null before it is chosen
 * @param benchmark  the qualified name of the method
 */
public record Case(String group, String row, String jvm, String benchmark, Map<String, String> parameters, int threads) {

    public Case on(JavaCommand other) {
        return new Case(group, row, other.name(), benchmark, parameters, threads);
    }

    /** {@return group and row} The cases of a row have the same title. */
    public String title() {
        return row.isEmpty() ? group : group + ", " + row;
    }

    public String method() {
        return benchmark.replaceFirst(".*\\.(?=.*\\.)", "");
    }

    public boolean matches(Pattern include) {
        return include.matcher(title()).find() || include.matcher(benchmark + " " + row).find();
    }
}
