/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.Type;
import pooledarena.scan.Opening.Place;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A place that allocates from an arena. What is null is unknown, or not a constant.
 *
 * @param place    in another method than the opening, if the arena was passed there
 * @param layout   null also if there is none
 * @param repeated whether one arena may come here more than once
 */
record Allocation(String method, Place place, Long bytes, Long alignment, String layout, boolean repeated) {

    /** The {@code method} of a native function's call that returns a struct. */
    static final String DOWNCALL = "downcall";

    /** The {@code layout} of a string. */
    static final String STRING = "string";

    /** {@return what is allocated, if its size is not constant} */
    String kind() {
        return STRING.equals(layout) ? "strings"
                : method.equals(DOWNCALL) ? "structs returned by native functions"
                : layout != null ? "arrays" : "other computed sizes";
    }

    /** {@return {@code count} elements of the layout; null is unknown} */
    static Allocation of(String method, Place place, Value layout, Long count) {
        return layout instanceof Value.Constant(MemoryLayout known, String field)
                ? new Allocation(method, place, count == null ? null : known.byteSize() * count, known.byteAlignment(),
                        ConstantFolding.describe(known, field), false)
                : new Allocation(method, place, null, null, null, false);
    }

    /** {@return what an allocator allocates when the method is called with the arguments; the first is the allocator} */
    static Allocation of(String method, String descriptor, List<Value> arguments, Place place) {
        Type[] types = Type.getArgumentTypes(descriptor);
        Value first = types.length == 0 ? Value.UNKNOWN : arguments.get(1);
        Value second = types.length < 2 ? null : arguments.get(2);
        return switch (types.length == 0 ? "" : types[0].getClassName()) {
            case "long" -> new Allocation(method, place, Value.number(first), second == null ? (Long) 1L : Value.number(second),
                    null, false);
            case "java.lang.String" -> new Allocation(method, place,
                    types.length > 2 ? null : bytes(first, second == null ? Value.constant(UTF_8) : second), 1L, STRING, false);
            case String type when !ConstantFolding.isLayout(first) -> of(method, place,
                    ConstantFolding.ofType(type).orElse(Value.UNKNOWN), count(method, types, arguments.getLast()));
            default -> of(method, place, first, count(method, types, arguments.getLast()));
        };
    }

    /** {@return how many elements are allocated: as many as the last argument says or has, or one} */
    private static Long count(String method, Type[] types, Value last) {
        return types.length < 2 ? (Long) 1L : switch (types[types.length - 1].getSort()) {
            case Type.ARRAY -> last instanceof Value.Array array ? (Long) (long) array.length() : null;
            case Type.LONG -> method.equals("allocateFrom") && types.length == 2 ? (Long) 1L : Value.number(last);
            default -> (Long) 1L;
        };
    }

    /** A string is allocated with a terminator, of as many bytes as the smallest character of its character set. */
    private static Long bytes(Value string, Value charset) {
        return string instanceof Value.Constant(String text, _) && charset instanceof Value.Constant(Charset set, _)
                ? (Long) (long) (text + "\0").getBytes(set).length : null;
    }

    /** {@return what is known when one place is reached on two paths} */
    static Allocation join(Allocation a, Allocation b) {
        return new Allocation(a.method, a.place, same(a.bytes, b.bytes), same(a.alignment, b.alignment),
                same(a.layout, b.layout), a.repeated || b.repeated);
    }

    private static <T> T same(T a, T b) {
        return Objects.equals(a, b) ? a : null;
    }

    Allocation again() {
        return new Allocation(method, place, bytes, alignment, layout, true);
    }
}
