/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.*;
import pooledarena.scan.Opening.Escape;

/**
 * What a method as a whole does with the one arena that is followed: opens it, allocates from it, closes it, lets others get it.
 * Each instruction that is executed adds to that, and changes the state. What a call returns here is null if it is unknown.
 */
final class MethodEffects implements Opcodes {

    final Code code;
    /** The instruction that opens the arena that is followed; null if that is among the arguments. */
    final AbstractInsnNode opening;
    final Set<Escape> escapes = EnumSet.noneOf(Escape.class);
    /** The fates that the method leaves it to; 0 where it never leaves in that way. */
    int atReturn;
    int atThrow;
    /** What the method returns, null if nothing. */
    Value result;
    /** What has become of the method's first argument when it returns; null if it never does. */
    Value first;
    /** The instructions that open another arena while this one is open. */
    final Set<AbstractInsnNode> openAt = new HashSet<>();
    /** What each call allocates, from whatever arena. */
    final Map<AbstractInsnNode, Allocation> calls = new HashMap<>();
    /** What is allocated from this one, by the indexes of the instructions that lead to it, then by site and method. */
    private final Map<Integer, Map<String, Allocation>> allocations = new TreeMap<>();
    /** The instruction that is being executed, and in which state. */
    private AbstractInsnNode current;
    State state;

    MethodEffects(Code code, AbstractInsnNode opening) {
        this.code = code;
        this.opening = opening;
    }

    List<Allocation> allocations() {
        return allocations.values().stream().flatMap(all -> all.values().stream()).toList();
    }

    /**
     * Exceptions are reckoned with, but for those that the JVM may throw anywhere, and that of an object that is null
     * where its field is accessed; calls that cannot throw tell themselves.
     */
    void start(AbstractInsnNode instruction, State before) {
        current = instruction;
        state = before;
        int opcode = instruction.getOpcode();
        boolean mayThrow = switch (opcode) {
            case IDIV, LDIV, IREM, LREM, GETSTATIC, PUTSTATIC, MULTIANEWARRAY -> true;
            default -> opcode >= INVOKEVIRTUAL && opcode <= ATHROW || opcode >= IALOAD && opcode <= SALOAD
                    || opcode >= IASTORE && opcode <= SASTORE;
        };
        state.thrown = mayThrow ? state.fate : 0;
        state.fate = opcode == ATHROW ? 0 : state.fate;
    }

    /** Others may have the value from now on, and put arenas and elements into it. */
    void escape(Value value, Escape how) {
        switch (value) {
            case Value.Arena _ -> escapes.add(how);
            case Value.Array array -> state.replace(array, array.unknown());
            case Value.Instance made -> state.replace(made, Value.NOT_ZERO);
            default -> { }
        }
    }

    Value cannotThrow(Value result) {
        state.thrown = 0;
        return result;
    }

    Value open(MethodInsnNode call) {
        if (call != opening) {
            if (state.fate == State.OPEN) {
                openAt.add(call);
            }
            return cannotThrow(Value.NOT_ZERO);
        }
        // One that is still open is left behind.
        atReturn |= state.fate & State.OPEN;
        state.fate = State.OPEN;
        state.allocated.clear();
        return cannotThrow(new Value.Arena(false, false, call.name.equals("ofConfined")));
    }

    /** A close that throws has closed all the same, unless there was nothing to close. */
    Value close(Value.Arena arena) {
        int before = state.fate;
        state.fate = state.after(arena, State.CLOSED);
        state.thrown = arena.mayBeNull() ? before : state.fate;
        return null;
    }

    Value allocate(MethodInsnNode call, List<Value> arguments) {
        Allocation allocation = Allocation.of(call, arguments, code.site(current));
        calls.put(call, allocation);
        if (!(arguments.getFirst() instanceof Value.Arena arena)) {
            return null;
        }
        allocated(List.of(allocation));
        return arena.confined() ? null : new Value.Arena(true, true, false);
    }

    /** The current instruction allocates from the arena, perhaps again. */
    private void allocated(List<Allocation> all) {
        boolean again = !state.allocated.add(current);
        var here = allocations.computeIfAbsent(code.method().instructions.indexOf(current), _ -> new LinkedHashMap<>());
        Map<String, Integer> alike = new HashMap<>(); // on one line, or without line numbers
        for (Allocation allocation : all) {
            String key = allocation.site() + " " + allocation.method();
            here.merge(key + " " + alike.merge(key, 1, Integer::sum), again ? allocation.again() : allocation, Allocation::join);
        }
    }

    /** A native function that returns a struct has it allocated; it gets segments, but keeps no other arena. */
    Value downcall(MethodInsnNode call, List<Value> arguments) {
        Type[] types = Type.getArgumentTypes(call.desc);
        boolean returnsObject = Type.getReturnType(call.desc).getSort() == Type.OBJECT;
        for (int i = 0; i < types.length; i++) {
            Value argument = arguments.get(i + 1);
            String type = types[i].getInternalName();
            if (argument instanceof Value.Arena && returnsObject && type.matches("java/lang/foreign/(Arena|SegmentAllocator)")) {
                allocated(List.of(Allocation.of(Allocation.DOWNCALL, code.site(current), arguments.getFirst(), 1L)));
            } else if (!type.equals("java/lang/foreign/MemorySegment")) {
                escape(argument, Escape.PASSED_ON);
            }
        }
        return null;
    }

    /** Another method is called. @param arena the one that is followed, if it is among the arguments; else null */
    void called(MethodEffects callee, Value.Arena arena) {
        if (arena != null) {
            allocated(callee.allocations());
            callee.escapes.stream().filter(escape -> escape != Escape.RETURNED).forEach(escapes::add);
        }
        state.thrown = state.after(arena, callee.atThrow);
        state.fate = state.after(arena, callee.atReturn);
    }

    /** Others run {@code body} at any time, and any number of times: it may allocate, but what is known here stays. */
    void capture(Runnable body) {
        State before = state;
        state = new State(state);
        state.allocated.add(current);
        body.run();
        state = before;
    }

    void returned(Value value) {
        escape(value, Escape.RETURNED);
        result = Value.join(result, value);
    }

    void returns() {
        if (state.getLocals() > 0) {
            first = Value.join(first, state.getLocal(0));
        }
        atReturn |= state.fate;
    }
}
