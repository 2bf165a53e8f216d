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

import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.constant.MethodTypeDesc;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is known of the JDK's methods and constants without looking into them. Sizes of C types are those of 64-bit Linux.
 */
final class Api {

    static final String ARENA = "java/lang/foreign/Arena";
    static final String ALLOCATOR = "java/lang/foreign/SegmentAllocator";
    static final String SEGMENT = "java/lang/foreign/MemorySegment";
    private static final String FOREIGN = "java/lang/foreign/";
    private static final String HANDLE = "java/lang/invoke/MethodHandle";

    private static final Map<String, Integer> VALUE_LAYOUTS = Map.of("JAVA_BYTE", 1, "JAVA_BOOLEAN", 1, "JAVA_CHAR", 2,
            "JAVA_SHORT", 2, "JAVA_INT", 4, "JAVA_FLOAT", 4, "JAVA_LONG", 8, "JAVA_DOUBLE", 8, "ADDRESS", 8);

    /** What may be allocated without its layout being known, since the type of the layout tells the size. */
    private static final Map<String, Integer> LAYOUT_TYPES = Map.of("OfByte", 1, "OfBoolean", 1, "OfChar", 2, "OfShort", 2,
            "OfInt", 4, "OfFloat", 4, "OfLong", 8, "OfDouble", 8, "AddressLayout", 8);

    private static final Map<String, Integer> C_TYPES = Map.ofEntries(Map.entry("bool", 1), Map.entry("char", 1),
            Map.entry("short", 2), Map.entry("int", 4), Map.entry("float", 4), Map.entry("long", 8),
            Map.entry("long long", 8), Map.entry("double", 8), Map.entry("void*", 8), Map.entry("size_t", 8),
            Map.entry("wchar_t", 4), Map.entry("int8_t", 1), Map.entry("int16_t", 2), Map.entry("int32_t", 4),
            Map.entry("int64_t", 8));

    private static final Set<String> SAME_SIZE = Set.of("withName", "withoutName", "withOrder", "withTargetLayout",
            "withoutTargetLayout");

    /** Methods that bind something to an arena without allocating it there. */
    private static final Set<String> LIFETIMES = Set.of("java/lang/foreign/MemorySegment.reinterpret",
            "java/lang/foreign/Linker.upcallStub", "java/lang/foreign/SymbolLookup.libraryLookup",
            "java/nio/channels/FileChannel.map");

    /** How much a call allocates; null is unknown. */
    record Amount(Long bytes, Long alignment, String layout) {

        static final Amount UNKNOWN = new Amount(null, null, null);

        static Amount of(Value.Layout layout, long count) {
            return new Amount(layout.bytes() * count, layout.alignment(), layout.name());
        }
    }

    private Api() {}

    static boolean opensConfined(MemberRefEntry method) {
        return method.owner().name().equalsString(ARENA) && method.name().equalsString("ofConfined");
    }

    /** {@return whether the method of an arena tells of it and does nothing with it} */
    static boolean isHarmless(String method) {
        return Set.of("scope", "equals", "hashCode", "toString", "getClass").contains(method);
    }

    static boolean isLifetime(String owner, String method) {
        return LIFETIMES.contains(owner + "." + method);
    }

    /** {@return whether the call checks its first argument for null, or leaves it alone altogether} */
    static boolean isCheck(String owner, String method) {
        return owner.equals("java/util/Objects") && method.startsWith("requireNonNull")
                || owner.equals("kotlin/jvm/internal/Intrinsics") && method.startsWith("check");
    }

    /** {@return whether the call closes its first argument} This is what Kotlin's {@code use} ends with. */
    static boolean closesArgument(String owner, String method) {
        return owner.equals("kotlin/jdk7/AutoCloseableKt") && method.equals("closeFinally")
                || owner.equals("kotlin/AutoCloseableKt") && method.equals("closeFinally")
                || owner.equals("kotlin/io/CloseableKt") && method.equals("closeFinally");
    }

    static boolean isDowncall(String owner, String method) {
        return owner.equals(HANDLE) && (method.equals("invokeExact") || method.equals("invoke"));
    }

