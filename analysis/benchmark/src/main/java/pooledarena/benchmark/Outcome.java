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

/**
 * What a row gave on one virtual machine: figures, or the reason why there are none. The figures are
 * medians, because on a machine that does other work too, a few disturbed iterations drag a mean
 * anywhere.
 *
 * @param nsPerOp          the median of the iterations' average times per operation
 * @param nsPerOpDeviation how near half of the iterations are to that median
 * @param bytesPerOp       the median of the Java heap allocated per operation; null if JMH could not tell
 * @param failure          why the benchmark failed, in one line; null if it did not
 */
public record Outcome(Double nsPerOp, Double nsPerOpDeviation, Double bytesPerOp, String failure) {

    /** {@return the outcome of iterations with these average times and allocations per operation} */
    public static Outcome of(double[] ns, double[] bytes) {
        Median time = Median.of(ns);
        return new Outcome(time.value(), time.deviation(), bytes.length == 0 ? null : Median.of(bytes).value(), null);
    }

    public static Outcome failed(String reason) {
        return new Outcome(null, null, null, reason);
    }

    public boolean isFailure() {
        return failure != null;
    }
}
