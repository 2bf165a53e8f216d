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

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The values of static final fields, found by interpreting the static initializers of their classes. */
final class Statics {

    /** A longer initializer is not interpreted; it is a table of data. */
    private static final int MAX_INSTRUCTIONS = 50_000;

    /** How many classes may be under way that wait for each other. */
    private static final int MAX_NESTING = 20;

    private final Program program;
    private final Map<String, Map<String, Value>> classes = new HashMap<>();
    private int nesting;

    Statics(Program program) {
        this.program = program;
    }

    Value value(String owner, String name, boolean wide) {
        Value constant = Api.constant(owner, name);
        if (constant != null) {
            return constant;
        }
        Value value = lookUp(owner, name);
        return value != null && value.wide() == wide ? value : Value.unknown(wide);
    }

    /** {@return the value of the field of {@code owner}, or of what that inherits from; null if it is not known} */
    private Value lookUp(String owner, String name) {
        Optional<ClassModel> model = program.find(owner);
        if (model.isEmpty()) {
            return null;
        }
        for (FieldModel field : model.get().fields()) {
            if (field.fieldName().equalsString(name)) {
                return field.flags().has(AccessFlag.STATIC) && field.flags().has(AccessFlag.FINAL)
                        ? value(owner, model.get(), field) : null;
            }
        }
        for (ClassEntry inherited : model.get().interfaces()) {
            Value value = lookUp(inherited.name().stringValue(), name);
            if (value != null) {
                return value;
            }
        }
        return model.get().superclass().map(parent -> lookUp(parent.name().stringValue(), name)).orElse(null);
    }

    private Value value(String owner, ClassModel model, FieldModel field) {
        var constant = field.findAttribute(Attributes.constantValue());
        if (constant.isPresent()) {
            return switch (constant.get().constant().constantValue()) {
                case Integer number -> new Value.Number(number, false);
                case Long number -> new Value.Number(number, true);
                case String text -> new Value.Text(text);
                default -> null;
            };
        }
        Value value = initialized(owner, model).get(field.fieldName().stringValue());
        if (value instanceof Value.Layout layout && !Api.isConstantName(layout.name())) {
            return layout.named(owner.substring(owner.lastIndexOf('/') + 1) + "." + field.fieldName());
        }
        // A confined arena that a class keeps is one of its initializer, which has told of it.
        return value instanceof Value.Arena || value instanceof Value.Array ? null : value;
    }

    private Map<String, Value> initialized(String owner, ClassModel model) {
        Map<String, Value> known = classes.get(owner);
        if (known == null) {
            if (nesting == MAX_NESTING) {
                return Map.of();
            }
            classes.put(owner, Map.of());
            interpret(owner, model);
            known = classes.get(owner);
        }
        return known;
    }

    private void interpret(String owner, ClassModel model) {
        Optional<Code> code = program.code(owner, model, "<clinit>", "()V");
        if (code.isEmpty() || code.get().instructions.size() > MAX_INSTRUCTIONS) {
            return;
        }
        nesting++;
        try {
            Interpreter interpreter = new Interpreter(program, code.get(), List.of(), Map.of(), 0, 0);
            // A class that is initialised on the way sees what is stored so far, as it does at run time.
            classes.put(owner, interpreter.stored());
            interpreter.run();
        } catch (IllegalArgumentException e) {
            classes.put(owner, Map.of());
        } finally {
            nesting--;
        }
    }
}
