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
        assertEquals(">-0.001 %", Figures.percent(-1, 220_000));
        assertEquals(">99.999 %", Figures.percent(0x1p53 - 1, 0x1p53));
        assertEquals("100.001 %", Figures.percent(100_001, 100_000));
    }

    @Test
    void decimalsOfShares() {
        assertEquals("0.990 %", Figures.percent(99, 10_000));
        assertEquals("1.0 %", Figures.percent(1, 100));
        assertEquals("99.0 %", Figures.percent(99, 100));
        assertEquals("99.100 %", Figures.percent(991, 1000));
        assertEquals("100.900 %", Figures.percent(1009, 1000));
        assertEquals("101.0 %", Figures.percent(101, 100));
        assertEquals("130.0 %", Figures.percent(13, 10));
    }

    @Test
    void counts() {
        assertEquals("1,234,567", Figures.count(1_234_567));
        assertEquals("1 row", Figures.count(1, "row"));
        assertEquals("0 rows", Figures.count(0, "row"));
        assertEquals("2,000 rows", Figures.count(2000, "row"));
    }

    @Test
    void theLargestUnitOfWhichThereIsOne() {
        assertEquals("1023 B", Figures.bytes(1023));
        assertEquals("1 KiB", Figures.bytes(1024));
        assertEquals("1.50 KiB", Figures.bytes(1536));
        assertEquals("-8 MiB", Figures.bytes(-(8 << 20)));
        assertEquals("4096 TiB", Figures.bytes(0x1p52));
        assertEquals("999 ns", Figures.time(999));
        assertEquals("1.00 us", Figures.time(1000));
        assertEquals("2,000 s", Figures.time(2e12));
        // what is shown as one is one
        assertEquals("999 ns", Figures.time(999.4));
        assertEquals("1.00 us", Figures.time(999.5));
        assertEquals("1.00 KiB", Figures.bytes(1023.5));
    }

    @Test
    void threeDigits() {
        assertEquals("0", Figures.significant(0));
        assertEquals("-1.23", Figures.significant(-1.234));
        assertEquals("9.99", Figures.significant(9.994));
        assertEquals("10.0", Figures.significant(9.995));
        assertEquals("99.9", Figures.significant(99.94));
        assertEquals("100", Figures.significant(99.95));
        assertEquals("12,346", Figures.significant(12_345.6));
        assertEquals("3.14", Figures.decimals(Math.PI, 9));
        assertEquals("3.1", Figures.decimals(Math.PI, 10));
        assertEquals("3.1", Figures.decimals(Math.PI, 99));
        assertEquals("3", Figures.decimals(Math.PI, 100));
    }
}
