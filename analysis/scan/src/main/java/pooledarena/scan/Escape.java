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

/** A way in which an arena gets to where the method that opened it does not see it. */
enum Escape {
    /** Stored in a field. */
    FIELD("stored in a field"),
    /** Stored in an array. */
    ARRAY("stored in an array"),
    /** Returned by the method that opened it. */
    RETURNED("returned"),
    /** Captured by a lambda or a method reference. */
    CAPTURED("captured"),
    /** An argument of a call whose target cannot be told or is not in the library. */
    PASSED("passed on"),
    /** Opened by whoever calls a reference to {@code Arena.ofConfined}. */
    REFERENCE("method reference");

    final String text;

    Escape(String text) {
        this.text = text;
    }
}
