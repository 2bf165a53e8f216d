/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.analysis.Interpreter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What the instructions of one method do with values, and with the arena and fields of the state they are executed in. */
final class ArenaInterpreter extends Interpreter<Value> implements Opcodes {

    /** The longest array whose elements are followed. */
    private static final int MAX_ELEMENTS = 1024;

    final Program program;
    final Code code;
    /** How many methods are being interpreted that lead to this one. */
    final int depth;
    /** The instruction that opens the arena that is followed; -1 if that is among the arguments. */
    final int opening;
    final Uses uses = new Uses();
    /** What a static initializer has stored so far, by the field's name. */
    final Map<String, Value> stored = new HashMap<>();
    /** What is allocated by each call that allocates, from whatever arena. */
    final Map<AbstractInsnNode, Amount> amounts = new LinkedHashMap<>();
    /** Whether uses are to be noted, which they are when all paths are known. */
    boolean noting;
    State state;
    int index;
    private final Calls calls = new Calls(this);

    ArenaInterpreter(Program program, Code code, int opening, int depth) {
        super(ASM9);
        this.program = program;
        this.code = code;
        this.opening = opening;
        this.depth = depth;
    }

    void start(AbstractInsnNode instruction, State current) {
        index = code.method.instructions.indexOf(instruction);
        state = current;
    }

    /** {@return whether an exception is to be reckoned with, not counting calls and those that the JVM may throw anywhere} */
    boolean mayThrow(int opcode, State before) {
        return switch (opcode) {
            case GETFIELD, CHECKCAST -> !isSafe(before, 0);
            case PUTFIELD -> !isSafe(before, 1);
            case IDIV, LDIV, IREM, LREM, GETSTATIC, PUTSTATIC, NEW, NEWARRAY, ANEWARRAY, ARRAYLENGTH, ATHROW, MULTIANEWARRAY -> true;
            default -> opcode >= IALOAD && opcode <= SALOAD || opcode >= IASTORE && opcode <= SASTORE;
        };
    }

    /** {@return whether the reference that is so deep on the stack is one that is not null and of the right type} */
    private static boolean isSafe(State state, int depth) {
        return state.getStack(state.getStackSize() - 1 - depth) instanceof Value value
                && (value instanceof Value.Arena || value instanceof Value.Instance);
    }

    void note(Consumer<Uses> action) {
        if (noting) {
            action.accept(uses);
        }
    }

    /** Others may have the value from now on; an instance gives them what its fields have. */
    void escape(Value value, Opening.Escape how) {
        switch (value) {
            case Value.Arena _ -> note(use -> use.escapes.add(how));
            case Value.Segment _ -> note(use -> use.segmentEscapes.add(how));
            case Value.Instance(int id) when state.shared.add(id) -> state.fields.forEach((field, held) -> {
                if (field.object() == id) {
                    escape(held, Opening.Escape.FIELD);
                }
            });
            default -> { }
        }
    }

    @Override
    public Value newValue(Type type) {
        return type == Type.VOID_TYPE ? null : Value.unknown(type == null ? 1 : type.getSize());
    }

    @Override
    public Value newOperation(AbstractInsnNode instruction) {
        int opcode = instruction.getOpcode();
        return switch (opcode) {
            case ACONST_NULL -> Value.NULL;
            case ICONST_M1, ICONST_0, ICONST_1, ICONST_2, ICONST_3, ICONST_4, ICONST_5 -> Value.constant(opcode - ICONST_0);
            case LCONST_0, LCONST_1 -> Value.constant((long) opcode - LCONST_0);
            case FCONST_0, FCONST_1, FCONST_2 -> Value.UNKNOWN;
            case DCONST_0, DCONST_1 -> Value.UNKNOWN_WIDE;
            case BIPUSH, SIPUSH -> Value.constant(((IntInsnNode) instruction).operand);
            case LDC -> switch (((LdcInsnNode) instruction).cst) {
                case Integer number -> Value.constant(number);
                case Long number -> Value.constant(number);
                case String text -> Value.constant(text);
                case Double _ -> Value.UNKNOWN_WIDE;
                case org.objectweb.asm.ConstantDynamic dynamic -> Value.unknown(dynamic.getSize());
                default -> Value.UNKNOWN;
            };
            case GETSTATIC -> {
                FieldInsnNode field = (FieldInsnNode) instruction;
                Value known = state.fields.get(new State.Field(State.STATIC, field.owner + "." + field.name));
                yield known != null ? known : program.statics.value(field.owner, field.name, Type.getType(field.desc).getSize());
            }
            case NEW -> {
                // One that the same instruction made before is no longer followed.
                Value.Instance instance = new Value.Instance(index);
                state.replace(instance, Value.UNKNOWN);
                state.fields.keySet().removeIf(field -> field.object() == index);
                state.shared.remove(index);
                yield instance;
            }
            default -> throw new IllegalArgumentException("has subroutines, which class files of Java 7 and later have not");
        };
    }

