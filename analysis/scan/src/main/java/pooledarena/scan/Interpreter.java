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
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Interprets one method without running it: follows every way through it, exceptions included, with what is known of the
 * values, until nothing new comes up; then notes what is done with each arena. Ways on which arenas fare differently are
 * followed apart, so that a null check of an arena, or a flag that is set when one is opened, is understood.
 */
final class Interpreter {

    /** How many ways are followed apart through one instruction; when there are more, they are joined. */
    private static final int MAX_WAYS = 32;

    private static final List<Object> JOINED = List.of("joined");

    final Program program;
    final Code code;
    final int depth;
    private final List<Map<List<Object>, State>> before = new ArrayList<>();
    private final BitSet joined = new BitSet();
    private final Deque<Integer> pending = new ArrayDeque<>();
    private final List<BitSet> successors = new ArrayList<>();
    private final Map<Integer, Integer> openings = new TreeMap<>();
    private final List<Uses> uses = new ArrayList<>();
    private final Calls calls;
    private final Fields fields;
    private boolean noting;
    private Value result;
    private boolean returns;
    private boolean throwing;

    /**
     * @param arguments the receiver first, if there is one; arenas in them and in fields have the sites 0 and up
     * @param given     what is known of fields of the receiver
     * @param sites     how many arenas there are in arguments and fields
     * @param depth     how many methods are being interpreted that lead to this one
     */
    Interpreter(Program program, Code code, List<Value> arguments, Map<String, Value> given, int sites, int depth) {
        this.program = program;
        this.code = code;
        this.depth = depth;
        calls = new Calls(this);
        fields = new Fields(this);
        for (int i = 0; i < code.instructions.size(); i++) {
            before.add(new LinkedHashMap<>());
            successors.add(new BitSet());
            if (code.instructions.get(i) instanceof InvokeInstruction call && Api.opensConfined(call.method())) {
                openings.put(i, sites + openings.size());
            }
        }
        int[] arenas = new int[sites + openings.size()];
        for (int site = 0; site < arenas.length; site++) {
            arenas[site] = site < sites ? State.OPEN : State.NOT_OPENED;
            uses.add(new Uses());
        }
        State entry = new State(code.maxLocals, arenas);
        int slot = 0;
        for (Value argument : arguments) {
            entry.locals[slot] = argument;
            slot += argument.wide() ? 2 : 1;
        }
        entry.fields.putAll(given);
        flow(-1, 0, entry);
    }

    /** {@return the sites of the arenas that the method opens, by the instruction that opens them} */
    Map<Integer, Integer> openings() {
        return openings;
    }

    Uses uses(int site) {
        return uses.get(site);
    }

    /** {@return whether things are to be noted, which they are when all ways are known} */
    boolean noting() {
        return noting;
    }

    /** {@return what was stored into static fields so far} */
    Map<String, Value> stored() {
        return fields.stored();
    }

    Summary run() {
        while (!pending.isEmpty()) {
            int index = pending.pop();
            for (State state : List.copyOf(before.get(index).values())) {
                step(index, state.copy());
            }
        }
        noting = true;
        for (int index = 0; index < before.size(); index++) {
            for (State state : before.get(index).values()) {
                step(index, state.copy());
            }
        }
        openings.forEach((index, site) -> markRepeated(site, index));
        for (int site = 0; site < uses.size() - openings.size(); site++) {
            markRepeated(site, -1);
        }
        return new Summary(result == null ? Value.UNKNOWN : result, returns, throwing, uses);
    }

    private void markRepeated(int site, int opening) {
        uses.get(site).markRepeated(index -> comesBack(index, opening));
    }

    /** {@return whether a way leads from the instruction to itself that does not open another arena} */
    private boolean comesBack(int index, int opening) {
        BitSet reached = new BitSet();
        Deque<Integer> todo = new ArrayDeque<>();
        todo.push(index);
        while (!todo.isEmpty()) {
            for (int next : successors.get(todo.pop()).stream().toArray()) {
                if (next == index) {
                    return true;
                }
                if (next != opening && !reached.get(next)) {
                    reached.set(next);
                    todo.push(next);
                }
            }
        }
        return false;
    }

