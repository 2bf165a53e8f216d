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
package pooledarena.histogram;

/**
 * A place in the code that opens confined arenas.
 *
 * @param className the class, as {@link Class#getName} has it, without what is generated anew for each hidden class
 * @param method    the method's name
 * @param line      the line, or a negative number if the class does not tell
 * @param indirect  whether it does so by reflection, a method handle or native code
 */
public record Site(String className, String method, int line, boolean indirect) {

    /** A place that calls {@code Arena.ofConfined()} itself. */
    public Site(String className, String method, int line) {
        this(className, method, line, false);
    }

    // By hand, as in Shape, since the recorder asks for both with every arena.

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Site that
                && line == that.line && indirect == that.indirect && className.equals(that.className) && method.equals(that.method);
    }

    @Override
    public int hashCode() {
        return ((className.hashCode() * 31 + method.hashCode()) * 31 + line) * 2 + (indirect ? 1 : 0);
    }
}
