/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.io;

import module java.base;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ProgressTest {

    @Test
    void theStepThatIsReachedThen() throws InterruptedException {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        long start = System.nanoTime();
        try (Progress progress = new Progress("first", lines::add)) {
            progress.at("second");
            String line = lines.poll(1, TimeUnit.MINUTES);
            assertTrue(System.nanoTime() - start >= 2_000_000_000L);
            assertTrue(line.matches("\\d+ s, second"), line);
            progress.at("third");
            assertTrue(lines.poll(1, TimeUnit.MINUTES).endsWith(" s, third"));
        }
        lines.clear();
        assertNull(lines.poll(6, TimeUnit.SECONDS));
    }

    @Test
    void nothingOfWhatIsDoneSoon() {
        List<String> lines = new ArrayList<>();
        new Progress("first", lines::add).close();
        assertEquals(List.of(), lines);
    }
}
