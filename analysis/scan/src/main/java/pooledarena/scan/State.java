/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/** A frame with what has become of the arena, and with the fields that hold it. */
final class State extends Frame<Value> implements Opcodes {

    // What may have become of an arena; a set of these, as a method that is called may leave it to either.
    static final int NOT_OPENED = 1;
    static final int OPEN = 2;
    static final int CLOSED = 4;

    /** A field of an instance, or a static one if that is null; the name is preceded by that of its class. */
    record Field(Value.Instance object, String name) {

        Field(Value.Instance object, FieldInsnNode instruction) {
            this(object, instruction.owner + "." + instruction.name);
        }

        /** Every instance has this one until others may have the instance. */
        private static Field unshared(Value.Instance object) {
            return new Field(object, "");
        }
    }

    /** 0 after an instruction that never completes. */
    int fate;
    /** Those that an arena is stored in. */
    final Map<Field, Value> fields;
    /** The instructions that have allocated from the arena. */
    final Set<AbstractInsnNode> allocated;

    /** The fate if the instruction just executed throws; 0 if it does not. */
    int thrown;

    /** @param fate before the method, which has the {@code fields} of instances among its arguments */
    State(Code code, List<Value> arguments, int fate, Map<Field, Value> fields) {
        super(code.method().maxLocals, code.method().maxStack);
        this.fate = fate;
        this.fields = new HashMap<>(fields);
        allocated = new HashSet<>();
        for (int i = 0; i < getLocals(); i++) {
            setLocal(i, Value.UNKNOWN);
        }
        int local = 0;
        for (Value argument : arguments) {
            setLocal(local, argument);
            local += argument.getSize();
        }
    }

    State(State other) {
        super(other);
        fate = other.fate;
        fields = new HashMap<>(other.fields);
        allocated = new HashSet<>(other.allocated);
    }

    Value top(int depth) {
        return getStack(getStackSize() - 1 - depth);
    }

    /** {@return whether a branch may be taken, or not be} What that tells of a tested variable decides later branches on it. */
    boolean assume(JumpInsnNode jump, boolean taken) {
        int opcode = jump.getOpcode();
        return switch (opcode) {
            case GOTO, JSR -> taken;
            case IFEQ, IFNULL -> assumeTop(jump, taken);
            case IFNE, IFNONNULL -> assumeTop(jump, !taken);
            case IFLT, IFGE, IFGT, IFLE -> may(opcode - IFEQ + IF_ICMPEQ, Value.number(top(0)), 0L, taken);
            default -> may(opcode, Value.number(top(1)), Value.number(top(0)), taken);
        };
    }

    /** The topmost value is null or zero, or is not. */
    private boolean assumeTop(JumpInsnNode test, boolean isZero) {
        boolean isNumber = test.getOpcode() == IFEQ || test.getOpcode() == IFNE;
        Value known = top(0).assume(isZero, isNumber ? Value.constant(0) : Value.NULL);
        if (known != null && test.getPrevious() instanceof VarInsnNode load && load.getOpcode() <= ALOAD) {
            setLocal(load.var, known);
        }
        return known != null;
    }

    private static boolean may(int comparison, Long a, Long b, boolean taken) {
        return a == null || b == null || taken == switch (comparison) {
            case IF_ICMPEQ -> a.equals(b);
            case IF_ICMPNE -> !a.equals(b);
            case IF_ICMPLT -> a < b;
            case IF_ICMPGE -> a >= b;
            case IF_ICMPGT -> a > b;
            case IF_ICMPLE -> a <= b;
            default -> taken;
        };
    }

    /**
     * {@return the fate when a method leaves the arena to one of {@code fates}; 0 if it never leaves} If the value may be
     * something else, the arena may be as before. Who leaves it open has done nothing to it.
     */
    int after(Value.Arena arena, int fates) {
        return fates == OPEN ? fate : fates != 0 && arena.mayBeOther() ? fate | fates : fates;
    }

    /** {@return the instance} One that the same instruction made before is no longer followed. */
    Value make(Value.Instance instance) {
        replace(instance, Value.UNKNOWN);
        fields.keySet().removeIf(field -> instance.equals(field.object));
        fields.put(Field.unshared(instance), Value.NOT_ZERO);
        return instance;
    }

    boolean isUnshared(Value.Instance instance) {
        return fields.containsKey(Field.unshared(instance));
    }

    /** Others may have the instance from now on. {@return what its fields hold; nothing if others may have it already} */
    Collection<Value> share(Value.Instance instance) {
        return fields.remove(Field.unshared(instance)) == null ? List.of() : of(List.of(instance), fields).values();
    }

    /** {@return those of the fields that instances among the values have} */
    static Map<Field, Value> of(List<Value> instances, Map<Field, Value> fields) {
        Map<Field, Value> found = new HashMap<>(fields);
        found.keySet().removeIf(field -> field.object == null || !instances.contains(field.object));
        return found;
    }

    /** Puts {@code now} wherever an array or instance is referred to, which is {@code old} even if an element has changed. */
    void replace(Value old, Value now) {
        for (int i = 0; i < getLocals(); i++) {
            setLocal(i, isSame(getLocal(i), old) ? now : getLocal(i));
        }
        for (int i = 0; i < getStackSize(); i++) {
            setStack(i, isSame(getStack(i), old) ? now : getStack(i));
        }
    }

    private static boolean isSame(Value a, Value b) {
        return a instanceof Value.Array x && b instanceof Value.Array y ? x.origin() == y.origin() : a.equals(b);
    }

    /** Adds what is known of another with the same fate. {@return whether that is news} */
    @Override
    public boolean merge(Frame<? extends Value> frame, Interpreter<Value> interpreter) throws AnalyzerException {
        State other = (State) frame;
        return super.merge(other, interpreter) | join(fields, other.fields) | allocated.addAll(other.allocated);
    }

    /** Leaves in {@code fields} what holds of {@code others}, too. {@return whether that is less} */
    static boolean join(Map<Field, Value> fields, Map<Field, Value> others) {
        boolean news = fields.keySet().retainAll(others.keySet());
        for (Map.Entry<Field, Value> field : fields.entrySet()) {
            Value joined = Value.join(field.getValue(), others.get(field.getKey()));
            news |= !joined.equals(field.setValue(joined));
        }
        return news;
    }
}
