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

/**
 * Something that is measured without JMH, and the less the better: time of a process, or memory.
 *
 * @param title   what is measured
 * @param unit    of the values
 * @param amounts how much it is, by the virtual machine's name
 */
public record Quantity(String title, String unit, Map<String, Amount> amounts) {

    /**
     * How much it is on one virtual machine, or the reason why that is not known.
     *
     * @param value     the median of the runs
     * @param deviation how near half of the runs are to it
     * @param runs      how many there were
     * @param failure   why there is no value, in one line; null if there is one
     */
    public record Amount(Double value, Double deviation, int runs, String failure) {

        public static Amount of(double... runs) {
            Median median = Median.of(runs);
            return new Amount(median.value(), median.deviation(), runs.length, null);
        }

        public static Amount failed(String reason) {
            return new Amount(null, null, 0, reason);
        }

        public boolean isFailure() {
            return failure != null;
        }
    }

    public Amount on(Jvm jvm) {
        return amounts.get(jvm.name());
    }

    public boolean hasFailure() {
        return amounts.values().stream().anyMatch(Amount::isFailure);
    }
}
