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

import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.NopInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What instructions do to stack and local variables, as far as it matters; not those that call, branch or access fields. */
final class Operations {

    private Operations() {}

    /** {@return whether an exception is to be reckoned with here} Those that the JVM may throw anywhere are not. */
    static boolean mayThrow(Instruction instruction, State state) {
        return switch (instruction) {
            case ArrayLoadInstruction _, ArrayStoreInstruction _, NewObjectInstruction _, NewPrimitiveArrayInstruction _,
                 NewReferenceArrayInstruction _, NewMultiArrayInstruction _ -> true;
            case TypeCheckInstruction check ->
                    check.opcode() == Opcode.CHECKCAST && !(state.stack.getLast() instanceof Value.Arena);
            case OperatorInstruction operator -> switch (operator.opcode()) {
                case IDIV, LDIV, IREM, LREM, ARRAYLENGTH -> true;
                default -> false;
            };
            default -> false;
        };
    }

    static void perform(int index, Instruction instruction, State state, Interpreter interpreter) {
        switch (instruction) {
            case LoadInstruction load -> state.push(load.typeKind().slotSize() == 2 && !state.locals[load.slot()].wide()
                    ? Value.UNKNOWN_WIDE : state.locals[load.slot()]);
            case StoreInstruction store -> {
                state.locals[store.slot()] = state.pop();
                if (store.typeKind().slotSize() == 2) {
                    state.locals[store.slot() + 1] = Value.UNKNOWN;
                }
            }
            case ConstantInstruction constant -> state.push(constant(constant));
            case IncrementInstruction increment -> state.locals[increment.slot()] =
                    state.locals[increment.slot()] instanceof Value.Number number
                            ? new Value.Number((int) (number.value() + increment.constant()), false) : Value.UNKNOWN;
            case ConvertInstruction convert -> state.push(convert(convert, state.pop()));
            case OperatorInstruction operator -> operate(operator, state);
            case StackInstruction stack -> shuffle(stack.opcode(), state);
            case ArrayLoadInstruction load -> loadElement(load, state);
            case ArrayStoreInstruction _ -> storeElement(state, interpreter);
            case NewPrimitiveArrayInstruction _ -> state.push(array(index, state.pop(), false));
            case NewReferenceArrayInstruction _ -> state.push(array(index, state.pop(), true));
            case NewMultiArrayInstruction array -> {
                state.pop(array.dimensions());
                state.push(Value.UNKNOWN);
            }
            case NewObjectInstruction _ -> state.push(Value.UNKNOWN);
            case TypeCheckInstruction check -> {
                if (check.opcode() == Opcode.INSTANCEOF) {
                    state.pop();
                    state.push(Value.UNKNOWN);
                }
            }
            case MonitorInstruction _ -> state.pop();
            case NopInstruction _ -> { }
            default -> throw new IllegalArgumentException("has the instruction " + instruction.opcode());
        }
    }

    private static Value constant(ConstantInstruction constant) {
        if (constant.opcode() == Opcode.ACONST_NULL) {
            return Value.NULL;
        }
        return switch (constant.constantValue()) {
            case Integer value -> new Value.Number(value, false);
            case Long value -> new Value.Number(value, true);
            case String value -> new Value.Text(value);
            default -> Value.unknown(constant.typeKind().slotSize() == 2);
        };
    }

    private static Value convert(ConvertInstruction convert, Value value) {
        boolean wide = convert.toType().slotSize() == 2;
        if (!(value instanceof Value.Number number)) {
            return Value.unknown(wide);
        }
        return switch (convert.toType()) {
            case LONG -> new Value.Number(number.value(), true);
            case INT -> new Value.Number((int) number.value(), false);
            case SHORT -> new Value.Number((short) number.value(), false);
            case BYTE -> new Value.Number((byte) number.value(), false);
            case CHAR -> new Value.Number((char) number.value(), false);
            default -> Value.unknown(wide);
        };
    }

    private static void operate(OperatorInstruction operator, State state) {
        Opcode opcode = operator.opcode();
        boolean wide = operator.typeKind() == TypeKind.LONG || operator.typeKind() == TypeKind.DOUBLE;
        switch (opcode) {
            case ARRAYLENGTH -> state.push(state.pop() instanceof Value.Array array
                    ? new Value.Number(array.length(), false) : Value.UNKNOWN);
            case INEG, LNEG -> state.push(state.pop() instanceof Value.Number number
                    ? integer(-number.value(), wide) : Value.unknown(wide));
            case FNEG, DNEG -> { }
            case LCMP, FCMPL, FCMPG, DCMPL, DCMPG -> {
                Value right = state.pop();
                Value left = state.pop();
                state.push(left instanceof Value.Number l && right instanceof Value.Number r
                        ? new Value.Number(Long.compare(l.value(), r.value()), false) : Value.UNKNOWN);
            }
            default -> {
                Value right = state.pop();
                Value left = state.pop();
                state.push(left instanceof Value.Number l && right instanceof Value.Number r
                        ? calculate(opcode, l.value(), r.value(), wide) : Value.unknown(wide));
            }
        }
    }

    private static Value calculate(Opcode opcode, long left, long right, boolean wide) {
        return switch (opcode) {
            case IADD, LADD -> integer(left + right, wide);
            case ISUB, LSUB -> integer(left - right, wide);
            case IMUL, LMUL -> integer(left * right, wide);
            case IDIV, LDIV -> right == 0 ? Value.unknown(wide) : integer(left / right, wide);
            case IREM, LREM -> right == 0 ? Value.unknown(wide) : integer(left % right, wide);
            case IAND, LAND -> integer(left & right, wide);
            case IOR, LOR -> integer(left | right, wide);
            case IXOR, LXOR -> integer(left ^ right, wide);
            case ISHL -> integer((int) left << (int) right, false);
            case LSHL -> integer(left << (int) right, true);
            case ISHR -> integer((int) left >> (int) right, false);
            case LSHR -> integer(left >> (int) right, true);
            default -> Value.unknown(wide);
        };
    }

