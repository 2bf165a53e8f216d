/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Interpreter;
import pooledarena.scan.Opening.Escape;

/**
 * What instructions do with values, but for calls and branches: calculates with constants, follows arenas into fields and notes
 * what others get. An unknown operand makes the result unknown.
 */
abstract class ValueInterpreter extends Interpreter<Value> implements Opcodes {

    /** The longest array whose elements are followed. */
    private static final int MAX_ELEMENTS = 1024;

    final Program program;
    final Code code;
    final Summary summary = new Summary();
    /** What a static initializer has stored so far, by the field's name. */
    final Map<String, Value> stored = new HashMap<>();
    /** The instruction that is being executed, and in which state. */
    AbstractInsnNode current;
    State state;
    /** Knows the types of results. */
    private final BasicInterpreter types = new BasicInterpreter();

    ValueInterpreter(Program program, Code code) {
        super(ASM9);
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
            case IDIV, LDIV, IREM, LREM, GETSTATIC, PUTSTATIC, ATHROW, MULTIANEWARRAY -> true;
            default -> opcode >= NEW && opcode <= ARRAYLENGTH || opcode >= IALOAD && opcode <= SALOAD
                    || opcode >= IASTORE && opcode <= SASTORE;
        };
        state.thrown = mayThrow ? state.fate : 0;
        state.fate = opcode == ATHROW ? 0 : state.fate;
    }

    /** {@return whether the reference that is so deep on the stack is one that is not null and of the right type} */
    private boolean isSafe(int depth) {
        Value value = state.top(depth);
        return value instanceof Value.Arena || value instanceof Value.Instance;
    }

    /** Others may have the value from now on; an instance gives them what its fields have. */
    void escape(Value value, Escape how) {
        if (value instanceof Value.Arena) {
            summary.escapes.add(how);
        } else if (value instanceof Value.Instance instance) {
            state.share(instance).forEach(held -> escape(held, Escape.STORED_IN_A_FIELD));
        }
    }

    /** {@return the number as a value of that type; unknown if it is null} */
    private static Value value(BasicValue type, Long number) {
        return type == null ? null
                : number == null ? Value.unknown(type.getSize())
                : Value.constant(type.getSize() == 2 ? (Object) number : (Object) number.intValue());
    }

    @Override
    public Value newValue(Type type) {
        return type == null ? Value.UNKNOWN : Value.unknown(type.getSize()); // null for what a long value covers
    }

    @Override
    public Value newOperation(AbstractInsnNode instruction) throws AnalyzerException {
        int opcode = instruction.getOpcode();
        return switch (instruction) {
            case FieldInsnNode field -> state.fields.getOrDefault(new State.Field(null, field),
                    program.constant(field.owner, field.name, Type.getType(field.desc).getSize()));
            case IntInsnNode push -> Value.constant(push.operand);
            case LdcInsnNode ldc when ldc.cst instanceof Integer || ldc.cst instanceof Long || ldc.cst instanceof String ->
                    Value.constant(ldc.cst);
            case AbstractInsnNode _ when opcode == ACONST_NULL -> Value.NULL;
            case AbstractInsnNode _ when opcode >= ICONST_M1 && opcode <= ICONST_5 -> Value.constant(opcode - ICONST_0);
            case AbstractInsnNode _ when opcode == LCONST_0 || opcode == LCONST_1 -> Value.constant((long) opcode - LCONST_0);
            case AbstractInsnNode _ when opcode == NEW -> state.make(new Value.Instance(instruction));
            default -> value(types.newOperation(instruction), null);
        };
    }

    @Override
    public Value copyOperation(AbstractInsnNode instruction, Value value) {
        return value;
    }

    @Override
    public Value unaryOperation(AbstractInsnNode instruction, Value value) throws AnalyzerException {
        int opcode = instruction.getOpcode();
        Long number = Value.number(value);
        if (opcode == PUTSTATIC) {
            FieldInsnNode field = (FieldInsnNode) instruction;
            put(null, field, value);
            if (code.method().name.equals("<clinit>") && field.owner.equals(code.owner())) {
                stored.merge(field.name, value, Value::join);
            }
        }
        Value unknown = value(types.unaryOperation(instruction, null), null);
        return switch (opcode) {
            case CHECKCAST -> value;
            case GETFIELD -> value instanceof Value.Instance instance
                    ? state.fields.getOrDefault(new State.Field(instance, (FieldInsnNode) instruction), unknown) : unknown;
            case IINC -> value(BasicValue.INT_VALUE, number == null ? null : number + ((IincInsnNode) instruction).incr);
            case ARRAYLENGTH -> value instanceof Value.Array array ? Value.constant(array.length()) : Value.UNKNOWN;
            case NEWARRAY, ANEWARRAY -> number == null || number < 0 ? Value.UNKNOWN
                    : new Value.Array(instruction, number.intValue(), Collections.nCopies(
                            opcode == ANEWARRAY && number <= MAX_ELEMENTS ? number.intValue() : 0, Value.NULL));
            default -> number == null ? unknown : value(types.unaryOperation(instruction, null), convert(opcode, number));
        };
    }

    /** What is in a field of an instance that others do not have, they do not get. */
    private void put(Value object, FieldInsnNode field, Value value) {
        if (object == null || object instanceof Value.Instance) {
            State.Field key = new State.Field((Value.Instance) object, field);
            if (value instanceof Value.Arena) {
                state.fields.put(key, value);
            } else {
                state.fields.remove(key);
            }
        }
        if (!(object instanceof Value.Instance instance && value instanceof Value.Arena && state.isUnshared(instance))) {
            escape(value, Escape.STORED_IN_A_FIELD);
        }
    }

    private static Long convert(int opcode, long number) {
        return switch (opcode) {
            case I2L, L2I -> number;
            case I2S -> (long) (short) number;
            case I2B -> (long) (byte) number;
            case I2C -> (long) (char) number;
            case INEG, LNEG -> -number;
            default -> null;
        };
    }

    @Override
    public Value binaryOperation(AbstractInsnNode instruction, Value left, Value right) throws AnalyzerException {
        int opcode = instruction.getOpcode();
        Long a = Value.number(left);
        Long b = Value.number(right);
        if (opcode == AALOAD && left instanceof Value.Array array) {
            return array.get(b);
        }
        if (opcode == PUTFIELD) {
            put(left, (FieldInsnNode) instruction, right);
        }
        return value(types.binaryOperation(instruction, null, null), a == null || b == null ? null : calculate(opcode, a, b));
    }

    private static Long calculate(int opcode, long a, long b) {
        return switch (opcode) {
            case IADD, LADD -> a + b;
            case ISUB, LSUB -> a - b;
            case IMUL, LMUL -> a * b;
            case IDIV, LDIV -> b == 0 ? null : a / b;
            case IREM, LREM -> b == 0 ? null : a % b;
            case IAND, LAND -> a & b;
            case IOR, LOR -> a | b;
            case IXOR, LXOR -> a ^ b;
            case ISHL -> (long) ((int) a << b);
            case ISHR -> (long) ((int) a >> b);
            case IUSHR -> (long) ((int) a >>> b);
            case LSHL -> a << b;
            case LSHR -> a >> b;
            case LUSHR -> a >>> b;
            case LCMP -> (long) Long.compare(a, b);
            default -> null;
        };
    }

    @Override
    public Value ternaryOperation(AbstractInsnNode instruction, Value array, Value at, Value value) {
        escape(value, Escape.STORED_IN_AN_ARRAY);
        if (array instanceof Value.Array known) {
            state.replace(known, known.with(Value.number(at), value instanceof Value.Constant ? value : Value.UNKNOWN));
        }
        return null;
    }

    /** An instance that was among the arguments is not given to others by being returned. */
    @Override
    public void returnOperation(AbstractInsnNode instruction, Value value, Value expected) {
        if (!(value instanceof Value.Instance(AbstractInsnNode origin)) || code.method().instructions.contains(origin)) {
            escape(value, Escape.RETURNED);
        }
        summary.result = summary.result == null ? value : Value.join(summary.result, value);
    }

    @Override
    public Value merge(Value a, Value b) {
        return Value.join(a, b);
    }
}
