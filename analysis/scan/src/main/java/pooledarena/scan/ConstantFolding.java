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

    /** {@return what an instruction makes of two numbers; null if one is unknown or the instruction not one that is evaluated} */
    static Long calculate(int opcode, Value left, Value right) {
        Long a = Value.number(left);
        Long b = Value.number(right);
        return a == null || b == null ? null : switch (opcode) {
            case Opcodes.IADD, Opcodes.LADD -> a + b;
            case Opcodes.ISUB, Opcodes.LSUB -> a - b;
            case Opcodes.IMUL, Opcodes.LMUL -> a * b;
            case Opcodes.IAND, Opcodes.LAND -> a & b; // to round
            default -> null;
        };
    }

    /**
     * {@return the result of a call, its receiver being the first argument; empty if it is not one that can be evaluated} A
     * handle that is linked is taken for the layout that the function returns.
     */
    static Optional<Value> call(MethodInsnNode call, List<Value> arguments) {
        boolean isLayout = call.owner.startsWith("java/lang/foreign/") && call.owner.contains("Layout");
        Optional<Value> receiver = arguments.stream().limit(1).filter(Value.Constant.class::isInstance).findFirst();
        return switch (call.owner + "." + call.name) {
            case "java/lang/invoke/MethodHandle.bindTo", "java/lang/invoke/MethodHandle.asType" -> receiver;
            case "java/lang/foreign/Linker.downcallHandle" -> arguments.stream()
                    .flatMap(each -> each instanceof Value.Constant(FunctionDescriptor function)
                            ? function.returnLayout().<Value>map(Value.Constant::new).stream() : Stream.empty())
                    .findFirst();
            case String _ when call.desc.endsWith("Handle;") -> Optional.empty(); // slow to make, and of no use
            case String method when isLayout
                    || method.matches("java/(lang/foreign/(Linker|FunctionDescriptor)|util/Map\\.get).*") ->
                    // Only the name or order is unknown, not the size; to set a target layout needs native access.
                    call.name.equals("withTargetLayout") ? receiver : invoke(call, arguments)
                            .or(() -> isLayout && call.name.startsWith("with") ? receiver : Optional.empty());
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
                    .flatMap(each -> each instanceof Value.Array array ? IntStream.range(0, array.length())
                            .mapToObj(i -> array.layouts().get(new Value.Constant(i))) : Stream.of(each))
                    .map(each -> ((Value.Constant) each).value()).toArray();
            return Optional.ofNullable(method.invokeWithArguments(objects))
                    .map(result -> new Value.Constant(result instanceof Boolean truth ? (truth ? 1 : 0) : result));
        } catch (Throwable e) {
            return Optional.empty(); // an argument is not a constant, or the call fails
        }
    }
}
