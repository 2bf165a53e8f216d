/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
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
