/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */
package pooledarena.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is known of a value while a method is interpreted without running it. A value of which nothing is known is one of
 * {@link #UNKNOWN} and {@link #UNKNOWN_WIDE}. Immutable; equal values are known to be the same.
 */
sealed interface Value {

    Value UNKNOWN = new Unknown(false);
    Value UNKNOWN_WIDE = new Unknown(true);
    Value NULL = new Null();
    Value NOT_ZERO = new NotZero();
    Value SELF = new Self();
    Value CANONICAL_LAYOUTS = new CanonicalLayouts();

    /** {@return whether it is a {@code long} or {@code double}, which count twice where the JVM counts slots} */
    default boolean wide() {
        return false;
    }

    record Unknown(boolean wide) implements Value {}

    record Null() implements Value {}

    /** A number that is not zero, or a reference that is not null. */
    record NotZero() implements Value {}

    /** The object whose method is interpreted. */
    record Self() implements Value {}

    /** An {@code int}, or a smaller type or {@code boolean}; or, if wide, a {@code long}. */
    record Number(long value, boolean wide) implements Value {}

    record Text(String value) implements Value {}

    /** A character set; {@code name} is that of its constant in {@code StandardCharsets}. */
    record Charset(String name) implements Value {}

    /**
     * A memory layout.
     *
     * @param bytes     its size
     * @param alignment in bytes
     * @param name      where it comes from: a constant's name, or how it was composed
     */
    record Layout(long bytes, long alignment, String name) implements Value {

        Layout named(String newName) {
            return new Layout(bytes, alignment, newName);
        }
    }

    /** The map that {@code Linker.canonicalLayouts} returns. */
    record CanonicalLayouts() implements Value {}

    /** A function descriptor, or a handle linked with it; {@code result} is the layout returned, null if none is. */
    record Function(Value result) implements Value {}

    /**
     * An array of known length.
     *
     * @param origin   the instruction that creates it; references to one array have one origin
     * @param elements what is in it; null if that is not followed
     */
    record Array(int origin, int length, List<Value> elements) implements Value {

        /** The longest array whose elements are followed. */
        static final int FOLLOWED = 1024;
    }

    /**
     * A confined arena, or an allocator that does nothing but allocate from it.
     *
     * @param sites      the places where it was opened, more than one if it may be any of them
     * @param mayBeNull  whether it may as well be null
     * @param mayBeOther whether it may as well be something else
     */
    record Arena(Set<Integer> sites, boolean mayBeNull, boolean mayBeOther) implements Value {

        static Arena of(int site) {
            return new Arena(Set.of(site), false, false);
        }

        /** {@return whether it is the arena opened last at one place, if it is any} */
        boolean isExact() {
            return !mayBeOther && sites.size() == 1;
        }
    }

    static Value unknown(boolean wide) {
        return wide ? UNKNOWN_WIDE : UNKNOWN;
    }

    /** {@return what is known of a value that is {@code a} or {@code b}} */
    static Value join(Value a, Value b) {
        if (a.equals(b)) {
            return a;
        }
        if (a instanceof Arena || b instanceof Arena) {
            Set<Integer> sites = new TreeSet<>();
            boolean mayBeNull = false;
            boolean mayBeOther = false;
            for (Value value : List.of(a, b)) {
                if (value instanceof Arena arena) {
                    sites.addAll(arena.sites());
                    mayBeNull |= arena.mayBeNull();
                    mayBeOther |= arena.mayBeOther();
                } else {
                    mayBeNull |= value instanceof Null;
                    mayBeOther |= !(value instanceof Null);
                }
            }
            return new Arena(Set.copyOf(sites), mayBeNull, mayBeOther);
        }
        if (a instanceof Layout x && b instanceof Layout y && x.bytes() == y.bytes()) {
            return new Layout(x.bytes(), Math.max(x.alignment(), y.alignment()), x.name());
        }
        if (a instanceof Array x && b instanceof Array y && x.origin() == y.origin() && x.length() == y.length()) {
            return new Array(x.origin(), x.length(), joinAll(x.elements(), y.elements()));
        }
        return unknown(a.wide() || b.wide());
    }

    private static List<Value> joinAll(List<Value> a, List<Value> b) {
        if (a == null || b == null) {
            return null;
        }
        List<Value> joined = new ArrayList<>(a.size());
        for (int i = 0; i < a.size(); i++) {
            joined.add(join(a.get(i), b.get(i)));
        }
        return List.copyOf(joined);
    }
}
