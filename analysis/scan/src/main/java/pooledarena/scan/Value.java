/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;

/** What is known of a value on the stack, in a local variable or in a field. Immutable; equal values are the same value. */
sealed interface Value extends org.objectweb.asm.tree.analysis.Value {

    Value UNKNOWN = new Unknown(1);
    /** Also null: nothing takes either. */
    Value ZERO = new Constant(0);
    Value NOT_ZERO = new NotZero(false);
    /** The object of a method that no call leads to; others have it. */
    Value THIS = new NotZero(true);

    @Override
    default int getSize() {
        return 1;
    }

    record Unknown(int getSize) implements Value {}

    /** A number that is not zero, or a reference that is not null. */
    record NotZero(boolean isThis) implements Value {}

    /**
     * A constant: an {@code Integer} (also for {@code boolean} and the smaller types), what else a class file has, or
     * an object of the JDK that {@link ConstantFolding} made.
     */
    record Constant(Object value) implements Value {

        @Override
        public int getSize() {
            return value instanceof Long || value instanceof Double ? 2 : 1;
        }
    }

    /**
     * An array; references to one have the same {@code origin}, the instruction that creates it.
     *
     * @param layouts the elements that are known, by their indexes; nothing but layouts is looked for in arrays
     */
    record Array(AbstractInsnNode origin, int length, Map<Value, Value> layouts) implements Value {

        Array unknown() {
            return new Array(origin, length, Map.of());
        }

        Array with(Value index, Value element) {
            if (!(index instanceof Constant && element instanceof Constant(MemoryLayout _))) {
                return unknown(); // any of them may have changed
            }
            Map<Value, Value> changed = new HashMap<>(layouts);
            changed.put(index, element);
            return new Array(origin, length, changed);
        }
    }

    /** An object that the instruction {@code origin} makes, as long as it has no arena and nobody else has it. */
    record Instance(AbstractInsnNode origin) implements Value {}

    /**
     * The arena that is followed, or an object made to keep it, or an allocator that does nothing but allocate from it;
     * or a segment, if it is not confined.
     *
     * @param mayBeNull  whether it may as well be null or something else
     * @param mayBeOther whether it may as well be something else, as another arena of the same call site
     */
    record Arena(boolean mayBeNull, boolean mayBeOther, boolean confined) implements Value {}

    static List<Value> unknown(Type... types) {
        return Stream.of(types).<Value>map(type -> new Unknown(type.getSize())).toList();
    }

    /** {@return the value of an integral constant; null if it is none} */
    static Long number(Value value) {
        return value instanceof Constant(Number number) ? (Long) number.longValue() : null;
    }

    /** {@return what is known of this if it is zero or null, or if it is not; null if that cannot be} */
    default Value assume(boolean isZero) {
        return switch (this) {
            case Unknown _ -> isZero ? ZERO : NOT_ZERO;
            case Arena arena when arena.mayBeNull -> this;
            default -> isZero == equals(ZERO) ? this : null;
        };
    }

    /** {@return what is known of a value that is {@code a} or {@code b}; null is none} */
    static Value join(Value a, Value b) {
        return switch (a) {
            case null -> b;
            case Value _ when a.equals(b) -> a;
            case Arena x when b instanceof Arena y ->
                    new Arena(x.mayBeNull || y.mayBeNull, x.mayBeOther || y.mayBeOther, x.confined);
            case Arena x -> new Arena(true, x.mayBeOther || !b.equals(ZERO), x.confined);
            case Value _ when b instanceof Arena -> join(b, a);
            default -> new Unknown(Math.max(a.getSize(), b.getSize()));
        };
    }
}
