/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The states on all paths that lead to one instruction. Paths on which the arena fares differently stay apart, so that a null
 * check of it, or a flag that is set when it is opened, is understood. ASM's analyzer takes this for the frame that it has
 * of each instruction; its own locals and stack are not used.
 */
final class PathStates extends Frame<Value> {

    private final Map<Integer, State> byFate = new TreeMap<>();
    /** Those of {@link #byFate}; in the frame that instructions are executed in, those that lead to where it looks now. */
    private Collection<State> states = byFate.values();
    private PathStates source;
    private List<State> after;
    /** The states in which the instruction throws, once it was executed. */
    List<State> thrown = List.of();

    PathStates(Collection<State> states) {
        super(0, 0);
        states.forEach(this::add);
    }

    /** {@return a frame of its own, as the analyzer makes it of one that it goes on with} */
    PathStates copy() {
        PathStates copy = new PathStates(states);
        copy.thrown = thrown;
        return copy;
    }

    Collection<State> states() {
        return states;
    }

    @Override
    public void setLocal(int variable, Value value) {
        // The entry has the arguments already.
    }

    @Override
    public Frame<Value> init(Frame<? extends Value> frame) {
        source = (PathStates) frame;
        return this;
    }

    @Override
    public void execute(AbstractInsnNode instruction, Interpreter<Value> interpreter) throws AnalyzerException {
        after = new ArrayList<>();
        source.thrown = new ArrayList<>();
        for (State state : source.states) {
            State next = new State(state);
            next.execute(instruction, interpreter);
            source.thrown.addAll(next.thrown);
            if (next.completes) {
                after.add(next);
            }
        }
        states = after;
    }

    @Override
    public void initJumpTarget(int opcode, LabelNode target) {
        states = after.stream().filter(state -> state.leadsTo(target))
                .map(state -> state.after(opcode, target != null)).toList();
    }

    /** The analyzer calls this only for a copy that it makes to handle an exception. */
    @Override
    public void clearStack() {
        states = thrown.stream().map(State::new).toList();
        states.forEach(Frame::clearStack);
        thrown = List.of();
    }

    @Override
    public void push(Value exception) {
        states.forEach(state -> state.push(exception));
    }

    @Override
    public boolean merge(Frame<? extends Value> other, Interpreter<Value> interpreter) {
        boolean news = false;
        for (State state : ((PathStates) other).states) {
            news |= add(state);
        }
        return news;
    }

    private boolean add(State state) {
        State known = byFate.get(state.fate);
        if (known != null) {
            return known.join(state);
        }
        byFate.put(state.fate, new State(state));
        return true;
    }
}
