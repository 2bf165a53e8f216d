/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class LineChartTest {

    @Test
    void ticksAreRound() {
        assertEquals(5, LineChart.roundStep(2.8));
        assertEquals(100, LineChart.roundStep(90));
        assertEquals(0.2, LineChart.roundStep(0.2), 1e-12);
    }
}
