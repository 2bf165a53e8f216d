/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Interprets one method without running it: follows every path through it, exceptions included, with what is known of the
 * values, until nothing new comes up; then notes what is done with the one arena that is followed.
 */
final class MethodAnalysis extends Analyzer<Value> {

    /**
     * What a method does, told from what is known of its arguments.
     *
     * @param result   what it returns
     * @param returns  whether it may return
     * @param throwing whether it may throw
     * @param uses     of the arena
     * @param fields   what is in fields when it returns
     * @param shared   which instances others may have then
     */
    record Summary(Value result, boolean returns, boolean throwing, Uses uses, Map<State.Field, Value> fields,
                   Set<Integer> shared) {}

    private final ArenaInterpreter interpreter;
    private final Code code;
    private final State entry;
    private final List<BitSet> successors = new ArrayList<>();

    private MethodAnalysis(ArenaInterpreter interpreter, State entry) {
        super(interpreter);
        this.interpreter = interpreter;
        this.code = interpreter.code;
        this.entry = entry;
        code.method.instructions.forEach(_ -> successors.add(new BitSet()));
    }

    /**
     * @param arguments the receiver first, if there is one
     * @param fields    what is known of fields of instances among the arguments
     * @param shared    which of these instances others may have
     */
    static Summary run(ArenaInterpreter interpreter, List<Value> arguments, Map<State.Field, Value> fields, Set<Integer> shared) {
        Code code = interpreter.code;
        State entry = new State(code.method.maxLocals, code.method.maxStack,
                interpreter.opening < 0 ? State.OPEN : State.NOT_OPENED, new HashMap<>(fields), new HashSet<>(shared));
        int variable = 0;
        for (Value argument : arguments) {
            entry.setLocal(variable, argument);
            variable += argument.getSize();
        }
        try {
            MethodAnalysis analysis = new MethodAnalysis(interpreter, entry);
            analysis.analyze(code.owner, code.method);
            return analysis.note();
        } catch (AnalyzerException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    protected Frame<Value> newFrame(int locals, int stack) {
        return new PathStates(List.of(entry));
    }

    @Override
    protected Frame<Value> newFrame(Frame<? extends Value> frame) {
        return ((PathStates) frame).copy();
    }

    @Override
    protected void newControlFlowEdge(int from, int to) {
        successors.get(from).set(to);
    }

    @Override
    protected boolean newControlFlowExceptionEdge(int from, TryCatchBlockNode handler) {
        if (((PathStates) getFrames()[from]).thrown.isEmpty() || handlerOfAll(from, handler)) {
            return false;
        }
        successors.get(from).set(code.method.instructions.indexOf(handler.handler));
        return true;
    }

    /** {@return whether a handler, of those before {@code end}, catches whatever the instruction throws} */
    private boolean handlerOfAll(int index, TryCatchBlockNode end) {
        List<TryCatchBlockNode> handlers = getHandlers(index);
        return handlers != null && handlers.stream().takeWhile(handler -> handler != end)
                .anyMatch(handler -> handler.type == null || handler.type.equals("java/lang/Throwable"));
    }

    /** All paths are known now: each instruction is executed once more to tell what it does with the arena. */
    private Summary note() throws AnalyzerException {
        interpreter.noting = true;
        State atReturn = null;
        Value result = null;
        boolean throwing = false;
        for (int index = 0; index < getFrames().length; index++) {
            AbstractInsnNode instruction = code.method.instructions.get(index);
            if (getFrames()[index] == null || instruction.getOpcode() < 0) {
                continue;
            }
            boolean isReturn = instruction.getOpcode() >= Opcodes.IRETURN && instruction.getOpcode() <= Opcodes.RETURN;
            boolean leaves = !handlerOfAll(index, null);
            for (State before : ((PathStates) getFrames()[index]).states()) {
                State state = new State(before);
                if (isReturn && state.getStackSize() > 0) {
                    Value value = state.getStack(state.getStackSize() - 1);
                    result = result == null ? value : Value.join(result, value);
                }
                state.execute(instruction, interpreter);
                if (leaves) {
                    throwing |= !state.thrown.isEmpty();
                    state.thrown.forEach(thrown -> interpreter.uses.atThrow |= thrown.fate);
                }
                if (isReturn) {
                    interpreter.uses.atReturn |= state.fate;
                    state.clearStack();
                    if (atReturn == null) {
                        atReturn = state;
                    } else {
                        atReturn.join(state);
                    }
                }
            }
        }
        interpreter.uses.markRepeated(this::comesBack);
        return new Summary(result == null ? Value.UNKNOWN : result, atReturn != null, throwing, interpreter.uses,
                atReturn == null ? Map.of() : atReturn.fields, atReturn == null ? Set.of() : atReturn.shared);
    }

    /** {@return whether a path leads from the instruction to itself that does not open another arena} */
    private boolean comesBack(int index) {
        BitSet reached = new BitSet();
        Deque<Integer> todo = new ArrayDeque<>(List.of(index));
        while (!todo.isEmpty()) {
            successors.get(todo.pop()).stream().filter(next -> next != interpreter.opening && !reached.get(next)).forEach(next -> {
                reached.set(next);
                todo.push(next);
            });
        }
        return reached.get(index);
    }
}
