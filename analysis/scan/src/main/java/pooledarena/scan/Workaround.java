/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import pooledarena.scan.Opening.Place;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A place that avoids the cost of a confined arena for each use, by keeping memory or leaving it to the garbage collector.
 * Whether a confined arena would do is for its author to say.
 *
 * @param bytes that are allocated; null if unknown
 */
record Workaround(Kind kind, Place place, Long bytes) {

    enum Kind {
        /** A field whose type is a ThreadLocal of an arena, allocator or segment, or of a class with a field of that type. */
        THREAD_LOCAL("kept in a ThreadLocal"),
        /** Neither the arena nor its segments leave the method and those that it calls. */
        AUTO("ofAuto in one method"),
        /** The same; and it is closed there. */
        SHARED("ofShared in one method"),
        /** A segment that is stored as it is allocated, and read by a method that writes memory or calls native code. */
        SCRATCH("scratch segment in a field");

        final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    private static final Pattern THREAD_LOCAL_OF = Pattern.compile("L[\\w/$]*ThreadLocal<L([\\w/$]+)(<.*)?;>;");
    private static final Pattern MEMORY = Pattern.compile("L?java/lang/foreign/(Arena|SegmentAllocator|MemorySegment);?");
    private static final Pattern WRITES = Pattern.compile("java/lang/invoke/MethodHandle\\.invoke(Exact)?"
            + "|java/lang/invoke/VarHandle\\.set|java/lang/foreign/MemorySegment\\.(set.*|copy.*|fill)");

    static Stream<Workaround> threadLocals(ClassNode type, Program program) {
        return type.fields.stream().filter(field -> field.signature != null && keepsMemory(field.signature, program))
                .map(field -> new Workaround(Kind.THREAD_LOCAL, new Place(type.name.replace('/', '.'), field.name, 0), null));
    }

    private static boolean keepsMemory(String type, Program program) {
        Matcher of = THREAD_LOCAL_OF.matcher(type);
        return of.matches() && (isMemory(of.group(1)) || program.find(of.group(1)).stream()
                .flatMap(value -> value.fields.stream())
                .anyMatch(field -> (field.access & Opcodes.ACC_STATIC) == 0 && isMemory(field.desc)));
    }

    private static boolean isMemory(String type) {
        return MEMORY.matcher(type).matches();
    }

    /** {@return the scratch segments that the code allocates for fields of its class} */
    static Stream<Workaround> scratch(ClassNode type, Code code, Program program) {
        Map<AbstractInsnNode, String> fields = new HashMap<>();
        List<AbstractInsnNode> instructions = code.instructions().toList();
        for (int i = 1; i < instructions.size(); i++) {
            if (isSegment(instructions.get(i), Opcodes.PUTFIELD, type) && instructions.get(i - 1) instanceof MethodInsnNode call
                    && isMemory(call.owner) && call.name.equals("allocate")) {
                fields.put(call, ((FieldInsnNode) instructions.get(i)).name);
            }
        }
        fields.values().removeIf(field -> !isScratch(type, field));
        Map<AbstractInsnNode, Allocation> all = fields.isEmpty() ? Map.of() : program.interpret(code, null).allocations;
        return all.entrySet().stream().filter(entry -> fields.containsKey(entry.getKey())).map(entry -> {
            Place place = entry.getValue().place();
            return new Workaround(Kind.SCRATCH, new Place(place.type(), fields.get(entry.getKey()), place.line()),
                    entry.getValue().bytes());
        });
    }

    /** {@return whether the instruction is this or its static counterpart, for a segment in a field of the class} */
    private static boolean isSegment(AbstractInsnNode instruction, int opcode, ClassNode type) {
        return instruction instanceof FieldInsnNode field && field.owner.equals(type.name)
                && field.desc.equals("Ljava/lang/foreign/MemorySegment;")
                && (field.getOpcode() == opcode || field.getOpcode() == opcode - Opcodes.GETFIELD + Opcodes.GETSTATIC);
    }

    private static boolean isScratch(ClassNode type, String field) {
        return type.methods.stream().filter(method -> !method.name.startsWith("<")).map(method -> new Code(type.name, method))
                .anyMatch(code -> code.instructions().anyMatch(i -> isSegment(i, Opcodes.GETFIELD, type)
                                && ((FieldInsnNode) i).name.equals(field))
                        && code.instructions().anyMatch(i -> i instanceof MethodInsnNode call
                                && WRITES.matcher(call.owner + "." + call.name).matches()));
    }

    /** {@return what is opened with {@code method}, if it is used in one method alone} */
    static Optional<Workaround> ofArena(String method, Summary summary, Opening opening) {
        boolean isAuto = method.equals("ofAuto");
        boolean isAlone = summary.escapes.isEmpty() && !opening.allocations().isEmpty();
        return isAlone && (isAuto || summary.closes())
                ? Optional.of(new Workaround(isAuto ? Kind.AUTO : Kind.SHARED, opening.place(), opening.mostBytes()))
                : Optional.empty();
    }
}
