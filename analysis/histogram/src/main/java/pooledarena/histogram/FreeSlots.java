/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import java.util.Arrays;

/**
 * The free slots of a thread that keeps each slot which an arena returns and gives the one returned last to the next arena. It
 * tells of each arena how many free slots must be kept for it, so what a pool that keeps fewer does follows for any number.
 * What is returned before the thread has a pool is not kept.
 */
public final class FreeSlots {

    /** With so many arenas a thread gets a pool, as {@code java.lang.Thread} has it: a power of two. */
    public static final int FIRST_WITH_POOL = 4;

    /** From 1 on, of each free slot: how many there have been from it on, at most, since it was returned. Of no slot: 0. */
    private int[] most = new int[8];

    private int count;

    /** How many arenas have taken a slot, up to the first with a pool. */
    private int arenas;

    public void put() { // no more conditions than take() has
        int kept = arenas / FIRST_WITH_POOL; // 0 or 1
        count += kept;
        if (count == most.length) {
            most = Arrays.copyOf(most, 2 * count);
        }
        most[count] = kept;
    }

    /** Takes a slot, and returns how many free ones a thread must keep to have it, or 0 if all are in use. */
    public int take() { // without a condition: when one first differs, the JVM compiles the recorder again
        arenas = Math.min(arenas + 1, FIRST_WITH_POOL);
        int kept = most[count];
        count = Math.max(count - 1, 0);
        most[count] = Math.max(most[count], kept + 1);
        most[0] = 0;
        return kept;
    }
}
