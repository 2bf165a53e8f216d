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
 * What the recorder did not keep since it keeps only so much, or could not.
 *
 * @param arenas   arenas that are in no row, since too many were open or there were too many shapes
 * @param sites    arenas whose site is not told, since there were too many sites or shapes
 * @param rounded  arenas whose numbers are rounded up to powers of two, since there were too many shapes
 * @param failures how often the recorder failed, for instance since the stack was full; an arena or an allocation may then be
 *                 missing
 */
public record Dropped(long arenas, long sites, long rounded, long failures) {

    public static final Dropped NOTHING = new Dropped(0, 0, 0, 0);

    Dropped plus(Dropped other) {
        return new Dropped(Tally.add(arenas, other.arenas), Tally.add(sites, other.sites),
                Tally.add(rounded, other.rounded), Tally.add(failures, other.failures));
    }
}
