/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import java.util.ArrayList;
import java.util.List;

/** What is known of a value on the stack, in a local variable or in a field. Immutable; equal values are the same value. */
sealed interface Value extends org.objectweb.asm.tree.analysis.Value {

    Value UNKNOWN = new Unknown(1);
    Value UNKNOWN_WIDE = new Unknown(2);
    Value NULL = new Null();
    Value NOT_ZERO = new NotZero();
    Instance THIS = new Instance(-1);

    @Override
    default int getSize() {
        return 1;
    }

    record Unknown(int getSize) implements Value {}

    record Null() implements Value {}

    /** A number that is not zero, or a reference that is not null. */
    record NotZero() implements Value {}

    /**
     * A constant: an {@code Integer} (also for {@code boolean} and the smaller types), {@code Long}, {@code String}, or an
     * object of the JDK that {@link ConstantFolding} made.
     *
     * @param name of the static field that it was read from, null if there is none
     */
    record Constant(Object value, String name) implements Value {

        @Override
        public int getSize() {
            return value instanceof Long ? 2 : 1;
        }
    }

    /** A function descriptor, or a handle linked with it; {@code result} is the layout returned, null if none is. */
    record Function(Value result) implements Value {}

    /**
     * An array of known length.
     *
     * @param origin   the instruction that creates it; references to one array have one origin
     * @param elements what is in it; null if that is not followed
     */
    record Array(int origin, int length, List<Value> elements) implements Value {}

    /** An object whose fields are followed: {@code this} and other arguments, below 0, or made by the instruction {@code id}. */
    record Instance(int id) implements Value {}

    /**
     * The arena that is followed, or an allocator that does nothing but allocate from it.
     *
     * @param mayBeNull  whether it may as well be null
     * @param mayBeOther whether it may as well be something else, as another arena of the same place
     * @param confined   whether it is a confined one; the segments of others are followed too
     */
    record Arena(boolean mayBeNull, boolean mayBeOther, boolean confined) implements Value {}

    /** A segment of the arena, if that is not confined, or what refers to such a segment. */
    record Segment() implements Value {}

    static Value unknown(int size) {
        return size == 2 ? UNKNOWN_WIDE : UNKNOWN;
    }

    static Value constant(Object value) {
        return new Constant(value, null);
    }

    /** {@return the value of an integral constant; null if it is none} */
    static Long number(Value value) {
        return value instanceof Constant(Number number, _) ? (Long) number.longValue() : null;
    }

    /** {@return what is known of a value that is {@code a} or {@code b}} */
    static Value join(Value a, Value b) {
        if (a.equals(b)) {
            return a;
        }
        if (a instanceof Arena || b instanceof Arena) {
            Arena arena = a instanceof Arena x ? x : (Arena) b;
            return switch (a.equals(arena) ? b : a) {
                case Arena y -> new Arena(arena.mayBeNull || y.mayBeNull, arena.mayBeOther || y.mayBeOther, arena.confined);
                case Null _ -> new Arena(true, arena.mayBeOther, arena.confined);
                default -> new Arena(arena.mayBeNull, true, arena.confined);
            };
        }
        if (a instanceof Segment || b instanceof Segment) {
            return new Segment();
        }
        if (a instanceof Array x && b instanceof Array y && x.origin == y.origin && x.length == y.length) {
            return new Array(x.origin, x.length, x.elements == null || y.elements == null ? null : joinAll(x.elements, y.elements));
        }
        return ConstantFolding.joinLayouts(a, b).orElse(unknown(Math.max(a.getSize(), b.getSize())));
    }

    private static List<Value> joinAll(List<Value> a, List<Value> b) {
        List<Value> joined = new ArrayList<>();
        for (int i = 0; i < a.size(); i++) {
            joined.add(join(a.get(i), b.get(i)));
        }
        return List.copyOf(joined);
    }
}
