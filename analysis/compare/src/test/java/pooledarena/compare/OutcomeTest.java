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
package pooledarena.compare;

import org.junit.jupiter.api.Test;
import pooledarena.benchmark.Outcome;
import pooledarena.benchmark.Speedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

class OutcomeTest {

    @Test
    void oneDisturbedIterationChangesLittle() {
        Outcome outcome = Outcome.of(new double[] {21, 20, 500, 22, 20}, new double[] {0, 8, 0});
        assertEquals(21, outcome.nsPerOp());
        assertEquals(1, outcome.nsPerOpDeviation()); // of 0, 1, 479, 1, 1
        assertEquals(0, outcome.bytesPerOp());
    }

    @Test
    void anEvenNumberOfIterationsHasItsMedianBetweenTheMiddleTwo() {
        Outcome outcome = Outcome.of(new double[] {4, 1, 2, 8}, new double[] {16, 48});
        assertEquals(3, outcome.nsPerOp());
        assertEquals(1.5, outcome.nsPerOpDeviation()); // of 1, 2, 1, 5
        assertEquals(32, outcome.bytesPerOp());
    }

    @Test
    void bytesThatJmhDidNotTellAreMissing() {
        assertNull(Outcome.of(new double[] {1}, new double[0]).bytesPerOp());
    }

    @Test
    void speedupCombinesBothDeviations() {
        // Relative deviations of 3 % and 4 % make 5 %.
        Speedup speedup = Speedup.of(Samples.outcome(100, 3, 0), Samples.outcome(50, 2, 0));
        assertEquals(2, speedup.factor());
        assertEquals(0.1, speedup.deviation(), 1e-12);
        assertEquals("2.00x ± 0.10", speedup.toString());
        assertEquals("12.3x ± 0.6", new Speedup(12.34, 0.56).toString());
    }
}
