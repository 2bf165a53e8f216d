/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import pooledarena.scan.MethodAnalysis.Summary;
import pooledarena.scan.Opening.Allocation;
import pooledarena.scan.Opening.Escape;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** What calls do with the arena: open it, allocate from it, close it, or pass it to a method that is followed or is not. */
final class Calls {

    static final String ARENA = "java/lang/foreign/Arena";
    private static final String ALLOCATOR = "java/lang/foreign/SegmentAllocator";
    private static final String HANDLE = "java/lang/invoke/MethodHandle";

    private static final Set<String> ON_ARENAS = Set.of("scope", "equals", "hashCode", "toString", "getClass");

    /** Methods that bind something to an arena without allocating it there. */
    private static final Set<String> LIFETIMES = Set.of("java/lang/foreign/MemorySegment.reinterpret",
            "java/lang/foreign/Linker.upcallStub", "java/lang/foreign/SymbolLookup.libraryLookup",
            "java/nio/channels/FileChannel.map");

    /** Kotlin's {@code use} ends with one of these. */
    private static final Set<String> CLOSE_ARGUMENT = Set.of("kotlin/jdk7/AutoCloseableKt", "kotlin/AutoCloseableKt",
            "kotlin/io/CloseableKt");

    /** Methods that do nothing, so they never throw; Kotlin marks the code that it inlines with calls. */
    private static final Set<String> DO_NOTHING = Set.of("kotlin/jvm/internal/InlineMarker", "java/lang/Object.<init>",
            "java/lang/Record.<init>");

    private final ArenaInterpreter interpreter;

    Calls(ArenaInterpreter interpreter) {
        this.interpreter = interpreter;
    }

    static boolean opens(String owner, String name) {
        return owner.equals(ARENA) && Set.of("ofConfined", "ofShared", "ofAuto").contains(name);
    }

    Value invoke(MethodInsnNode call, List<Value> arguments) {
        boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
        String method = call.owner + "." + call.name;
        Value first = arguments.isEmpty() ? Value.UNKNOWN : arguments.getFirst();
        if (opens(call.owner, call.name)) {
            return open(call.name.equals("ofConfined"));
        }
        if (DO_NOTHING.contains(call.owner) || DO_NOTHING.contains(method)) {
            return unknown(call.desc);
        }
        if (first instanceof Value.Arena arena && (!isStatic && call.name.equals("close")
                || CLOSE_ARGUMENT.contains(call.owner) && call.name.equals("closeFinally"))) {
            return close(arena);
        }
        if (call.owner.equals("java/util/Objects") && call.name.startsWith("requireNonNull")
                || call.owner.equals("kotlin/jvm/internal/Intrinsics") && call.name.startsWith("check")) {
            return first instanceof Value.Arena || first instanceof Value.Instance ? first : mayThrow(call.desc, first);
        }
        if (!isStatic && call.name.startsWith("allocate")
                && (first instanceof Value.Arena || call.owner.equals(ARENA) || call.owner.equals(ALLOCATOR))) {
            return allocate(first, call, arguments.subList(1, arguments.size()));
        }
        if (!isStatic && first instanceof Value.Arena && ON_ARENAS.contains(call.name)) {
            return mayThrow(call.desc, null);
        }
        if (call.owner.equals(HANDLE) && (call.name.equals("invokeExact") || call.name.equals("invoke"))) {
            return downcall(call.desc, arguments);
        }
        Optional<Value> segment = arguments.stream().filter(Value.Segment.class::isInstance).findFirst();
        if (LIFETIMES.contains(method)) {
            arguments.forEach(value -> note(value, uses -> uses.lifetimes.add(simple(method))));
            return mayThrow(call.desc, segment.orElse(null));
        }
        Optional<Value> constant = ConstantFolding.call(call.owner, call.name, call.desc, isStatic, arguments);
        if (constant.isPresent()) {
            return mayThrow(call.desc, constant.get());
        }
        if (segment.isPresent() && (call.owner.startsWith("java/lang/foreign/") || call.owner.equals("java/lang/invoke/VarHandle"))) {
            if (call.name.startsWith("set")) {
                interpreter.escape(arguments.getLast(), Escape.FIELD); // the address of a segment is kept
            }
            return mayThrow(call.desc, segment.get());
        }
        return follow(call, arguments, isStatic);
    }

