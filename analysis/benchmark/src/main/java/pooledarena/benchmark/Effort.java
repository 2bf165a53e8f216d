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
package pooledarena.benchmark;

import pooledarena.io.BadInput;

import java.time.Duration;

/**
 * How much measuring goes into each case.
 *
 * @param forks               fresh processes
 * @param warmupIterations    iterations per fork that do not count
 * @param warmupMillis        length of each
 * @param iterations          iterations per fork that count
 * @param iterationMillis     length of each
 */
public record Effort(int forks, int warmupIterations, int warmupMillis, int iterations, int iterationMillis) {

    /** What a fork takes beside its iterations: the start of the process, the set-up and the gc profiler. */
    private static final int FORK_MILLIS = 800;

    /** About 3.5 s for each case. */
    public static final Effort SHORT = new Effort(1, 6, 200, 10, 150);

    /** About 15 s for each case. More forks rather than longer ones, as forks differ more than iterations. */
    public static final Effort FULL = new Effort(5, 6, 200, 5, 200);

    /**
     * {@return the same with as many forks as {@code --forks} says}
     *
     * @throws BadInput if that is not from 1 to 99
     */
    public Effort withForks(int count) {
        if (count < 1 || count > 99) {
            throw new BadInput("--forks " + count + ": a number from 1 to 99 is accepted; nothing was measured");
        }
        return new Effort(count, warmupIterations, warmupMillis, iterations, iterationMillis);
    }

    /** {@return about how long so many cases take} */
    public Duration time(int cases) {
        long fork = FORK_MILLIS + (long) warmupIterations * warmupMillis + (long) iterations * iterationMillis;
        return Duration.ofMillis(cases * forks * fork);
    }

    @Override
    public String toString() {
        return "%d fork%s, each %d x %d ms warm-up and %d x %d ms measurement".formatted(
                forks, forks == 1 ? "" : "s", warmupIterations, warmupMillis, iterations, iterationMillis);
    }
}
