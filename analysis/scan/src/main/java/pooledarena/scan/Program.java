/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.*;
import org.objectweb.asm.tree.*;
import pooledarena.scan.Inputs.Library;

/** The classes of a library as one program: finds the methods that calls lead to, what they do, and what is in static fields. */
final class Program {

    /** How far calls are followed. */
    private static final int MAX_DEPTH = 8;

    /** A call with what is known of its arguments, and its depth: a deeper one may not be followed as far. */
    private record Call(Code code, List<Value> arguments, int depth) {}

    private final List<Library> libraries;
    private final Map<String, Path> classes = new HashMap<>();
    private final Map<String, List<String>> subclasses = new HashMap<>();
    private final Map<String, Optional<ClassNode>> found = new HashMap<>();
    private final Map<Call, MethodEffects> followed = new HashMap<>();
    /** The methods whose calls lead to the one that is being interpreted. */
    private final Set<Code> active = new HashSet<>();
    /** What is stored in static fields so far, by class and field; only initializers store in those that are final. */
    private final Map<String, Value> stored = new HashMap<>();

    /** @param libraries in which classes are found that are not added */
    Program(List<Library> libraries) {
        this.libraries = libraries;
    }

    void add(ClassReader reader, Path file) {
        String name = reader.getClassName();
        classes.putIfAbsent(name, file);
        Stream.concat(Stream.ofNullable(reader.getSuperName()), Stream.of(reader.getInterfaces()))
                .forEach(parent -> subclasses.computeIfAbsent(parent, _ -> new ArrayList<>()).add(name));
    }

    Optional<ClassNode> find(String internalName) {
        return found.computeIfAbsent(internalName, _ -> {
            Stream<Path> files = Stream.concat(Stream.ofNullable(classes.get(internalName)), libraries.stream()
                    .flatMap(library -> Stream.ofNullable(library.files().get(internalName + ".class"))));
            try {
                return files.findFirst().map(file -> parse(new ClassReader(Inputs.read(file))));
            } catch (RuntimeException e) {
                return Optional.empty(); // damaged; the library that it belongs to names it
            }
        });
    }

    static ClassNode parse(ClassReader reader) {
        ClassNode type = new ClassNode();
        reader.accept(type, ClassReader.SKIP_FRAMES);
        return type;
    }

    /** {@return the first member that is found in a class and those that it inherits from} */
    private <T> Optional<T> inherited(String owner, Function<ClassNode, Optional<T>> member) {
        return find(owner).flatMap(type -> member.apply(type)
                .or(() -> Stream.concat(Stream.ofNullable(type.superName), type.interfaces.stream())
                        .flatMap(parent -> inherited(parent, member).stream()).findFirst()));
    }

    /** {@return what is found in a method that no call leads to} The arena that {@code opening} opens, if any, is followed. */
    MethodEffects interpret(Code code, AbstractInsnNode opening) {
        List<Value> arguments = new ArrayList<>(code.is(Opcodes.ACC_STATIC) ? List.of() : List.of(Value.THIS));
        arguments.addAll(Value.unknown(Type.getArgumentTypes(code.method().desc)));
        return new MethodAnalysis(this, code, opening).run(arguments);
    }

    /** {@return the method that an instruction calls, if that is in the libraries and there is only one} */
    Optional<Code> target(MethodInsnNode call) {
        return inherited(call.owner, type -> Code.of(type, call.name, call.desc)).filter(code ->
                call.getOpcode() == Opcodes.INVOKESTATIC || call.getOpcode() == Opcodes.INVOKESPECIAL
                || code.is(Opcodes.ACC_FINAL | Opcodes.ACC_PRIVATE) || (find(call.owner).orElseThrow().access & Opcodes.ACC_FINAL) != 0
                || classes.containsKey(call.owner) && !isOverridden(call, call.owner));
    }

    private boolean isOverridden(MethodInsnNode call, String owner) {
        return subclasses.getOrDefault(owner, List.of()).stream().anyMatch(type -> isOverridden(call, type)
                || find(type).flatMap(found -> Code.of(found, call.name, call.desc)).isPresent());
    }

    /** {@return whether to look into a method that gets no arena, for what it returns: a size or what may lead to one} */
    static boolean tells(Code code) {
        return code.method().desc.matches(".*\\)([IJSBC]|Ljava/lang/(foreign/.*|String;|invoke/MethodHandle;))");
    }

    /** {@return what the method does that is called, empty if that is not followed} */
    Optional<MethodEffects> follow(Code code, List<Value> arguments) {
        Call call = new Call(code, arguments, active.size());
        if (!followed.containsKey(call) && active.size() < MAX_DEPTH && active.add(code)) {
            try {
                followed.put(call, new MethodAnalysis(this, code, null).run(arguments));
            } finally {
                active.remove(code);
            }
        }
        return Optional.ofNullable(followed.get(call));
    }

    /** {@return what is in a static field of a class, or of what that inherits from} */
    Value constant(FieldInsnNode get) {
        Value unknown = new Value.Unknown(Type.getType(get.desc).getSize());
        return ConstantFolding.field(get.owner, get.name)
                .or(() -> inherited(get.owner, type -> type.fields.stream()
                        .filter(field -> field.name.equals(get.name)).findFirst()
                        .map(field -> Objects.requireNonNullElse(constant(type, field), unknown))))
                .orElse(unknown);
    }

    /** {@return the value of a field; null if it is unknown} */
    private Value constant(ClassNode type, FieldNode field) {
        if (field.value != null || (field.access & Opcodes.ACC_FINAL) == 0) {
            return field.value == null ? null : new Value.Constant(field.value);
        }
        // A class that is initialized on the way sees what is stored so far, as it does at run time.
        Code.of(type, "<clinit>", "()V").ifPresent(initializer -> follow(initializer, List.of()));
        // An arena that a class keeps is one of its initializer, which has told of it.
        return stored.get(type.name + "." + field.name) instanceof Value.Constant known ? known : null;
    }

    void store(FieldInsnNode field, Value value) {
        stored.merge(field.owner + "." + field.name, value, Value::join);
    }
}
