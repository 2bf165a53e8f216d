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
package pooledarena.recommend;

import pooledarena.histogram.SlotReplay;
import pooledarena.text.Figures;


/**
 * A size of slots and how many of them a thread keeps.
 *
 * @param index which size, the most that a slot has, as {@link SlotReplay} has them
 * @param depth from 1 to {@link #DEEPEST}
 */
record Setting(int index, int depth) {

    /** The most slots that a thread can keep. */
    static final int DEEPEST = PoolConstants.MAX_DEPTH;

    /** What the patch has where nothing else is set. */
    static final Setting DEFAULT = new Setting(
            Integer.numberOfTrailingZeros(PoolConstants.DEFAULT_SIZE / SlotReplay.SMALLEST), PoolConstants.DEFAULT_DEPTH);

    int size() {
        return SlotReplay.size(index);
    }

    String options() {
        return "-Djdk.foreign.confinedPool.size=" + size() + " -Djdk.foreign.confinedPool.depth=" + depth;
    }

    @Override
    public String toString() {
        return Figures.bytes(size()) + ", depth " + depth;
    }
}
