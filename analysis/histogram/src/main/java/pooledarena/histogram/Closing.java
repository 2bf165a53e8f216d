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

/** How an arena came to its end. */
public enum Closing {

    /** In the method that opened it: class and name of the closing method are those of the opening one. */
    BY_OPENER("by opener"),

    /** In another method. */
    ELSEWHERE("elsewhere"),

    /** Closed, but as its opening site was not looked for, it is not known where. */
    NOT_TOLD("not told"),

    /** It was still open when the histogram was written, or was collected without having been closed. */
    UNCLOSED("unclosed");

    private final String text;

    Closing(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
