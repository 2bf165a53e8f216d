/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Type;

import java.lang.foreign.MemoryLayout;
import java.nio.charset.Charset;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * How much a call allocates.
 *
 * @param bytes     null if that is not a known constant
 * @param alignment in bytes; null if unknown
 * @param layout    what is allocated; null if there is no layout or it is unknown
 */
record Amount(Long bytes, Long alignment, String layout) {

    static final String STRING = "string";
    static final Amount UNKNOWN = new Amount(null, null, null);

    /** {@return {@code count} elements of the layout; null is unknown} */
    static Amount of(Value layout, Long count) {
        return layout instanceof Value.Constant(MemoryLayout known, String field)
                ? new Amount(count == null ? null : known.byteSize() * count, known.byteAlignment(),
                        ConstantFolding.describe(known, field))
                : UNKNOWN;
    }

    /**
     * {@return what an allocator allocates when the method is called} The names are those of Java 22 and later, and of the
     * preview in Java 21.
     *
     * @param arguments without the receiver
     */
    static Amount of(String method, String descriptor, List<Value> arguments) {
        if (arguments.isEmpty()) {
            return UNKNOWN;
        }
        Type[] types = Type.getArgumentTypes(descriptor);
        Value first = arguments.getFirst();
        Value second = arguments.size() > 1 ? arguments.get(1) : null;
        if (types[0] == Type.LONG_TYPE) {
            return new Amount(Value.number(first), second == null ? (Long) 1L : Value.number(second), null);
        }
        if (types[0].getClassName().equals("java.lang.String")) {
            return string(first, second == null ? Value.constant(UTF_8) : arguments.size() == 2 ? second : Value.UNKNOWN);
        }
        Value layout = ConstantFolding.isLayout(first) ? first
                : ConstantFolding.ofType(types[0].getInternalName()).orElse(Value.UNKNOWN);
        boolean isElement = second == null || types[1].getSort() != Type.ARRAY
                && (types[1] != Type.LONG_TYPE || method.equals("allocateFrom") || types[0].getInternalName().endsWith("$OfLong"));
        return of(layout, arguments.size() > 2 ? Value.number(arguments.getLast()) // from a segment: its layout, an offset, the count
                : isElement ? (Long) 1L
                : second instanceof Value.Array array ? (Long) (long) array.length() : Value.number(second));
    }

    /** A string is allocated with a terminator, of as many bytes as the smallest character of its character set. */
    private static Amount string(Value value, Value charset) {
        if (!(value instanceof Value.Constant(String text, _)) || !(charset instanceof Value.Constant(Charset set, _))) {
            return new Amount(null, 1L, STRING);
        }
        int terminator = set.name().startsWith("UTF-32") ? 4 : set.name().startsWith("UTF-16") ? 2 : 1;
        return new Amount((long) text.getBytes(set).length + terminator, 1L, STRING);
    }
}
