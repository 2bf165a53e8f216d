/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.text;

import org.junit.jupiter.api.Test;
import pooledarena.text.DocumentedTimes.Times;

import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DocumentedTimesTest {

    @Test
    void timesOfTablesThatHaveStock() {
        DocumentedTimes times = DocumentedTimes.of("""
                | | step | cost | more |
                | --- | --- | --- | --- |
                | open, allocate, close | 5 B | 99 | 99 |

                | | each | stock | pooled |
                | --- | --- | --- | --- |
                | open, allocate, close | 5 B | 24.5 ± 0.1 | 1.12 | 22.0x |
                | | 100 B | 26 | 2.5 |
                | another | no size | 1 | 2 |
                | | 5 B | 3 | 4 |
                """);
        assertEquals(Map.of("open, allocate, close", Map.of(5L, new Times(24.5, 1.12), 100L, new Times(26, 2.5)),
                "another", Map.of(5L, new Times(3, 4))), times.bySize());
        assertEquals(5, times.atLeast(0).getKey());
        assertEquals(5, times.atLeast(5).getKey());
        assertEquals(new Times(26, 2.5), times.atLeast(6).getValue());
        assertNull(times.atLeast(101));
    }

    /** Small allocations are in the document, and cheaper on the image. */
    @Test
    void theDocument() {
        Map.Entry<Long, Times> small = DocumentedTimes.read().atLeast(1);
        assertTrue(small.getKey() <= 8);
        assertTrue(small.getValue().pooled() < small.getValue().stock());
        assertNull(DocumentedTimes.read().atLeast(1L << 40));
    }
}
