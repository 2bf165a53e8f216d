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

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The instructions of a method, numbered from 0, with their lines and exception handlers. */
final class Code {

    /** Where an exception that is thrown from {@code start} on and before {@code end} may be caught. */
    private record Handler(int start, int end, int target, boolean catchesAll) {}

    final MethodModel method;
    final String owner;
    final int maxLocals;
    final List<Instruction> instructions = new ArrayList<>();
    private final List<Integer> lines = new ArrayList<>();
    private final Map<Label, Integer> labels = new HashMap<>();
    private final List<Handler> handlers = new ArrayList<>();

    /**
     * @param owner the internal name of the class
     * @throws IllegalArgumentException if the method cannot be read
     */
    Code(String owner, MethodModel method) {
        this.method = method;
        this.owner = owner;
        CodeModel code = method.code().orElseThrow();
        maxLocals = ((CodeAttribute) code).maxLocals();
        int line = 0;
        List<ExceptionCatch> catches = new ArrayList<>();
        for (CodeElement element : code) {
            switch (element) {
                case LineNumber number -> line = number.line();
                case LabelTarget target -> labels.put(target.label(), instructions.size());
                case ExceptionCatch handler -> catches.add(handler);
                case Instruction instruction -> {
                    instructions.add(instruction);
                    lines.add(line);
                }
                default -> { }
            }
        }
        for (ExceptionCatch handler : catches) {
            handlers.add(new Handler(index(handler.tryStart()), index(handler.tryEnd()), index(handler.handler()),
                    handler.catchType().map(type -> type.name().equalsString("java/lang/Throwable")).orElse(true)));
        }
    }

    /** {@return the local variable that is loaded just before the instruction, wherever that is reached from; -1 if none is} */
    int loadedBefore(int index) {
        return index > 0 && !labels.containsValue(index) && instructions.get(index - 1) instanceof LoadInstruction load
                ? load.slot() : -1;
    }

    int index(Label label) {
        return labels.get(label);
    }

    /** {@return the line of an instruction; 0 if the class has no line numbers} */
    int line(int index) {
        return lines.get(index);
    }

    /** {@return where an exception of the instruction may be caught, the last being -1 if it may also leave the method} */
    List<Integer> handlersOf(int index) {
        List<Integer> targets = new ArrayList<>();
        for (Handler handler : handlers) {
            if (handler.start <= index && index < handler.end) {
                targets.add(handler.target);
                if (handler.catchesAll) {
                    return targets;
                }
            }
        }
        targets.add(-1);
        return targets;
    }
}