    private void step(int index, State state) {
        Instruction instruction = code.instructions.get(index);
        switch (instruction) {
            case InvokeInstruction call -> calls.invoke(index, call, state);
            case InvokeDynamicInstruction call -> calls.invokeDynamic(index, call, state);
            case FieldInstruction field -> {
                thrown(index, state);
                fields.access(field, state);
                flow(index, index + 1, state);
            }
            case BranchInstruction branch -> branch(index, branch, state);
            case TableSwitchInstruction table -> select(index, table.defaultTarget(), table.cases(), state);
            case LookupSwitchInstruction table -> select(index, table.defaultTarget(), table.cases(), state);
            case ReturnInstruction ret -> leave(ret, state);
            case ThrowInstruction _ -> thrown(index, state);
            case DiscontinuedInstruction _ ->
                    throw new IllegalArgumentException("has subroutines, which class files of Java 7 and later have not");
            default -> {
                if (Operations.mayThrow(instruction, state)) {
                    thrown(index, state);
                }
                Operations.perform(index, instruction, state, this);
                flow(index, index + 1, state);
            }
        }
    }

    /** The flow of control goes on at {@code target} with {@code state}, which the caller gives up. */
    void flow(int from, int target, State state) {
        if (from >= 0) {
            successors.get(from).set(target);
        }
        if (noting) {
            return;
        }
        Map<List<Object>, State> ways = before.get(target);
        List<Object> key = joined.get(target) ? JOINED : state.key();
        State known = ways.get(key);
        if (known == null && ways.size() == MAX_WAYS) {
            joined.set(target);
            key = JOINED;
            for (State way : List.copyOf(ways.values())) {
                if (known == null) {
                    known = way;
                } else {
                    known.join(way);
                }
            }
            ways.clear();
            ways.put(key, known);
            enqueue(target);
        }
        if (known == null) {
            ways.put(key, state);
            enqueue(target);
        } else if (known.join(state)) {
            enqueue(target);
        }
    }

    private void enqueue(int index) {
        if (!pending.contains(index)) {
            pending.add(index);
        }
    }

    /** The instruction may throw; {@code state} is that of this case. */
    void thrown(int index, State state) {
        for (int handler : code.handlersOf(index)) {
            if (handler >= 0) {
                State caught = state.copy();
                caught.stack.clear();
                caught.push(Value.UNKNOWN);
                flow(index, handler, caught);
            } else if (noting) {
                throwing = true;
                for (int site = 0; site < uses.size(); site++) {
                    uses.get(site).atThrow |= state.arenas[site];
                }
            }
        }
    }

    private void leave(ReturnInstruction ret, State state) {
        if (!noting) {
            return;
        }
        returns = true;
        for (int site = 0; site < uses.size(); site++) {
            uses.get(site).atReturn |= state.arenas[site];
        }
        if (ret.opcode() != Opcode.RETURN) {
            Value value = state.pop();
            result = result == null ? value : Value.join(result, value);
            if (value instanceof Value.Arena arena) {
                arena.sites().forEach(site -> uses.get(site).escapes.add(Escape.RETURNED));
            }
        }
    }

    private void branch(int index, BranchInstruction branch, State state) {
        Boolean taken = Operations.condition(branch.opcode(), state);
        int target = code.index(branch.target());
        if (taken != null) {
            flow(index, taken ? target : index + 1, state);
            return;
        }
        State other = state.copy();
        learn(index, branch, true, other);
        learn(index, branch, false, state);
        flow(index, target, other);
        flow(index, index + 1, state);
    }

    /** A branch tells of the local variable that it tests, so that another branch on it goes the same way. */
    private void learn(int index, BranchInstruction branch, boolean taken, State state) {
        Value tested = Operations.tested(branch.opcode(), taken);
        int slot = code.loadedBefore(index);
        if (tested != null && slot >= 0 && state.locals[slot] instanceof Value.Unknown) {
            state.locals[slot] = tested;
        }
    }

    private void select(int index, Label otherwise, List<SwitchCase> cases, State state) {
        Value value = state.pop();
        if (value instanceof Value.Number number) {
            flow(index, code.index(cases.stream().filter(c -> c.caseValue() == number.value()).findFirst()
                    .map(SwitchCase::target).orElse(otherwise)), state);
            return;
        }
        cases.forEach(c -> flow(index, code.index(c.target()), state.copy()));
        flow(index, code.index(otherwise), state);
    }
}
