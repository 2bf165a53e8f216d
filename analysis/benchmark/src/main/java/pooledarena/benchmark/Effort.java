/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.benchmark;

import pooledarena.io.BadInput;

/** How much measuring goes into each case: fresh processes, and the number and length of the iterations of each. */
public record Effort(int forks, int warmupIterations, int warmupMillis, int iterations, int iterationMillis) {

    /** @throws BadInput if there are not from 1 to 99 forks */
    Effort withForks(int count) {
        if (count < 1 || count > 99) {
            throw new BadInput("--forks " + count + ": a number from 1 to 99 is accepted; nothing was measured");
        }
        return new Effort(count, warmupIterations, warmupMillis, iterations, iterationMillis);
    }

    @Override
    public String toString() {
        return "%d fork%s, each %d x %d ms warm-up and %d x %d ms measurement".formatted(
                forks, forks == 1 ? "" : "s", warmupIterations, warmupMillis, iterations, iterationMillis);
    }
}
