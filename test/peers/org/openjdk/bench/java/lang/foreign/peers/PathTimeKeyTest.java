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

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The bytes of keys sort as keys do. */
class PathTimeKeyTest {

    private static PathTimeKey key(String path, long timestamp) {
        return new PathTimeKey(path.getBytes(UTF_8), timestamp);
    }

    private static void assertBefore(PathTimeKey first, PathTimeKey second) {
        assertTrue(first.compareTo(second) < 0);
        assertTrue(Arrays.compareUnsigned(first.toArray(), second.toArray()) < 0);
    }

    @Test
    void mostRecentIsFirst() {
        assertBefore(key("/a", 2), key("/a", 1));
        assertBefore(key("/a", 0), key("/a", -1));
        assertBefore(key("/a", Long.MAX_VALUE), key("/a", Long.MIN_VALUE));
        assertBefore(key("/a", 256), key("/a", 255));
    }

    @Test
    void pathsGoBeforeTimes() {
        assertBefore(key("/a", 1), key("/b", 2));
        assertBefore(key("/a", 1), key("/a/b", Long.MAX_VALUE));
        assertBefore(key("/a", Long.MIN_VALUE), key("/a\u0001", Long.MAX_VALUE));
        assertBefore(key("/z", 1), key("/é", 1));
    }

    @Test
    void bytesHaveTheOrderOfKeys() {
        Random random = new Random(7);
        List<PathTimeKey> keys = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            byte[] path = new byte[random.nextInt(4)];
            for (int j = 0; j < path.length; j++) {
                // A few neighbours and both ends, so that many paths begin alike.
                path[j] = (byte) new int[] {1, 2, 0x7f, 0x80, 0xff}[random.nextInt(5)];
            }
            keys.add(new PathTimeKey(path, random.nextBoolean() ? random.nextInt(5) - 2 : random.nextLong()));
        }
        List<byte[]> bytes = keys.stream().sorted().map(PathTimeKey::toArray).toList();
        for (int i = 1; i < bytes.size(); i++) {
            assertTrue(Arrays.compareUnsigned(bytes.get(i - 1), bytes.get(i)) <= 0);
        }
    }

    @Test
    void allEncodingsAreTheSame() {
        PathTimeKey key = key("/plants/mixed/sensors/0001", 1_700_000_000_000L);
        byte[] array = key.toArray();
        assertEquals(key.size(), array.length);
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        key.putInto(buffer);
        byte[] put = new byte[buffer.flip().remaining()];
        buffer.get(put);
        assertArrayEquals(array, put);
        try (Arena arena = Arena.ofConfined()) {
            assertArrayEquals(array, key.allocateIn(arena).toArray(ValueLayout.JAVA_BYTE));
        }
    }

    @Test
    void zeroBytesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> key("/a\0b", 1));
    }
}
