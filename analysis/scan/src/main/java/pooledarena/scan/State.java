/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

import java.util.ArrayList;
import java.util.Collection;
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

    /** Instead of the label that a branch leads to, where it is not taken. */
    static final LabelNode NOT_TAKEN = new LabelNode();
    /** Where an instruction leads that does not complete. */
    static final LabelNode NOWHERE = new LabelNode();

    /** A field of an instance, or a static one if that is null; the name is preceded by that of its class. */
    record Field(Value.Instance object, String name) {

        Field(Value.Instance object, FieldInsnNode instruction) {
            this(object, instruction.owner + "." + instruction.name);
        }

        /** Every instance has this one until others may have the instance. */
        static Field unshared(Value.Instance object) {
            return new Field(object, "");
        }
    }

    int fate;
    /** Those that an arena is stored in. */
    final Map<Field, Value> fields;
    /** The instructions that have allocated from the arena. */
    final Set<AbstractInsnNode> allocated;

    // What the instruction just executed leads to.
    /** The states in which it throws. */
    final List<State> thrown = new ArrayList<>();
    /** Where it leads otherwise, if that is known. */
    LabelNode target;
    /** The variable that a branch tests, of which nothing was known; or -1. */
    private int tested = -1;

    /** @param fate before the method, which has the {@code fields} of instances among its arguments */
    State(MethodNode method, int fate, Map<Field, Value> fields) {
        super(method.maxLocals, method.maxStack);
        this.fate = fate;
        this.fields = new HashMap<>(fields);
        allocated = new HashSet<>();
    }

    State(State other) {
        super(other);
        fate = other.fate;
        fields = new HashMap<>(other.fields);
        allocated = new HashSet<>(other.allocated);
    }

    @Override
    public void execute(AbstractInsnNode instruction, Interpreter<Value> interpreter) throws AnalyzerException {
        if (instruction.getPrevious() instanceof VarInsnNode load && load.getOpcode() <= Opcodes.ALOAD
                && getLocal(load.var) instanceof Value.Unknown) {
            tested = load.var;
        }
        ((ArenaInterpreter) interpreter).start(instruction, this);
        super.execute(instruction, interpreter);
    }

    boolean leadsTo(LabelNode label) {
        return target == null || target == (label == null ? NOT_TAKEN : label);
    }

    /** {@return this with the value that a tested variable has after a branch} A later branch on it goes the same way. */
    State after(int branch, boolean taken) {
        State state = new State(this);
        if (tested >= 0) {
            state.setLocal(tested, switch (branch) {
                case Opcodes.IFEQ -> taken ? Value.constant(0) : Value.NOT_ZERO;
                case Opcodes.IFNE -> taken ? Value.NOT_ZERO : Value.constant(0);
                case Opcodes.IFNULL -> taken ? Value.NULL : Value.NOT_ZERO;
                case Opcodes.IFNONNULL -> taken ? Value.NOT_ZERO : Value.NULL;
                default -> getLocal(tested);
            });
        }
        return state;
    }

    /**
     * The arena is left to one of the fates; if the value may be something else, the arena may be as before. Who leaves it open
     * has done nothing to it.
     */
    void set(Value.Arena arena, int fates) {
        fate = fates == OPEN ? fate : arena.mayBeOther() ? fate | fates : fates;
    }

    void mayThrow() {
        thrown.add(new State(this));
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

    /** {@return the fields of the instances among the values} */
    Map<Field, Value> fieldsOf(Collection<Value> values) {
        Map<Field, Value> found = new HashMap<>(fields);
        found.keySet().removeIf(field -> values.stream().noneMatch(value -> value.equals(field.object)));
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
        boolean news = super.merge(other, interpreter) | fields.keySet().retainAll(other.fields.keySet())
                | allocated.addAll(other.allocated);
        for (Map.Entry<Field, Value> field : fields.entrySet()) {
            Value joined = Value.join(field.getValue(), other.fields.get(field.getKey()));
            news |= !joined.equals(field.setValue(joined));
        }
        return news;
    }
}