    private static Value unknown(String descriptor) {
        return Value.unknown(Type.getReturnType(descriptor).getSize());
    }

    /** The call returns {@code result}, or what is not known, or throws. */
    private Value mayThrow(String descriptor, Value result) {
        interpreter.state.thrown.add(new State(interpreter.state));
        Type type = Type.getReturnType(descriptor);
        boolean fits = result != null && result.getSize() == type.getSize()
                && !(result instanceof Value.Segment && type.getSort() != Type.OBJECT);
        return fits ? result : unknown(descriptor);
    }

    private Value open(boolean confined) {
        State state = interpreter.state;
        if (interpreter.index != interpreter.opening) {
            interpreter.note(uses -> uses.openAt.addAll(state.fate == State.OPEN ? Set.of(interpreter.index) : Set.of()));
            return Value.NOT_ZERO;
        }
        // One that is still open is left behind.
        interpreter.note(uses -> uses.atReturn |= state.fate & State.OPEN);
        state.fate = State.OPEN;
        return new Value.Arena(false, false, confined);
    }

    /** A close that throws has closed all the same, unless there was nothing to close. */
    private Value close(Value.Arena arena) {
        note(arena, uses -> uses.closed = true);
        State thrown = new State(interpreter.state);
        if (!arena.mayBeNull()) {
            thrown.set(arena, State.CLOSED);
        }
        interpreter.state.thrown.add(thrown);
        interpreter.state.set(arena, State.CLOSED);
        return Value.UNKNOWN;
    }

    private Value allocate(Value allocator, MethodInsnNode call, List<Value> arguments) {
        Amount amount = Amount.of(call.name, call.desc, arguments);
        interpreter.amounts.put(call, amount);
        allocate(allocator, call.name, amount, false);
        boolean followed = allocator instanceof Value.Arena arena && !arena.confined();
        return mayThrow(call.desc, followed ? new Value.Segment() : null);
    }

    private void allocate(Value arena, String method, Amount amount, boolean repeated) {
        int index = interpreter.index;
        note(arena, uses -> uses.allocated(index, new Allocation(method,
                interpreter.code.place(interpreter.code.method.instructions.get(index)),
                amount.bytes(), amount.alignment(), amount.layout(), repeated)));
    }

    /** A native function that returns a struct has it allocated; the allocator is the first argument but for an address. */
    private Value downcall(String descriptor, List<Value> arguments) {
        boolean returnsObject = Type.getReturnType(descriptor).getSort() >= Type.ARRAY;
        Value layout = arguments.getFirst() instanceof Value.Function(Value result) && result != null ? result : Value.UNKNOWN;
        for (int i = 1; i < arguments.size(); i++) {
            if (arguments.get(i) instanceof Value.Arena arena && i <= 2 && returnsObject) {
                allocate(arena, Allocation.DOWNCALL, Amount.of(layout, 1L), false);
            } else if (!(arguments.get(i) instanceof Value.Segment)) {
                passed(arguments.get(i), "MethodHandle.invoke");
            }
        }
        return mayThrow(descriptor, null);
    }

    private void passed(Value value, String method) {
        interpreter.escape(value, Escape.PASSED);
        note(value, uses -> uses.passedTo.add(method));
    }

