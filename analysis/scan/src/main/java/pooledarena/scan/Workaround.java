/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.*;
import pooledarena.scan.Opening.Closing;

/**
 * A place that avoids the cost of a confined arena for each use, by keeping memory or leaving it to the garbage collector.
 * Whether a confined arena would do is for its author to say.
 *
 * @param kind  how it does that
 * @param bytes that are allocated; null if unknown
 */
record Workaround(String kind, String place, Long bytes) {

    static final String THREAD_LOCAL = "kept in a ThreadLocal";
    static final String IN_ONE_METHOD = " in one method";
    static final String SCRATCH = "scratch segment in a field";

    private static final Pattern THREAD_LOCAL_OF = Pattern.compile("L[\\w/$]*ThreadLocal<L([\\w/$]+)(<.*)?;>;");
    private static final Pattern MEMORY = Pattern.compile("L?java/lang/foreign/(Arena|SegmentAllocator|MemorySegment);?");
    private static final Pattern WRITES = Pattern.compile("java/lang/invoke/MethodHandle\\.invoke(Exact)?"
            + "|java/lang/invoke/VarHandle\\.set|java/lang/foreign/MemorySegment\\.(set.*|copy.*|fill)");

    private static final Set<Integer> GET = Set.of(Opcodes.GETFIELD, Opcodes.GETSTATIC);
    private static final Set<Integer> PUT = Set.of(Opcodes.PUTFIELD, Opcodes.PUTSTATIC);

    /** {@return the fields that are a ThreadLocal of an arena, allocator or segment, or of a class with a field of that type} */
    static Stream<Workaround> threadLocals(ClassNode type, Program program) {
        return type.fields.stream().filter(field -> field.signature != null && keepsMemory(field.signature, program))
                .map(field -> new Workaround(THREAD_LOCAL, place(type, field.name), null));
    }

    private static String place(ClassNode type, String field) {
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
        return code.instructions().filter(put -> isSegment(put, PUT, type)
                        && Code.before(put) instanceof MethodInsnNode call && isMemory(call.owner)
                        && call.name.equals("allocate") && isScratch(type, ((FieldInsnNode) put).name))
                .flatMap(put -> Stream.ofNullable(program.interpret(code, null).calls.get(Code.before(put)))
                        .map(all -> new Workaround(SCRATCH, place(type, ((FieldInsnNode) put).name), all.bytes())));
    }

    /** {@return whether the instruction gets or puts a segment that is in a field of the class} */
    private static boolean isSegment(AbstractInsnNode instruction, Set<Integer> opcodes, ClassNode type) {
        return instruction instanceof FieldInsnNode field && field.owner.equals(type.name)
                && field.desc.equals("Ljava/lang/foreign/MemorySegment;") && opcodes.contains(field.getOpcode());
    }

    private static boolean isScratch(ClassNode type, String field) {
        return type.methods.stream().filter(method -> !method.name.startsWith("<")).map(method -> new Code(type.name, method))
                .anyMatch(code -> code.instructions().anyMatch(get -> isSegment(get, GET, type)
                                && ((FieldInsnNode) get).name.equals(field))
                        && code.instructions().anyMatch(write -> write instanceof MethodInsnNode call
                                && WRITES.matcher(call.owner + "." + call.name).matches()));
    }

    /**
     * {@return what is opened with {@code method}, if neither the arena nor its segments leave the method and those that it
     * calls; and if it is closed there, unless the garbage collector does that}
     */
    static Optional<Workaround> ofArena(String method, Opening opening) {
        boolean isAlone = opening.escapes().isEmpty() && !opening.allocations().isEmpty();
        return isAlone && (method.equals("ofAuto") || opening.closing() != Closing.LEAKS)
                ? Optional.of(new Workaround(method + IN_ONE_METHOD, opening.place(), opening.mostBytes()))
                : Optional.empty();
    }
}
