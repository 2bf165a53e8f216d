/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The classes of a library as one program: finds the methods that calls lead to, and what they do. */
final class Program {

    /** How far calls are followed. */
    private static final int MAX_DEPTH = 8;

    /** How many calls are followed from one opening; after that they are taken as unknown. */
    private static final int MAX_FOLLOWED = 2_000;

    /** A longer method is not followed into for its result alone. */
    private static final int MAX_SHORT = 60;

    /** A call with what is known of its arguments. */
    private record Call(Code code, List<Value> arguments, Map<State.Field, Value> fields, Set<Integer> shared) {}

    private final Library library;
    private final Map<String, Optional<Code>> codes = new HashMap<>();
    private final Map<Call, MethodAnalysis.Summary> summaries = new HashMap<>();
    private final Set<Code> active = new HashSet<>();
    private int followed;
    final Statics statics = new Statics(this);

    Program(Library library) {
        this.library = library;
    }

    Optional<ClassNode> find(String internalName) {
        return library.find(internalName);
    }

    /** {@return what was found in a method that no call leads to, of the arena that is opened by an instruction; -1 is none} */
    ArenaInterpreter interpret(Code code, int opening) {
        followed = 0;
        ArenaInterpreter interpreter = new ArenaInterpreter(this, code, opening, 0);
        MethodAnalysis.run(interpreter, code.unknownArguments(), Map.of(), Set.of(Value.THIS.id()));
        return interpreter;
    }

    /** {@return the method of exactly this class} */
    Optional<Code> code(ClassNode type, String name, String descriptor) {
        return codes.computeIfAbsent(type.name + "." + name + descriptor, _ -> type.methods.stream()
                .filter(method -> method.name.equals(name) && method.desc.equals(descriptor) && method.instructions.size() > 0)
                .findFirst().map(method -> new Code(type.name, method)));
    }

    /**
     * {@return the method that a call leads to, if that is in the library and there is only one}
     *
     * @param exact whether the call does not look for the method in the class of the object
     */
    Optional<Code> target(String owner, String name, String descriptor, boolean exact) {
        return inherited(owner, name, descriptor).filter(code -> exact || code.is(Opcodes.ACC_FINAL | Opcodes.ACC_PRIVATE)
                || (find(owner).orElseThrow().access & Opcodes.ACC_FINAL) != 0
                || library.isWhole(owner) && !library.overrides(owner, name + descriptor));
    }

    private Optional<Code> inherited(String owner, String name, String descriptor) {
        return find(owner).flatMap(type -> code(type, name, descriptor).or(() ->
                Stream.concat(Stream.ofNullable(type.superName), type.interfaces.stream())
                        .map(parent -> inherited(parent, name, descriptor)).flatMap(Optional::stream).findFirst()));
    }

    /** {@return whether to look into a method that gets no arena, for what it returns: a size or what may lead to one} */
    boolean isShort(Code code) {
        String type = code.method.desc.substring(code.method.desc.indexOf(')') + 1);
        return code.size <= MAX_SHORT && type.matches("[IJSBC]|Ljava/lang/(foreign/.*|String;|invoke/MethodHandle;)");
    }

    /** {@return what the method does that is called, empty if that is not followed} */
    Optional<MethodAnalysis.Summary> summary(Code code, Passing passing, int depth) {
        Call call = new Call(code, passing.arguments, passing.fields, passing.shared);
        MethodAnalysis.Summary known = summaries.get(call);
        if (known != null) {
            return Optional.of(known);
        }
        if (depth >= MAX_DEPTH || followed >= MAX_FOLLOWED || !active.add(code)) {
            return Optional.empty();
        }
        followed++;
        try {
            MethodAnalysis.Summary summary = MethodAnalysis.run(new ArenaInterpreter(this, code, -1, depth + 1),
                    passing.arguments, passing.fields, passing.shared);
            summaries.put(call, summary);
            return Optional.of(summary);
        } finally {
            active.remove(code);
        }
    }
}
