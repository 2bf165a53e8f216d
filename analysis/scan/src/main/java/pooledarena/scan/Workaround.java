/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import pooledarena.scan.Opening.Place;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A place that avoids the cost of a confined arena for each use, by keeping memory or leaving it to the garbage collector.
 * Whether a confined arena would do is for its author to say.
 *
 * @param bytes that are allocated; null if unknown
 */
@JsonPropertyOrder({"kind", "place", "bytes"})
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

    static List<Workaround> threadLocals(ClassNode type, Program program) {
        return type.fields.stream().filter(field -> field.signature != null)
                .filter(field -> {
                    Matcher of = THREAD_LOCAL_OF.matcher(field.signature);
                    return of.matches() && (isMemory(of.group(1)) || program.find(of.group(1)).stream()
                            .flatMap(value -> value.fields.stream()).anyMatch(Workaround::isMemoryOfObject));
                })
                .map(field -> new Workaround(Kind.THREAD_LOCAL, new Place(type.name.replace('/', '.'), field.name, 0), null))
                .toList();
    }

    private static boolean isMemory(String type) {
        return MEMORY.matcher(type).matches();
    }

    private static boolean isMemoryOfObject(FieldNode field) {
        return (field.access & Opcodes.ACC_STATIC) == 0 && isMemory(field.desc);
    }

    /** {@return the fields of a class that keep a scratch segment, by the calls that allocate it} */
    static Map<AbstractInsnNode, String> scratch(ClassNode type) {
        Map<AbstractInsnNode, String> fields = new HashMap<>();
        type.methods.forEach(method -> instructions(method)
                .filter(i -> i.getOpcode() == Opcodes.PUTFIELD || i.getOpcode() == Opcodes.PUTSTATIC)
                .filter(i -> isSegment(type, (FieldInsnNode) i))
                .forEach(i -> allocation(i).filter(_ -> isScratch(type, ((FieldInsnNode) i).name))
                        .ifPresent(call -> fields.put(call, ((FieldInsnNode) i).name))));
        return fields;
    }

    private static Stream<AbstractInsnNode> instructions(MethodNode method) {
        return StreamSupport.stream(method.instructions.spliterator(), false);
    }

    private static boolean isSegment(ClassNode type, FieldInsnNode field) {
        return field.owner.equals(type.name) && field.desc.equals("Ljava/lang/foreign/MemorySegment;");
    }

    /** {@return the instruction before, if it allocates what is not filled at once} */
    private static Optional<AbstractInsnNode> allocation(AbstractInsnNode instruction) {
        AbstractInsnNode before = instruction.getPrevious();
        while (before != null && before.getOpcode() < 0) {
            before = before.getPrevious();
        }
        return Optional.ofNullable(before).filter(
                i -> i instanceof MethodInsnNode call && isMemory(call.owner) && call.name.equals("allocate"));
    }

    private static boolean isScratch(ClassNode type, String field) {
        return type.methods.stream().filter(method -> !method.name.startsWith("<")).anyMatch(method ->
                instructions(method).anyMatch(i -> (i.getOpcode() == Opcodes.GETFIELD || i.getOpcode() == Opcodes.GETSTATIC)
                        && isSegment(type, (FieldInsnNode) i) && ((FieldInsnNode) i).name.equals(field))
                && instructions(method).anyMatch(i -> i instanceof MethodInsnNode call && writes(call.owner + "." + call.name)));
    }

    private static boolean writes(String method) {
        return method.matches("java/lang/invoke/MethodHandle\\.invoke(Exact)?|java/lang/invoke/VarHandle\\.set"
                + "|java/lang/foreign/MemorySegment\\.(set.*|copy.*|fill)");
    }

    /** {@return what is opened with {@code method} at {@code opening}, if it is used in the method alone} */
    static Optional<Workaround> ofArena(String method, Uses uses, Opening opening) {
        boolean alone = uses.escapes.isEmpty() && uses.lifetimes.isEmpty()
                && !opening.allocations().isEmpty();
        boolean closed = uses.closed && (uses.atReturn & State.OPEN) == 0;
        return alone && (method.equals("ofAuto") || closed)
                ? Optional.of(new Workaround(method.equals("ofAuto") ? Kind.AUTO : Kind.SHARED, opening.place(), opening.mostBytes()))
                : Optional.empty();
    }
}
