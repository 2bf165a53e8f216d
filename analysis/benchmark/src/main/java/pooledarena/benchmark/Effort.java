/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import pooledarena.io.BadInput;

import java.time.Duration;

/** How much measuring goes into each case: fresh processes, and the number and length of the iterations of each. */
public record Effort(int forks, int warmupIterations, int warmupMillis, int iterations, int iterationMillis) {

    /** What a fork takes beside its iterations: the start of the process, the set-up and the gc profiler. */
    private static final int FORK_MILLIS = 800;

    /** About 3.5 s for each case. */
    public static final Effort SHORT = new Effort(1, 6, 200, 10, 150);

    /** About 15 s for each case. More forks rather than longer ones, as forks differ more than iterations. */
    public static final Effort FULL = new Effort(5, 6, 200, 5, 200);

    /** @throws BadInput if there are not from 1 to 99 forks */
    Effort withForks(int count) {
        if (count < 1 || count > 99) {
            throw new BadInput("--forks " + count + ": a number from 1 to 99 is accepted; nothing was measured");
        }
        return new Effort(count, warmupIterations, warmupMillis, iterations, iterationMillis);
    }

    Duration time(int cases) {
        return Duration.ofMillis(FORK_MILLIS + warmupIterations * warmupMillis + iterations * iterationMillis)
                .multipliedBy(cases * forks);
    }

    @Override
    public String toString() {
        return "%d fork%s, each %d x %d ms warm-up and %d x %d ms measurement".formatted(
                forks, forks == 1 ? "" : "s", warmupIterations, warmupMillis, iterations, iterationMillis);
    }
}
