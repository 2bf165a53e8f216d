/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Class files that belong together: a jar file, a module, a directory. They are read when they are asked for. */
final class Library {

    /** A class file that can be read. */
    interface Source {
        byte[] read() throws IOException;
    }

    private static final int DECLARATIONS = ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES;

    final String name;
    /** Its class files, each by its name there. */
    final Map<String, Source> files;
    /** Why it cannot be read; null if it can. */
    final String fault;
    private final Function<String, Optional<Source>> others;
    private final Map<String, Source> classes = new HashMap<>();
    private final Map<String, List<String>> subclasses = new HashMap<>();
    private final Map<String, Set<String>> methods = new HashMap<>();
    private final Map<String, Optional<ClassNode>> found = new HashMap<>();

    /** @param others finds classes that do not belong to it, but can be looked into, by their internal names */
    Library(String name, Map<String, Source> files, Function<String, Optional<Source>> others) {
        this(name, files, others, null);
    }

    private Library(String name, Map<String, Source> files, Function<String, Optional<Source>> others, String fault) {
        this.name = name;
        this.files = files;
        this.others = others;
        this.fault = fault;
    }

    static Library unreadable(String name, String fault) {
        return new Library(name, Map.of(), _ -> Optional.empty(), fault);
    }

    /** Takes a class of a file among those that {@link #find} finds. */
    void add(ClassReader reader, String file) {
        ClassNode type = new ClassNode();
        reader.accept(type, DECLARATIONS);
        classes.putIfAbsent(type.name, files.get(file));
        Stream.concat(Stream.ofNullable(type.superName), type.interfaces.stream()).filter(parent -> !parent.equals("java/lang/Object"))
                .forEach(parent -> subclasses.computeIfAbsent(parent, _ -> new ArrayList<>()).add(type.name));
        methods.put(type.name, type.methods.stream()
                .filter(method -> (method.access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0)
                .map(method -> method.name + method.desc).collect(Collectors.toSet()));
    }

    /** {@return whether all of the library that may inherit from the class has been read} */
    boolean isWhole(String internalName) {
        return classes.containsKey(internalName);
    }

    /** {@return whether a class that inherits from {@code owner} has the method, given as name and descriptor} */
    boolean overrides(String owner, String method) {
        return subclasses.getOrDefault(owner, List.of()).stream()
                .anyMatch(type -> methods.get(type).contains(method) || overrides(type, method));
    }

    Optional<ClassNode> find(String internalName) {
        return found.computeIfAbsent(internalName, _ -> Optional.ofNullable(classes.get(internalName))
                .or(() -> others.apply(internalName)).flatMap(Library::parse));
    }

    private static Optional<ClassNode> parse(Source source) {
        try {
            return Optional.of(parse(new ClassReader(source.read())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            return Optional.empty(); // damaged; the library that it belongs to names it
        }
    }

    static ClassNode parse(ClassReader reader) {
        ClassNode type = new ClassNode();
        reader.accept(type, ClassReader.SKIP_FRAMES);
        return type;
    }
}
