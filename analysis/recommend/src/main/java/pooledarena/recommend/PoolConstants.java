/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.io.WholeFiles;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Constants of the pool, from its own sources, which the build puts beside this class. */
final class PoolConstants {

    private static final String PROPERTIES = "ConfinedPoolProperties.java";
    static final int MIN_SIZE = constant(PROPERTIES, "MIN_SIZE");
    static final int MAX_SIZE = constant(PROPERTIES, "MAX_SIZE");
    static final int DEFAULT_SIZE = constant(PROPERTIES, "DEFAULT_SIZE");
    static final int MAX_DEPTH = constant(PROPERTIES, "MAX_DEPTH");
    static final int DEFAULT_DEPTH = constant(PROPERTIES, "DEFAULT_DEPTH");

    /** The alignment of blocks, to which their capacities are rounded. */
    static final int LINE = constant("ConfinedBlock.java", "ALIGNMENT");

    /** Up to here, or to the largest slot, a block is twice as large as the one before. */
    static final int MAX_DOUBLED = constant("ConfinedBlock.java", "MAX_DOUBLED");

    /** Any arena may get a slot without place up to here; a larger one if its first allocation is one part in {@link #SHARE}. */
    static final int SMALL = constant("ConfinedSlotPool.java", "SMALL");
    static final int SHARE = constant("ConfinedSlotPool.java", "SHARE");

    private PoolConstants() {}

    private static int constant(String source, String name) {
        Matcher matcher = Pattern.compile("int " + name + " = (\\d+)(?: << (\\d+))?;")
                .matcher(WholeFiles.resource(PoolConstants.class, source));
        if (!matcher.find()) {
            throw new IllegalStateException(source + " has no number " + name);
        }
        return Integer.parseInt(matcher.group(1)) << (matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2)));
    }
}
