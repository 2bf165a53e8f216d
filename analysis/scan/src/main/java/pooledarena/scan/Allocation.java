/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * A call site that allocates from an arena. What is null is unknown, or not a constant.
 *
 * @param site    in another method than the opening, if the arena was passed there
 * @param layout   its name, or what it consists of; null also if there is none
 * @param repeated whether one arena may come here more than once
 */
record Allocation(String method, String site, Long bytes, String layout, boolean repeated) {

    /** The {@code method} of a native function's call that returns a struct. */
    static final String DOWNCALL = "downcall";

    /** The {@code layout} of a string. */
    static final String STRING = "string";

    String kind() {
        return bytes != null ? "a constant size"
                : STRING.equals(layout) ? "strings"
                : method.equals(DOWNCALL) ? "structs returned by native functions"
                : layout != null ? "arrays" : "other computed sizes";
    }

    /** {@return {@code count} elements of the layout; null is unknown} */
    static Allocation of(String method, String site, Value layout, Long count) {
        return layout instanceof Value.Constant(MemoryLayout known)
                ? new Allocation(method, site, count == null ? null : bytes(known.byteSize(), count),
                        known.name().orElseGet(known::toString), false)
                : new Allocation(method, site, null, null, false);
    }

    /** {@return what an allocator allocates when it is called with the arguments; the first is the allocator} */
    static Allocation of(MethodInsnNode call, List<Value> arguments, String site) {
        Type[] types = Type.getArgumentTypes(call.desc);
        Value first = arguments.get(1);
        return switch (types[0].getClassName()) {
            case "long" -> new Allocation(call.name, site, Value.number(first) instanceof Long size ? bytes(size, 1) : null, null, false);
            case "java.lang.String" -> new Allocation(call.name, site, bytes(first, arguments), STRING, false);
            default -> of(call.name, site, first, count(call.name, types, arguments.getLast()));
        };
    }

    /** {@return how many elements are allocated: as many as the last argument says or has, or one} */
    private static Long count(String method, Type[] types, Value last) {
        return switch (types[types.length - 1].getSort()) {
            case Type.ARRAY -> last instanceof Value.Array array ? (Long) (long) array.length() : null;
            case Type.LONG -> method.equals("allocateFrom") && types.length == 2 ? (Long) 1L : Value.number(last);
            default -> (Long) 1L;
        };
    }

    /** {@return the bytes of {@code count} elements; null if there can be no such segment} */
    private static Long bytes(long size, long count) {
        return size < 0 || count < 0 || Math.multiplyHigh(size, count) != 0 || size * count < 0 ? null : (Long) (size * count);
    }

    /** A string is allocated with a terminator, of as many bytes as the smallest character of its character set. */
    private static Long bytes(Value string, List<Value> arguments) {
        Value charset = arguments.size() == 2 ? new Value.Constant(StandardCharsets.UTF_8) : arguments.getLast();
        return string instanceof Value.Constant(String text) && charset instanceof Value.Constant(Charset set)
                ? (Long) (long) (text + "\0").getBytes(set).length : null;
    }

    /** {@return what is known when one call site is reached on two paths} */
    static Allocation join(Allocation a, Allocation b) {
        return new Allocation(a.method, a.site, same(a.bytes, b.bytes), same(a.layout, b.layout), a.repeated || b.repeated);
    }

    private static <T> T same(T a, T b) {
        return Objects.equals(a, b) ? a : null;
    }

    Allocation again() {
        return new Allocation(method, site, bytes, layout, true);
    }
}
