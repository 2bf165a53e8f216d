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

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a request makes of a value, which is a series of samples of eight bytes each: the object that every read
 * path leaves on the heap.
 *
 * @param samples how many there are
 * @param sum     of all of them
 */
record Reading(int samples, long sum) {

    private static final ValueLayout.OfLong SAMPLE =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** {@return the reading of what is between position and limit of {@code value}, which is little endian} */
    static Reading of(ByteBuffer value) {
        int end = value.limit();
        int start = value.position();
        long sum = 0;
        for (int at = start; at <= end - Long.BYTES; at += Long.BYTES) {
            sum += value.getLong(at);
        }
        return new Reading((end - start) / Long.BYTES, sum);
    }

    static Reading of(MemorySegment value) {
        int end = (int) value.byteSize();
        long sum = 0;
        for (int at = 0; at <= end - Long.BYTES; at += Long.BYTES) {
            sum += value.get(SAMPLE, at);
        }
        return new Reading(end / Long.BYTES, sum);
    }
}