    static Value constant(String owner, String name) {
        if (owner.equals("java/lang/foreign/ValueLayout")) {
            boolean unaligned = name.endsWith("_UNALIGNED");
            Integer bytes = VALUE_LAYOUTS.get(unaligned ? name.substring(0, name.length() - "_UNALIGNED".length()) : name);
            return bytes == null ? null : new Value.Layout(bytes, unaligned ? 1 : bytes, name);
        }
        if (owner.equals("java/nio/charset/StandardCharsets") || owner.equals("kotlin/text/Charsets")) {
            return new Value.Charset(name);
        }
        return null;
    }

    static boolean isConstantName(String name) {
        return VALUE_LAYOUTS.containsKey(name.replace("_UNALIGNED", ""));
    }

    /** {@return what a call returns that has no effect, null if it is not one that is known} The receiver comes first. */
    static Value call(String owner, String method, List<Value> arguments) {
        if (owner.startsWith(FOREIGN)) {
            return foreign(owner.substring(FOREIGN.length()), method, arguments);
        }
        return switch (owner + "." + method) {
            case "java/util/Map.get" -> arguments.get(0).equals(Value.CANONICAL_LAYOUTS)
                    && arguments.get(1) instanceof Value.Text type && C_TYPES.containsKey(type.value())
                    ? value(C_TYPES.get(type.value()), type.value()) : null;
            case "java/lang/String.length" -> arguments.get(0) instanceof Value.Text text
                    ? new Value.Number(text.value().length(), false) : null;
            case "java/lang/Math.toIntExact" -> arguments.get(0) instanceof Value.Number number
                    ? new Value.Number((int) number.value(), false) : null;
            case "java/lang/Math.multiplyExact" -> arguments.get(0) instanceof Value.Number a
                    && arguments.get(1) instanceof Value.Number b && a.wide() && b.wide()
                    ? new Value.Number(a.value() * b.value(), true) : null;
            case "java/lang/invoke/MethodHandle.bindTo", "java/lang/invoke/MethodHandle.asType" ->
                    arguments.get(0) instanceof Value.Function ? arguments.get(0) : null;
            default -> isCheck(owner, method) ? arguments.get(0) : null;
        };
    }

    private static Value foreign(String type, String method, List<Value> arguments) {
        Value first = arguments.isEmpty() ? Value.UNKNOWN : arguments.get(0);
        if (first instanceof Value.Layout layout) {
            if (SAME_SIZE.contains(method)) {
                return layout;
            }
            Value result = switch (method) {
                case "byteSize" -> arguments.size() == 1 ? new Value.Number(layout.bytes(), true) : null;
                case "byteAlignment" -> new Value.Number(layout.alignment(), true);
                case "withByteAlignment" -> arguments.get(1) instanceof Value.Number number
                        ? new Value.Layout(layout.bytes(), number.value(), layout.name()) : null;
                default -> null;
            };
            if (result != null) {
                return result;
            }
        }
        return switch (type + "." + method) {
            case "MemoryLayout.structLayout" -> group(first, false);
            case "MemoryLayout.unionLayout" -> group(first, true);
            case "MemoryLayout.paddingLayout" -> first instanceof Value.Number number
                    ? new Value.Layout(number.value(), 1, "padding") : null;
            case "MemoryLayout.sequenceLayout" -> first instanceof Value.Number number
                    && arguments.get(1) instanceof Value.Layout element
                    ? new Value.Layout(number.value() * element.bytes(), element.alignment(),
                            number.value() + " × " + element.name()) : null;
            case "Linker.canonicalLayouts" -> Value.CANONICAL_LAYOUTS;
            case "Linker$Option.captureStateLayout" -> new Value.Layout(4, 4, "captured errno");
            case "FunctionDescriptor.of" -> new Value.Function(first);
            case "FunctionDescriptor.ofVoid" -> new Value.Function(null);
            case "FunctionDescriptor.appendArgumentLayouts", "FunctionDescriptor.insertArgumentLayouts" -> first;
            case "FunctionDescriptor.changeReturnLayout" -> new Value.Function(arguments.get(1));
            case "Linker.downcallHandle" -> arguments.stream().filter(Value.Function.class::isInstance).findFirst()
                    .orElse(null);
            default -> null;
        };
    }

