/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.tree.AbstractInsnNode;
import pooledarena.scan.Opening.Escape;

/** What a method does, told from what is known of its arguments, with the one arena that is followed. */
final class Summary {

    /** By the instructions that lead to them, then by place and method. */
    private final Map<Integer, Map<String, Allocation>> allocations = new TreeMap<>();
    final Set<Escape> escapes = EnumSet.noneOf(Escape.class);
    /** The fates that the method leaves it to; 0 where it never leaves in that way. */
    int atReturn;
    int atThrow;
    /** The instructions that open another arena while this one is open. */
    final Set<AbstractInsnNode> openAt = new HashSet<>();
    /** What the method returns, null if nothing. */
    Value result;
    /** What has become of its first argument when it returns; null if it never does. */
    Value first;

    void allocated(int instruction, Allocation allocation) {
        allocations.computeIfAbsent(instruction, _ -> new LinkedHashMap<>())
                .merge(allocation.place() + " " + allocation.method(), allocation, Allocation::join);
    }

    List<Allocation> allocations() {
        return allocations.values().stream().flatMap(all -> all.values().stream()).toList();
    }

    /** The method returns, in one of its ways. */
    void returns(State state) {
        if (state.getLocals() > 0) {
            first = first == null ? state.getLocal(0) : Value.join(first, state.getLocal(0));
        }
        atReturn |= state.fate;
    }
}
