/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import java.util.Arrays;

/**
 * The arenas of one {@link Shape}.
 *
 * @param bytes       the sum of the sizes that were asked of them
 * @param allocations the number of all their allocations
 * @param served      how many of those bytes a pool would have served whose slots are too small for all that some of these
 *                    arenas allocate: for each size of {@link SlotReplay}, or null if that is told by the shape, see
 *                    {@link Shape#servedInPart}
 */
public record Tally(long arenas, long bytes, long allocations, long[] served) {

    public static final Tally NOTHING = new Tally(0, 0, 0, null);

    public Tally plus(Tally other) {
        long[] sum = served == null ? other.served : served.clone();
        if (served != null && other.served != null) {
            for (int i = 0; i < sum.length; i++) {
                sum[i] = add(sum[i], other.served[i]);
            }
        }
        return new Tally(add(arenas, other.arenas), add(bytes, other.bytes), add(allocations, other.allocations), sum);
    }

    /** {@return this for each of so many arenas} */
    public Tally times(long count) {
        long[] products = served == null ? null : served.clone();
        for (int i = 0; i < (served == null ? 0 : served.length); i++) {
            products[i] = served[i] * count;
        }
        return new Tally(arenas * count, bytes * count, allocations * count, products);
    }

    /** {@return the sum, at most {@link Long#MAX_VALUE}, of two numbers that are not negative} */
    public static long add(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Tally that && arenas == that.arenas && bytes == that.bytes
                && allocations == that.allocations && Arrays.equals(served, that.served);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(arenas * 31 + bytes);
    }
}
