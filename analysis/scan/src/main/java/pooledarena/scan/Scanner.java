/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Looks through the class files of one library. */
final class Scanner {

    private static final int MAGIC = 0xCAFEBABE;
    private static final short PREVIEW = (short) 0xFFFF;
    private static final int NEWEST = Opcodes.V28;
    private static final int MAJOR_OF_JAVA_0 = 44;
    private static final int CONSTANT_CLASS = 7;

    private final Library library;
    private final Program program;
    private final List<String> faults = new ArrayList<>();
    private final List<Opening> openings = new ArrayList<>();
    private final List<Workaround> workarounds = new ArrayList<>();
    private final Map<String, Integer> otherArenas = new TreeMap<>();
    /** How many class files are left out, by what they are of. */
    private final Map<String, Integer> leftOut = new TreeMap<>();

    private Scanner(Library library) {
        this.library = library;
        program = new Program(library.others());
    }

    static LibraryScan scan(Library library) {
        return new Scanner(library).scan();
    }

    private LibraryScan scan() {
        int classes = 0;
        Map<String, ClassReader> foreign = new LinkedHashMap<>();
        for (Map.Entry<String, Supplier<byte[]>> file : library.files().entrySet()) {
            try {
                byte[] bytes = file.getValue().get();
                if (isKnown(ByteBuffer.wrap(bytes))) {
                    ClassReader reader = new ClassReader(bytes);
                    program.add(reader, file.getValue());
                    classes += (reader.getAccess() & Opcodes.ACC_MODULE) == 0 ? 1 : 0;
                    if (usesForeign(reader)) {
                        foreign.put(file.getKey(), reader);
                    }
                }
            } catch (RuntimeException e) {
                unreadable(file.getKey(), e);
            }
        }
        foreign.forEach(this::scan);
        leftOut.forEach((what, count) -> faults.add("class files " + what + ", left out: " + count));
        Stream.ofNullable(library.fault()).forEach(faults::add);
        return new LibraryScan(library.name(), classes, foreign.size(), otherArenas, openings, workarounds, faults);
    }

    private void unreadable(String file, Exception e) {
        faults.add(file + ": not a class file that can be read (" + reason(e) + ")");
    }

    private static String reason(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** {@return whether a class file is of a Java that can be read} Others are counted. */
    private boolean isKnown(ByteBuffer file) {
        if (file.getInt() != MAGIC) {
            throw new IllegalArgumentException("has not the first bytes of one");
        }
        short minor = file.getShort();
        short major = file.getShort();
        int running = Runtime.version().feature();
        String other = major > NEWEST ? "of a newer Java than " + (NEWEST - MAJOR_OF_JAVA_0)
                : minor == PREVIEW && major != MAJOR_OF_JAVA_0 + running
                        ? "with previews of another Java than " + running + ", which does not load them" : null;
        if (other != null) {
            leftOut.merge(other, 1, Integer::sum);
        }
        return other == null;
    }

    private static boolean usesForeign(ClassReader reader) {
        char[] buffer = new char[reader.getMaxStringLength()];
        return IntStream.range(1, reader.getItemCount()).map(reader::getItem).filter(item -> item > 0)
                .filter(item -> reader.readByte(item - 1) == CONSTANT_CLASS)
                .anyMatch(item -> reader.readUTF8(item, buffer).startsWith("java/lang/foreign/"));
    }

    private void scan(String file, ClassReader reader) {
        try {
            ClassNode type = Program.parse(reader);
            Workaround.threadLocals(type, program).forEach(workarounds::add);
            type.methods.forEach(method -> scan(type, new Code(type.name, method)));
        } catch (RuntimeException e) {
            unreadable(file, e);
        }
    }

    private void scan(ClassNode type, Code code) {
        List<MethodInsnNode> opened = new ArrayList<>();
        for (AbstractInsnNode instruction : code.instructions().toList()) {
            if (instruction instanceof MethodInsnNode call) {
                if (ArenaInterpreter.opens(call.owner, call.name)) {
                    opened.add(call);
                }
                countOther(call.owner, call.name);
            } else if (instruction instanceof InvokeDynamicInsnNode lambda) {
                Stream.of(lambda.bsmArgs).filter(Handle.class::isInstance).map(Handle.class::cast).forEach(handle -> {
                    countOther(handle.getOwner(), handle.getName());
                    if (handle.getOwner().equals(ArenaInterpreter.ARENA) && handle.getName().equals("ofConfined")) {
                        openings.add(new Opening(code.place(lambda), Opening.Closing.ESCAPES,
                                EnumSet.of(Opening.Escape.REFERENCE), Set.of(), 0, List.of()));
                    }
                });
            }
        }
        try {
            arenas(code, opened);
            Workaround.scratch(type, code, program).forEach(workarounds::add);
        } catch (RuntimeException e) {
            // Bytecode that no verifier would pass can make the interpreter fail anywhere.
            faults.add(type.name.replace('/', '.') + "." + code.method().name + ": cannot be followed (" + reason(e) + ")");
        }
    }

    private void countOther(String owner, String name) {
        if (owner.equals(ArenaInterpreter.ARENA) && Set.of("ofShared", "ofAuto", "global").contains(name)) {
            otherArenas.merge(name, 1, Integer::sum);
        }
    }

    private void arenas(Code code, List<MethodInsnNode> opened) {
        Map<MethodInsnNode, Summary> confined = new LinkedHashMap<>();
        for (MethodInsnNode call : opened) {
            Summary summary = program.interpret(code, call).summary;
            if (call.name.equals("ofConfined")) {
                confined.put(call, summary);
            } else {
                Workaround.ofArena(call.name, summary, Opening.of(code.place(call), summary, 0)).ifPresent(workarounds::add);
            }
        }
        confined.forEach((call, summary) -> openings.add(Opening.of(code.place(call), summary,
                (int) confined.values().stream().filter(other -> other.openAt.contains(call)).count())));
    }
}
