/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.tree.AbstractInsnNode;
import pooledarena.scan.Opening.Allocation;
import pooledarena.scan.Opening.Escape;
import pooledarena.scan.Opening.Place;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/** What a method does with one arena. */
final class Uses {

    /** Tells allocations apart that one instruction leads to. */
    private record Key(Place place, String method) {}

    /** By the instructions that lead to them. */
    private final Map<Integer, Map<Key, Allocation>> allocations = new TreeMap<>();
    final Set<Escape> escapes = EnumSet.noneOf(Escape.class);
    /** The methods that get it and cannot be followed. */
    final Set<String> passedTo = new TreeSet<>();
    /** Methods of the JDK that give its lifetime to something that is not allocated from it. */
    final Set<String> lifetimes = new TreeSet<>();
    boolean closed;
    /** The fates that the method leaves it to; 0 where it never leaves in that way. */
    int atReturn;
    int atThrow;
    /** The instructions that open another arena while this one is open. */
    final Set<AbstractInsnNode> openAt = new HashSet<>();

    void allocated(int instruction, Allocation allocation) {
        allocations.computeIfAbsent(instruction, _ -> new LinkedHashMap<>())
                .merge(new Key(allocation.place(), allocation.method()), allocation, Allocation::join);
    }

    private List<Allocation> allocations() {
        return allocations.values().stream().flatMap(all -> all.values().stream()).toList();
    }

    /** Takes over what a method does that is called. */
    void called(int instruction, Uses callee) {
        callee.allocations().forEach(allocation -> allocated(instruction, allocation));
        callee.escapes.stream().filter(escape -> escape != Escape.RETURNED).forEach(escapes::add);
        passedTo.addAll(callee.passedTo);
        lifetimes.addAll(callee.lifetimes);
        closed |= callee.closed;
    }

    /** Takes over what a lambda does that has the arena, at any time and any number of times. */
    void captured(int instruction, Uses lambda) {
        lambda.allocations().forEach(allocation -> allocated(instruction, allocation.inLoop()));
        lifetimes.addAll(lambda.lifetimes);
        passedTo.addAll(lambda.passedTo);
    }

    /** Marks the allocations that come about at an instruction of {@code loop}. */
    void markRepeated(IntPredicate loop) {
        allocations.forEach((instruction, all) -> {
            if (loop.test(instruction)) {
                all.replaceAll((_, allocation) -> allocation.inLoop());
            }
        });
    }

    /** {@return what is done with the arena that is opened at {@code place}} */
    Opening opening(Place place, int nesting) {
        return new Opening(place, Opening.Closing.of(this), escapes, passedTo, lifetimes, nesting, allocations());
    }
}
