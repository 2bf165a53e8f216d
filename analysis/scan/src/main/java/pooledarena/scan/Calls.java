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

import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** What calls do with arenas: open, allocate from, close, or hand on to a method that is followed or is not. */
final class Calls {

    private static final int KIND_STATIC = 6; // REF_invokeStatic, of the JVM specification's kinds of method handles
    private static final int KIND_NEW = 8; // REF_newInvokeSpecial

    private final Interpreter interpreter;

    Calls(Interpreter interpreter) {
        this.interpreter = interpreter;
    }

    void invoke(int index, InvokeInstruction call, State state) {
        String owner = call.owner().name().stringValue();
        String name = call.name().stringValue();
        MethodTypeDesc type = call.typeSymbol();
        boolean isStatic = call.opcode() == Opcode.INVOKESTATIC;
        List<Value> arguments = state.pop(type.parameterCount() + (isStatic ? 0 : 1));
        if (Api.opensConfined(call.method())) {
            open(index, state);
        } else if (!isStatic && arguments.get(0) instanceof Value.Arena arena && onArena(index, arena, name, type, arguments)) {
            if (name.equals("close")) {
                close(index, arena, state);
            } else {
                proceed(index, type, null, state);
            }
        } else if (Api.closesArgument(owner, name)) {
            if (arguments.get(0) instanceof Value.Arena arena) {
                close(index, arena, state);
            } else {
                proceed(index, type, null, state);
            }
        } else if (Api.isDowncall(owner, name)) {
            downcall(index, type, arguments);
            proceed(index, type, null, state);
        } else if (Api.isLifetime(owner, name)) {
            String method = simple(owner) + "." + name;
            arguments.forEach(value -> note(value, uses -> uses.lifetimes.add(method)));
            proceed(index, type, null, state);
        } else {
            Value result = Api.call(owner, name, arguments);
            if (result != null || Api.isCheck(owner, name)) {
                proceed(index, type, result, state);
            } else {
                follow(index, call, owner, name, type, arguments, state);
            }
        }
    }

    /** The call returns {@code result}, or what is not known, or throws. */
    private void proceed(int index, MethodTypeDesc type, Value result, State state) {
        interpreter.thrown(index, state);
        push(type, result, state);
        interpreter.flow(index, index + 1, state);
    }

    private static void push(MethodTypeDesc type, Value result, State state) {
        if (!type.returnType().equals(ConstantDescs.CD_void)) {
            boolean wide = type.returnType().equals(ConstantDescs.CD_long) || type.returnType().equals(ConstantDescs.CD_double);
            state.push(result == null || result.wide() != wide ? Value.unknown(wide) : result);
        }
    }

    /** A close that throws has closed all the same, unless there was nothing to close. */
    private void close(int index, Value.Arena arena, State state) {
        note(arena, uses -> uses.closed = true);
        State thrown = state.copy();
        state.close(arena);
        if (!arena.mayBeNull()) {
            thrown.close(arena);
        }
        interpreter.thrown(index, thrown);
        interpreter.flow(index, index + 1, state);
    }

    private void open(int index, State state) {
        int site = interpreter.openings().get(index);
        if (interpreter.noting()) {
            Uses uses = interpreter.uses(site);
            // An arena of this place that is still open is one that is left behind.
            uses.atReturn |= state.arenas[site] & State.OPEN;
            int nesting = 0;
            for (int other : interpreter.openings().values()) {
                nesting += other != site && state.arenas[other] == State.OPEN ? 1 : 0;
            }
            uses.nesting = Math.max(uses.nesting, nesting);
        }
        state.arenas[site] = State.OPEN;
        state.push(Value.Arena.of(site));
        interpreter.flow(index, index + 1, state);
    }

    /** {@return whether the method called on an arena is one that is understood} */
    private boolean onArena(int index, Value.Arena arena, String name, MethodTypeDesc type, List<Value> arguments) {
        if (name.startsWith("allocate")) {
            allocate(index, arena, name, Api.amount(name, type, arguments.subList(1, arguments.size())));
            return true;
        }
        return name.equals("close") || Api.isHarmless(name);
    }

