/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A frame with what has become of the arena, and with fields. */
final class State extends Frame<Value> {

    // What may have become of an arena; a set of these, as a method that is called may leave it to either.
    static final int NOT_OPENED = 1;
    static final int OPEN = 2;
    static final int CLOSED = 4;

    /** The {@code object} of static fields. */
    static final int STATIC = Integer.MIN_VALUE;

    /** Instead of the label that a branch leads to, where it is not taken. */
    static final LabelNode NOT_TAKEN = new LabelNode();

    /** A field of an {@link Value.Instance}; the name is preceded by that of its class. */
    record Field(int object, String name) {}

    int fate;
    /** Of what this method stores arenas into. */
    final Map<Field, Value> fields;
    /** The instances that others may have. */
    final Set<Integer> shared;

    // What the instruction just executed leads to.
    /** The states in which it throws. */
    final List<State> thrown = new ArrayList<>();
    boolean completes = true;
    /** Where a branch or switch leads, if that is known. */
    LabelNode target;
    /** The variable that a branch tests, of which nothing was known; or -1. */
    private int tested = -1;

    State(int locals, int stack, int fate, Map<Field, Value> fields, Set<Integer> shared) {
        super(locals, stack);
        this.fate = fate;
        this.fields = fields;
        this.shared = shared;
        for (int i = 0; i < locals; i++) {
            setLocal(i, Value.UNKNOWN);
        }
    }

    State(State other) {
        super(other);
        fate = other.fate;
        fields = new HashMap<>(other.fields);
        shared = new HashSet<>(other.shared);
    }

    @Override
    public void execute(AbstractInsnNode instruction, Interpreter<Value> interpreter) throws AnalyzerException {
        ArenaInterpreter arenas = (ArenaInterpreter) interpreter;
        if (arenas.mayThrow(instruction.getOpcode(), this)) {
            thrown.add(new State(this));
        }
        if (instruction.getPrevious() instanceof VarInsnNode load && load.getOpcode() <= Opcodes.ALOAD
                && getLocal(load.var) instanceof Value.Unknown) {
            tested = load.var;
        }
        arenas.start(instruction, this);
        super.execute(instruction, interpreter);
    }

    boolean leadsTo(LabelNode label) {
        return target == null || target == (label == null ? NOT_TAKEN : label);
    }

    /** {@return this with the value that a tested variable has after a branch} A later branch on it goes the same way. */
    State after(int branch, boolean taken) {
        Value known = switch (branch) {
            case Opcodes.IFEQ -> taken ? Value.constant(0) : Value.NOT_ZERO;
            case Opcodes.IFNE -> taken ? Value.NOT_ZERO : Value.constant(0);
            case Opcodes.IFNULL -> taken ? Value.NULL : Value.NOT_ZERO;
            case Opcodes.IFNONNULL -> taken ? Value.NOT_ZERO : Value.NULL;
            default -> null;
        };
        if (known == null || tested < 0) {
            return this;
        }
        State state = new State(this);
        state.setLocal(tested, known);
        return state;
    }

    /** What has become of {@code arena} is one of {@code now}; if it may be something else, the arena may be as before. */
    void set(Value.Arena arena, int now) {
        fate = arena.mayBeOther() ? fate | now : now;
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

    /** Adds what is known of {@code other}, which has the same fate and leads to the same instruction. {@return whether that is news} */
    boolean join(State other) {
        if (getStackSize() != other.getStackSize()) {
            throw new IllegalArgumentException("stacks of different height meet");
        }
        boolean news = fields.keySet().retainAll(other.fields.keySet()) | shared.addAll(other.shared);
        for (int i = 0; i < getLocals(); i++) {
            Value joined = Value.join(getLocal(i), other.getLocal(i));
            news |= !joined.equals(getLocal(i));
            setLocal(i, joined);
        }
        for (int i = 0; i < getStackSize(); i++) {
            Value joined = Value.join(getStack(i), other.getStack(i));
            news |= !joined.equals(getStack(i));
            setStack(i, joined);
        }
        for (Map.Entry<Field, Value> field : fields.entrySet()) {
            Value joined = Value.join(field.getValue(), other.fields.get(field.getKey()));
            news |= !joined.equals(field.setValue(joined));
        }
        return news;
    }
}
