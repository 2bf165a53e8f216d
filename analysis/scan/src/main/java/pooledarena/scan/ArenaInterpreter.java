/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import pooledarena.scan.Opening.Escape;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the instructions of one method do with arenas, and with the fields and arrays that arenas get into. */
final class ArenaInterpreter extends ConstantInterpreter {

    final Program program;
    final Code code;
    /** How many methods are being interpreted that lead to this one. */
    final int depth;
    /** The instruction that opens the arena that is followed; null if that is among the arguments. */
    final AbstractInsnNode opening;
    final Uses uses = new Uses();
    /** What a static initializer has stored so far, by the field's name. */
    final Map<String, Value> stored = new HashMap<>();
    /** What is allocated by each call that allocates, from whatever arena. */
    final Map<AbstractInsnNode, Amount> amounts = new LinkedHashMap<>();
    /** What the method returns. */
    Value result = Value.UNKNOWN;
    private boolean returned;
    private AbstractInsnNode current;
    private final Calls calls = new Calls(this);

    ArenaInterpreter(Program program, Code code, AbstractInsnNode opening, int depth) {
        this.program = program;
        this.code = code;
        this.opening = opening;
        this.depth = depth;
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

    /** {@return the position of the instruction that is being executed} */
    int index() {
        return code.method().instructions.indexOf(current);
    }

    /** {@return whether the reference that is so deep on the stack is one that is not null and of the right type} */
    private boolean isSafe(int deep) {
        Value value = state.getStack(state.getStackSize() - 1 - deep);
        return value instanceof Value.Arena || value instanceof Value.Instance;
    }

    /** Others may have the value from now on; an instance gives them what its fields have. */
    void escape(Value value, Escape how) {
        if (value instanceof Value.Arena) {
            uses.escapes.add(how);
        } else if (value instanceof Value.Instance instance && state.fields.remove(State.Field.unshared(instance)) != null) {
            State.fieldsOf(List.of(instance), state.fields).values().forEach(held -> escape(held, Escape.FIELD));
        }
    }

    @Override
    public Value newOperation(AbstractInsnNode instruction) throws AnalyzerException {
        switch (instruction.getOpcode()) {
            case GETSTATIC -> {
                FieldInsnNode field = (FieldInsnNode) instruction;
                Value known = state.fields.get(new State.Field(null, field));
                return known != null ? known : program.statics.value(field.owner, field.name, Type.getType(field.desc).getSize());
            }
            case NEW -> {
                // One that the same instruction made before is no longer followed.
                Value.Instance instance = new Value.Instance(instruction);
                state.replace(instance, Value.UNKNOWN);
                state.fields.keySet().removeIf(field -> instance.equals(field.object()));
                state.fields.put(State.Field.unshared(instance), Value.NOT_ZERO);
                return instance;
            }
            default -> {
                return super.newOperation(instruction);
            }
        }
    }

    @Override
    public Value unaryOperation(AbstractInsnNode instruction, Value value) throws AnalyzerException {
        if (instruction instanceof FieldInsnNode field) {
            if (field.getOpcode() == PUTSTATIC) {
                boolean initializes = code.method().name.equals("<clinit>") && field.owner.equals(code.owner());
                escape(value, Escape.FIELD);
                store(null, field, value, initializes);
                if (initializes) {
                    stored.merge(field.name, value, Value::join);
                }
            } else if (value instanceof Value.Instance instance) {
                Value known = state.fields.get(new State.Field(instance, field));
                return known != null ? known : newValue(Type.getType(field.desc));
            }
        }
        return super.unaryOperation(instruction, value);
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
        if (array instanceof Value.Array(AbstractInsnNode origin, int length, List<Value> old) && old != null) {
            List<Value> elements = null;
            Long index = Value.number(at);
            if (((Value.Array) array).has(index)) {
                elements = new ArrayList<>(old);
                elements.set(index.intValue(), value instanceof Value.Constant ? value : Value.UNKNOWN);
            }
            state.replace(array, new Value.Array(origin, length, elements));
        }
        return null;
    }

    @Override
    public Value naryOperation(AbstractInsnNode instruction, List<? extends Value> values) {
        return switch (instruction) {
            case MethodInsnNode call -> calls.invoke(call, List.copyOf(values));
            case InvokeDynamicInsnNode call -> calls.invokeDynamic(call, List.copyOf(values));
            default -> Value.UNKNOWN; // MULTIANEWARRAY
        };
    }

    @Override
    public void returnOperation(AbstractInsnNode instruction, Value value, Value expected) {
        boolean made = !(value instanceof Value.Instance(AbstractInsnNode origin)) || code.method().instructions.contains(origin);
        if (made) {
            escape(value, Escape.RETURNED);
        }
        result = returned ? Value.join(result, value) : value;
        returned = true;
    }
}
