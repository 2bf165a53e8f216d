/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.*;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Interprets one method without running it: follows every path through it, exceptions included, until nothing new comes up.
 * What is known of a value only becomes less, so what the method does can be noted on the way. Paths on which the arena fares
 * differently stay apart, so that a null check of it, or a flag that is set when it is opened, is understood: ASM's Analyzer
 * joins them.
 */
final class MethodAnalysis {

    /** An instruction, reached with one fate of the arena. */
    private record Point(AbstractInsnNode instruction, int fate) {}

    private final MethodEffects effects;
    private final ArenaInterpreter interpreter;
    /** What is known before each instruction. */
    private final Map<Point, State> states = new HashMap<>();
    /** Where that has changed since the instruction was executed. */
    private final SequencedSet<Point> changed = new LinkedHashSet<>();

    MethodAnalysis(Program program, Code code, AbstractInsnNode opening) {
        effects = new MethodEffects(code, opening);
        interpreter = new ArenaInterpreter(program, effects);
    }

    MethodEffects run(List<Value> arguments) {
        int fate = effects.opening == null ? State.OPEN : State.NOT_OPENED;
        try {
            reach(effects.code.method().instructions.getFirst(), new State(effects.code, arguments, fate));
            while (!changed.isEmpty()) {
                Point point = changed.removeFirst();
                execute(point.instruction, new State(states.get(point)));
            }
            return effects;
        } catch (AnalyzerException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private void reach(AbstractInsnNode instruction, State state) throws AnalyzerException {
        Point point = new Point(instruction, state.fate);
        State known = states.putIfAbsent(point, new State(state));
        if (known == null || known.merge(state, interpreter)) {
            changed.add(point);
        }
    }

    private void execute(AbstractInsnNode instruction, State state) throws AnalyzerException {
        int opcode = instruction.getOpcode();
        if (instruction instanceof JumpInsnNode jump) {
            for (boolean taken : new boolean[] {true, false}) {
                State branch = new State(state);
                if (branch.assume(jump, taken)) {
                    branch.execute(jump, interpreter);
                    reach(taken ? jump.label : jump.getNext(), branch);
                }
            }
            return;
        }
        if (opcode >= 0) {
            effects.start(instruction, state);
            state.execute(instruction, interpreter);
            if (state.thrown != 0) {
                handle(instruction, state);
            }
        }
        switch (instruction) {
            case TableSwitchInsnNode table -> choose(table.labels, table.dflt, state);
            case LookupSwitchInsnNode table -> choose(table.labels, table.dflt, state);
            case AbstractInsnNode _ when opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN -> effects.returns();
            case AbstractInsnNode _ when state.fate != 0 -> reach(instruction.getNext(), state);
            default -> { }
        }
    }

    private void choose(List<LabelNode> labels, LabelNode otherwise, State state) throws AnalyzerException {
        for (LabelNode label : labels) {
            reach(label, state);
        }
        reach(otherwise, state);
    }

    private void handle(AbstractInsnNode instruction, State state) throws AnalyzerException {
        InsnList instructions = effects.code.method().instructions;
        int index = instructions.indexOf(instruction);
        State exception = new State(state);
        exception.fate = state.thrown;
        for (TryCatchBlockNode block : effects.code.method().tryCatchBlocks) {
            if (index >= instructions.indexOf(block.start) && index < instructions.indexOf(block.end)) {
                exception.clearStack();
                exception.push(Value.UNKNOWN);
                reach(block.handler, exception);
                if (block.type == null || block.type.equals("java/lang/Throwable")) {
                    return;
                }
            }
        }
        effects.atThrow |= exception.fate;
    }
}
