/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.*;
import pooledarena.scan.Opening.ClosingPaths;

/**
 * A call site or a field that avoids the cost of a confined arena for each use, by keeping memory or leaving it to the garbage
 * collector. Whether a confined arena would do is for its author to say.
 *
 * @param bytes that are allocated; null if unknown
 */
record Workaround(String kind, String site, Long bytes) {

    static final String THREAD_LOCAL = "kept in a ThreadLocal";
    static final String SCRATCH = "scratch segment in a field";

    private static final Pattern THREAD_LOCAL_OF = Pattern.compile("L[\\w/$]*ThreadLocal<L([\\w/$]+)(<.*)?;>;");
    private static final Pattern MEMORY = Pattern.compile("L?java/lang/foreign/(Arena|SegmentAllocator|MemorySegment);?");
    private static final Pattern WRITES = Pattern.compile("java/lang/invoke/MethodHandle\\.invoke(Exact)?"
            + "|java/lang/invoke/VarHandle\\.set|java/lang/foreign/MemorySegment\\.(set.*|copy.*|fill)");

    /** {@return the fields that are a ThreadLocal of an arena, allocator or segment, or of a class with a field of that type} */
    static Stream<Workaround> threadLocals(ClassNode type, Program program) {
        return type.fields.stream().filter(field -> field.signature != null && keepsMemory(field.signature, program))
                .map(field -> new Workaround(THREAD_LOCAL, site(type, field.name), null));
    }

    private static String site(ClassNode type, String field) {
        return type.name.replace('/', '.') + "." + field;
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

    /** {@return the segments that are stored as they are allocated, and read by code that writes memory or calls native code} */
    static Stream<Workaround> scratch(ClassNode type, Code code, Program program) {
        return segments(code, true).filter(put -> Code.before(put) instanceof MethodInsnNode call && isMemory(call.owner)
                        && call.name.equals("allocate") && isScratch(type, put.name))
                .flatMap(put -> Stream.ofNullable(program.interpret(code, null).calls.get(Code.before(put)))
                        .map(all -> new Workaround(SCRATCH, site(type, put.name), all.bytes())));
    }

    /** {@return the instructions that store a segment in a field of the same class, or those that read one} */
    private static Stream<FieldInsnNode> segments(Code code, boolean store) {
        return code.instructions(FieldInsnNode.class).filter(field ->
                store == (field.getOpcode() == Opcodes.PUTFIELD || field.getOpcode() == Opcodes.PUTSTATIC)
                && field.owner.equals(code.owner()) && field.desc.equals("Ljava/lang/foreign/MemorySegment;"));
    }

    private static boolean isScratch(ClassNode type, String field) {
        return type.methods.stream().filter(method -> !method.name.startsWith("<")).map(method -> new Code(type.name, method))
                .anyMatch(code -> segments(code, false).anyMatch(get -> get.name.equals(field))
                        && code.instructions(MethodInsnNode.class)
                                .anyMatch(call -> WRITES.matcher(call.owner + "." + call.name).matches()));
    }

    /**
     * {@return what is opened with {@code method}, if neither the arena nor its segments leave the method and those that it
     * calls; and if it is closed there, unless the garbage collector does that}
     */
    static Optional<Workaround> ofArena(String method, Opening opening) {
        boolean isAlone = opening.escapes().isEmpty() && !opening.allocations().isEmpty();
        return isAlone && (method.equals("ofAuto") || opening.closing() != ClosingPaths.LEAKS)
                ? Optional.of(new Workaround(method + " in one method", opening.site(), opening.mostBytes()))
                : Optional.empty();
    }
}