    @Override
    public Value copyOperation(AbstractInsnNode instruction, Value value) {
        boolean wide = instruction.getOpcode() == LLOAD || instruction.getOpcode() == DLOAD;
        return wide && value.getSize() == 1 ? Value.UNKNOWN_WIDE : value;
    }

    @Override
    public Value unaryOperation(AbstractInsnNode instruction, Value value) {
        int opcode = instruction.getOpcode();
        Long number = Value.number(value);
        switch (instruction) {
            case JumpInsnNode jump -> branch(jump, Arithmetic.condition(opcode, value));
            case LookupSwitchInsnNode table when number != null ->
                    state.target = table.keys.contains(number.intValue())
                            ? table.labels.get(table.keys.indexOf(number.intValue())) : table.dflt;
            case TableSwitchInsnNode table when number != null ->
                    state.target = number >= table.min && number <= table.max
                            ? table.labels.get((int) (number - table.min)) : table.dflt;
            default -> { }
        }
        return switch (opcode) {
            case CHECKCAST -> value;
            case IINC -> Arithmetic.calculate(IADD, value, Value.constant(((IincInsnNode) instruction).incr));
            case GETFIELD -> {
                FieldInsnNode field = (FieldInsnNode) instruction;
                Value known = value instanceof Value.Instance(int id)
                        ? state.fields.get(new State.Field(id, field.owner + "." + field.name)) : null;
                yield known != null ? known : newValue(Type.getType(field.desc));
            }
            case PUTSTATIC -> {
                FieldInsnNode field = (FieldInsnNode) instruction;
                boolean initializes = code.method.name.equals("<clinit>") && field.owner.equals(code.owner);
                escape(value, Opening.Escape.FIELD);
                store(State.STATIC, field, value, initializes);
                if (initializes) {
                    stored.merge(field.name, value, Value::join);
                }
                yield null;
            }
            case ARRAYLENGTH -> value instanceof Value.Array array ? Value.constant(array.length()) : Value.UNKNOWN;
            case NEWARRAY, ANEWARRAY -> {
                int length = number == null ? -1 : number.intValue();
                yield length < 0 ? Value.UNKNOWN : new Value.Array(index, length, opcode == ANEWARRAY && length <= MAX_ELEMENTS
                        ? Collections.nCopies(length, Value.NULL) : null);
            }
            case ARETURN -> {
                if (!(value instanceof Value.Instance(int id)) || id >= 0) {
                    escape(value, Opening.Escape.RETURNED);
                }
                yield null;
            }
            default -> Arithmetic.convert(opcode, value);
        };
    }

    private void branch(JumpInsnNode jump, Boolean taken) {
        state.target = taken == null ? null : taken ? jump.label : State.NOT_TAKEN;
    }

    private void store(int object, FieldInsnNode field, Value value, boolean always) {
        State.Field key = new State.Field(object, field.owner + "." + field.name);
        if (always || value instanceof Value.Arena) {
            state.fields.put(key, value);
        } else {
            state.fields.remove(key);
        }
    }

    @Override
    public Value binaryOperation(AbstractInsnNode instruction, Value left, Value right) {
        int opcode = instruction.getOpcode();
        if (instruction instanceof JumpInsnNode jump) {
            branch(jump, Arithmetic.condition(opcode, left, right));
        } else if (opcode == PUTFIELD) {
            if (left instanceof Value.Instance(int id)) {
                store(id, (FieldInsnNode) instruction, right, false);
            }
            if (!(right instanceof Value.Arena) || !(left instanceof Value.Instance(int id)) || state.shared.contains(id)) {
                escape(right, Opening.Escape.FIELD);
            }
        } else if (opcode >= IALOAD && opcode <= SALOAD) {
            Long at = Value.number(right);
            return left instanceof Value.Array(_, int length, List<Value> elements) && elements != null
                    && at != null && at >= 0 && at < length
                    ? elements.get(at.intValue()) : Value.unknown(opcode == LALOAD || opcode == DALOAD ? 2 : 1);
        }
        return Arithmetic.calculate(opcode, left, right);
    }

    @Override
    public Value ternaryOperation(AbstractInsnNode instruction, Value array, Value at, Value value) {
        escape(value, Opening.Escape.ARRAY);
        if (array instanceof Value.Array(int origin, int length, List<Value> old) && old != null) {
            List<Value> elements = null;
            Long position = Value.number(at);
            if (position != null && position >= 0 && position < length) {
                elements = new ArrayList<>(old);
                elements.set(position.intValue(), value instanceof Value.Constant || value.equals(Value.NULL) ? value : Value.UNKNOWN);
                elements = List.copyOf(elements);
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
        // ARETURN is among the unary operations too.
    }

    @Override
    public Value merge(Value a, Value b) {
        return Value.join(a, b);
    }
}
