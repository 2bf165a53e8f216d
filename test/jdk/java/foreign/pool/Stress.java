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

import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long the stress tests run, the seed of all tests that choose at random, and what the stress tests report.
 * <p>
 * {@code -Dpool.stress.scale=N} makes each of them do N times the work of the short form; {@code -Dseed=S} repeats the
 * random choices of the run that printed S.
 */
final class Stress {

    private Stress() {}

    static final int SCALE = Integer.parseInt(System.getProperty("pool.stress.scale", "1"));
    static final long SEED = Long.parseLong(System.getProperty("seed", "" + System.nanoTime()));

    static {
        check(SCALE > 0, "pool.stress.scale=" + SCALE + " is not accepted: it takes a number from 1");
    }

    static int scaled(int shortForm) {
        return Math.multiplyExact(shortForm, SCALE);
    }

    static void printSeed() {
        System.out.println("seed " + SEED + ", to be repeated with -Dseed=" + SEED);
    }

    static void report(String what, LongAdder count) {
        report(what, count.sum());
    }

    /** Prints a line of what was done, in one form in all tests so that sums can be made of a whole run. */
    static void report(String what, long count) {
        System.out.println("stress: " + what + ": " + count);
    }

    static void check(boolean holds, String message) {
        if (!holds) {
            throw new AssertionError(message);
        }
    }

    /** {@return the first place at which the lists differ, and what each has there} */
    static String difference(List<String> found, List<String> expected) {
        int i = 0;
        while (i < Math.min(found.size(), expected.size()) && found.get(i).equals(expected.get(i))) {
            i++;
        }
        return "at " + i + " " + (i < found.size() ? found.get(i) : "nothing")
                + " instead of " + (i < expected.size() ? expected.get(i) : "nothing");
    }
}
