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

/** How the method that opens an arena closes it. */
enum Closing {

    /** On every way out of the method, exceptions included, as try-with-resources does. */
    STRUCTURAL("structural"),

    /** On every way out but some exceptions. */
    NOT_ON_EXCEPTIONS("not on exceptions"),

    /** Not on every way out, and the arena goes where others can close it. */
    ESCAPES("escapes"),

    /** On some ways out, and nobody else can close it. */
    SOMETIMES("sometimes"),

    /** Not at all, and nobody else can close it. */
    NEVER("never");

    final String text;

    Closing(String text) {
        this.text = text;
    }

    /**
     * {@return how it is closed}
     *
     * @param normal  the fates of the arena at the method's return
     * @param thrown  its fates where exceptions leave the method
     * @param closed  whether there is any call that closes it
     * @param escapes whether others may have it
     */
    static Closing of(int normal, int thrown, boolean closed, boolean escapes) {
        boolean openAtReturn = (normal & State.OPEN) != 0;
        boolean openAtThrow = (thrown & State.OPEN) != 0;
        if (closed && !openAtReturn) {
            return openAtThrow ? NOT_ON_EXCEPTIONS : STRUCTURAL;
        }
        return escapes ? ESCAPES : closed ? SOMETIMES : NEVER;
    }
}