    private void allocate(int index, Value.Arena arena, String method, Api.Amount amount) {
        note(arena, uses -> uses.allocated(index, new Allocation(method, Place.of(interpreter.code, index),
                amount.bytes(), amount.alignment(), amount.layout(), false)));
    }

    /** A native function that returns a struct has it allocated; the allocator is the first argument but for an address. */
    private void downcall(int index, MethodTypeDesc type, List<Value> arguments) {
        for (int i = 1; i < arguments.size(); i++) {
            if (!(arguments.get(i) instanceof Value.Arena arena)) {
                continue;
            }
            boolean returnsObject = !type.returnType().isPrimitive();
            if (i <= 2 && returnsObject) {
                Api.Amount amount = arguments.get(0) instanceof Value.Function function
                        && function.result() instanceof Value.Layout layout
                        ? Api.Amount.of(layout, 1) : Api.Amount.UNKNOWN;
                allocate(index, arena, "downcall", amount);
            } else {
                note(arena, uses -> uses.passed("MethodHandle.invoke"));
            }
        }
    }

    private void follow(int index, InvokeInstruction call, String owner, String name, MethodTypeDesc type,
                        List<Value> arguments, State state) {
        boolean isStatic = call.opcode() == Opcode.INVOKESTATIC;
        boolean exact = isStatic || call.opcode() == Opcode.INVOKESPECIAL;
        Passing passing = new Passing(arguments, isStatic, state.fields);
        boolean arenas = !passing.sites.isEmpty();
        Optional<Code> target = interpreter.program.target(owner, name, call.type().stringValue(), exact)
                .filter(code -> arenas || interpreter.program.isShort(code, call.type().stringValue()));
        Optional<Summary> summary = target.flatMap(code -> interpreter.program.summary(code, passing.arguments, passing.fields,
                passing.sites.size(), interpreter.depth));
        forgetElements(arguments, state);
        if (summary.isEmpty()) {
            String method = simple(owner) + "." + name;
            arguments.forEach(value -> note(value, uses -> uses.passed(method)));
            proceed(index, type, null, state);
            return;
        }
        Summary callee = summary.get();
        passing.sites.forEach((arena, site) -> note(arena, uses -> uses.called(index, callee.uses().get(site))));
        if (callee.throwing()) {
            State thrown = state.copy();
            passing.sites.forEach((arena, site) -> thrown.called(arena, callee.uses().get(site).atThrow));
            interpreter.thrown(index, thrown);
        }
        if (callee.returns()) {
            passing.sites.forEach((arena, site) -> state.called(arena, callee.uses().get(site).atReturn));
            push(type, passing.returned(callee.result(), index), state);
            interpreter.flow(index, index + 1, state);
        }
    }

    /** A method that gets an array may change it. */
    private static void forgetElements(List<Value> arguments, State state) {
        for (Value argument : arguments) {
            if (argument instanceof Value.Array array && array.elements() != null) {
                state.replace(array.origin(), new Value.Array(array.origin(), array.length(), null));
            }
        }
    }

    /** Arguments as the method that is called sees them: with sites of its own. */
    private static final class Passing {

        final Map<Value.Arena, Integer> sites = new LinkedHashMap<>();
        final List<Value> arguments = new ArrayList<>();
        final Map<String, Value> fields = new HashMap<>();

        Passing(List<Value> passed, boolean isStatic, Map<String, Value> known) {
            for (int i = 0; i < passed.size(); i++) {
                arguments.add(switch (passed.get(i)) {
                    case Value.Arena arena -> inside(arena);
                    case Value.Array array -> new Value.Array(-1 - i, array.length(), array.elements());
                    case Value.Self self -> !isStatic && i == 0 ? self : Value.UNKNOWN;
                    case Value value -> value;
                });
            }
            if (!isStatic && passed.get(0) instanceof Value.Self) {
                known.forEach((field, value) -> fields.put(field, value instanceof Value.Arena arena ? inside(arena) : value));
            }
        }

        private Value inside(Value.Arena arena) {
            int site = sites.computeIfAbsent(arena, _ -> sites.size());
            return new Value.Arena(Set.of(site), arena.mayBeNull(), !arena.isExact());
        }

