/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;

import java.lang.foreign.MemoryLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The values of static final fields, found by interpreting the static initializers of their classes. */
final class Statics {

    /** A longer initializer is not interpreted; it is a table of data. */
    private static final int MAX_INSTRUCTIONS = 50_000;

    /** How many classes may be under way that wait for each other. */
    private static final int MAX_NESTING = 20;

    private static final int CONSTANT = Opcodes.ACC_STATIC | Opcodes.ACC_FINAL;

    private final Program program;
    private final Map<String, Map<String, Value>> classes = new HashMap<>();
    private int nesting;

    Statics(Program program) {
        this.program = program;
    }

    /** {@return the value of the field of {@code owner}, or of what that inherits from} */
    Value value(String owner, String name, int size) {
        return ConstantFolding.field(owner, name)
                .or(() -> program.inherited(owner, type -> type.fields.stream().filter(field -> field.name.equals(name))
                        .findFirst().map(field -> (field.access & CONSTANT) == CONSTANT ? value(type, field) : Value.UNKNOWN)))
                .filter(value -> value.getSize() == size).orElse(Value.unknown(size));
    }

    private Value value(ClassNode type, FieldNode field) {
        if (field.value instanceof Integer || field.value instanceof Long || field.value instanceof String) {
            return Value.constant(field.value);
        }
        return switch (initialized(type).get(field.name)) {
            case Value.Constant(MemoryLayout layout, String known) -> new Value.Constant(layout, known != null ? known
                    : type.name.substring(type.name.lastIndexOf('/') + 1) + "." + field.name);
            case Value.Constant constant -> constant;
            case Value.Function function -> function;
            // An arena that a class keeps is one of its initializer, which has told of it.
            case null, default -> Value.UNKNOWN;
        };
    }

    private Map<String, Value> initialized(ClassNode type) {
        if (classes.containsKey(type.name) || nesting == MAX_NESTING) {
            return classes.getOrDefault(type.name, Map.of());
        }
        Optional<Code> code = Code.of(type, "<clinit>", "()V").filter(found -> found.instructions().count() <= MAX_INSTRUCTIONS);
        classes.put(type.name, Map.of());
        nesting++;
        try {
            code.ifPresent(initializer -> {
                ArenaInterpreter interpreter = new ArenaInterpreter(program, initializer, null, 0, null);
                // A class that is initialized on the way sees what is stored so far, as it does at run time.
                classes.put(type.name, interpreter.stored);
                MethodAnalysis.run(interpreter, Map.of());
            });
        } catch (IllegalArgumentException e) {
            classes.put(type.name, Map.of());
        } finally {
            nesting--;
        }
        return classes.get(type.name);
    }
}
