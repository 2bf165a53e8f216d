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

import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/** What a method does with one arena. */
final class Uses {

    /** Tells allocations of one arena apart: the instruction that leads there, and where it is. */
    private record Key(int index, Place place, String method) {}

    private final Map<Key, Allocation> allocations = new LinkedHashMap<>();
    final Set<Escape> escapes = EnumSet.noneOf(Escape.class);
    /** The methods that get it and cannot be followed. */
    final Set<String> passedTo = new TreeSet<>();
    /** Methods of the JDK that give its lifetime to something that is not allocated from it. */
    final Set<String> lifetimes = new TreeSet<>();
    boolean closed;
    /** The fates that the method leaves it to; 0 where it never leaves in that way. */
    int atReturn;
    int atThrow;
    /** How many other arenas that the method opened are open when it is opened. */
    int nesting;

    void allocated(int index, Allocation allocation) {
        allocations.merge(new Key(index, allocation.place(), allocation.method()), allocation, Allocation::join);
    }

    void passed(String method) {
        escapes.add(Escape.PASSED);
        passedTo.add(method);
    }

    /** Takes over what a method does that is called at {@code index}. */
    void called(int index, Uses callee) {
        callee.allocations().forEach(allocation -> allocated(index, allocation));
        callee.escapes.stream().filter(escape -> escape != Escape.RETURNED).forEach(escapes::add);
        passedTo.addAll(callee.passedTo);
        lifetimes.addAll(callee.lifetimes);
        closed |= callee.closed;
    }

    Collection<Allocation> allocations() {
        return allocations.values();
    }

    /** Marks the allocations that come about at an instruction of {@code loop}. */
    void markRepeated(IntPredicate loop) {
        allocations.replaceAll((key, allocation) -> loop.test(key.index) ? allocation.inLoop() : allocation);
    }
}
