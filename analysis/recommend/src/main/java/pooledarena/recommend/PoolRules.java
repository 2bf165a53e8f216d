/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recommend;

import pooledarena.histogram.Shape;
import pooledarena.histogram.Tally;
import pooledarena.io.WholeFiles;

import module java.base;

/**
 * Constants and rules of the pool. The constants are read from its own sources, which the build puts beside this class; the rules
 * are those of {@code ConfinedBlock} and {@code ConfinedSlotPool}. A slot is as large as the first allocation, in whole lines.
 * Where that does not suffice an arena goes on in a block twice as large, up to a limit, or as large as what it allocates. It
 * leaves all that can be slots, in the place only the last. Later arenas find the largest small one, or the largest of all.
 */
final class PoolRules {

    static final String PROPERTIES = "ConfinedPoolProperties.java";
    static final String POOL = "ConfinedSlotPool.java";
    static final int DEFAULT_SIZE = constant(PROPERTIES, "DEFAULT_SIZE");
    static final int MAX_DEPTH = constant(PROPERTIES, "MAX_DEPTH");
    static final int DEFAULT_DEPTH = constant(PROPERTIES, "DEFAULT_DEPTH");
    static final int SMALL = constant(POOL, "SMALL");
    private static final int SMALL_PER_LARGE = constant(POOL, "SMALL_PER_LARGE");

    /** The alignment of blocks, to which their capacities are rounded, and what they take beside that. */
    static final int LINE = constant("ConfinedBlock.java", "ALIGNMENT");

    /** Up to here, or to the largest slot, a block is twice as large as the one before. */
    private static final int MAX_DOUBLED = constant("ConfinedBlock.java", "MAX_DOUBLED");

    private PoolRules() {}

    static int constant(String source, String name) {
        Matcher matcher = Pattern.compile("int " + name + " = (\\d+)(?: << (\\d+))?;")
                .matcher(WholeFiles.resource(PoolRules.class, source));
        if (!matcher.find()) {
            throw new IllegalStateException(source + " has no number " + name);
        }
        int shift = matcher.group(2) == null ? 0 : Integer.parseInt(matcher.group(2));
        return Integer.parseInt(matcher.group(1)) << shift;
    }

    /** {@return the capacity of a slot for an arena that first allocates so much, as far as slots can be so large} */
    static int first(long byteSize, int size) {
        return size < LINE ? size : lines(Math.min(byteSize, size));
    }

    /** {@return how many small free slots a thread keeps, of large ones as many as the depth} */
    static int mostSmall(int size, int depth) {
        return depth * Math.clamp(size / SMALL, 1, SMALL_PER_LARGE);
    }

    /** {@return the capacities of the slots that arenas have left in the end which allocate {@code needed} bytes, growing} */
    static List<Integer> left(Shape shape, long needed, int size) {
        List<Integer> left = new ArrayList<>(List.of(first(shape.first(), size)));
        while (left.getLast() < Math.min(needed, size)) {
            left.add(next(left.getLast(), shape.largest(), size));
        }
        return left;
    }

    /** {@return how many blocks of which capacity an arena makes beside a slot of {@code slot} bytes, 0 if it finds none} */
    static NavigableMap<Integer, Long> blocks(int slot, Shape shape, long needed, int size) {
        NavigableMap<Integer, Long> blocks = new TreeMap<>();
        long left = needed - slot;
        for (int last = slot; left > 0; ) {
            int next = last == 0 ? first(shape.first(), size) : next(last, shape.largest(), size);
            long count = next == last ? Math.ceilDiv(left, next) : 1;
            blocks.merge(next, count, Long::sum);
            left -= count * next;
            last = next;
        }
        return blocks;
    }

    /** {@return the capacity of the block after one of {@code capacity}, where {@code largest} is allocated at once} */
    static int next(int capacity, long largest, int size) {
        long doubled = Math.min(2L * capacity, capacity < size ? size : Math.max(size, MAX_DOUBLED));
        return lines(Math.max(doubled, Math.min(largest, size)));
    }

    private static int lines(long byteSize) {
        return (int) (byteSize + LINE - 1) & -LINE;
    }
}
