/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.tree.AbstractInsnNode;
import pooledarena.scan.Opening.Escape;
import pooledarena.scan.Opening.Place;

import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a method does, told from what is known of its arguments, with the one arena that is followed. */
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
    /** What the method returns, null if nothing. */
    Value result;
    /** In which it returns, null if it never does. */
    State returned;

    void allocated(int instruction, Allocation allocation, boolean again) {
        allocations.computeIfAbsent(instruction, _ -> new LinkedHashMap<>())
                .merge(new Key(allocation.place(), allocation.method()), allocation.repeatedly(again), Allocation::join);
    }

    List<Allocation> allocations() {
        return allocations.values().stream().flatMap(all -> all.values().stream()).toList();
    }

    /** {@return what the method leaves in fields of its arguments} */
    Map<State.Field, Value> fieldsOf(Collection<Value> arguments) {
        return returned == null ? Map.of() : returned.fieldsOf(arguments);
    }

    /** Takes over what a method does that is called. */
    void called(int instruction, Uses callee, boolean again) {
        callee.allocations().forEach(allocation -> allocated(instruction, allocation, again));
        callee.escapes.stream().filter(escape -> escape != Escape.RETURNED).forEach(escapes::add);
        passedTo.addAll(callee.passedTo);
        lifetimes.addAll(callee.lifetimes);
        closed |= callee.closed;
    }

    /** Takes over what a lambda does that has the arena, at any time and any number of times. */
    void captured(int instruction, Uses lambda) {
        lambda.allocations().forEach(allocation -> allocated(instruction, allocation, true));
        lifetimes.addAll(lambda.lifetimes);
        passedTo.addAll(lambda.passedTo);
    }
}
