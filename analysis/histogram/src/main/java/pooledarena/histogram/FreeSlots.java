/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import java.util.Arrays;

/**
 * The free slots of a thread that keeps each slot which an arena returns and gives the one returned last to the next arena. It
 * tells of each arena how many free slots must be kept for it, so what a pool that keeps fewer does follows for any number.
 */
public final class FreeSlots {

    /** From 1 on, of each free slot: how many there have been from it on, at most, since it was returned. Of no slot: 0. */
    private int[] most = new int[8];

    private int count;

    public void put() {
        if (++count == most.length) {
            most = Arrays.copyOf(most, 2 * count);
        }
        most[count] = 1;
    }

    /** Takes a slot, and returns how many free ones a thread must keep to have it, or 0 if all are in use. */
    public int take() { // without a condition: when one first differs, the JVM compiles the recorder again
        int kept = most[count];
        count = Math.max(count - 1, 0);
        most[count] = Math.max(most[count], kept + 1);
        most[0] = 0;
        return kept;
    }
}
