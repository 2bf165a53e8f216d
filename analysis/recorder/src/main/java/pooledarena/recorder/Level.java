/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import java.util.Arrays;

/** How the number of arenas with memory of a thread, or of those that it carries, goes up and down. */
final class Level {

    /** From 1 on, of each level below the highest: by how much it has sunk at most since it was as high. Of the highest: 0. */
    private int[] sunk = new int[8];

    /** How far it is below the highest. */
    private int below;

    /** How often it went up, as far as that is told. */
    private int opened;

    void down() {
        if (below + 1 == sunk.length) { // before anything has changed, as there may be no memory
            sunk = Arrays.copyOf(sunk, 2 * sunk.length);
        }
        below++;
        sunk[below] = 1;
    }

    /** Goes up, and returns by how much the level had sunk since it was last as high as now, or 0 if it never was. */
    int up() { // without a condition: when one first differs, the JVM compiles the recorder again
        int dip = sunk[below];
        below = Math.max(below - 1, 0);
        sunk[below] = Math.max(sunk[below], dip + 1);
        sunk[0] = 0;
        opened = Math.min(opened + 1, 32);
        return dip;
    }

    /** {@return how often it went up: up to 4, then a power of two that is not more, up to 32} */
    int opened() {
        return opened < 4 ? opened : Integer.highestOneBit(opened);
    }
}
