/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Interpreter;

import java.util.Collections;

/** Calculates with constants and their arrays, and decides branches on them. An unknown operand makes the result unknown. */
abstract class ConstantInterpreter extends Interpreter<Value> implements Opcodes {

    /** The longest array whose elements are followed. */
    private static final int MAX_ELEMENTS = 1024;

    /** Knows the types of results. */
    private final BasicInterpreter types = new BasicInterpreter();
    /** The one in which an instruction is being executed. */
    State state;

    ConstantInterpreter() {
        super(ASM9);
    }

    /** {@return the number as a value of that type; unknown if it is null} */
    private static Value value(BasicValue type, Long number) {
        return type == null ? null
                : number == null ? Value.unknown(type.getSize())
                : Value.constant(type.getSize() == 2 ? (Object) number : (Object) number.intValue());
    }

    @Override
    public Value newValue(Type type) {
        return value(types.newValue(type), null);
    }

    @Override
    public Value newOperation(AbstractInsnNode instruction) throws AnalyzerException {
        int opcode = instruction.getOpcode();
        return switch (instruction) {
            case IntInsnNode push -> Value.constant(push.operand);
            case LdcInsnNode ldc when ldc.cst instanceof Integer || ldc.cst instanceof Long || ldc.cst instanceof String ->
                    Value.constant(ldc.cst);
            case AbstractInsnNode _ when opcode == ACONST_NULL -> Value.NULL;
            case AbstractInsnNode _ when opcode >= ICONST_M1 && opcode <= ICONST_5 -> Value.constant(opcode - ICONST_0);
            case AbstractInsnNode _ when opcode == LCONST_0 || opcode == LCONST_1 -> Value.constant((long) opcode - LCONST_0);
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
        switch (instruction) {
            case JumpInsnNode jump when opcode == IFNULL || opcode == IFNONNULL -> branch(jump, opcode, value, Value.NULL);
            case JumpInsnNode jump -> branch(jump, opcode - IFEQ + IF_ICMPEQ, value, Value.constant(0));
            case LookupSwitchInsnNode table when number != null -> {
                int key = table.keys.indexOf(number.intValue());
                state.target = key < 0 ? table.dflt : table.labels.get(key);
            }
            case TableSwitchInsnNode table when number != null -> state.target = number >= table.min && number <= table.max
                    ? table.labels.get((int) (number - table.min)) : table.dflt;
            default -> { }
        }
        return switch (opcode) {
            case CHECKCAST -> value;
            case IINC -> value(BasicValue.INT_VALUE, number == null ? null : number + ((IincInsnNode) instruction).incr);
            case ARRAYLENGTH -> value instanceof Value.Array array ? Value.constant(array.length()) : Value.UNKNOWN;
            case NEWARRAY, ANEWARRAY -> number == null || number < 0 ? Value.UNKNOWN
                    : new Value.Array(instruction, number.intValue(), opcode == ANEWARRAY && number <= MAX_ELEMENTS
                            ? Collections.nCopies(number.intValue(), Value.NULL) : null);
            default -> value(types.unaryOperation(instruction, null), number == null ? null : convert(opcode, number));
        };
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
        if (instruction instanceof JumpInsnNode jump) {
            branch(jump, jump.getOpcode(), left, right);
        }
        Long a = Value.number(left);
        Long b = Value.number(right);
        return left instanceof Value.Array array && instruction.getOpcode() == AALOAD && array.has(b)
                ? array.elements().get(b.intValue())
                : value(types.binaryOperation(instruction, null, null),
                        a == null || b == null ? null : calculate(instruction.getOpcode(), a, b));
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

    private void branch(JumpInsnNode jump, int comparison, Value left, Value right) {
        Boolean taken = isTaken(comparison, left, right);
        state.target = taken == null ? null : taken ? jump.label : State.NOT_TAKEN;
    }

    /** {@return whether a branch is taken that compares two values, null if that is not known} */
    private static Boolean isTaken(int opcode, Value left, Value right) {
        Long a = Value.number(left);
        Long b = Value.number(right);
        if (opcode == IFNULL || opcode == IFNONNULL) {
            boolean open = left instanceof Value.Unknown || left instanceof Value.Arena arena && (arena.mayBeNull() || arena.mayBeOther());
            return open ? null : (Boolean) (left.equals(Value.NULL) == (opcode == IFNULL));
        }
        if (left.equals(Value.NOT_ZERO) && (opcode == IF_ICMPEQ || opcode == IF_ICMPNE) && b != null && b == 0) {
            return opcode == IF_ICMPNE;
        }
        return a == null || b == null ? null : switch (opcode) {
            case IF_ICMPEQ -> a.equals(b);
            case IF_ICMPNE -> !a.equals(b);
            case IF_ICMPLT -> a < b;
            case IF_ICMPGE -> a >= b;
            case IF_ICMPGT -> a > b;
            case IF_ICMPLE -> a <= b;
            default -> null;
        };
    }

    @Override
    public Value merge(Value a, Value b) {
        return Value.join(a, b);
    }
}
