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

import java.lang.classfile.instruction.FieldInstruction;
import java.util.HashMap;
import java.util.Map;

/** Loads from fields and stores into them. */
final class Fields {

    private final Interpreter interpreter;
    private final boolean initializer;
    private final Map<String, Value> stored = new HashMap<>();

    Fields(Interpreter interpreter) {
        this.interpreter = interpreter;
        initializer = interpreter.code.method.methodName().equalsString("<clinit>");
    }

    /** {@return what the static initializer has stored so far, by the field's name} */
    Map<String, Value> stored() {
        return stored;
    }

    void access(FieldInstruction field, State state) {
        String owner = field.owner().name().stringValue();
        String name = field.name().stringValue();
        boolean wide = field.type().equalsString("J") || field.type().equalsString("D");
        switch (field.opcode()) {
            case GETSTATIC -> {
                Value known = state.fields.get(key(owner, name));
                state.push(known != null ? known : interpreter.program.statics.value(owner, name, wide));
            }
            case GETFIELD -> {
                Value known = state.pop().equals(Value.SELF) ? state.fields.get(key(owner, name)) : null;
                state.push(known != null ? known : Value.unknown(wide));
            }
            case PUTSTATIC -> {
                Value value = state.pop();
                boolean own = initializer && owner.equals(interpreter.code.owner);
                store(key(owner, name), value, own, state);
                if (own) {
                    stored.merge(name, value, Value::join);
                }
            }
            case PUTFIELD -> {
                Value value = state.pop();
                if (state.pop().equals(Value.SELF)) {
                    store(key(owner, name), value, false, state);
                } else {
                    noteEscape(value);
                }
            }
            default -> throw new IllegalArgumentException("has the instruction " + field.opcode());
        }
    }

    private static String key(String owner, String name) {
        return owner + "." + name;
    }

    /** Remembers arenas, and whatever else a static initializer stores, until the end of the method. */
    private void store(String key, Value value, boolean always, State state) {
        noteEscape(value);
        if (always || value instanceof Value.Arena) {
            state.fields.put(key, value);
        } else {
            state.fields.remove(key);
        }
    }

    private void noteEscape(Value value) {
        if (value instanceof Value.Arena arena && interpreter.noting()) {
            arena.sites().forEach(site -> interpreter.uses(site).escapes.add(Escape.FIELD));
        }
    }
}
