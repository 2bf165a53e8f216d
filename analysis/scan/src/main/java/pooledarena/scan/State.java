/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.*;
import org.objectweb.asm.tree.analysis.*;

/** A frame with what has become of the arena, and with the fields that hold it. */
final class State extends Frame<Value> implements Opcodes {

    // What may have become of an arena; a set of these, as a method that is called may leave it to either.
    static final int NOT_OPENED = 1;
    static final int OPEN = 2;
    static final int CLOSED = 4;

    /** 0 after an instruction that never completes. */
    int fate;
    /** What fields of {@code this} hold, by name, if that is the arena. */
    final Map<String, Value> fields = new HashMap<>();
    /** The instructions that have allocated from the arena. */
    final Set<AbstractInsnNode> allocated = new HashSet<>();

    /** The fate if the instruction just executed throws; 0 if it does not. */
    int thrown;

    /** The instruction just executed; null where several lead here. */
    private AbstractInsnNode last;

    /** @param fate before the method */
    State(Code code, List<Value> arguments, int fate) {
        super(code.method().maxLocals, code.method().maxStack);
        this.fate = fate;
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
        fields.putAll(other.fields);
        allocated.addAll(other.allocated);
        last = other.last;
    }

    @Override
    public void execute(AbstractInsnNode instruction, Interpreter<Value> interpreter) throws AnalyzerException {
        super.execute(instruction, interpreter);
        last = instruction;
    }

    /** {@return whether a branch may be taken, or not be} What that tells of a tested variable decides later branches on it. */
    boolean assume(JumpInsnNode jump, boolean taken) {
        int opcode = jump.getOpcode();
        boolean zeroJumps = opcode == IFEQ || opcode == IFNULL;
        if (!zeroJumps && opcode != IFNE && opcode != IFNONNULL) {
            return taken || opcode != GOTO && opcode != JSR;
        }
        Value known = getStack(getStackSize() - 1).assume(taken == zeroJumps);
        if (known != null && last instanceof VarInsnNode load && load.getOpcode() <= ALOAD) {
            setLocal(load.var, known);
        }
        return known != null;
    }

    /**
     * {@return the fate when a method leaves the arena to one of {@code fates}; 0 if it never leaves} If the value may be
     * something else, the arena may be as before. Who leaves it open has done nothing to it.
     */
    int after(Value.Arena arena, int fates) {
        return fates == OPEN ? fate : fates != 0 && arena.mayBeOther() ? fate | fates : fates;
    }

    /** Puts {@code now} wherever the array or instance {@code old} is referred to. */
    void replace(Value old, Value now) {
        for (int i = 0; i < getLocals(); i++) {
            setLocal(i, getLocal(i).equals(old) ? now : getLocal(i));
        }
        for (int i = 0; i < getStackSize(); i++) {
            setStack(i, getStack(i).equals(old) ? now : getStack(i));
        }
    }

    /** Adds what is known of another with the same fate. {@return whether that is news} */
    @Override
    public boolean merge(Frame<? extends Value> frame, Interpreter<Value> interpreter) throws AnalyzerException {
        State other = (State) frame;
        boolean isOther = last != null && last != other.last;
        last = isOther ? null : last;
        return isOther | super.merge(other, interpreter) | fields.entrySet().retainAll(other.fields.entrySet())
                | allocated.addAll(other.allocated);
    }
}
