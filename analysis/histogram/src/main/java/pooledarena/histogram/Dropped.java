/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

/**
 * What the recorder did not keep since it keeps only so much, or could not.
 *
 * @param arenas   arenas that are in no row, since too many were open or there were too many shapes
 * @param sites    arenas whose site is not told, since there were too many sites
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
