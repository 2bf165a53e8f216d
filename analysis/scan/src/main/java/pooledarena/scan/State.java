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
package pooledarena.scan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is known before an instruction: stack, local variables, fields that this method stored into, and what has become of
 * the arena of each site. Mutable; the interpreter copies it where the flow of control parts.
 */
final class State {

    // What may have become of an arena; a set of these, since several ways may lead to one instruction.
    static final int NOT_OPENED = 1;
    static final int OPEN = 2;
    static final int CLOSED = 4;

    final Value[] locals;
    final List<Value> stack;
    /** By owner and name; only of what this method stores arenas into. */
    final Map<String, Value> fields;
    final int[] arenas;

    private State(Value[] locals, List<Value> stack, Map<String, Value> fields, int[] arenas) {
        this.locals = locals;
        this.stack = stack;
        this.fields = fields;
        this.arenas = arenas;
    }

    State(int maxLocals, int[] arenas) {
        this(new Value[maxLocals], new ArrayList<>(), new HashMap<>(), arenas);
        Arrays.fill(locals, Value.UNKNOWN);
    }

    State copy() {
        return new State(locals.clone(), new ArrayList<>(stack), new HashMap<>(fields), arenas.clone());
    }

    void push(Value value) {
        stack.add(value);
    }

    Value pop() {
        return stack.removeLast();
    }

    /** {@return the top {@code count} values of the stack, the last pushed being the last} */
    List<Value> pop(int count) {
        List<Value> top = stack.subList(stack.size() - count, stack.size());
        List<Value> values = new ArrayList<>(top);
        top.clear();
        return values;
    }

    /** Closes the arena, or one of those that it may be. */
    void close(Value.Arena arena) {
        set(arena, CLOSED);
    }

    /** A method was called that leaves an open arena to {@code fates}. */
    void called(Value.Arena arena, int fates) {
        if (fates != OPEN) {
            set(arena, fates);
        }
    }

    /** What has become of {@code arena} is one of {@code fates}; if it may be one of several arenas, they may be as before. */
    private void set(Value.Arena arena, int fates) {
        for (int site : arena.sites()) {
            arenas[site] = arena.isExact() ? fates : arenas[site] | fates;
        }
    }

    /** Puts {@code array}, of which an element has changed, wherever the array it was is referred to. */
    void replace(int origin, Value array) {
        for (int i = 0; i < locals.length; i++) {
            if (locals[i] instanceof Value.Array old && old.origin() == origin) {
                locals[i] = array;
            }
        }
        stack.replaceAll(value -> value instanceof Value.Array old && old.origin() == origin ? array : value);
    }

    /**
     * {@return what tells ways apart that are followed each by itself: the fates of arenas and where arenas are} What else
     * is known is joined, so constants stay apart just where they come with another fate, as in {@code boolean mine = true}.
     */
    List<Object> key() {
        List<Object> key = new ArrayList<>();
        for (int fates : arenas) {
            key.add(fates);
        }
        for (int i = 0; i < locals.length; i++) {
            if (locals[i] instanceof Value.Arena) {
                key.add(i);
                key.add(locals[i]);
            }
        }
        for (int i = 0; i < stack.size(); i++) {
            if (stack.get(i) instanceof Value.Arena) {
                key.add(-1 - i);
                key.add(stack.get(i));
            }
        }
        return key;
    }

    /** Adds what is known from {@code other}, which leads to the same instruction. {@return whether that is news} */
    boolean join(State other) {
        boolean news = false;
        for (int i = 0; i < locals.length; i++) {
            Value joined = Value.join(locals[i], other.locals[i]);
            news |= !joined.equals(locals[i]);
            locals[i] = joined;
        }
        if (stack.size() != other.stack.size()) {
            throw new IllegalArgumentException("stacks of different height meet");
        }
        for (int i = 0; i < stack.size(); i++) {
            Value joined = Value.join(stack.get(i), other.stack.get(i));
            news |= !joined.equals(stack.get(i));
            stack.set(i, joined);
        }
        news |= fields.keySet().retainAll(other.fields.keySet());
        for (Map.Entry<String, Value> field : fields.entrySet()) {
            Value joined = Value.join(field.getValue(), other.fields.get(field.getKey()));
            news |= !joined.equals(field.getValue());
            field.setValue(joined);
        }
        for (int i = 0; i < arenas.length; i++) {
            int joined = arenas[i] | other.arenas[i];
            news |= joined != arenas[i];
            arenas[i] = joined;
        }
        return news;
    }
}
