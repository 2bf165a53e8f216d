/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.util.ListStatistics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

class OutcomeTest {

    @Test
    void oneDisturbedIterationChangesLittle() {
        assertEquals(21, Outcome.of("ns/op", 21, 20, 500, 22, 20).score());
    }

    @Test
    void anEvenNumberOfIterationsHasItsMedianBetweenTheMiddleTwo() {
        assertEquals(3, Outcome.of("ns/op", 4, 1, 2, 8).score());
    }

    /** Student's t for 4 degrees of freedom and 99.9 % is 8.610; the standard deviation is 1.5811, of five values. */
    @Test
    void theErrorIsTheOneOfJmh() {
        assertEquals(8.610 * 1.5811 / Math.sqrt(5), Outcome.of("ns/op", 1, 2, 3, 4, 5).error(), 1e-3);
        assertEquals(new ListStatistics(new double[] {7, 9, 8}).getMeanErrorAt(0.999), Outcome.of("ns", 7, 9, 8).error());
    }

    @Test
    void twoRunsHaveNoError() {
        Outcome outcome = Outcome.of("B", 10, 20);
        assertNull(outcome.error());
        assertEquals("15.0", outcome.scoreWithError());
    }

    @Test
    void speedupCombinesBothErrors() {
        // Relative errors of 3 % and 4 % make 5 %.
        assertEquals("2.00x ± 0.10", outcome(50, 2).speedupOver(outcome(100, 3)));
        assertEquals("12.3x ± 0.6", outcome(10, 0.3).speedupOver(outcome(123.4, 4.936)));
    }

    private static Outcome outcome(double score, double error) {
        return new Outcome(score, error, "ns/op", null, null, null);
    }
}
