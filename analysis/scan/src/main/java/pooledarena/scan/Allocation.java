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

    /**
     * {@return what an allocator allocates when the method is called} The names are those of Java 22 and later, and of the
     * preview in Java 21.
     *
     * @param arguments without the receiver
     */
    static Allocation of(String method, String descriptor, List<Value> arguments, Place place) {
        Type[] types = Type.getArgumentTypes(descriptor);
        Value first = arguments.isEmpty() ? Value.UNKNOWN : arguments.getFirst();
        Value second = arguments.size() > 1 ? arguments.get(1) : null;
        if (types.length > 0 && types[0] == Type.LONG_TYPE) {
            Long alignment = second == null ? (Long) 1L : Value.number(second);
            return new Allocation(method, place, Value.number(first), alignment, null, false);
        }
        if (types.length > 0 && types[0].getClassName().equals("java.lang.String")) {
            Value charset = arguments.size() > 2 ? Value.UNKNOWN : second == null ? Value.constant(UTF_8) : second;
            return new Allocation(method, place, bytes(first, charset), 1L, STRING, false);
        }
        if (arguments.size() < 2) {
            return of(method, place, layout(first, types), 1L);
        }
        boolean isCount = types[1] == Type.LONG_TYPE && !method.equals("allocateFrom")
                && !types[0].getInternalName().endsWith("$OfLong");
        // Three are a segment, a layout and an offset there, and the last is the count.
        return of(method, place, layout(first, types), arguments.size() > 2 ? Value.number(arguments.getLast())
                : isCount ? Value.number(second)
                : types[1].getSort() != Type.ARRAY ? (Long) 1L
                : second instanceof Value.Array array ? (Long) (long) array.length() : null);
    }

    private static Value layout(Value value, Type[] types) {
        return ConstantFolding.isLayout(value) || types.length == 0 ? value
                : ConstantFolding.ofType(types[0].getInternalName()).orElse(Value.UNKNOWN);
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
