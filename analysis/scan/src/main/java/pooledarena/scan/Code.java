/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.tree.*;

/** A method that has code, with the internal name of its class. */
record Code(String owner, MethodNode method) {

    /** {@return the method of exactly this class} */
    static Optional<Code> of(ClassNode type, String name, String descriptor) {
        return type.methods.stream()
                .filter(method -> method.name.equals(name) && method.desc.equals(descriptor) && method.instructions.size() > 0)
                .findFirst().map(method -> new Code(type.name, method));
    }

    boolean is(int access) {
        return (method.access & access) != 0;
    }

    <T extends AbstractInsnNode> Stream<T> instructions(Class<T> kind) {
        return Stream.of(method.instructions.toArray()).filter(kind::isInstance).map(kind::cast);
    }

    /** {@return the instruction before, labels and lines left out; null if there is none} */
    static AbstractInsnNode before(AbstractInsnNode instruction) {
        return Stream.iterate(instruction.getPrevious(), Objects::nonNull, AbstractInsnNode::getPrevious)
                .filter(before -> before.getOpcode() >= 0).findFirst().orElse(null);
    }

    /** {@return class, method and line, if that is known} */
    String site(AbstractInsnNode instruction) {
        Stream<String> lines = Stream.iterate(instruction, Objects::nonNull, AbstractInsnNode::getPrevious)
                .flatMap(node -> node instanceof LineNumberNode number ? Stream.of(":" + number.line) : Stream.of());
        return owner.replace('/', '.') + "." + method.name + lines.findFirst().orElse("");
    }
}
