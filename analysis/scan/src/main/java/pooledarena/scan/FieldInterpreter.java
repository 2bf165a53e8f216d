/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import pooledarena.scan.Opening.Escape;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Follows arenas into fields of instances, and notes which of them others may have. */
abstract class FieldInterpreter extends ConstantInterpreter {

    final Program program;
    final Code code;
    final Uses uses = new Uses();
    /** What a static initializer has stored so far, by the field's name. */
    final Map<String, Value> stored = new HashMap<>();
    /** The instruction that is being executed. */
    AbstractInsnNode current;

    FieldInterpreter(Program program, Code code) {
        this.program = program;
        this.code = code;
    }

    /** Exceptions are reckoned with, but for those that the JVM may throw anywhere; calls tell themselves. */
    void start(AbstractInsnNode instruction, State before) {
        current = instruction;
        state = before;
        int opcode = instruction.getOpcode();
        boolean mayThrow = switch (opcode) {
            case GETFIELD, CHECKCAST -> !isSafe(0);
            case PUTFIELD -> !isSafe(1);
            case IDIV, LDIV, IREM, LREM, GETSTATIC, PUTSTATIC, NEW, NEWARRAY, ANEWARRAY, ARRAYLENGTH, ATHROW, MULTIANEWARRAY -> true;
            default -> opcode >= IALOAD && opcode <= SALOAD || opcode >= IASTORE && opcode <= SASTORE;
        };
        if (mayThrow) {
            state.mayThrow();
        }
    }

    /** {@return whether the reference that is so deep on the stack is one that is not null and of the right type} */
    private boolean isSafe(int depth) {
        Value value = state.getStack(state.getStackSize() - 1 - depth);
        return value instanceof Value.Arena || value instanceof Value.Instance;
    }

    /** Others may have the value from now on; an instance gives them what its fields have. */
    void escape(Value value, Escape how) {
        if (value instanceof Value.Arena) {
            uses.escapes.add(how);
        } else if (value instanceof Value.Instance instance && state.fields.remove(State.Field.unshared(instance)) != null) {
            state.fieldsOf(List.of(instance)).values().forEach(held -> escape(held, Escape.FIELD));
        }
    }

    @Override
    public Value newOperation(AbstractInsnNode instruction) throws AnalyzerException {
        if (instruction instanceof FieldInsnNode field) {
            Value known = state.fields.get(new State.Field(null, field));
            return known != null ? known : program.statics.value(field.owner, field.name, Type.getType(field.desc).getSize());
        }
        if (instruction.getOpcode() == NEW) {
            // One that the same instruction made before is no longer followed.
            Value.Instance instance = new Value.Instance(instruction);
            state.replace(instance, Value.UNKNOWN);
            state.fields.keySet().removeIf(field -> instance.equals(field.object()));
            state.fields.put(State.Field.unshared(instance), Value.NOT_ZERO);
            return instance;
        }
        return super.newOperation(instruction);
    }

    @Override
    public Value unaryOperation(AbstractInsnNode instruction, Value value) throws AnalyzerException {
        if (instruction instanceof FieldInsnNode field && field.getOpcode() == PUTSTATIC) {
            boolean initializes = code.method().name.equals("<clinit>") && field.owner.equals(code.owner());
            escape(value, Escape.FIELD);
            store(null, field, value, initializes);
            if (initializes) {
                stored.merge(field.name, value, Value::join);
            }
        }
        Value known = instruction instanceof FieldInsnNode field && value instanceof Value.Instance instance
                ? state.fields.get(new State.Field(instance, field)) : null;
        return known != null ? known : super.unaryOperation(instruction, value);
    }

    private void store(Value.Instance object, FieldInsnNode field, Value value, boolean always) {
        State.Field key = new State.Field(object, field);
        if (always || value instanceof Value.Arena) {
            state.fields.put(key, value);
        } else {
            state.fields.remove(key);
        }
    }

    @Override
    public Value binaryOperation(AbstractInsnNode instruction, Value left, Value right) throws AnalyzerException {
        if (instruction.getOpcode() == PUTFIELD) {
            if (left instanceof Value.Instance instance) {
                store(instance, (FieldInsnNode) instruction, right, false);
            }
            boolean unshared = left instanceof Value.Instance instance && state.fields.containsKey(State.Field.unshared(instance));
            if (!(unshared && right instanceof Value.Arena)) {
                escape(right, Escape.FIELD);
            }
        }
        return super.binaryOperation(instruction, left, right);
    }

    @Override
    public Value ternaryOperation(AbstractInsnNode instruction, Value array, Value at, Value value) {
        escape(value, Escape.ARRAY);
        if (array instanceof Value.Array changed) {
            List<Value> elements = null;
            if (changed.has(Value.number(at))) {
                elements = new ArrayList<>(changed.elements());
                elements.set(Value.number(at).intValue(), value instanceof Value.Constant ? value : Value.UNKNOWN);
            }
            state.replace(array, new Value.Array(changed.origin(), changed.length(), elements));
        }
        return null;
    }

    /** An instance that was among the arguments is not given to others by being returned. */
    @Override
    public void returnOperation(AbstractInsnNode instruction, Value value, Value expected) {
        if (!(value instanceof Value.Instance(AbstractInsnNode origin)) || code.method().instructions.contains(origin)) {
            escape(value, Escape.RETURNED);
        }
        uses.result = uses.result == null ? value : Value.join(uses.result, value);
    }
}