        /** {@return the result as the caller sees it} */
        Value returned(Value result, int index) {
            return switch (result) {
                case Value.Arena inside -> sites.entrySet().stream()
                        .filter(entry -> inside.sites().equals(Set.of(entry.getValue())))
                        .map(Map.Entry::getKey).findFirst()
                        .map(arena -> (Value) new Value.Arena(arena.sites(), inside.mayBeNull(),
                                arena.mayBeOther() || inside.mayBeOther()))
                        .orElse(Value.UNKNOWN);
                case Value.Array array -> new Value.Array(index, array.length(), array.elements());
                case Value.Self _ -> Value.UNKNOWN;
                case Value value -> value;
            };
        }
    }

    /** Makes a lambda. What else is called in this way, to join strings, say, keeps nothing. */
    void invokeDynamic(int index, InvokeDynamicInstruction call, State state) {
        MethodTypeDesc type = call.typeSymbol();
        List<Value> captured = state.pop(type.parameterCount());
        List<LoadableConstantEntry> bootstrap = call.invokedynamic().bootstrap().arguments();
        boolean lambda = call.bootstrapMethod().owner().equals(ClassDesc.of("java.lang.invoke.LambdaMetafactory"));
        Value result = null;
        if (lambda && bootstrap.size() > 1 && bootstrap.get(1) instanceof MethodHandleEntry body
                && captured.stream().anyMatch(Value.Arena.class::isInstance)) {
            String made = type.returnType().descriptorString();
            if (captured.size() == 1 && made.equals("L" + Api.ALLOCATOR + ";")) {
                result = captured.get(0);
            } else {
                captured(index, captured, body);
            }
        }
        proceed(index, type, result, state);
    }

    /** A lambda has the arena; what it does with it may happen at any time and any number of times. */
    private void captured(int index, List<Value> captured, MethodHandleEntry body) {
        captured.forEach(value -> note(value, uses -> uses.escapes.add(Escape.CAPTURED)));
        String owner = body.reference().owner().name().stringValue();
        String name = body.reference().name().stringValue();
        String type = body.reference().type().stringValue();
        MethodTypeDesc descriptor = MethodTypeDesc.ofDescriptor(type);
        List<Value> arguments = new ArrayList<>(captured);
        boolean isStatic = body.kind() == KIND_STATIC;
        int parameters = descriptor.parameterCount() + (isStatic ? 0 : 1);
        if (body.kind() == KIND_NEW) {
            arguments.addFirst(Value.UNKNOWN);
        }
        for (int i = arguments.size(); i < parameters; i++) {
            ClassDesc parameter = descriptor.parameterType(isStatic ? i : i - 1);
            arguments.add(Value.unknown(parameter.equals(ConstantDescs.CD_long) || parameter.equals(ConstantDescs.CD_double)));
        }
        if (!isStatic && arguments.get(0) instanceof Value.Arena arena) {
            if (name.startsWith("allocate")) {
                Api.Amount amount = Api.amount(name, descriptor, arguments.subList(1, arguments.size()));
                note(arena, uses -> uses.allocated(index, new Allocation(name, Place.of(interpreter.code, index),
                        amount.bytes(), amount.alignment(), amount.layout(), true)));
            }
            return;
        }
        Passing passing = new Passing(arguments, isStatic, Map.of());
        Optional<Code> target = interpreter.program.target(owner, name, type, isStatic || body.kind() == KIND_NEW);
        target.flatMap(code -> interpreter.program.summary(code, passing.arguments, passing.fields, passing.sites.size(),
                        interpreter.depth))
                .ifPresent(summary -> passing.sites.forEach((arena, site) -> note(arena, uses -> {
                    for (Allocation allocation : summary.uses().get(site).allocations()) {
                        uses.allocated(index, allocation.inLoop());
                    }
                    uses.lifetimes.addAll(summary.uses().get(site).lifetimes);
                    uses.passedTo.addAll(summary.uses().get(site).passedTo);
                })));
    }

    private void note(Value value, Consumer<Uses> action) {
        if (interpreter.noting() && value instanceof Value.Arena arena) {
            arena.sites().forEach(site -> action.accept(interpreter.uses(site)));
        }
    }

    private static String simple(String internalName) {
        return internalName.substring(internalName.lastIndexOf('/') + 1);
    }
}
