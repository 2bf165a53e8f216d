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

import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.AccessFlag;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The classes of a library as one program: finds the methods that calls lead to, and what they do. */
final class Program {

    /** How far calls are followed. */
    private static final int MAX_DEPTH = 8;

    /** How many calls are followed from one opening; after that they are taken as unknown. */
    private static final int MAX_FOLLOWED = 2_000;

    /** A longer method is not followed into for its result alone. */
    private static final int MAX_SHORT = 60;

    /** Results that can be a size or lead to one. */
    private static final Set<Character> NUMBERS = Set.of('I', 'J', 'S', 'B', 'C');

    /** A call with what is known of its arguments. */
    private record Call(Code code, List<Value> arguments, Map<String, Value> fields) {}

    private final Library library;
    private final Hierarchy hierarchy;
    private final Map<String, Optional<Code>> codes = new HashMap<>();
    private final Map<Call, Summary> summaries = new HashMap<>();
    private final Set<Code> active = new HashSet<>();
    private int followed;
    final Statics statics = new Statics(this);

    Program(Library library, Hierarchy hierarchy) {
        this.library = library;
        this.hierarchy = hierarchy;
    }

    Optional<ClassModel> find(String internalName) {
        return library.find(internalName);
    }

    /** {@return what the method does in which an arena is opened} */
    Interpreter interpret(Code code, List<Value> arguments) {
        followed = 0;
        return new Interpreter(this, code, arguments, Map.of(), 0, 0);
    }

    /** {@return the method of exactly this class} */
    Optional<Code> code(String owner, ClassModel model, String name, String type) {
        return codes.computeIfAbsent(owner + "." + name + type, _ -> {
            for (MethodModel method : model.methods()) {
                if (method.methodName().equalsString(name) && method.methodType().equalsString(type)) {
                    return method.code().isPresent() ? Optional.of(new Code(owner, method)) : Optional.empty();
                }
            }
            return Optional.empty();
        });
    }

    /**
     * {@return the method that a call leads to, if that is in the library and there is only one}
     *
     * @param exact whether the call does not look for the method in the class of the object
     */
    Optional<Code> target(String owner, String name, String type, boolean exact) {
        if (owner.startsWith("[")) {
            return Optional.empty();
        }
        Optional<Code> target = inherited(owner, name, type);
        if (target.isEmpty() || exact) {
            return target;
        }
        MethodModel method = target.get().method;
        boolean fixed = method.flags().has(AccessFlag.FINAL) || method.flags().has(AccessFlag.PRIVATE)
                || find(owner).map(model -> model.flags().has(AccessFlag.FINAL)).orElse(false);
        return fixed || library.isWhole(owner) && !hierarchy.overrides(owner, name + type) ? target : Optional.empty();
    }

    private Optional<Code> inherited(String owner, String name, String type) {
        Optional<ClassModel> model = find(owner);
        if (model.isEmpty()) {
            return Optional.empty();
        }
        Optional<Code> own = code(owner, model.get(), name, type);
        if (own.isPresent()) {
            return own;
        }
        Optional<Code> parent = model.get().superclass().flatMap(c -> inherited(c.name().stringValue(), name, type));
        if (parent.isPresent()) {
            return parent;
        }
        for (ClassEntry inherited : model.get().interfaces()) {
            Optional<Code> code = inherited(inherited.name().stringValue(), name, type);
            if (code.isPresent()) {
                return code;
            }
        }
        return Optional.empty();
    }

    /** {@return whether to look into a method that gets no arena, for what it returns} */
    boolean isShort(Code code, String type) {
        int end = type.indexOf(')') + 1;
        return code.instructions.size() <= MAX_SHORT
                && (NUMBERS.contains(type.charAt(end)) || type.startsWith("Ljava/lang/foreign/", end)
                || type.startsWith("Ljava/lang/String;", end) || type.startsWith("Ljava/lang/invoke/MethodHandle;", end));
    }

    /** {@return what the method does that is called, empty if that is not followed} */
    Optional<Summary> summary(Code code, List<Value> arguments, Map<String, Value> fields, int sites, int depth) {
        Call call = new Call(code, arguments, fields);
        Summary known = summaries.get(call);
        if (known != null) {
            return Optional.of(known);
        }
        if (depth >= MAX_DEPTH || followed >= MAX_FOLLOWED || !active.add(code)) {
            return Optional.empty();
        }
        followed++;
        try {
            Summary summary = new Interpreter(this, code, arguments, fields, sites, depth + 1).run();
            summaries.put(call, summary);
            return Optional.of(summary);
        } finally {
            active.remove(code);
        }
    }
}
