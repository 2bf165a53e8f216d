/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

class FiguresTest {

    /** What is not all or nothing does not look like that. */
    @Test
    void sharesNearTheEnds() {
        assertEquals("100 %", Figures.percent(200_000, 200_000));
        assertEquals(">99.999 %", Figures.percent(199_999, 200_000));
        assertEquals("99.999 %", Figures.percent(199_998, 200_000));
        assertEquals("<0.001 %", Figures.percent(1, 220_000));
        assertEquals("0.001 %", Figures.percent(1, 200_000));
        assertEquals("0 %", Figures.percent(0, 200_000));
        assertEquals("-50.0 %", Figures.percent(-1, 2));
    }
}
