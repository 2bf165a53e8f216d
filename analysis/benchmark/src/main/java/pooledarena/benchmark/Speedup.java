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
 * How many times as fast one side is as the other.
 *
 * @param factor    the time before divided by the time after
 * @param deviation the deviation of {@code factor}
 */
public record Speedup(double factor, double deviation) {

    /** {@return the speedup from {@code before} to {@code after}, neither of which failed} */
    public static Speedup of(Outcome before, Outcome after) {
        double factor = before.nsPerOp() / after.nsPerOp();
        return new Speedup(factor, factor * Math.hypot(
                before.nsPerOpDeviation() / before.nsPerOp(), after.nsPerOpDeviation() / after.nsPerOp()));
    }

    /** {@return the factor with two decimals below ten and one from there on} */
    public static String format(double factor) {
        return String.format(factor < 10 ? "%.2fx" : "%.1fx", factor);
    }

    @Override
    public String toString() {
        return format(factor) + String.format(factor < 10 ? " ± %.2f" : " ± %.1f", deviation);
    }
}
