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

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import pooledarena.io.BadInput;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A comparison, finished or on the way, with everything that the report says. Its JSON form is {@code compare.json}.
 *
 * @param format     {@link #FORMAT}
 * @param fields     what the fields mean whose names do not tell
 * @param date       when the last figure was measured
 * @param command    what repeats it
 * @param machine    where it ran
 * @param otherCores how many of its cores other programs kept busy meanwhile, on average; null if unknown
 * @param jmhVersion the harness
 * @param effort     how much was measured
 * @param jvms       the virtual machines, stock first, pooled second
 * @param planned    how many rows there are to measure; more than are in {@code rows} if it was interrupted
 * @param rows       the figures
 * @param quantities what was measured without JMH
 * @param jmh        JMH's own result of each virtual machine, by its name
 */
public record Comparison(String format, Map<String, String> fields, String date, String command, Machine machine,
                         Double otherCores, String jmhVersion, Effort effort, List<Jvm> jvms, int planned,
                         List<Result> rows, List<Quantity> quantities, Map<String, JsonNode> jmh) {

    public static final String FORMAT = "pooled-confined-arena comparison, version 2";

    public static final Map<String, String> FIELDS = Map.of(
            "nsPerOp", "nanoseconds per operation, the median of the iterations",
            "nsPerOpDeviation", "half of the iterations are this near to nsPerOp (median absolute deviation)",
            "bytesPerOp", "Java heap bytes allocated per operation, the median of the iterations",
            "failure", "why there is no figure of this virtual machine; null if there is one",
            "otherCores", "cores that other programs kept busy meanwhile, on average",
            "deviation", "half of the runs are this near to value (median absolute deviation)",
            "jmh", "JMH's own JSON result of each virtual machine");

    private static final ObjectMapper JSON = JsonMapper.builder()
            .visibility(PropertyAccessor.IS_GETTER, JsonAutoDetect.Visibility.NONE) // only what a record has is written
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    /**
     * A row's figures.
     *
     * @param row      the row
     * @param outcomes what it gave, by the virtual machine's name
     */
    public record Result(Row row, Map<String, Outcome> outcomes) {

        public Outcome on(Jvm jvm) {
            return outcomes.get(jvm.name());
        }

        public boolean hasFailure() {
            return outcomes.values().stream().anyMatch(Outcome::isFailure);
        }

        /** {@return the speedup of {@code jvm} over stock, unless either failed} */
        public Optional<Speedup> speedup(Jvm jvm) {
            Outcome before = outcomes.get(Jvm.STOCK);
            Outcome after = on(jvm);
            return before.isFailure() || after.isFailure() ? Optional.empty() : Optional.of(Speedup.of(before, after));
        }
    }

    /** {@return two lines that say where the figures are from} */
    public List<String> origin() {
        return origin(machine, date, jvms);
    }

    /** {@return two lines that say where figures are from} */
    public static List<String> origin(Machine machine, String date, List<Jvm> jvms) {
        return List.of(machine + "; " + date,
                jvms.stream().map(jvm -> jvm.name() + ": " + jvm.build()).collect(Collectors.joining("; ")));
    }

    public Jvm stock() {
        return jvms.getFirst();
    }

    /** {@return the virtual machines that are compared with stock} */
    public List<Jvm> contenders() {
        return jvms.subList(1, jvms.size());
    }

    public boolean hasFailure() {
        return rows.stream().anyMatch(Result::hasFailure) || quantities.stream().anyMatch(Quantity::hasFailure);
    }

    public boolean isWhole() {
        return rows.size() == planned;
    }

    /** {@return this with {@code newQuantities}, and {@code newOtherCores} of the whole time} */
    public Comparison with(List<Quantity> newQuantities, Double newOtherCores) {
        return new Comparison(format, fields, date, command, machine, newOtherCores, jmhVersion, effort, jvms, planned, rows,
                newQuantities, jmh);
    }

    public byte[] toJson() throws IOException {
        return JSON.writeValueAsBytes(this);
    }

    /** {@return the comparison in {@code json}, which was read from {@code file}} */
    public static Comparison fromJson(byte[] json, String file) {
        try {
            Comparison comparison = JSON.readValue(json, Comparison.class);
            if (FORMAT.equals(comparison.format)) {
                return comparison;
            }
        } catch (IOException e) {
            // Told below: what is wrong inside does not help who gave the wrong file.
        }
        throw new BadInput(file + ": not a \"" + FORMAT + "\"; the compare.json that the compare command wrote "
                + "is accepted; nothing was written");
    }

    /** {@return the tree of {@code json}} */
    public static JsonNode parse(byte[] json) throws IOException {
        return JSON.readTree(json);
    }
}
