/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import module java.base;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import pooledarena.CommandLine;
import pooledarena.recordings.Histograms;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class RecommendProgressTest {

    /** Nobody takes what the command prints until it says what it is at. */
    @Test
    void progress(@TempDir Path directory) throws IOException {
        Path in = Histograms.write(Histograms.of(1, Map.of(Histograms.shape(null, 20, 0), 9L)), directory.resolve("1.json"));
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        OutputStream slow = new OutputStream() {
            private int waits;

            @Override
            public void write(int b) {
                while (err.size() == 0 && waits++ < 100) {
                    LockSupport.parkNanos(100_000_000);
                }
            }
        };
        PrintStream oldOut = System.out;
        PrintStream oldErr = System.err;
        System.setOut(new PrintStream(slow, true, UTF_8));
        System.setErr(new PrintStream(err, true, UTF_8));
        try {
            assertEquals(0, CommandLine.status("recommend", in.toString(), "--out", directory.resolve("out").toString()));
        } finally {
            System.setOut(oldOut);
            System.setErr(oldErr);
        }
        assertTrue(err.toString(UTF_8).matches("(?s)(recommend: \\d+ s, [^\n]*\n)+"), err.toString(UTF_8));
    }
}
