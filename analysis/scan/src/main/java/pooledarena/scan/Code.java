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
