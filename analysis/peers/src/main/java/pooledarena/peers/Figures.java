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

/**
 * What a case gave, or the reason why it gave nothing. Except where sums are said, figures are medians of the
 * iterations.
 *
 * @param score          the benchmark's own result
 * @param deviation      how near half of the iterations are to it
 * @param unit           of the score: ns/op or ops/s
 * @param bytesPerOp     Java heap allocated
 * @param bytesPerSecond Java heap allocated, by all threads
 * @param gcMillis       how long the garbage collector ran, in all iterations together
 * @param gcCount        how often
 * @param measuredMillis how long all iterations took together
 * @param cpuNsPerOp     processor time of the whole process, garbage collector and cleaner included
 * @param failure        in one line; null if there are figures
 */
record Figures(Double score, Double deviation, String unit, Double bytesPerOp, Double bytesPerSecond, Double gcMillis,
               Double gcCount, Double measuredMillis, Double cpuNsPerOp, String failure) {

    static Figures failed(String reason) {
        return new Figures(null, null, null, null, null, null, null, null, null, reason);
    }

    boolean isFailure() {
        return failure != null;
    }

    /** {@return milliseconds of garbage collection in each second} */
    double gcMillisPerSecond() {
        return gcMillis / measuredMillis * 1e3;
    }

    double mebibytesPerSecond() {
        return bytesPerSecond / (1 << 20);
    }
}
