/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import pooledarena.io.BadInput;

import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A figure to be measured: where it stands in the tables, and how it is got.
 *
 * @param group      the rows that it belongs to: a table, or a benchmark's title
 * @param row        what is varied: a size, a load; may be empty
 * @param column     what is compared
 * @param jvm        the name of the virtual machine that it is measured on
 * @param benchmark  the qualified name of the benchmark's method; null if it is not measured with JMH
 * @param parameters the values of the benchmark's parameters, by name
 * @param threads    how many threads run the benchmark at the same time
 */
public record Case(String group, String row, String column, String jvm, String benchmark, Map<String, String> parameters,
                   int threads) {

    /** {@return the same row on a virtual machine, whose name is the column's} */
    public Case on(Jvm other) {
        return new Case(group, row, other.name(), other.name(), benchmark, parameters, threads);
    }

    /** {@return group, row and column in one, without those that are empty} */
    public String label() {
        return Stream.of(group, row, column).filter(part -> !part.isEmpty()).collect(Collectors.joining(", "));
    }

    /**
     * {@return the expression that what is measured must match somewhere}
     *
     * @param include the value of the option {@code --include}; null if there is none
     * @throws BadInput if it is no regular expression
     */
    public static Pattern pattern(String include) {
        try {
            return Pattern.compile(include == null ? "" : include);
        } catch (PatternSyntaxException e) {
            throw new BadInput("--include " + include + ": " + e.getDescription()
                    + "; a Java regular expression is accepted; nothing was measured");
        }
    }

    /** {@return whether {@code include} has a match in the label, or in the benchmark with the row after it} */
    public boolean matches(Pattern include) {
        return include.matcher(label()).find() || include.matcher(benchmark + " " + row).find();
    }

    /** {@return whether this and {@code other} take turns} */
    boolean isBeside(Case other) {
        return group.equals(other.group) && row.equals(other.row);
    }
}
