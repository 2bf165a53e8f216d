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
package pooledarena.peers;

import pooledarena.text.ChartStyle;

import java.awt.Color;

/** The colors that mean the same in all charts of the peers. */
final class Palette {

    static final Color STOCK = ChartStyle.color(0);
    static final Color POOLED = ChartStyle.color(1);
    static final Color PEER = ChartStyle.color(2);
    static final Color SECOND_PEER = ChartStyle.color(3);
    static final Color THIRD_PEER = ChartStyle.color(4);
    static final Color NO_POOL = new Color(0xc0392b);

    private Palette() {}
}
