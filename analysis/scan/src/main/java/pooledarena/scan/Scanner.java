/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.*;
import pooledarena.scan.Inputs.Library;
import pooledarena.scan.Opening.Closing;
import pooledarena.scan.Opening.Escape;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** Looks through the class files of one library. */
final class Scanner {

    private static final String UNREADABLE = "not a class file that can be read";

    private final Program program;
    private int classes;
    private final Map<String, ClassReader> foreign = new LinkedHashMap<>();
    private final Map<String, Integer> otherArenas = new TreeMap<>();
    private final List<Opening> openings = new ArrayList<>();
    private final List<Workaround> workarounds = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    private Scanner(List<Library> libraries) {
        program = new Program(libraries);
    }

    /** @param libraries whose methods are followed into, too */
    static LibraryScan scan(Library library, List<Library> libraries) {
        Scanner scanner = new Scanner(libraries);
        library.files().forEach((name, file) -> scanner.attempt(name, UNREADABLE, () -> scanner.read(name, file)));
        scanner.foreign.forEach((name, reader) ->
                scanner.attempt(name, UNREADABLE, () -> scanner.scan(Program.parse(reader))));
        Stream.ofNullable(library.fault()).forEach(scanner.faults::add);
        return new LibraryScan(library.name(), scanner.classes, scanner.foreign.size(), scanner.otherArenas,
                scanner.openings, scanner.workarounds, scanner.faults);
    }

    private void attempt(String where, String fault, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            String reason = Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
            faults.add(where + ": " + fault + " (" + reason + ")");
        }
    }

    private void read(String name, Path file) {
        byte[] bytes = Inputs.read(file);
        ClassReader reader = new ClassReader(bytes);
        program.add(reader, file);
        classes += (reader.getAccess() & Opcodes.ACC_MODULE) == 0 ? 1 : 0;
        if (new String(bytes, ISO_8859_1).contains("java/lang/foreign/")) {
            foreign.put(name, reader);
        }
    }

    private void scan(ClassNode type) {
        Workaround.threadLocals(type, program).forEach(workarounds::add);
        // Bytecode that no verifier would pass can make the interpreter fail anywhere.
        type.methods.forEach(method -> attempt(type.name.replace('/', '.') + "." + method.name, "cannot be followed",
                () -> scan(type, new Code(type.name, method))));
    }

    private void scan(ClassNode type, Code code) {
        Map<AbstractInsnNode, Summary> confined = new LinkedHashMap<>();
        code.instructions().forEach(instruction -> arenas(instruction).forEach(method -> {
            String place = code.place(instruction);
            boolean isConfined = method.equals("ofConfined");
            if (!isConfined) {
                otherArenas.merge(method, 1, Integer::sum);
            }
            if (ArenaInterpreter.opens(instruction)) {
                Summary summary = program.interpret(code, instruction).summary;
                if (isConfined) {
                    confined.put(instruction, summary);
                } else {
                    Workaround.ofArena(method, Opening.of(place, summary, 0)).ifPresent(workarounds::add);
                }
            } else if (isConfined) { // a reference to a method that returns what it opens
                openings.add(new Opening(place, Closing.ESCAPES, Set.of(Escape.RETURNED), 0, List.of()));
            }
        }));
        confined.forEach((opening, summary) -> openings.add(Opening.of(code.place(opening), summary,
                (int) confined.values().stream().filter(other -> other.openAt.contains(opening)).count())));
        Workaround.scratch(type, code, program).forEach(workarounds::add);
    }

    /** {@return the static methods of {@code Arena} that an instruction calls or makes references to} */
    private static Stream<String> arenas(AbstractInsnNode instruction) {
        Stream<Handle> methods = switch (instruction) {
            case MethodInsnNode call ->
                    Stream.of(new Handle(Opcodes.H_INVOKESTATIC, call.owner, call.name, call.desc, true));
            case InvokeDynamicInsnNode call ->
                    Stream.of(call.bsmArgs).filter(Handle.class::isInstance).map(Handle.class::cast);
            default -> Stream.of();
        };
        return methods.filter(method -> method.getOwner().equals(ArenaInterpreter.ARENA)).map(Handle::getName)
                .filter(Set.of("ofConfined", "ofShared", "ofAuto", "global")::contains);
    }
}
