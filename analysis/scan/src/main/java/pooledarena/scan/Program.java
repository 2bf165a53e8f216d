/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** The classes of a library as one program: finds the methods that calls lead to, and what they do. */
final class Program {

    /** How far calls are followed. */
    private static final int MAX_DEPTH = 8;

    /** How many calls are followed from one opening; after that they are taken as unknown. */
    private static final int MAX_FOLLOWED = 2_000;

    /** A method with more instructions is not followed into for its result alone. */
    private static final int MAX_SHORT = 60;

    /** A call with what is known of its arguments. */
    private record Call(Code code, List<Value> arguments, Map<State.Field, Value> fields) {}

    private final Library library;
    private final Map<Call, MethodAnalysis.Summary> summaries = new HashMap<>();
    private final Set<Code> active = new HashSet<>();
    private int followed;
    final Statics statics = new Statics(this);

    Program(Library library) {
        this.library = library;
    }

    /**
     * {@return what was found in a method that no call leads to}
     *
     * @param opening opens the arena that is followed; null if none is
     */
    ArenaInterpreter interpret(Code code, AbstractInsnNode opening) {
        followed = 0;
        ArenaInterpreter interpreter = new ArenaInterpreter(this, code, opening, 0);
        MethodAnalysis.run(interpreter, code.unknownArguments(), Map.of());
        return interpreter;
    }

    Optional<ClassNode> find(String internalName) {
        return library.find(internalName);
    }

    /** {@return the method of exactly this class} */
    static Optional<Code> code(ClassNode type, String name, String descriptor) {
        return type.methods.stream()
                .filter(method -> method.name.equals(name) && method.desc.equals(descriptor) && method.instructions.size() > 0)
                .findFirst().map(method -> new Code(type.name, method));
    }

    /**
     * {@return the method that a call leads to, if that is in the library and there is only one}
     *
     * @param exact whether the call does not look for the method in the class of the object
     */
    Optional<Code> target(String owner, String name, String descriptor, boolean exact) {
        return inherited(owner, type -> code(type, name, descriptor)).filter(code -> exact
                || ((code.method().access | find(owner).orElseThrow().access) & Opcodes.ACC_FINAL) != 0
                || (code.method().access & Opcodes.ACC_PRIVATE) != 0
                || library.isWhole(owner) && !library.overrides(owner, name + descriptor));
    }

    /** {@return the first member that is found in a class and those that it inherits from} */
    <T> Optional<T> inherited(String owner, Function<ClassNode, Optional<T>> member) {
        return find(owner).flatMap(type -> member.apply(type).or(() ->
                Stream.concat(Stream.ofNullable(type.superName), type.interfaces.stream())
                        .flatMap(parent -> inherited(parent, member).stream()).findFirst()));
    }

    /** {@return whether to look into a method that gets no arena, for what it returns: a size or what may lead to one} */
    boolean isShort(Code code) {
        return code.method().desc.matches(".*\\)([IJSBC]|Ljava/lang/(foreign/.*|String;|invoke/MethodHandle;))")
                && Code.instructions(code.method()).count() <= MAX_SHORT;
    }

    /** {@return what the method does that is called, empty if that is not followed} */
    Optional<MethodAnalysis.Summary> summary(Code code, List<Value> arguments, Map<State.Field, Value> fields, int depth) {
        Call call = new Call(code, arguments, fields);
        if (!summaries.containsKey(call) && depth < MAX_DEPTH && followed < MAX_FOLLOWED && active.add(code)) {
            followed++;
            try {
                summaries.put(call, MethodAnalysis.run(new ArenaInterpreter(this, code, null, depth + 1), arguments, fields));
            } finally {
                active.remove(code);
            }
        }
        return Optional.ofNullable(summaries.get(call));
    }
}