    private static Value.Layout value(int bytes, String name) {
        return new Value.Layout(bytes, bytes, name);
    }

    /** {@return a struct or union of the array's elements, null if not all of them are known} */
    private static Value group(Value members, boolean union) {
        if (!(members instanceof Value.Array array) || array.elements() == null) {
            return null;
        }
        long bytes = 0;
        long alignment = 1;
        for (Value member : array.elements()) {
            if (!(member instanceof Value.Layout layout)) {
                return null;
            }
            bytes = union ? Math.max(bytes, layout.bytes()) : bytes + layout.bytes();
            alignment = Math.max(alignment, layout.alignment());
        }
        return new Value.Layout(bytes, alignment, union ? "union" : "struct");
    }

    /**
     * {@return how much an allocator allocates when its {@code method} is called} Its names are those of Java 22 and later,
     * and of the preview in Java 21.
     *
     * @param arguments without the receiver
     */
    static Amount amount(String method, MethodTypeDesc type, List<Value> arguments) {
        if (arguments.isEmpty()) {
            return Amount.UNKNOWN;
        }
        Value first = arguments.get(0);
        String firstType = type.parameterType(0).descriptorString();
        if (firstType.equals("J")) {
            return new Amount(number(first), arguments.size() > 1 ? number(arguments.get(1)) : Long.valueOf(1), null);
        }
        if (firstType.equals("Ljava/lang/String;")) {
            return string(first, arguments.size() == 1 ? new Value.Charset("UTF_8")
                    : arguments.size() == 2 ? arguments.get(1) : Value.UNKNOWN);
        }
        Value.Layout layout = layout(first, firstType);
        if (layout == null) {
            return Amount.UNKNOWN;
        }
        Amount many = new Amount(null, layout.alignment(), layout.name());
        return switch (arguments.size()) {
            case 1 -> Amount.of(layout, 1);
            case 2 -> {
                boolean array = type.parameterType(1).isArray();
                boolean count = type.parameterType(1).descriptorString().equals("J")
                        && !method.equals("allocateFrom") && !firstType.endsWith("$OfLong;");
                yield array ? arguments.get(1) instanceof Value.Array known ? Amount.of(layout, known.length()) : many
                        : !count ? Amount.of(layout, 1)
                        : arguments.get(1) instanceof Value.Number number ? Amount.of(layout, number.value()) : many;
            }
            default -> arguments.getLast() instanceof Value.Number number ? Amount.of(layout, number.value()) : many;
        };
    }

    private static Value.Layout layout(Value value, String type) {
        if (value instanceof Value.Layout layout) {
            return layout;
        }
        String name = type.substring(Math.max(type.lastIndexOf('/'), type.lastIndexOf('$')) + 1, type.length() - 1);
        Integer bytes = LAYOUT_TYPES.get(name);
        return bytes == null ? null : value(bytes, name);
    }

    private static Long number(Value value) {
        return value instanceof Value.Number number ? number.value() : null;
    }

    /** A string is allocated with a terminator, of as many bytes as the smallest character of its character set. */
    private static Amount string(Value value, Value charset) {
        if (!(value instanceof Value.Text text) || !(charset instanceof Value.Charset set)) {
            return new Amount(null, 1L, "string");
        }
        Long bytes = switch (set.name()) {
            case "UTF_8" -> text.value().getBytes(StandardCharsets.UTF_8).length + 1L;
            case "US_ASCII", "ISO_8859_1" -> text.value().length() + 1L;
            case "UTF_16LE", "UTF_16BE" -> text.value().length() * 2L + 2;
            case "UTF_16" -> text.value().length() * 2L + 4;
            case "UTF_32LE", "UTF_32BE" -> text.value().codePointCount(0, text.value().length()) * 4L + 4;
            default -> null;
        };
        return new Amount(bytes, 1L, "string");
    }
}
