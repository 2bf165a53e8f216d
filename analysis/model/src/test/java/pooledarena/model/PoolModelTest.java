/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.model;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PoolModelTest {

    /** The pool of the image and the model do the same with the same arenas, on threads of both kinds and with any setting. */
    @ParameterizedTest
    @CsvSource({"8192, 8", "8192, 1", "8192, 16", "8, 1", "8, 3", "64, 2", "512, 4", "1024, 1", "32768, 8", "65536, 2", "1048576, 8"})
    void inLockstepWithTheImage(int size, int depth) throws IOException, InterruptedException {
        Path home = Path.of(System.getProperty("image"));
        for (String thread : new String[] {"platform", "virtual"}) {
            Process child = new ProcessBuilder(home.resolve("bin/java").toString(), "-cp", System.getProperty("java.class.path"),
                    "--add-opens=java.base/java.lang=ALL-UNNAMED", "--add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED",
                    "-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                    "-Djdk.foreign.confinedPool.size=" + size, "-Djdk.foreign.confinedPool.depth=" + depth,
                    "pooledarena.model.Lockstep", thread, Integer.toString(size), Integer.toString(depth))
                    .redirectErrorStream(true).start();
            List<String> output = child.inputReader().readAllLines();
            assertEquals(0, child.waitFor(), () -> String.join("\n", output));
            assertTrue(output.getLast().startsWith("the same: "), () -> String.join("\n", output));
        }
    }

    /** As if they were made one by one. */
    @Test
    void allocationsAlike() {
        for (int byteSize : new int[] {0, 5, 20, 64, 451, 8192, 9000}) {
            for (int count : new int[] {0, 1, 2, 7, 100, 3000}) {
                PoolModel together = new PoolModel(8192, 8, false);
                PoolModel oneByOne = new PoolModel(8192, 8, false);
                for (int i = 0; i < 12; i++) {
                    PoolModel.Arena arena = new PoolModel.Arena();
                    together.allocate(arena, 3, 1, 1);
                    together.allocate(arena, byteSize, 1, count);
                    together.close(arena);
                    oneByOne.allocate(arena, 3, 1, 1);
                    for (int n = 0; n < count; n++) {
                        oneByOne.allocate(arena, byteSize, 1, 1);
                    }
                    oneByOne.close(arena);
                }
                assertEquals(oneByOne.mallocs(), together.mallocs());
                assertEquals(oneByOne.mallocBytes(), together.mallocBytes());
                assertEquals(oneByOne.counts(), together.counts());
                assertEquals(oneByOne.kept(), together.kept());
            }
        }
    }

    /** A thread's first 32 slots are freed; the next one is kept, and becomes resident. */
    @Test
    void aThreadsFirstArenas() {
        PoolModel pool = new PoolModel(8192, 8, false);
        for (int i = 1; i <= 50; i++) {
            PoolModel.Arena arena = new PoolModel.Arena();
            pool.allocate(arena, 100, 1, 1);
            assertEquals(i > 33, pool.hasResident(arena));
            pool.close(arena);
            assertEquals(i <= 32 ? i : 32 + 2, pool.mallocs()); // the last two are a slot and the stack
        }
        assertEquals(128 + 64, pool.kept());
        pool.end();
        assertEquals(List.of(1L, 1L, 0L), pool.counts());
    }

    /** At the alignment that malloc has; one of 0 bytes takes one; beyond that of blocks the worst address is assumed. */
    @Test
    void ends() {
        assertEquals(5, PoolModel.end(0, 5, 1));
        assertEquals(13, PoolModel.end(5, 5, 1));
        assertEquals(32, PoolModel.end(5, 16, 1));
        assertEquals(24 + 1 - 8, PoolModel.end(5, 1, 16));
        assertEquals(9, PoolModel.end(8, 0, 8));
        assertEquals(16 + 112 + 1, PoolModel.end(1, 1, 128));
        assertEquals(Long.MAX_VALUE, PoolModel.end(0, Long.MAX_VALUE, 1));
        assertEquals(Long.MAX_VALUE, PoolModel.end(Long.MAX_VALUE, 1, 1));
    }

    /** A number of the sources, and one that is shifted. All are part of what is documented. */
    @Test
    void constants() {
        assertEquals(8192, PoolModel.DEFAULT_SIZE);
        assertEquals(1_048_576, PoolModel.MAX_SIZE);
        assertEquals(56, PoolModel.number("ConfinedBlock.java", "int MIN_SLOT = #;"));
        assertEquals(568, PoolModel.number("ConfinedSlotPool.java", "int SMALL = #;"));
    }

    @Test
    void missing() {
        for (String name : new String[] {"SHARE", "DEPTH", "SIZE", "MAX_SMALL"}) {
            String text = "int " + name + " = #;";
            assertEquals("ConfinedSlotPool.java has no number " + text, assertThrows(IllegalStateException.class,
                    () -> PoolModel.number("ConfinedSlotPool.java", text)).getMessage());
        }
    }
}
