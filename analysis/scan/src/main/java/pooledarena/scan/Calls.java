/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import pooledarena.scan.MethodAnalysis.Summary;
import pooledarena.scan.Opening.Allocation;
import pooledarena.scan.Opening.Escape;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What calls do with the arena: open it, allocate from it, close it, or pass it to a method that is followed or is not. */
final class Calls {

    static final String ARENA = "java/lang/foreign/Arena";
    private static final String ALLOCATOR = "java/lang/foreign/SegmentAllocator";
    private static final Type SEGMENT = Type.getObjectType("java/lang/foreign/MemorySegment");

    private static final Set<String> ON_ARENAS = Set.of("scope", "equals", "hashCode", "toString", "getClass");
    private static final Set<String> DOWNCALLS = Set.of("java/lang/invoke/MethodHandle.invokeExact",
            "java/lang/invoke/MethodHandle.invoke");

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
        boolean onObject = call.getOpcode() != Opcodes.INVOKESTATIC;
        String method = call.owner + "." + call.name;
        return switch (arguments.isEmpty() ? Value.UNKNOWN : arguments.getFirst()) {
            case Value _ when opens(call.owner, call.name) -> open(call);
            case Value _ when DO_NOTHING.contains(call.owner) || DO_NOTHING.contains(method) -> unknown(call.desc);
            case Value.Arena arena when onObject && call.name.equals("close")
                    || CLOSE_ARGUMENT.contains(call.owner) && call.name.equals("closeFinally") -> close(arena);
            case Value first when method.startsWith("java/util/Objects.requireNonNull")
                    || method.startsWith("kotlin/jvm/internal/Intrinsics.check") ->
                    first instanceof Value.Arena || first instanceof Value.Instance ? first : mayThrow(call.desc, first);
            case Value first when onObject && call.name.startsWith("allocate")
                    && (first instanceof Value.Arena || call.owner.equals(ARENA) || call.owner.equals(ALLOCATOR)) ->
                    allocate(first, call, arguments.subList(1, arguments.size()));
            case Value.Arena _ when onObject && ON_ARENAS.contains(call.name) -> mayThrow(call.desc, null);
            case Value _ when DOWNCALLS.contains(method) -> downcall(call, arguments);
            default -> other(call, method, arguments);
        };
    }

    private Value other(MethodInsnNode call, String method, List<Value> arguments) {
        Value segment = arguments.stream().filter(value -> value instanceof Value.Arena arena && !arena.confined())
                .findFirst().orElse(null);
        if (LIFETIMES.contains(method)) {
            if (arguments.stream().skip(1).anyMatch(Value.Arena.class::isInstance)) {
                interpreter.uses.lifetimes.add(simple(method));
            }
            return mayThrow(call.desc, segment);
        }
        Optional<Value> constant = ConstantFolding.call(call, arguments);
        if (constant.isPresent()) {
            return mayThrow(call.desc, constant.get());
        }
        if (segment != null && (call.owner.startsWith("java/lang/foreign/") || call.owner.equals("java/lang/invoke/VarHandle"))) {
            if (call.name.startsWith("set")) {
                interpreter.escape(arguments.getLast(), Escape.FIELD); // the address of a segment is kept
            }
            return mayThrow(call.desc, segment);
        }
        return follow(call, arguments);
    }

    private static Value unknown(String descriptor) {
        return Value.unknown(Type.getReturnType(descriptor).getSize());
    }

    /** The call returns {@code result}, or what is not known, or throws. */
    private Value mayThrow(String descriptor, Value result) {
        interpreter.state.mayThrow();
        Type type = Type.getReturnType(descriptor);
        boolean fits = result != null && result.getSize() == type.getSize()
                && !(result instanceof Value.Arena && type.getSort() != Type.OBJECT);
        return fits ? result : unknown(descriptor);
    }

    private Value open(MethodInsnNode call) {
        State state = interpreter.state;
        if (call != interpreter.opening) {
            if (state.fate == State.OPEN) {
                interpreter.uses.openAt.add(call);
            }
            return Value.NOT_ZERO;
        }
        // One that is still open is left behind.
        interpreter.uses.atReturn |= state.fate & State.OPEN;
        state.fate = State.OPEN;
        return new Value.Arena(false, false, call.name.equals("ofConfined"));
    }

    /** A close that throws has closed all the same, unless there was nothing to close. */
    private Value close(Value.Arena arena) {
        interpreter.uses.closed = true;
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
        allocated(allocator, call, call.name, amount, false);
        boolean followed = allocator instanceof Value.Arena arena && !arena.confined();
        return mayThrow(call.desc, followed ? new Value.Arena(false, true, false) : null);
    }

    private void allocated(Value arena, AbstractInsnNode call, String method, Amount amount, boolean repeated) {
        if (arena instanceof Value.Arena) {
            interpreter.uses.allocated(interpreter.index(), new Allocation(method, interpreter.code.place(call), amount.bytes(),
                    amount.alignment(), amount.layout(), repeated));
        }
    }

    /** A native function that returns a struct has it allocated; the allocator is the first argument but for an address. */
    private Value downcall(MethodInsnNode call, List<Value> arguments) {
        Type[] types = Type.getArgumentTypes(call.desc);
        Value layout = arguments.getFirst() instanceof Value.Function(Value result) && result != null ? result : Value.UNKNOWN;
        boolean returnsObject = Type.getReturnType(call.desc).getSort() >= Type.ARRAY;
        for (int i = 1; i < arguments.size(); i++) {
            boolean segment = arguments.get(i) instanceof Value.Arena arena && !arena.confined() && types[i - 1].equals(SEGMENT);
            if (arguments.get(i) instanceof Value.Arena arena && i <= 2 && returnsObject && !segment) {
                allocated(arena, call, Allocation.DOWNCALL, Amount.of(layout, 1L), false);
            } else if (!segment) {
                passed(arguments.get(i), "MethodHandle.invoke");
            }
        }
        return mayThrow(call.desc, null);
    }

    private void passed(Value value, String method) {
        interpreter.escape(value, Escape.PASSED);
        if (value instanceof Value.Arena) {
            interpreter.uses.passedTo.add(method);
        }
    }

    private Value follow(MethodInsnNode call, List<Value> arguments) {
        State state = interpreter.state;
        Map<State.Field, Value> fields = State.fieldsOf(arguments, state.fields);
        Value.Arena arena = (Value.Arena) Stream.concat(arguments.stream(), fields.values().stream())
                .filter(Value.Arena.class::isInstance).reduce(Value::join).orElse(null);
        boolean exact = call.getOpcode() == Opcodes.INVOKESTATIC || call.getOpcode() == Opcodes.INVOKESPECIAL;
        Optional<Summary> summary = interpreter.program.target(call.owner, call.name, call.desc, exact)
                .filter(code -> arena != null || interpreter.program.isShort(code))
                .flatMap(code -> interpreter.program.summary(code, arguments, fields, interpreter.depth));
        for (Value argument : arguments) {
            if (argument instanceof Value.Array array) {
                state.replace(array, new Value.Array(array.origin(), array.length(), null)); // the method may change it
            }
        }
        if (summary.isEmpty()) {
            arguments.forEach(value -> passed(value, simple(call.owner + "." + call.name)));
            return mayThrow(call.desc, null);
        }
        Uses callee = summary.get().uses();
        if (arena != null) {
            interpreter.uses.called(interpreter.index(), callee);
        }
        if (callee.atThrow != 0) {
            State thrown = new State(state);
            leave(thrown, arena, callee.atThrow);
            state.thrown.add(thrown);
        }
        leave(state, arena, callee.atReturn);
        if (callee.atReturn == 0) {
            state.target = State.NOWHERE;
        } else {
            state.fields.keySet().removeAll(fields.keySet());
            state.fields.putAll(State.fieldsOf(arguments, summary.get().fields()));
        }
        Value result = switch (summary.get().result()) {
            case Value.Array array -> new Value.Array(call, array.length(), array.elements());
            case Value.Instance instance when !arguments.contains(instance) -> Value.UNKNOWN;
            case Value value -> value;
        };
        return result.getSize() == Type.getReturnType(call.desc).getSize() ? result : unknown(call.desc);
    }

    private static void leave(State state, Value.Arena arena, int fates) {
        if (arena != null && fates != State.OPEN) {
            state.set(arena, fates);
        }
    }

    /** Makes a lambda. What else is called in this way, to join strings, say, keeps nothing. */
    Value invokeDynamic(InvokeDynamicInsnNode call, List<Value> captured) {
        Value view = null;
        if (call.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory") && call.bsmArgs[1] instanceof Handle body) {
            if (captured.size() == 1 && Type.getReturnType(call.desc).getInternalName().equals(ALLOCATOR)) {
                view = captured.getFirst();
            } else {
                captured.forEach(value -> interpreter.escape(value, Escape.CAPTURED));
                if (captured.stream().anyMatch(Value.Arena.class::isInstance)) {
                    captured(call, new ArrayList<>(captured), body);
                }
            }
        }
        return mayThrow(call.desc, view);
    }

    /** A lambda has the arguments; what it does with them may happen at any time and any number of times. */
    private void captured(InvokeDynamicInsnNode call, List<Value> arguments, Handle body) {
        boolean makes = body.getTag() == Opcodes.H_NEWINVOKESPECIAL;
        if (makes) {
            arguments.addFirst(Value.UNKNOWN);
        }
        boolean isStatic = body.getTag() == Opcodes.H_INVOKESTATIC;
        Type[] types = Type.getArgumentTypes(body.getDesc());
        for (int i = arguments.size() - (isStatic ? 0 : 1); i < types.length; i++) {
            arguments.add(Value.unknown(types[i].getSize()));
        }
        if (isStatic || !(arguments.getFirst() instanceof Value.Arena arena)) {
            Map<State.Field, Value> fields = State.fieldsOf(arguments, interpreter.state.fields);
            interpreter.program.target(body.getOwner(), body.getName(), body.getDesc(), isStatic || makes)
                    .flatMap(code -> interpreter.program.summary(code, arguments, fields, interpreter.depth))
                    .ifPresent(lambda -> interpreter.uses.captured(interpreter.index(), lambda.uses()));
        } else if (body.getName().startsWith("allocate")) {
            Amount amount = Amount.of(body.getName(), body.getDesc(), arguments.subList(1, arguments.size()));
            allocated(arena, call, body.getName(), amount, true);
        }
    }

    /** {@return the method without the package of its class} */
    private static String simple(String method) {
        return method.substring(method.lastIndexOf('/') + 1);
    }
}
