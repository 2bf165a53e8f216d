/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Type;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Evaluates calls of pure methods of the JDK whose arguments are constants, by calling them: mostly those that make memory
 * layouts and tell their sizes. So C types and layouts are those of the platform that the scan runs on.
 */
final class ConstantFolding {

    private static final Set<String> PURE = Set.of("java/lang/Math", "java/lang/Integer", "java/lang/Long", "java/lang/String");

    /** What a method that is called here may return; others may have effects. */
    private static final Set<Class<?>> RESULTS = Set.of(int.class, long.class, short.class, byte.class, char.class,
            boolean.class, Linker.class, Map.class, MemoryLayout.PathElement.class);

    private ConstantFolding() {}

    /** {@return the value of a static field of the JDK; empty if it is not one that is known} */
    static Optional<Value> field(String owner, String name) {
        try {
            return switch (owner) {
                case "java/lang/foreign/ValueLayout" -> Optional.of(Value.constant(ValueLayout.class.getField(name).get(null)));
                case "java/nio/charset/StandardCharsets", "kotlin/text/Charsets" ->
                        Optional.of(Value.constant(Charset.forName(name.replace('_', '-'))));
                default -> Optional.empty();
            };
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            return Optional.empty(); // of an older Java
        }
    }

    /** {@return the result of a call, its receiver being the first argument; empty if it is not one that can be evaluated} */
    static Optional<Value> call(String owner, String name, String descriptor, boolean isStatic, List<Value> arguments) {
        if (owner.equals("java/lang/foreign/FunctionDescriptor")) {
            return switch (name) {
                case "of" -> Optional.of(new Value.Function(arguments.getFirst()));
                case "ofVoid" -> Optional.of(new Value.Function(null));
                case "changeReturnLayout" -> Optional.of(new Value.Function(arguments.getLast()));
                case "appendArgumentLayouts", "insertArgumentLayouts" -> Optional.of(arguments.getFirst());
                default -> Optional.empty();
            };
        }
        if (name.equals("downcallHandle")
                || owner.equals("java/lang/invoke/MethodHandle") && Set.of("bindTo", "asType").contains(name)) {
            return arguments.stream().filter(Value.Function.class::isInstance).findFirst();
        }
        boolean layout = owner.startsWith("java/lang/foreign/") && owner.contains("Layout");
        if (!layout && !PURE.contains(owner) && !owner.startsWith("java/lang/foreign/Linker")
                && !(owner + name).equals("java/util/Mapget")) {
            return Optional.empty();
        }
        if (name.equals("withTargetLayout")) {
            return Optional.of(arguments.getFirst()).filter(ConstantFolding::isLayout); // to call it needs native access
        }
        Optional<Value> result = invoke(owner, name, descriptor, isStatic, arguments);
        // A name may be unknown; it does not change the size.
        boolean keepsSize = layout && name.startsWith("with") && !name.equals("withByteAlignment");
        return result.isEmpty() && keepsSize ? Optional.of(arguments.getFirst()).filter(ConstantFolding::isLayout) : result;
    }

    private static Optional<Value> invoke(String owner, String name, String descriptor, boolean isStatic, List<Value> arguments) {
        try {
            Method method = Stream.of(Class.forName(owner.replace('/', '.')).getMethods())
                    .filter(m -> m.getName().equals(name) && Type.getMethodDescriptor(m).equals(descriptor))
                    .findFirst().orElse(null);
            if (method == null || !RESULTS.contains(method.getReturnType()) && method.getReturnType() != Object.class
                    && !MemoryLayout.class.isAssignableFrom(method.getReturnType())) {
                return Optional.empty();
            }
            int first = isStatic ? 0 : 1;
            Object receiver = isStatic ? null : object(arguments.getFirst(), method.getDeclaringClass());
            Object[] parameters = new Object[arguments.size() - first];
            for (int i = 0; i < parameters.length; i++) {
                parameters[i] = object(arguments.get(first + i), method.getParameterTypes()[i]);
            }
            return Optional.ofNullable(switch (method.invoke(receiver, parameters)) {
                case null -> null;
                case Boolean truth -> Value.constant(truth ? 1 : 0);
                case Character character -> Value.constant((int) character);
                case Long number -> Value.constant(number);
                case Number number -> Value.constant(number.intValue());
                case Object object -> new Value.Constant(object, name.equals("captureStateLayout") ? "captured state" : null);
            });
        } catch (ReflectiveOperationException | RuntimeException e) {
            return Optional.empty(); // an argument is not a constant, or the call fails
        }
    }

    /** {@return the constant as an object that is a parameter of that type} */
    private static Object object(Value value, Class<?> type) {
        if (value instanceof Value.Array(_, int length, List<Value> elements)) {
            Object array = Array.newInstance(type.getComponentType(), length);
            for (int i = 0; i < length; i++) {
                Array.set(array, i, object(elements.get(i), type.getComponentType()));
            }
            return array;
        }
        Object constant = ((Value.Constant) value).value();
        return type == boolean.class ? constant.equals(1) : type == char.class ? (char) (int) constant
                : type == short.class ? ((Integer) constant).shortValue() : type == byte.class ? ((Integer) constant).byteValue()
                : constant;
    }

    static boolean isLayout(Value value) {
        return value instanceof Value.Constant(MemoryLayout _, _);
    }

    /** {@return a layout that stands for two of one size; empty if they are none} */
    static Optional<Value> joinLayouts(Value a, Value b) {
        return a instanceof Value.Constant(MemoryLayout x, _) && b instanceof Value.Constant(MemoryLayout y, _)
                && x.byteSize() == y.byteSize() ? Optional.of(x.byteAlignment() >= y.byteAlignment() ? a : b) : Optional.empty();
    }

    /** {@return the layout that a field, parameter or array of that type has, as {@code JAVA_INT}; empty if that is open} */
    static Optional<Value> ofType(String type) {
        String name = type.substring(Math.max(type.lastIndexOf('/'), type.lastIndexOf('$')) + 1);
        return field("java/lang/foreign/ValueLayout", name.equals("AddressLayout") ? "ADDRESS"
                : "JAVA_" + name.replaceFirst("^Of", "").toUpperCase(Locale.ROOT));
    }

    /** {@return how a layout is called: by its field, as value layouts are in the JDK, or by its own name or kind} */
    static String describe(MemoryLayout layout, String field) {
        if (layout instanceof ValueLayout value) {
            return (value.carrier() == MemorySegment.class ? "ADDRESS" : "JAVA_" + value.carrier().toString().toUpperCase(Locale.ROOT))
                    + (value.byteAlignment() < value.byteSize() ? "_UNALIGNED" : "");
        }
        return field != null ? field : switch (layout) {
            case SequenceLayout sequence -> sequence.elementCount() + " × " + describe(sequence.elementLayout(), null);
            case PaddingLayout _ -> "padding";
            case GroupLayout group -> group.name().orElse(group instanceof StructLayout ? "struct" : "union");
            default -> layout.toString();
        };
    }
}
