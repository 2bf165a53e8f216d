/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import module java.base;

import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodNode;

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

    /** {@return its instructions, without labels and lines} */
    Stream<AbstractInsnNode> instructions() {
        return Stream.of(method.instructions.toArray()).filter(instruction -> instruction.getOpcode() >= 0);
    }

    /** {@return class, method and line, if that is known} */
    String place(AbstractInsnNode instruction) {
        AbstractInsnNode before = instruction;
        while (before != null && !(before instanceof LineNumberNode)) {
            before = before.getPrevious();
        }
        String line = before instanceof LineNumberNode node ? ":" + node.line : "";
        return owner.replace('/', '.') + "." + method.name + line;
    }
}
