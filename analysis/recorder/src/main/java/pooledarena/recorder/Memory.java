/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much of the program's heap the recorder may take. Exact rows leave half of it to the rows that replace them. Everything
 * else leaves a quarter to those, and a thread's own rounded rows an eighth. The few hundred bytes that each thread has at first
 * are not counted.
 */
final class Memory {

    /** The size of objects on the heap, with their entries in tables. */
    static final int ROW = 80;
    static final int SHAPE = 96;
    static final int OPEN_ARENA = 240;
    static final int REFERENCE = 8;
    static final int FRAME = 400;

    final long half;
    final long quarter;
    private final AtomicLong left;

    Memory(long bytes) {
        left = new AtomicLong(bytes);
        half = bytes / 2;
        quarter = bytes / 4;
    }

    /** {@return whether there are so many bytes, and {@code rest} more} If so, they are taken. */
    boolean take(long bytes, long rest) {
        if (left.addAndGet(-bytes) >= rest) {
            return true;
        }
        give(bytes);
        return false;
    }

    void give(long bytes) {
        left.addAndGet(bytes);
    }
}
