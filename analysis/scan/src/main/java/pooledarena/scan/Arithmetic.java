/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Opcodes;

/** Calculates with integral constants, and decides branches on them. An unknown operand makes the result unknown. */
final class Arithmetic implements Opcodes {

    private Arithmetic() {}

    static Value calculate(int opcode, Value left, Value right) {
        Long a = Value.number(left);
        Long b = Value.number(right);
        if (a == null || b == null || b == 0 && (opcode == IDIV || opcode == LDIV || opcode == IREM || opcode == LREM)) {
            return Value.unknown(isComparison(opcode) ? 1 : left.getSize());
        }
        return switch (opcode) {
            case IADD, LADD -> like(left, a + b);
            case ISUB, LSUB -> like(left, a - b);
            case IMUL, LMUL -> like(left, a * b);
            case IDIV, LDIV -> like(left, a / b);
            case IREM, LREM -> like(left, a % b);
            case IAND, LAND -> like(left, a & b);
            case IOR, LOR -> like(left, a | b);
            case IXOR, LXOR -> like(left, a ^ b);
            case ISHL -> like(left, a.intValue() << b.intValue());
            case ISHR -> like(left, a.intValue() >> b.intValue());
            case IUSHR -> like(left, a.intValue() >>> b.intValue());
            case LSHL -> like(left, a << b);
            case LSHR -> like(left, a >> b);
            case LUSHR -> like(left, a >>> b);
            case LCMP -> Value.constant(a.compareTo(b));
            default -> Value.unknown(left.getSize());
        };
    }

    private static boolean isComparison(int opcode) {
        return opcode >= LCMP && opcode <= DCMPG;
    }

    /** {@return a constant of the same type as {@code operand}} */
    private static Value like(Value operand, long number) {
        return operand.getSize() == 2 ? Value.constant(number) : Value.constant((int) number);
    }

    static Value convert(int opcode, Value value) {
        Long number = Value.number(value);
        boolean wide = opcode == I2L || opcode == F2L || opcode == D2L || opcode == I2D || opcode == L2D || opcode == F2D
                || opcode == LNEG || opcode == DNEG;
        if (number == null) {
            return Value.unknown(wide ? 2 : 1);
        }
        return switch (opcode) {
            case I2L -> Value.constant(number);
            case L2I -> Value.constant(number.intValue());
            case I2S -> Value.constant((int) number.shortValue());
            case I2B -> Value.constant((int) number.byteValue());
            case I2C -> Value.constant((int) (char) number.intValue());
            case INEG, LNEG -> like(value, -number);
            default -> Value.unknown(wide ? 2 : 1);
        };
    }

    /** {@return whether a branch on one value is taken, null if that is not known} */
    static Boolean condition(int opcode, Value value) {
        Boolean isNull = switch (value) {
            case Value.Null _ -> true;
            case Value.Unknown _, Value.Segment _ -> null;
            case Value.Arena arena -> arena.mayBeNull() || arena.mayBeOther() ? null : false;
            default -> false;
        };
        return switch (opcode) {
            case IFNULL -> isNull;
            case IFNONNULL -> isNull == null ? null : (Boolean) !isNull;
            case IFEQ, IFNE -> value.equals(Value.NOT_ZERO) ? (Boolean) (opcode == IFNE)
                    : condition(opcode - IFEQ + IF_ICMPEQ, value, Value.constant(0));
            default -> condition(opcode - IFEQ + IF_ICMPEQ, value, Value.constant(0));
        };
    }

    /** {@return whether a branch that compares two values is taken, null if that is not known} */
    static Boolean condition(int opcode, Value left, Value right) {
        Long a = Value.number(left);
        Long b = Value.number(right);
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
}
