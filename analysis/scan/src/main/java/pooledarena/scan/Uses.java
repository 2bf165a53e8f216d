/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Interpreter;
import pooledarena.scan.Opening.Escape;

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

    /** By the instructions that lead to them, then by place and method. */
    private final Map<Integer, Map<String, Allocation>> allocations = new TreeMap<>();
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

    void allocated(int instruction, Allocation allocation) {
        allocations.computeIfAbsent(instruction, _ -> new LinkedHashMap<>())
                .merge(allocation.place() + " " + allocation.method(), allocation, Allocation::join);
    }

    List<Allocation> allocations() {
        return allocations.values().stream().flatMap(all -> all.values().stream()).toList();
    }

    /** {@return what the method leaves in fields of its arguments} */
    Map<State.Field, Value> fieldsOf(Collection<Value> arguments) {
        return returned == null ? Map.of() : returned.fieldsOf(arguments);
    }

    /** The method returns, in one of its ways. */
    void returns(State state, Interpreter<Value> interpreter) throws AnalyzerException {
        atReturn |= state.fate;
        state.clearStack();
        if (returned == null) {
            returned = new State(state);
        }
        returned.merge(state, interpreter);
    }

    /** Takes over what another method does with the arena that an instruction gives it, perhaps {@code again}. */
    void add(int instruction, Uses other, boolean again) {
        other.allocations().forEach(allocation -> allocated(instruction, again ? allocation.again() : allocation));
        passedTo.addAll(other.passedTo);
        lifetimes.addAll(other.lifetimes);
    }
}
