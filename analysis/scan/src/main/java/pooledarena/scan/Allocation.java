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

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * A place that allocates from an arena.
 *
 * @param method    what is called
 * @param place     where; in another method than the opening, if the arena was passed there
 * @param bytes     how many; null if that is not a constant that can be told
 * @param alignment asked for, in bytes; null if that cannot be told
 * @param layout    the layout that is allocated; null if there is none or it cannot be told
 * @param repeated  whether one arena may come here more than once
 */
@JsonPropertyOrder({"method", "place", "bytes", "alignment", "layout", "repeated"})
record Allocation(String method, Place place, Long bytes, Long alignment, String layout, boolean repeated) {

    /** {@return what is known when one place is reached in two ways} */
    static Allocation join(Allocation a, Allocation b) {
        return new Allocation(a.method, a.place, same(a.bytes, b.bytes), same(a.alignment, b.alignment),
                same(a.layout, b.layout), a.repeated || b.repeated);
    }

    Allocation inLoop() {
        return repeated ? this : new Allocation(method, place, bytes, alignment, layout, true);
    }

    private static <T> T same(T a, T b) {
        return a != null && a.equals(b) ? a : null;
    }
}
