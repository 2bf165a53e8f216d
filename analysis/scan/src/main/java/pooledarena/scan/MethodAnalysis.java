/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Interprets one method without running it: follows every path through it, exceptions included, with what is known of the
 * values, until nothing new comes up. What is known of a value only becomes less, so uses can be noted on the way.
 */
final class MethodAnalysis extends Analyzer<Value> {

    private final Code code;
    private final Uses uses;
    private final State entry;
    /** What the instruction just executed leads to, but for the exceptions that it throws. */
    private List<State> completed;
    private List<State> thrown;

    private MethodAnalysis(ArenaInterpreter interpreter, Map<State.Field, Value> fields) {
        super(interpreter);
        code = interpreter.code;
        uses = interpreter.uses;
        entry = new State(code.method(), interpreter.opening == null ? State.OPEN : State.NOT_OPENED, fields);
    }

    /** {@return what the method does, with {@code fields} of instances among its arguments} */
    static Uses run(ArenaInterpreter interpreter, Map<State.Field, Value> fields) {
        try {
            new MethodAnalysis(interpreter, fields).analyze(interpreter.code.owner(), interpreter.code.method());
            return interpreter.uses;
        } catch (AnalyzerException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * The states on all paths that lead to one instruction. Paths on which the arena fares differently stay apart, so that a
     * null check of it, or a flag that is set when it is opened, is understood. ASM's analyzer takes this for the frame that it
     * has of each instruction; its own locals and stack are not used.
     */
    private final class Paths extends Frame<Value> {

        /** One for each fate. */
        private List<State> states;

        Paths(List<State> states) {
            super(0, 0);
            this.states = new ArrayList<>(states.stream().map(State::new).toList());
        }

        @Override
        public void setLocal(int variable, Value value) {
            states.forEach(state -> state.setLocal(variable, value));
        }

        @Override
        public Frame<Value> init(Frame<? extends Value> frame) {
            states = ((Paths) frame).states;
            return this;
        }

        @Override
        public void execute(AbstractInsnNode instruction, Interpreter<Value> interpreter) throws AnalyzerException {
            boolean isReturn = instruction.getOpcode() >= Opcodes.IRETURN && instruction.getOpcode() <= Opcodes.RETURN;
            boolean leaves = !isCaught(instruction, null);
            completed = new ArrayList<>();
            thrown = new ArrayList<>();
            for (State before : states) {
                State state = new State(before);
                state.execute(instruction, interpreter);
                for (State exception : state.thrown) {
                    uses.atThrow |= leaves ? exception.fate : 0;
                    exception.clearStack();
                    add(thrown, exception, interpreter);
                }
                if (isReturn) {
                    uses.returns(state, interpreter);
                }
                if (state.target != State.NOWHERE) {
                    add(completed, state, interpreter);
                }
            }
            states = completed;
        }

        @Override
        public void initJumpTarget(int opcode, LabelNode target) {
            states = completed.stream().filter(state -> state.leadsTo(target))
                    .map(state -> state.after(opcode, target != null)).toList();
        }

        /** The analyzer calls this only for a copy that it makes to handle an exception. */
        @Override
        public void clearStack() {
            states = thrown.stream().map(State::new).toList();
        }

        @Override
        public void push(Value exception) {
            states.forEach(state -> state.push(exception));
        }

        @Override
        public boolean merge(Frame<? extends Value> other, Interpreter<Value> interpreter) throws AnalyzerException {
            boolean news = false;
            for (State state : ((Paths) other).states) {
                news |= add(states, new State(state), interpreter);
            }
            return news;
        }

        private static boolean add(List<State> all, State state, Interpreter<Value> interpreter) throws AnalyzerException {
            for (State known : all) {
                if (known.fate == state.fate) {
                    return known.merge(state, interpreter);
                }
            }
            return all.add(state);
        }
    }

    @Override
    protected Frame<Value> newFrame(int locals, int stack) {
        return new Paths(List.of(entry));
    }

    @Override
    protected Frame<Value> newFrame(Frame<? extends Value> frame) {
        return new Paths(((Paths) frame).states);
    }

    @Override
    protected boolean newControlFlowExceptionEdge(int from, TryCatchBlockNode handler) {
        AbstractInsnNode instruction = code.method().instructions.get(from);
        return instruction.getOpcode() >= 0 && !thrown.isEmpty() && !isCaught(instruction, handler);
    }

    /** {@return whether a handler, of those before {@code end}, catches whatever the instruction throws} */
    private boolean isCaught(AbstractInsnNode instruction, TryCatchBlockNode end) {
        List<TryCatchBlockNode> handlers = getHandlers(code.method().instructions.indexOf(instruction));
        return handlers != null && handlers.stream().takeWhile(handler -> handler != end)
                .anyMatch(handler -> handler.type == null || handler.type.equals("java/lang/Throwable"));
    }
}
