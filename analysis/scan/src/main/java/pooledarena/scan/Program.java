/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
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

    private final Function<String, Optional<Supplier<byte[]>>> others;
    private final Map<String, Supplier<byte[]>> classes = new HashMap<>();
    private final Map<String, List<ClassNode>> subclasses = new HashMap<>();
    private final Map<String, Optional<ClassNode>> found = new HashMap<>();
    private final Map<Call, Uses> known = new HashMap<>();
    private final Set<Code> active = new HashSet<>();
    private int followed;
    final Statics statics = new Statics(this);

    /** @param others finds classes that are not added */
    Program(Function<String, Optional<Supplier<byte[]>>> others) {
        this.others = others;
    }

    void add(ClassReader reader, Supplier<byte[]> source) {
        ClassNode type = new ClassNode();
        reader.accept(type, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
        classes.putIfAbsent(type.name, source);
        parents(type).forEach(parent -> subclasses.computeIfAbsent(parent, _ -> new ArrayList<>()).add(type));
    }

    private static Stream<String> parents(ClassNode type) {
        return Stream.concat(Stream.ofNullable(type.superName), type.interfaces.stream());
    }

    Optional<ClassNode> find(String internalName) {
        return found.computeIfAbsent(internalName, _ -> Optional.ofNullable(classes.get(internalName))
                .or(() -> others.apply(internalName)).flatMap(source -> {
                    try {
                        return Optional.of(parse(new ClassReader(source.get())));
                    } catch (RuntimeException e) {
                        return Optional.empty(); // damaged; the library that it belongs to names it
                    }
                }));
    }

    static ClassNode parse(ClassReader reader) {
        ClassNode type = new ClassNode();
        reader.accept(type, ClassReader.SKIP_FRAMES);
        return type;
    }

    /** {@return the first member that is found in a class and those that it inherits from} */
    <T> Optional<T> inherited(String owner, Function<ClassNode, Optional<T>> member) {
        return find(owner).flatMap(type -> member.apply(type)
                .or(() -> parents(type).flatMap(parent -> inherited(parent, member).stream()).findFirst()));
    }

    /** {@return what was found in a method that no call leads to; {@code opening} opens the arena that is followed, if one is} */
    ArenaInterpreter interpret(Code code, AbstractInsnNode opening) {
        followed = 0;
        ArenaInterpreter interpreter = new ArenaInterpreter(this, code, opening, 0, null);
        MethodAnalysis.run(interpreter, Map.of());
        return interpreter;
    }

    /** {@return the method that an instruction calls, if that is in the library and there is only one} */
    Optional<Code> target(String owner, String name, String descriptor, int opcode) {
        return inherited(owner, type -> Code.of(type, name, descriptor)).filter(code ->
                opcode == Opcodes.INVOKESTATIC || opcode == Opcodes.INVOKESPECIAL
                || code.is(Opcodes.ACC_FINAL | Opcodes.ACC_PRIVATE) || (find(owner).orElseThrow().access & Opcodes.ACC_FINAL) != 0
                || classes.containsKey(owner) && !isOverridden(owner, name, descriptor));
    }

    private boolean isOverridden(String owner, String name, String descriptor) {
        return subclasses.getOrDefault(owner, List.of()).stream().anyMatch(type -> isOverridden(type.name, name, descriptor)
                || type.methods.stream().anyMatch(method -> method.name.equals(name) && method.desc.equals(descriptor)
                        && (method.access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0));
    }

    /** {@return whether to look into a method that gets no arena, for what it returns: a size or what may lead to one} */
    boolean isShort(Code code) {
        return code.method().desc.matches(".*\\)([IJSBC]|Ljava/lang/(foreign/.*|String;|invoke/MethodHandle;))")
                && code.instructions().count() <= MAX_SHORT;
    }

    /** {@return what the method does that is called, empty if that is not followed} */
    Optional<Uses> uses(Code code, List<Value> arguments, Map<State.Field, Value> fields, int depth) {
        Call call = new Call(code, arguments, fields);
        if (!known.containsKey(call) && depth < MAX_DEPTH && followed < MAX_FOLLOWED && active.add(code)) {
            followed++;
            try {
                known.put(call, MethodAnalysis.run(new ArenaInterpreter(this, code, null, depth + 1, arguments), fields));
            } finally {
                active.remove(code);
            }
        }
        return Optional.ofNullable(known.get(call));
    }
}
