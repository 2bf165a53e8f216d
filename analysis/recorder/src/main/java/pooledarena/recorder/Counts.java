/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

/**
 * How often keys occurred. One thread counts, without any atomic operation; others may read. A program's own work pushes all
 * this out of the caches, so a key and its count share a cache line.
 */
final class Counts {

    /** The most keys of a thread; its table then takes 512 KiB. */
    private static final int LIMIT = 1 << 14;

    /** At even indexes keys or 0, each from the index of its hash on; a key's count follows it. At most half full. */
    private volatile long[] table;
    private int keys;

    Counts() {
        this(32);
    }

    private Counts(int length) {
        table = new long[length];
    }

    /** Counts the key if it is in here. */
    boolean increment(long key) {
        long[] all = table;
        int index = find(all, key);
        if (all[index] == 0) {
            return false;
        }
        all[index + 1]++;
        return true;
    }

    /** Counts that key from now on, if there is room. */
    void add(long key) {
        if (keys < LIMIT) {
            add(key, 0);
        }
    }

    private void add(long key, long count) {
        if (4 * keys >= table.length) {
            Counts larger = new Counts(2 * table.length);
            addTo(larger);
            table = larger.table;
        }
        long[] all = table;
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
