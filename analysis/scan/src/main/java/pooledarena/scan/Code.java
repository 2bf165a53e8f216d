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
import java.util.stream.StreamSupport;

/** A method that has code. */
final class Code {

    /** The internal name of its class. */
    final String owner;
    final MethodNode method;
    /** How many instructions it has; ASM's list has labels and lines too. */
    final int size;

    Code(String owner, MethodNode method) {
        this.owner = owner;
        this.method = method;
        size = (int) StreamSupport.stream(method.instructions.spliterator(), false).filter(i -> i.getOpcode() >= 0).count();
    }

    boolean is(int access) {
        return (method.access & access) != 0;
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
        List<Value> arguments = new ArrayList<>(is(Opcodes.ACC_STATIC) ? List.of() : List.of(Value.THIS));
        for (Type type : Type.getArgumentTypes(method.desc)) {
            arguments.add(Value.unknown(type.getSize()));
        }
        return arguments;
    }
}