    private Value follow(MethodInsnNode call, List<Value> arguments, boolean isStatic) {
        State state = interpreter.state;
        Passing passing = new Passing(arguments, state);
        boolean exact = isStatic || call.getOpcode() == Opcodes.INVOKESPECIAL;
        Optional<Summary> summary = interpreter.program.target(call.owner, call.name, call.desc, exact)
                .filter(code -> passing.arena != null || interpreter.program.isShort(code))
                .flatMap(code -> interpreter.program.summary(code, passing, interpreter.depth));
        for (Value argument : arguments) {
            if (argument instanceof Value.Array(int origin, int length, List<Value> elements) && elements != null) {
                state.replace(argument, new Value.Array(origin, length, null)); // a method that gets an array may change it
            }
        }
        if (summary.isEmpty()) {
            arguments.forEach(value -> passed(value, simple(call.owner + "." + call.name)));
            return mayThrow(call.desc, null);
        }
        Summary callee = summary.get();
        int index = interpreter.index;
        if (passing.arena != null) {
            interpreter.note(uses -> uses.called(index, callee.uses()));
        }
        if (callee.throwing()) {
            State thrown = new State(state);
            leave(thrown, passing.arena, callee.uses().atThrow);
            state.thrown.add(thrown);
        }
        state.completes = callee.returns();
        leave(state, passing.arena, callee.uses().atReturn);
        if (callee.returns()) {
            passing.takeFields(callee, state);
        }
        Value result = passing.outside(callee.result(), index);
        return result.getSize() == Type.getReturnType(call.desc).getSize() ? result : unknown(call.desc);
    }

    private static void leave(State state, Value.Arena arena, int fates) {
        if (arena != null && fates != State.OPEN) {
            state.set(arena, fates);
        }
    }

    /** Makes a lambda. What else is called in this way, to join strings, say, keeps nothing. */
    Value invokeDynamic(InvokeDynamicInsnNode call, List<Value> captured) {
        if (call.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory") && call.bsmArgs[1] instanceof Handle body
                && captured.stream().anyMatch(value -> !(value instanceof Value.Unknown))) {
            if (captured.size() == 1 && Type.getReturnType(call.desc).getInternalName().equals(ALLOCATOR)) {
                return mayThrow(call.desc, captured.getFirst());
            }
            captured(captured, body);
        }
        return mayThrow(call.desc, null);
    }

    /** A lambda has the values; what it does with them may happen at any time and any number of times. */
    private void captured(List<Value> captured, Handle body) {
        captured.forEach(value -> interpreter.escape(value, Escape.CAPTURED));
        if (captured.stream().noneMatch(Value.Arena.class::isInstance)) {
            return;
        }
        boolean isStatic = body.getTag() == Opcodes.H_INVOKESTATIC;
        List<Value> arguments = new ArrayList<>(captured);
        if (body.getTag() == Opcodes.H_NEWINVOKESPECIAL) {
            arguments.addFirst(Value.UNKNOWN);
        }
        Type[] types = Type.getArgumentTypes(body.getDesc());
        for (int i = arguments.size() - (isStatic ? 0 : 1); i < types.length; i++) {
            arguments.add(Value.unknown(types[Math.max(i, 0)].getSize()));
        }
        if (!isStatic && arguments.getFirst() instanceof Value.Arena arena) {
            if (body.getName().startsWith("allocate")) {
                Amount amount = Amount.of(body.getName(), body.getDesc(), arguments.subList(1, arguments.size()));
                allocate(arena, body.getName(), amount, true);
            }
            return;
        }
        Passing passing = new Passing(arguments, interpreter.state);
        int index = interpreter.index;
        boolean exact = isStatic || body.getTag() == Opcodes.H_NEWINVOKESPECIAL;
        interpreter.program.target(body.getOwner(), body.getName(), body.getDesc(), exact)
                .flatMap(code -> interpreter.program.summary(code, passing, interpreter.depth))
                .ifPresent(lambda -> interpreter.note(uses -> uses.captured(index, lambda.uses())));
    }

    private void note(Value value, Consumer<Uses> action) {
        if (value instanceof Value.Arena) {
            interpreter.note(action);
        }
    }

    /** {@return the method without the package of its class} */
    private static String simple(String method) {
        return method.substring(method.lastIndexOf('/') + 1);
    }
}
