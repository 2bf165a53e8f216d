/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

/**
 * What arenas have in common that are counted together.
 *
 * @param site         where they were opened, or null if that was not looked for or there were too many sites
 * @param openBefore   how many other arenas of the thread had memory when such an arena got its first; 0 if it got none. An
 *                     allocation of 0 bytes takes one.
 * @param dip          how many slots of closed arenas can be free when such an arena gets its first memory, at most: n − m, where n
 *                     is the number of arenas with memory that its thread, or the carrier of a virtual one, has then with this
 *                     one, and m the lowest number since there were last n; 0 if there never were n, or the arena got no memory
 * @param earlier      how many arenas of that thread or carrier had got memory before, as {@link #earlier(int)} tells it
 * @param bytes        the sum of the sizes that were asked of one
 * @param allocations  how many allocations one made, those of 0 bytes included
 * @param first        the size of its first allocation, 0 if there is none
 * @param largest      the size of its largest allocation
 * @param alignment    the largest alignment that it asked for, 0 if it allocated nothing
 * @param exact        true, or false if there were too many shapes: then {@code openBefore}, {@code dip} and the
 *                     numbers from {@code bytes} to {@code largest} are rounded up to powers of two
 */
public record Shape(Site site, boolean virtual, Closing closing, int openBefore, int dip, int earlier, long bytes,
                    long allocations, long first, long largest, long alignment, boolean exact) {

    public static final int MOST_EARLIER = 64;

    /** {@return a number of earlier arenas as shapes have it: up to 4, then a power of two up to {@link #MOST_EARLIER}} */
    public static int earlier(int count) {
        return count < 4 ? count : Integer.highestOneBit(Math.min(count, MOST_EARLIER));
    }

    public Shape rounded() {
        return new Shape(site, virtual, closing, (int) roundUp(openBefore), (int) roundUp(dip), earlier, roundUp(bytes),
                roundUp(allocations), roundUp(first), roundUp(largest), alignment, false);
    }

    /** {@return the least power of two that is not less, or 0} */
    private static long roundUp(long n) {
        return n <= 2 ? n : n > 1L << 62 ? Long.MAX_VALUE : Long.highestOneBit(n - 1) << 1;
    }
}
