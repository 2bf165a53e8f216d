/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class OtherWorkTest {

    private static final String SYSTEM_THEN = """
            cpu  100 10 50 1000 40 5 5 20 30 1
            cpu0 50 5 25 500 20 3 2 10 15 0
            cpu1 50 5 25 500 20 2 3 10 15 1
            intr 12345
            """;
    private static final String SYSTEM_LATER = """
            cpu  250 10 80 1190 60 5 5 30 30 1
            cpu0 125 5 40 595 30 3 2 15 15 0
            cpu1 125 5 40 595 30 2 3 15 15 1
            intr 12399
            """;
    private static final String PROCESS_THEN = "77 (a (strange) name) S 1 2 3 4 5 6 7 8 9 10 11 22 33 44 20 0";
    private static final String PROCESS_LATER = "77 (a (strange) name) S 1 2 3 4 5 6 7 8 9 10 31 32 63 74 20 0";

    @Test
    void idleAndWaitingDoNotCountAndGuestsNotTwice() {
        assertEquals(new OtherWork(190, 1230, 110, 2), OtherWork.parse(SYSTEM_THEN, PROCESS_THEN));
    }

    @Test
    void ownWorkIsTakenOff() {
        // 400 ticks of two cores, 190 of them busy, 90 of those for this process and its children.
        OtherWork then = OtherWork.parse(SYSTEM_THEN, PROCESS_THEN);
        assertEquals(100 * 2 / 400.0, then.coresUntil(OtherWork.parse(SYSTEM_LATER, PROCESS_LATER)));
        assertEquals(190 * 2 / 400.0, then.coresUntil(OtherWork.parse(SYSTEM_LATER, PROCESS_THEN)));
        assertEquals(0, then.coresUntil(then));
    }

    @Test
    void linuxTellsIt() {
        assertEquals(System.getProperty("os.name").equals("Linux"), OtherWork.now().isPresent());
        OtherWork.now().ifPresent(now -> assertTrue(now.cores() > 0 && now.busy() > 0 && now.busy() < now.all()));
    }
}
