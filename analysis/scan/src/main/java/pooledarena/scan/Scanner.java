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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
    private int newer;
    private int previews;

    private Scanner(Library library) {
        this.library = library;
        program = new Program(library);
    }

    static LibraryScan scan(Library library) {
        return new Scanner(library).scan();
    }

    private LibraryScan scan() {
        if (library.fault != null) {
            return new LibraryScan(library.name, 0, 0, Map.of(), List.of(), List.of(), List.of(library.fault));
        }
        int classes = 0;
        List<String> foreign = new ArrayList<>();
        for (String file : library.files.keySet()) {
            try {
                ClassReader reader = read(file);
                if (reader != null && (reader.getAccess() & Opcodes.ACC_MODULE) == 0) {
                    library.add(reader, file);
                    classes++;
                    if (usesForeign(reader)) {
                        foreign.add(file);
                    }
                }
            } catch (IOException | RuntimeException e) {
                faults.add(file + ": not a class file that can be read (" + reason(e) + ")");
            }
        }
        foreign.forEach(this::scan);
        if (newer > 0) {
            faults.add("class files of a newer Java than " + (NEWEST - MAJOR_OF_JAVA_0) + ", left out: " + newer);
        }
        if (previews > 0) {
            faults.add("class files with previews of another Java than " + Runtime.version().feature()
                    + ", which does not load them, left out: " + previews);
        }
        return new LibraryScan(library.name, classes, foreign.size(), otherArenas, openings, workarounds, faults);
    }

    /** {@return the class in a file; null if it is one that is left out} */
    private ClassReader read(String file) throws IOException {
        byte[] bytes = library.files.get(file).read();
        ByteBuffer header = ByteBuffer.wrap(bytes);
        if (bytes.length < 8 || header.getInt() != MAGIC) {
            throw new IOException("has not the first bytes of one");
        }
        short minor = header.getShort();
        short major = header.getShort();
        if (major > NEWEST) {
            newer++;
            return null;
        }
        if (minor == PREVIEW && major != MAJOR_OF_JAVA_0 + Runtime.version().feature()) {
            previews++;
            return null;
        }
        return new ClassReader(bytes);
    }

    private static boolean usesForeign(ClassReader reader) {
        char[] buffer = new char[reader.getMaxStringLength()];
        return IntStream.range(1, reader.getItemCount()).map(reader::getItem).filter(item -> item > 0)
                .filter(item -> reader.readByte(item - 1) == CONSTANT_CLASS)
                .anyMatch(item -> reader.readUTF8(item, buffer).startsWith("java/lang/foreign/"));
    }

    private void scan(String file) {
        String where = file;
        try {
            ClassNode type = Library.parse(read(file));
            workarounds.addAll(Workaround.threadLocals(type, program));
            Map<AbstractInsnNode, String> scratch = Workaround.scratch(type);
            type.methods.forEach(method -> scan(type, new Code(type.name, method), scratch));
        } catch (IOException | RuntimeException e) {
            faults.add(file + ": not a class file that can be read (" + reason(e) + ")");
        }
    }

    private void scan(ClassNode type, Code code, Map<AbstractInsnNode, String> scratch) {
        List<MethodInsnNode> opened = new ArrayList<>();
        boolean allocates = false;
        for (int i = 0; i < code.method().instructions.size(); i++) {
            AbstractInsnNode instruction = code.method().instructions.get(i);
            allocates |= scratch.containsKey(instruction);
            if (instruction instanceof MethodInsnNode call) {
                if (Calls.opens(call.owner, call.name)) {
                    opened.add(call);
                }
                countOther(call.owner, call.name);
            } else if (instruction instanceof InvokeDynamicInsnNode lambda) {
                Stream.of(lambda.bsmArgs).filter(Handle.class::isInstance).map(Handle.class::cast).forEach(handle -> {
                    countOther(handle.getOwner(), handle.getName());
                    if (handle.getOwner().equals(Calls.ARENA) && handle.getName().equals("ofConfined")) {
                        openings.add(new Opening(code.place(instruction), Opening.Closing.ESCAPES,
                                EnumSet.of(Opening.Escape.REFERENCE), Set.of(), Set.of(), 0, List.of()));
                    }
                });
            }
        }
        try {
            arenas(code, opened);
            if (allocates) {
                scratch(code, scratch);
            }
        } catch (RuntimeException e) {
            // Bytecode that no verifier would pass can make the interpreter fail anywhere.
            faults.add(type.name.replace('/', '.') + "." + code.method().name + ": cannot be followed (" + reason(e) + ")");
        }
    }

    private void countOther(String owner, String name) {
        if (owner.equals(Calls.ARENA) && Set.of("ofShared", "ofAuto", "global").contains(name)) {
            otherArenas.merge(name, 1, Integer::sum);
        }
    }

    private void arenas(Code code, List<MethodInsnNode> opened) {
        Map<MethodInsnNode, Uses> confined = new LinkedHashMap<>();
        for (MethodInsnNode call : opened) {
            Uses uses = program.interpret(code, call).uses;
            if (call.name.equals("ofConfined")) {
                confined.put(call, uses);
            } else {
                Workaround.ofArena(call.name, uses, uses.opening(code.place(call), 0)).ifPresent(workarounds::add);
            }
        }
        confined.forEach((call, uses) -> openings.add(uses.opening(code.place(call),
                (int) confined.values().stream().filter(other -> other.openAt.contains(call)).count())));
    }

    private void scratch(Code code, Map<AbstractInsnNode, String> fields) {
        program.interpret(code, null).amounts.forEach((instruction, amount) -> {
            if (fields.containsKey(instruction)) {
                workarounds.add(new Workaround(Workaround.Kind.SCRATCH, new Opening.Place(code.owner().replace('/', '.'),
                        fields.get(instruction), code.place(instruction).line()), amount.bytes()));
            }
        });
    }

    private static String reason(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
