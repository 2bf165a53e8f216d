/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.*;
import org.objectweb.asm.tree.analysis.*;
import pooledarena.scan.Opening.Escape;

/**
 * What instructions do with values, but for calls and branches: calculates with constants, follows arenas into fields and notes
 * what others get. An unknown operand makes the result unknown.
 */
abstract class ValueInterpreter extends Interpreter<Value> implements Opcodes {

    /** The types of the fields that an object keeps a confined arena in. */
    private static final String KEEPER = "Ljava/lang/(AutoCloseable|foreign/(Arena|SegmentAllocator));";

    final Program program;
    final Code code;
    /** How others get the arena that is followed. */
    final Set<Escape> escapes = EnumSet.noneOf(Escape.class);
    /** What the method returns, null if nothing. */
    Value result;
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

    /**
     * Exceptions are reckoned with, but for those that the JVM may throw anywhere, and that of an object that is null
     * where its field is accessed; calls that cannot throw tell themselves.
     */
    void start(AbstractInsnNode instruction, State before) {
        current = instruction;
        state = before;
        int opcode = instruction.getOpcode();
        boolean mayThrow = switch (opcode) {
            case IDIV, LDIV, IREM, LREM, GETSTATIC, PUTSTATIC, MULTIANEWARRAY -> true;
            default -> opcode >= INVOKEVIRTUAL && opcode <= ATHROW || opcode >= IALOAD && opcode <= SALOAD
                    || opcode >= IASTORE && opcode <= SASTORE;
        };
        state.thrown = mayThrow ? state.fate : 0;
        state.fate = opcode == ATHROW ? 0 : state.fate;
    }

    /** Others may have the value from now on, and put arenas and elements into it. */
    void escape(Value value, Escape how) {
        switch (value) {
            case Value.Arena _ -> escapes.add(how);
            case Value.Array array -> state.replace(array, array.unknown());
            case Value.Instance made -> state.replace(made, Value.NOT_ZERO);
            default -> { }
        }
    }

    /** {@return the number as a value of that type; unknown if it is null} */
    private static Value value(BasicValue type, Long number) {
        return type == null ? null
                : number == null ? new Value.Unknown(type.getSize())
                : new Value.Constant(type.getSize() == 2 ? (Object) number : (Object) number.intValue());
    }

    @Override
    public Value newValue(Type type) {
        return Value.UNKNOWN; // the variable that is the second half of a long value
    }

    @Override
    public Value newOperation(AbstractInsnNode instruction) throws AnalyzerException {
        int opcode = instruction.getOpcode();
        return switch (instruction) {
            case FieldInsnNode field -> program.constant(field);
            case IntInsnNode push -> new Value.Constant(push.operand);
            case LdcInsnNode ldc when !(ldc.cst instanceof ConstantDynamic) -> new Value.Constant(ldc.cst);
            case AbstractInsnNode _ when opcode == ACONST_NULL -> Value.ZERO;
            case AbstractInsnNode _ when opcode >= ICONST_M1 && opcode <= ICONST_5 ->
                    new Value.Constant(opcode - ICONST_0);
            case AbstractInsnNode _ when opcode == LCONST_0 || opcode == LCONST_1 ->
                    new Value.Constant((long) opcode - LCONST_0);
            case AbstractInsnNode _ when opcode == NEW -> {
                Value made = new Value.Instance(instruction);
                state.replace(made, Value.NOT_ZERO); // what the same instruction made before
                yield made;
            }
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
        if (opcode == PUTSTATIC) {
            escape(value, Escape.STORED_IN_A_FIELD);
            program.store((FieldInsnNode) instruction, value);
        }
        BasicValue type = types.unaryOperation(instruction, null);
        return switch (opcode) {
            case CHECKCAST -> value;
            case GETFIELD -> get(value, (FieldInsnNode) instruction, value(type, null));
            case ARRAYLENGTH -> value instanceof Value.Array array ? new Value.Constant(array.length()) : Value.UNKNOWN;
            case NEWARRAY, ANEWARRAY ->
                    value instanceof Value.Constant(Integer length) ? new Value.Array(instruction, length, Map.of())
                            : Value.UNKNOWN;
            default -> value(type, opcode == I2L || opcode == L2I ? Value.number(value) : null);
        };
    }

    /** {@return the arena, if it is in a field of {@code this}, or of an object made to keep it} */
    private Value get(Value object, FieldInsnNode field, Value unknown) {
        return switch (object) {
            case Value.Arena arena when field.desc.matches(arena.confined() ? KEEPER : "L.*") -> arena;
            case Value _ when object == Value.THIS -> state.fields.getOrDefault(field.name, unknown);
            default -> unknown;
        };
    }

    private void put(Value object, FieldInsnNode field, Value value) {
        boolean isArena = value instanceof Value.Arena;
        if (isArena && object instanceof Value.Instance) {
            state.replace(object, value);
        } else if (!isArena || !(object instanceof Value.Arena)) {
            escape(value, Escape.STORED_IN_A_FIELD);
        }
        if (object == Value.THIS) {
            state.fields.put(field.name, isArena ? value : new Value.Unknown(value.getSize()));
        }
    }

    @Override
    public Value binaryOperation(AbstractInsnNode instruction, Value left, Value right) throws AnalyzerException {
        int opcode = instruction.getOpcode();
        Long a = Value.number(left);
        Long b = Value.number(right);
        if (opcode == AALOAD && left instanceof Value.Array array) {
            return array.layouts().getOrDefault(right, Value.UNKNOWN);
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
            case IAND, LAND -> a & b; // to round
            default -> null;
        };
    }

    @Override
    public Value ternaryOperation(AbstractInsnNode instruction, Value array, Value at, Value value) {
        escape(value, Escape.STORED_IN_AN_ARRAY);
        if (array instanceof Value.Array known) {
            state.replace(known, known.with(at, value));
        }
        return null;
    }

    @Override
    public void returnOperation(AbstractInsnNode instruction, Value value, Value expected) {
        escape(value, Escape.RETURNED);
        result = result == null ? value : Value.join(result, value);
    }

    @Override
    public Value merge(Value a, Value b) {
        return Value.join(a, b);
    }
}
