/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import pooledarena.scan.Opening.Allocation;
import pooledarena.scan.Opening.Escape;
import pooledarena.scan.Opening.Place;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/** What a method does with one arena. */
final class Uses {

    /** Tells allocations of one arena apart: the instruction that leads there, and where it is. */
    private record Key(int index, Place place, String method) {}

    private final Map<Key, Allocation> allocations = new LinkedHashMap<>();
    final Set<Escape> escapes = EnumSet.noneOf(Escape.class);
    /** The same of the segments of an arena that is not confined. */
    final Set<Escape> segmentEscapes = EnumSet.noneOf(Escape.class);
    /** The methods that get it and cannot be followed. */
    final Set<String> passedTo = new TreeSet<>();
    /** Methods of the JDK that give its lifetime to something that is not allocated from it. */
    final Set<String> lifetimes = new TreeSet<>();
    boolean closed;
    /** The fates that the method leaves it to; 0 where it never leaves in that way. */
    int atReturn;
    int atThrow;
    /** The instructions that open another arena while this one is open. */
    final Set<Integer> openAt = new TreeSet<>();

    void allocated(int index, Allocation allocation) {
        allocations.merge(new Key(index, allocation.place(), allocation.method()), allocation, Allocation::join);
    }

    /** Takes over what a method does that is called at {@code index}. */
    void called(int index, Uses callee) {
        callee.allocations.values().forEach(allocation -> allocated(index, allocation));
        callee.escapes.stream().filter(escape -> escape != Escape.RETURNED).forEach(escapes::add);
        callee.segmentEscapes.stream().filter(escape -> escape != Escape.RETURNED).forEach(segmentEscapes::add);
        passedTo.addAll(callee.passedTo);
        lifetimes.addAll(callee.lifetimes);
        closed |= callee.closed;
    }

    /** Takes over what a lambda does that has the arena, at any time and any number of times. */
    void captured(int index, Uses lambda) {
        lambda.allocations.values().forEach(allocation -> allocated(index, allocation.inLoop()));
        lifetimes.addAll(lambda.lifetimes);
        passedTo.addAll(lambda.passedTo);
    }

    /** Marks the allocations that come about at an instruction of {@code loop}. */
    void markRepeated(IntPredicate loop) {
        allocations.replaceAll((key, allocation) -> loop.test(key.index) ? allocation.inLoop() : allocation);
    }

    /** {@return what is done with the arena that is opened at {@code place}} */
    Opening opening(Place place, int nesting) {
        return new Opening(place, Opening.Closing.of(this), escapes, passedTo, lifetimes, nesting, List.copyOf(allocations.values()));
    }
}