    private static Value integer(long value, boolean wide) {
        return new Value.Number(wide ? value : (int) value, wide);
    }

    private static void shuffle(Opcode opcode, State state) {
        List<Value> stack = state.stack;
        switch (opcode) {
            case POP -> state.pop();
            case POP2 -> {
                if (!state.pop().wide()) {
                    state.pop();
                }
            }
            case SWAP -> Collections.swap(stack, stack.size() - 1, stack.size() - 2);
            case DUP -> duplicate(stack, 1, 0);
            case DUP_X1 -> duplicate(stack, 1, 1);
            case DUP_X2 -> duplicate(stack, 1, values(stack, 1));
            case DUP2 -> duplicate(stack, values(stack, 0), 0);
            case DUP2_X1 -> duplicate(stack, values(stack, 0), 1);
            case DUP2_X2 -> duplicate(stack, values(stack, 0), values(stack, values(stack, 0)));
            default -> throw new IllegalArgumentException("has the instruction " + opcode);
        }
    }

    /** {@return how many values take two slots below {@code above} values} */
    private static int values(List<Value> stack, int above) {
        return stack.get(stack.size() - 1 - above).wide() ? 1 : 2;
    }

    /** Puts the top {@code count} values once more below the {@code below} values that are under them. */
    private static void duplicate(List<Value> stack, int count, int below) {
        List<Value> top = new ArrayList<>(stack.subList(stack.size() - count, stack.size()));
        stack.addAll(stack.size() - count - below, top);
    }

    private static Value array(int index, Value length, boolean followed) {
        if (!(length instanceof Value.Number number)) {
            return Value.UNKNOWN;
        }
        int count = (int) number.value();
        return new Value.Array(index, count, followed && count >= 0 && count <= Value.Array.FOLLOWED
                ? Collections.nCopies(count, Value.NULL) : null);
    }

    private static void loadElement(ArrayLoadInstruction load, State state) {
        Value index = state.pop();
        Value array = state.pop();
        state.push(array instanceof Value.Array known && known.elements() != null && index instanceof Value.Number number
                && number.value() >= 0 && number.value() < known.length()
                ? known.elements().get((int) number.value()) : Value.unknown(load.typeKind().slotSize() == 2));
    }

    private static void storeElement(State state, Interpreter interpreter) {
        Value value = state.pop();
        Value index = state.pop();
        Value target = state.pop();
        if (value instanceof Value.Arena arena && interpreter.noting()) {
            arena.sites().forEach(site -> interpreter.uses(site).escapes.add(Escape.ARRAY));
        }
        if (target instanceof Value.Array array && array.elements() != null) {
            List<Value> elements = null;
            if (index instanceof Value.Number number && number.value() >= 0 && number.value() < array.length()) {
                elements = new ArrayList<>(array.elements());
                elements.set((int) number.value(), value instanceof Value.Arena ? Value.UNKNOWN : value);
                elements = List.copyOf(elements);
            }
            state.replace(array.origin(), new Value.Array(array.origin(), array.length(), elements));
        }
    }

    /** {@return whether the branch is taken, null if that is not known} What it compares is taken from the stack. */
    static Boolean condition(Opcode opcode, State state) {
        return switch (opcode) {
            case GOTO, GOTO_W -> true;
            case IFNULL -> isNull(state.pop());
            case IFNONNULL -> {
                Boolean isNull = isNull(state.pop());
                yield isNull == null ? null : !isNull;
            }
            case IFEQ, IFNE, IFLT, IFGE, IFGT, IFLE -> switch (state.pop()) {
                case Value.Number number -> compare(opcode, number.value(), 0);
                case Value.NotZero _ -> opcode == Opcode.IFEQ ? Boolean.FALSE : opcode == Opcode.IFNE ? Boolean.TRUE : null;
                default -> null;
            };
            default -> {
                Value right = state.pop();
                Value left = state.pop();
                yield left instanceof Value.Number l && right instanceof Value.Number r
                        ? compare(opcode, l.value(), r.value()) : null;
            }
        };
    }

    /** {@return what the value is that a branch tests, if it is {@code taken} and if it is not; null if that is not told} */
    static Value tested(Opcode opcode, boolean taken) {
        return switch (opcode) {
            case IFEQ -> taken ? new Value.Number(0, false) : Value.NOT_ZERO;
            case IFNE -> taken ? Value.NOT_ZERO : new Value.Number(0, false);
            case IFNULL -> taken ? Value.NULL : Value.NOT_ZERO;
            case IFNONNULL -> taken ? Value.NOT_ZERO : Value.NULL;
            default -> null;
        };
    }

    private static Boolean isNull(Value value) {
        return switch (value) {
            case Value.Null _ -> true;
            case Value.Unknown _ -> null;
            case Value.Arena arena -> arena.mayBeNull() || arena.mayBeOther() ? null : false;
            default -> false;
        };
    }

    private static Boolean compare(Opcode opcode, long left, long right) {
        return switch (opcode) {
            case IFEQ, IF_ICMPEQ -> left == right;
            case IFNE, IF_ICMPNE -> left != right;
            case IFLT, IF_ICMPLT -> left < right;
            case IFGE, IF_ICMPGE -> left >= right;
            case IFGT, IF_ICMPGT -> left > right;
            case IFLE, IF_ICMPLE -> left <= right;
            default -> null;
        };
    }
}
