/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Evaluates calls of pure methods of the JDK whose arguments are constants, by calling them: those that make memory
 * layouts and tell their sizes. So C types and layouts are those of the platform that the scan runs on.
 */
final class ConstantFolding {

    private ConstantFolding() {}

    /** {@return the value of a static field of the JDK; empty if it is not one that is known} */
    static Optional<Value> field(String owner, String name) {
        try {
            return switch (owner) {
                case "java/lang/foreign/ValueLayout" ->
                        Optional.of(new Value.Constant(ValueLayout.class.getField(name).get(null)));
                case "java/nio/charset/StandardCharsets", "kotlin/text/Charsets" ->
                        Optional.of(new Value.Constant(Charset.forName(name.replace('_', '-'))));
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
        Optional<Value> layout = arguments.stream()
                .filter(argument -> argument instanceof Value.Constant(MemoryLayout _)).findFirst();
        Optional<Value> receiver = layout.filter(value -> value == arguments.getFirst());
        return switch (call.owner + "." + call.name) {
            case "java/lang/foreign/FunctionDescriptor.changeReturnLayout" -> Optional.of(arguments.getLast());
            case "java/lang/foreign/FunctionDescriptor.ofVoid" -> Optional.of(Value.UNKNOWN);
            case "java/lang/invoke/MethodHandle.bindTo", "java/lang/invoke/MethodHandle.asType" -> receiver;
            case String _ when call.owner.equals("java/lang/foreign/FunctionDescriptor") || call.name.equals("downcallHandle") ->
                    layout;
            case String _ when call.desc.endsWith("Handle;") -> Optional.empty(); // slow to make, and of no use
            case String _ when isLayout && call.name.equals("withTargetLayout") -> receiver; // to call it needs native access
            case String _ when isLayout && call.name.matches("with(out)?(Name|Order|TargetLayout)") ->
                    invoke(call, arguments).or(() -> receiver); // which has the same size, if the name or order is unknown
            case String method when isLayout || method.equals("java/util/Map.get")
                    || call.owner.startsWith("java/lang/foreign/Linker") -> invoke(call, arguments);
            default -> Optional.empty();
        };
    }

    private static Optional<Value> invoke(MethodInsnNode call, List<Value> arguments) {
        try {
            Class<?> owner = Class.forName(call.owner.replace('/', '.'));
            MethodType type = MethodType.fromMethodDescriptorString(call.desc, null);
            MethodHandle method = call.getOpcode() == Opcodes.INVOKESTATIC
                    ? MethodHandles.publicLookup().findStatic(owner, call.name, type)
                    : MethodHandles.publicLookup().findVirtual(owner, call.name, type);
            // The handle makes an array of its last arguments again.
            Object[] objects = arguments.stream()
                    .flatMap(each -> each instanceof Value.Array array ? array.elements().stream() : Stream.of(each))
                    .map(each -> ((Value.Constant) each).value()).toArray();
            return Optional.ofNullable(method.invokeWithArguments(objects))
                    .map(result -> new Value.Constant(result instanceof Boolean truth ? (truth ? 1 : 0) : result));
        } catch (Throwable e) {
            return Optional.empty(); // an argument is not a constant, or the call fails
        }
    }
}
