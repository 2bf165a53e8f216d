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
package pooledarena.benchmark;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One line of the comparison: a benchmark with a value for each of its parameters.
 *
 * @param title      what the benchmark does, for people
 * @param benchmark  the qualified name of the benchmark method
 * @param parameters the value of each of the benchmark's parameters, by name
 * @param threads    how many threads run the benchmark at the same time
 */
public record Row(String title, String benchmark, Map<String, String> parameters, int threads) {

    /** {@return parameters and threads with their units, or an empty string if there are no parameters and one thread} */
    public String size() {
        Stream<String> values = parameters.entrySet().stream()
                .filter(p -> !(p.getKey().equals("ended") && p.getValue().equals("0")))
                .map(p -> switch (p.getKey()) {
                    case "size" -> p.getValue() + " B";
                    case "length" -> p.getValue() + " chars";
                    case "depth" -> p.getValue() + " deep";
                    case "held" -> p.getValue() + " held";
                    case "parked" -> p.getValue() + " parked";
                    case "ended" -> p.getValue() + " carriers ended";
                    case "count" -> p.getValue() + " allocations";
                    default -> p.getKey() + "=" + p.getValue();
                });
        return Stream.concat(values, threads == 1 ? Stream.empty() : Stream.of(threads + " threads"))
                .collect(Collectors.joining(", "));
    }

    public Row withThreads(int newThreads) {
        return new Row(title, benchmark, parameters, newThreads);
    }

    /** {@return title and size in one} */
    public String label() {
        return size().isEmpty() ? title : title + ", " + size();
    }
}
