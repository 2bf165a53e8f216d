/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Histogram;

/**
 * How often keys occurred, and how long arenas were open. One thread counts, without any atomic operation; others may read. A
 * program's own work pushes all this out of the caches, so a key and its count share a cache line.
 */
final class Counts {

    /** The most keys that a thread counts; its table then takes 512 KiB. */
    private static final int LIMIT = 1 << 14;

    /** At even indexes keys or 0, each from the index of its hash on; a key's count follows it. At most half full. */
    private volatile long[] table = new long[32];
    private int keys;

    /** See {@link Histogram#lifetimes}. */
    final long[] lifetimes = new long[Histogram.LIFETIMES.size()];

    /** {@return whether the key is in here} If so, it counts. */
    boolean increment(long key) {
        long[] all = table;
        int index = find(all, key);
        if (all[index] == 0) {
            return false;
        }
        all[index + 1]++;
        return true;
    }

    boolean isFull() {
        return keys >= LIMIT;
    }

    void add(long key, long count) {
        long[] all = table;
        if (4 * keys >= all.length) {
            long[] larger = new long[2 * all.length];
            for (int i = 0; i < all.length; i += 2) {
                int index = find(larger, all[i]);
                larger[index] = all[i];
                larger[index + 1] = all[i + 1];
            }
            all = larger;
            table = larger;
        }
        int index = find(all, key);
        if (all[index] == 0) {
            all[index] = key;
            keys++;
        }
        all[index + 1] += count;
    }

    /** Adds all counts to those of {@code sums}. */
    void addTo(Counts sums) {
        long[] all = table;
        for (int i = 0; i < all.length; i += 2) {
            if (all[i] != 0) {
                sums.add(all[i], all[i + 1]);
            }
        }
        for (int i = 0; i < lifetimes.length; i++) {
            sums.lifetimes[i] += lifetimes[i];
        }
    }

    long get(long key) {
        long[] all = table;
        return all[find(all, key) + 1];
    }

    private static int find(long[] all, long key) {
        int index = (int) key << 1 & all.length - 1;
        while (all[index] != key && all[index] != 0) {
            index = index + 2 & all.length - 1;
        }
        return index;
    }
}
