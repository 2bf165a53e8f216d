/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */
package org.openjdk.bench.java.lang.foreign.peers;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A key that groups by path and has the most recent first. Its encoding is the path, a zero byte, and eight bytes
 * that get smaller as time goes on; compared as unsigned bytes, encodings have the order of their keys.
 *
 * @param path      without a zero byte, so that no path's encoding continues another's
 * @param timestamp in any unit
 */
record PathTimeKey(byte[] path, long timestamp) implements Comparable<PathTimeKey> {

    private static final ValueLayout.OfLong TIME =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    PathTimeKey {
        for (byte b : path) {
            if (b == 0) {
                throw new IllegalArgumentException("a zero byte in a path");
            }
        }
    }

    /** {@return the bytes that the encoding takes} */
    int size() {
        return path.length + 1 + Long.BYTES;
    }

    byte[] toArray() {
        byte[] encoded = new byte[size()];
        ByteBuffer.wrap(encoded).put(path).put((byte) 0).putLong(inverted());
        return encoded;
    }

    /** Encodes this key from the position of {@code buffer} on, which is big endian. */
    void putInto(ByteBuffer buffer) {
        buffer.put(path).put((byte) 0).putLong(inverted());
    }

    MemorySegment allocateIn(Arena arena) {
        MemorySegment encoded = arena.allocate(size());
        MemorySegment.copy(path, 0, encoded, ValueLayout.JAVA_BYTE, 0, path.length);
        encoded.set(TIME, path.length + 1, inverted());
        return encoded;
    }

    @Override
    public int compareTo(PathTimeKey other) {
        int paths = Arrays.compareUnsigned(path, other.path);
        return paths != 0 ? paths : Long.compare(other.timestamp, timestamp);
    }

    /** {@return a number whose unsigned order is the reverse of the timestamps' signed order} */
    private long inverted() {
        return Long.MAX_VALUE - timestamp;
    }
}
