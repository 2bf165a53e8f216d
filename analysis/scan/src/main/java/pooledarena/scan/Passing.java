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

import pooledarena.scan.MethodAnalysis.Summary;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The arguments of a call as the method that is called sees them: with numbers of its own for arrays and instances. */
final class Passing {

    final List<Value> arguments = new ArrayList<>();
    final Map<State.Field, Value> fields = new HashMap<>();
    final Set<Integer> shared = new HashSet<>();
    /** The arena, if that or a segment of it is among what is passed; or null. */
    Value.Arena arena;
    /** What the caller's instances are in the method. */
    private final Map<Integer, Integer> instances = new HashMap<>();

    Passing(List<Value> passed, State caller) {
        for (int i = 0; i < passed.size(); i++) {
            int number = -1 - i;
            see(passed.get(i));
            arguments.add(switch (passed.get(i)) {
                case Value.Array array -> new Value.Array(number, array.length(), array.elements());
                case Value.Instance(int id) -> new Value.Instance(instances.computeIfAbsent(id, _ -> number));
                case Value value -> value;
            });
        }
        instances.forEach((outer, inner) -> {
            if (caller.shared.contains(outer)) {
                shared.add(inner);
            }
        });
        caller.fields.forEach((field, value) -> {
            if (instances.containsKey(field.object())) {
                see(value);
                fields.put(new State.Field(instances.get(field.object()), field.name()), value);
            }
        });
    }

    private void see(Value value) {
        if (value instanceof Value.Arena || value instanceof Value.Segment) {
            Value.Arena seen = value instanceof Value.Arena known ? known : new Value.Arena(false, true, false);
            arena = arena == null ? seen : (Value.Arena) Value.join(arena, seen);
        }
    }

    /** Takes over what the method, if it returns, leaves in the fields of instances. */
    void takeFields(Summary callee, State caller) {
        caller.fields.keySet().removeIf(field -> instances.containsKey(field.object()));
        instances.forEach((outer, inner) -> {
            if (callee.shared().contains(inner)) {
                caller.shared.add(outer);
            }
            callee.fields().forEach((field, value) -> {
                if (field.object() == inner) {
                    caller.fields.put(new State.Field(outer, field.name()), value);
                }
            });
        });
    }

    /** {@return what the method returns as the caller sees it} */
    Value outside(Value result, int index) {
        return switch (result) {
            case Value.Array array -> new Value.Array(index, array.length(), array.elements());
            case Value.Instance(int id) -> instances.entrySet().stream().filter(entry -> entry.getValue() == id)
                    .findFirst().map(entry -> (Value) new Value.Instance(entry.getKey())).orElse(Value.UNKNOWN);
            case Value value -> value;
        };
    }
}
