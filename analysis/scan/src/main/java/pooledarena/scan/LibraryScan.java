/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.*;
import org.objectweb.asm.tree.*;
import pooledarena.scan.Inputs.Library;
import pooledarena.scan.Opening.ClosingPaths;
import pooledarena.scan.Opening.Escape;

/**
 * What was found in one library.
 *
 * @param foreignClasses how many of its classes refer to the Foreign Function &amp; Memory API
 * @param otherArenas    how many call sites get an arena that is not confined, by the method that gives it
 * @param faults         what could not be read, and why
 */
record LibraryScan(String name, int classes, int foreignClasses, Map<String, Integer> otherArenas, List<Opening> openings,
                   List<Workaround> workarounds, List<String> faults) {

    private static final String UNREADABLE = "not a class file that can be read";

    private static final Pattern OPENS = Pattern.compile(ArenaInterpreter.ARENA + "\\.(ofConfined|ofShared|ofAuto|global)");

    /** @param libraries whose methods are followed into, too */
    static LibraryScan of(Library library, List<Library> libraries) {
        Program program = new Program(libraries);
        List<String> faults = Stream.ofNullable(library.fault()).collect(Collectors.toCollection(ArrayList::new));
        Set<String> classes = new HashSet<>();
        Map<String, ClassReader> foreign = new LinkedHashMap<>();
        library.files().forEach((name, file) -> attempt(faults, name, UNREADABLE, () -> {
            byte[] bytes = Inputs.read(file);
            ClassReader reader = new ClassReader(bytes);
            program.add(reader, file);
            if ((reader.getAccess() & Opcodes.ACC_MODULE) == 0) {
                classes.add(name);
            }
            if (new String(bytes, StandardCharsets.ISO_8859_1).contains("java/lang/foreign/")) {
                foreign.put(name, reader);
            }
        }));
        LibraryScan scan = new LibraryScan(library.name(), classes.size(), foreign.size(), new TreeMap<>(), new ArrayList<>(),
                new ArrayList<>(), faults);
        foreign.forEach((name, reader) -> attempt(faults, name, UNREADABLE, () -> scan.add(Program.parse(reader), program)));
        return scan;
    }

    private static void attempt(List<String> faults, String where, String fault, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | StackOverflowError e) { // the latter of classes that inherit from themselves, which no JVM loads
            String reason = Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
            faults.add(where + ": " + fault + " (" + reason + ")");
        }
    }

    private void add(ClassNode type, Program program) {
        Workaround.threadLocals(type, program).forEach(workarounds::add);
        // Bytecode that no verifier would pass can make the interpreter fail anywhere.
        type.methods.forEach(method -> attempt(faults, type.name.replace('/', '.') + "." + method.name, "cannot be followed",
                () -> add(type, new Code(type.name, method), program)));
    }

    private void add(ClassNode type, Code code, Program program) {
        List<MethodEffects> confined = new ArrayList<>();
        code.instructions(AbstractInsnNode.class).forEach(instruction -> arenas(instruction).forEach(method -> {
            boolean isCall = ArenaInterpreter.opens(instruction);
            if (!method.equals("ofConfined")) {
                otherArenas.merge(method, 1, Integer::sum);
                if (isCall) {
                    Workaround.ofArena(method, Opening.of(program.interpret(code, instruction), 0)).ifPresent(workarounds::add);
                }
            } else if (isCall) {
                confined.add(program.interpret(code, instruction));
            } else { // a reference to a method that returns what it opens
                openings.add(new Opening(code.site(instruction), ClosingPaths.ESCAPES, Set.of(Escape.RETURNED), 0, List.of()));
            }
        }));
        confined.forEach(found -> openings.add(Opening.of(found,
                (int) confined.stream().filter(other -> other.openAt.contains(found.opening)).count())));
        Workaround.scratch(type, code, program).forEach(workarounds::add);
    }

    /** {@return the static methods of {@code Arena} that an instruction calls or makes references to} */
    private static Stream<String> arenas(AbstractInsnNode instruction) {
        Stream<String> methods = switch (instruction) {
            case MethodInsnNode call -> Stream.of(call.owner + "." + call.name);
            case InvokeDynamicInsnNode call -> Stream.of(call.bsmArgs).map(argument ->
                    argument instanceof Handle method ? method.getOwner() + "." + method.getName() : "");
            default -> Stream.of();
        };
        return methods.map(OPENS::matcher).filter(Matcher::matches).map(opens -> opens.group(1));
    }
}
