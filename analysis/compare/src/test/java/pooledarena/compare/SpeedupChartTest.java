/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.compare;

import org.jfree.data.category.CategoryDataset;
import org.junit.jupiter.api.Test;
import pooledarena.benchmark.Outcome;

import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SpeedupChartTest {

    @Test
    void barsAreFactors() {
        CategoryDataset bars = SpeedupChart.bars(Samples.whole());
        assertEquals(List.of("open and close, 5 B", "empty"), bars.getColumnKeys());
        assertEquals(List.of("pooled", "JDK 28"), bars.getRowKeys());
        assertEquals(10, bars.getValue(0, 0).doubleValue(), 1e-12);
        assertEquals(4, bars.getValue(1, 0).doubleValue(), 1e-12);
        assertEquals(0.5, bars.getValue(0, 1).doubleValue(), 1e-12);
        assertEquals(1, bars.getValue(1, 1).doubleValue(), 1e-12);
    }

    @Test
    void aFailedRowHasNoBar() {
        CategoryDataset bars = SpeedupChart.bars(Samples.withFailure());
        assertEquals(List.of("open and close, 5 B (failed)", "empty"), bars.getColumnKeys());
        assertNull(bars.getValue(0, 0));
        assertEquals(0.5, bars.getValue(0, 1).doubleValue(), 1e-12);
    }

    @Test
    void thereIsNoChartIfAllFailed() {
        assertFalse(SpeedupChart.hasBars(Samples.of(List.of(Samples.STOCK, Samples.POOLED), Samples.row(
                Samples.PLAIN, Outcome.failed("no"), Samples.outcome(1, 0, 0)))));
        assertTrue(SpeedupChart.hasBars(Samples.withFailure()));
    }

    @Test
    void aBuildIsNamedShortly() {
        assertEquals("Vendor-25.0.3+9 with a pool", Samples.POOLED.build());
        assertEquals("28+1", Samples.PEER.build());
    }
}
