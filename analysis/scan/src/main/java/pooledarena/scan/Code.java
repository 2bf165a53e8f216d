/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.scan;

import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodNode;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A method that has code.
 *
 * @param owner the internal name of its class
 */
record Code(String owner, MethodNode method) {

    /** {@return its instructions, without labels and lines} */
    static Stream<AbstractInsnNode> instructions(MethodNode method) {
        return Stream.of(method.instructions.toArray()).filter(instruction -> instruction.getOpcode() >= 0);
    }

    Opening.Place place(AbstractInsnNode instruction) {
        AbstractInsnNode before = instruction;
        while (before != null && !(before instanceof LineNumberNode)) {
            before = before.getPrevious();
        }
        return new Opening.Place(owner.replace('/', '.'), method.name, before instanceof LineNumberNode node ? node.line : 0);
    }

    /** {@return its arguments when nothing is known of them but that there is a receiver} */
    List<Value> unknownArguments() {
        List<Value> arguments = new ArrayList<>((method.access & Opcodes.ACC_STATIC) != 0 ? List.of() : List.of(Value.THIS));
        Stream.of(Type.getArgumentTypes(method.desc)).map(type -> Value.unknown(type.getSize())).forEach(arguments::add);
        return arguments;
    }
}
