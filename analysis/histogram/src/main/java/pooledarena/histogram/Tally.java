/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

/**
 * The arenas of one {@link Shape}.
 *
 * @param bytes the sum of the sizes that were asked of them
 */
public record Tally(long arenas, long bytes, long allocations) {

    public static final Tally NOTHING = new Tally(0, 0, 0);

    public Tally plus(Tally other) {
        return new Tally(add(arenas, other.arenas), add(bytes, other.bytes), add(allocations, other.allocations));
    }

    /** {@return the sum, at most {@link Long#MAX_VALUE}, of two numbers that are not negative} */
    public static long add(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
