/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Evaluates calls of pure methods of the JDK whose arguments are constants, by calling them: mostly those that make memory
 * layouts and tell their sizes. So C types and layouts are those of the platform that the scan runs on.
 */
final class ConstantFolding {

    private static final Set<String> PURE = Set.of("java/lang/Math", "java/lang/Integer", "java/lang/Long", "java/lang/String");

    /** What a method that is called here may return, beside layouts; others may have effects. */
    private static final Set<Class<?>> RESULTS = Set.of(int.class, long.class, short.class, byte.class, char.class,
            boolean.class, Linker.class, Map.class, MemoryLayout.PathElement.class, Object.class);

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

    /**
     * {@return the result of a call, its receiver being the first argument; empty if it is not one that can be evaluated} A
     * function descriptor, and a handle linked with it, is taken for the layout that the function returns.
     */
    static Optional<Value> call(MethodInsnNode call, List<Value> arguments) {
        boolean isLayout = call.owner.startsWith("java/lang/foreign/") && call.owner.contains("Layout");
        Optional<Value> layout = arguments.stream().filter(ConstantFolding::isLayout).findFirst();
        Optional<Value> receiver = layout.filter(value -> value == arguments.getFirst());
        return switch (call.owner + "." + call.name) {
            case "java/lang/foreign/FunctionDescriptor.changeReturnLayout" -> Optional.of(arguments.getLast());
            case "java/lang/foreign/FunctionDescriptor.ofVoid" -> Optional.of(Value.UNKNOWN);
            case "java/lang/invoke/MethodHandle.bindTo", "java/lang/invoke/MethodHandle.asType" -> receiver;
            case String _ when call.owner.equals("java/lang/foreign/FunctionDescriptor") || call.name.equals("downcallHandle") ->
                    layout;
            case String _ when isLayout && call.name.equals("withTargetLayout") -> receiver; // to call it needs native access
            case String _ when isLayout && call.name.matches("with(out)?(Name|Order|TargetLayout)") ->
                    invoke(call, arguments).or(() -> receiver); // which has the same size, if the name or order is unknown
            case String method when isLayout || PURE.contains(call.owner) || method.equals("java/util/Map.get")
                    || call.owner.startsWith("java/lang/foreign/Linker") -> invoke(call, arguments);
            default -> Optional.empty();
        };
    }

    private static Optional<Value> invoke(MethodInsnNode call, List<Value> arguments) {
        try {
            Class<?> owner = Class.forName(call.owner.replace('/', '.'));
            MethodType type = MethodType.fromMethodDescriptorString(call.desc, null);
            if (!RESULTS.contains(type.returnType()) && !MemoryLayout.class.isAssignableFrom(type.returnType())) {
                return Optional.empty();
            }
            MethodHandle method = call.getOpcode() == Opcodes.INVOKESTATIC
                    ? MethodHandles.publicLookup().findStatic(owner, call.name, type)
                    : MethodHandles.publicLookup().findVirtual(owner, call.name, type);
            List<Object> objects = new ArrayList<>();
            for (Value argument : arguments) {
                objects.add(object(argument, method.type().parameterType(objects.size())));
            }
            return Optional.ofNullable(switch (method.asFixedArity().invokeWithArguments(objects)) {
                case null -> null;
                case Boolean truth -> Value.constant(truth ? 1 : 0);
                case Character character -> Value.constant((int) character);
                case Long number -> Value.constant(number);
                case Number number -> Value.constant(number.intValue());
                case Object state when call.name.equals("captureStateLayout") -> new Value.Constant(state, "captured state");
                case Object object -> Value.constant(object);
            });
        } catch (Throwable e) {
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

    /** {@return the layout that a field, parameter or array of that type has, as {@code JAVA_INT}; empty if that is open} */
    static Optional<Value> ofType(String type) {
        String name = type.replaceFirst(".*[.$]", "");
        return field("java/lang/foreign/ValueLayout", name.equals("AddressLayout") ? "ADDRESS"
                : "JAVA_" + name.replaceFirst("^Of", "").toUpperCase(Locale.ROOT));
    }

    /** {@return how a layout is called: by its field, as value layouts are in the JDK, or by its own name or kind} */
    static String describe(MemoryLayout layout, String field) {
        return switch (layout) {
            case ValueLayout value -> (value.carrier() == MemorySegment.class ? "ADDRESS"
                    : "JAVA_" + value.carrier().toString().toUpperCase(Locale.ROOT))
                    + (value.byteAlignment() < value.byteSize() ? "_UNALIGNED" : "");
            case MemoryLayout _ when field != null -> field;
            case SequenceLayout sequence -> sequence.elementCount() + " × " + describe(sequence.elementLayout(), null);
            default -> layout.name().orElse(layout instanceof StructLayout ? "struct" : "union");
        };
    }
}
