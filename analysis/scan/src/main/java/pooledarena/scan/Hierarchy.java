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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which classes of a library inherit from which, and the methods that they override. */
final class Hierarchy {

    private final Map<String, List<String>> children = new HashMap<>();
    private final Map<String, Set<String>> methods = new HashMap<>();

    void add(ClassModel model) {
        String name = model.thisClass().name().stringValue();
        model.superclass().map(ClassEntry::name).map(Object::toString)
                .filter(parent -> !parent.equals("java/lang/Object"))
                .ifPresent(parent -> children.computeIfAbsent(parent, _ -> new ArrayList<>()).add(name));
        for (ClassEntry parent : model.interfaces()) {
            children.computeIfAbsent(parent.name().stringValue(), _ -> new ArrayList<>()).add(name);
        }
        if (model.superclass().isPresent()) {
            Set<String> declared = new HashSet<>();
            for (MethodModel method : model.methods()) {
                if (!method.flags().has(AccessFlag.STATIC) && !method.flags().has(AccessFlag.PRIVATE)) {
                    declared.add(method.methodName().stringValue() + method.methodType().stringValue());
                }
            }
            methods.put(name, declared);
        }
    }

    /** {@return whether a class that inherits from {@code owner} has the method, given as name and descriptor} */
    boolean overrides(String owner, String method) {
        for (String child : children.getOrDefault(owner, List.of())) {
            if (methods.getOrDefault(child, Set.of()).contains(method) || overrides(child, method)) {
                return true;
            }
        }
        return false;
    }
}
