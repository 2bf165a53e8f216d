/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */
package pooledarena.recommend;

import org.junit.jupiter.api.Test;
import pooledarena.histogram.Closing;
import pooledarena.histogram.Dropped;
import pooledarena.histogram.Histogram;
import pooledarena.histogram.Shape;
import pooledarena.histogram.Tally;
import pooledarena.recordings.Histograms;

import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is said of records, against a pool that does what was recorded, step by step. */
class ReplayTest {

    private static final long SEED = 20261121;

    /** The records tell all there is to tell of arenas that are nested and fit. */
    @Test
    void nestedArenasThatFit() {
        Random random = new Random(SEED);
        for (int round = 0; round < 40; round++) {
            Trace trace = Trace.random(random, true, 8 << random.nextInt(8));
            Replay replay = new Replay(trace.recorded(), Costs.DOCUMENTED);
            for (Setting setting : Recommendation.all()) {
                if (setting.size() < 4096) {
                    continue; // not even three of the largest fit
                }
                Trace.Pooled pooled = trace.pooled(setting.size(), setting.depth());
                assertEquals(pooled.arenas(), replay.served(setting), setting.toString());
                assertEquals(pooled.bytes(), replay.servedBytes(setting), setting.toString());
            }
        }
    }

    /** Of others they never tell more than are served. */
    @Test
    void anyArenas() {
        Random random = new Random(SEED);
        long said = 0;
        long served = 0;
        for (int round = 0; round < 200; round++) {
            Trace trace = Trace.random(random, false, round % 2 == 0 ? 60 : 3000);
            Replay replay = new Replay(trace.recorded(), Costs.DOCUMENTED);
            for (Setting setting : Recommendation.all()) {
                Trace.Pooled pooled = trace.pooled(setting.size(), setting.depth());
                assertTrue(replay.served(setting) <= pooled.arenas(), setting.toString());
                assertEquals(pooled.bytes(), replay.servedBytes(setting), setting.toString());
                said += replay.served(setting);
                served += pooled.arenas();
            }
        }
        assertTrue(said > served * 0.8, said + " of " + served); // and not much less
    }

    @Test
    void byHand() {
        Shape shallow = Histograms.shape(null, 20, 0);
        Shape deep = Histograms.shape(null, 100, 2);
        Shape tooDeep = Histograms.shape(null, 8, 16);
        Shape aligned = new Shape(null, true, Closing.BY_OPENER, 0, 0, 8, 8, 1, 8, 64, true);
        Shape parts = new Shape(null, false, Closing.BY_OPENER, 0, 1, 72, 72, 2, 64, 1, true);
        long[] served = {8, 8, 8, 72, 72, 72, 72, 72, 72, 72, 72, 72, 72, 72};
        Replay replay = new Replay(new Histogram(List.of(Histograms.jvm(1)), Map.of(
                Histograms.shape(null, 0, 0), new Tally(1000, 0, 0, null),
                shallow, Histograms.tally(shallow, 10), deep, Histograms.tally(deep, 3), tooDeep, Histograms.tally(tooDeep, 1),
                aligned, Histograms.tally(aligned, 5), parts, new Tally(2, 144, 4, times(2, served))), Dropped.NOTHING),
                Costs.DOCUMENTED);
        assertEquals(21, replay.arenas);
        assertEquals(200 + 300 + 8 + 40 + 144, replay.bytes);
        assertEquals(5, replay.virtual);
        assertEquals(0, replay.served(new Setting(0, 16))); // 8 bytes
        assertEquals(8 + 16, replay.servedBytes(new Setting(0, 2)));
        assertEquals(8 + 16, replay.servedBytes(new Setting(0, 1)));
        assertEquals(10, replay.served(new Setting(2, 1))); // 32 bytes
        assertEquals(15, replay.served(new Setting(3, 1))); // 64, which the alignment needs
        assertEquals(15, replay.served(new Setting(4, 1))); // 128
        assertEquals(17, replay.served(new Setting(4, 2)));
        assertEquals(20, replay.served(new Setting(4, 3)));
        assertEquals(692, replay.servedBytes(new Setting(4, 3)));
        // A thread keeps (depth - 1) x 256 bytes of slots of up to 512 that have no place. The 16 open before take 64 each.
        assertEquals(20, replay.served(new Setting(6, 4))); // 13 such slots, of which 12 are kept
        assertEquals(21, replay.served(new Setting(6, 5))); // 12, of which 16 are
        assertEquals(21, replay.served(new Setting(10, 2)));
        // One slot for each number of arenas before: 0, 1, 2 and 16.
        assertEquals(3 * (128 + 80), replay.memory(new Setting(4, 3))); // no room for the last
        assertEquals(3 * (256 + 80) + 64 + 80, replay.memory(new Setting(10, 16)));
        assertEquals(64 + 80, replay.memory(new Setting(3, 1)));
    }

    /** What a slot cannot hold is in further blocks, unless an allocation is larger than slots can be. */
    @Test
    void furtherBlocks() {
        Shape many = new Shape(null, false, Closing.BY_OPENER, 0, 0, 300, 304, 10, 30, 1, true);
        long[] served = {0, 0, 3000, 3000, 3000, 3000, 3000, 3000, 3000, 3000, 3000, 3000, 3000, 3000};
        Tally tally = new Tally(10, 3000, 100, served);
        Replay replay = new Replay(new Histogram(List.of(Histograms.jvm(1)), Map.of(many, tally), Dropped.NOTHING),
                Costs.DOCUMENTED);
        assertEquals(0, replay.saved(new Setting(1, 8))); // 16 bytes
        assertEquals(0, replay.served(new Setting(4, 8))); // 128
        assertEquals(3000, replay.servedBytes(new Setting(4, 8)));
        // 304 bytes are a slot of 128 and a block of 256.
        double block = Costs.DOCUMENTED.stock(new Tally(1, 256, 1, null));
        assertEquals(replay.saved(new Setting(6, 8)) - 10 * block, replay.saved(new Setting(4, 8)), 1e-6);
        assertEquals(10, replay.served(new Setting(6, 8))); // 512
    }

    private static long[] times(long factor, long[] numbers) {
        long[] product = numbers.clone();
        for (int i = 0; i < product.length; i++) {
            product[i] *= factor;
        }
        return product;
    }
}
