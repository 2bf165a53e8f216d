/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import java.lang.foreign.Arena;

/** Opens some arenas, fills the heap but for some 100 KiB, opens more of many sizes, and ends with the heap full. */
public final class Full {

    private static Object[] last;

    private Full() {}

    public static void main(String[] args) {
        for (int i = 1; i <= 1000; i++) {
            before(i);
        }
        System.out.println("full");
        last = fill(1 << 7);
        last = removed(last, 200);
        try {
            for (int i = 1; i <= 1000; i++) {
                after(i);
            }
        } catch (OutOfMemoryError e) {
            // G1 may have a region left for each kind of memory but the one that this needs.
        }
        // Where main returns, the JVM ends without its shutdown hooks if it has no memory for the thread that runs them.
        System.exit(0);
    }

    /**
     * Fills the heap with arrays, each of which has the one before as its first element.
     *
     * @param least the fewest elements of an array
     * @return the last array
     */
    public static Object[] fill(int least) {
        Object[] last = null;
        for (int size = 1 << 15; size >= least; size /= 2) {
            try {
                while (true) {
                    Object[] object = new Object[size];
                    object[0] = last;
                    last = object;
                }
            } catch (OutOfMemoryError e) {
                // That is what it is for.
            }
        }
        return last;
    }

    private static Object[] removed(Object[] list, int count) {
        return count == 0 ? list : removed((Object[]) list[0], count - 1);
    }

    private static void before(int size) {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(size);
        }
    }

    private static void after(int size) {
        try (Arena arena = Arena.ofConfined()) {
            arena.allocate(size);
        }
    }
}
