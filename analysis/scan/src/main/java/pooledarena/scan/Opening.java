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
package pooledarena.scan;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import java.util.List;
import java.util.Set;

/**
 * A place that opens a confined arena, and what the library does with it as far as that can be told.
 *
 * @param place       where
 * @param closing     how that method closes it
 * @param escapes     where else the arena gets to, also while it is open
 * @param passedTo    the methods that get it and were not followed
 * @param lifetimes   methods of the JDK that bind something to it which is not allocated from it, as a mapped file
 * @param nesting     how many other arenas of the method are open when it is opened
 * @param allocations from it, here or in methods that it is passed to
 */
@JsonPropertyOrder({"place", "closing", "escapes", "passedTo", "lifetimes", "nesting", "mostBytes", "allocations"})
record Opening(Place place, Closing closing, Set<Escape> escapes, Set<String> passedTo, Set<String> lifetimes, int nesting,
               List<Allocation> allocations) {

    private static final long ALIGNMENT = 8;

    /**
     * {@return the most bytes that one arena of this place can allocate, each allocation rounded up to a multiple of 8; null
     * if that cannot be told} Places that exclude each other are added up.
     */
    @JsonProperty
    Long mostBytes() {
        if (!passedTo.isEmpty() || escapes.contains(Escape.FIELD) || escapes.contains(Escape.ARRAY)
                || escapes.contains(Escape.REFERENCE) || escapes.contains(Escape.RETURNED)) {
            return null;
        }
        long sum = 0;
        for (Allocation allocation : allocations) {
            if (allocation.bytes() == null || allocation.repeated()) {
                return null;
            }
            sum += (allocation.bytes() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        }
        return sum;
    }
}
