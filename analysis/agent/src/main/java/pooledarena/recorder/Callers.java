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
package pooledarena.recorder;

import pooledarena.histogram.Site;

import java.lang.StackWalker.StackFrame;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Tells who opens and closes arenas. That is most of what recording costs, so nothing more is asked of the stack than the
 * first frame outside the arena's classes, and its line only once for each place.
 */
final class Callers {

    /**
     * A place in the code. Classes are told by their names, as the classes themselves would be kept from being unloaded.
     *
     * @param className the class, without what is generated anew for each hidden class
     * @param method    the method's name
     * @param bytecode  the index in the method's bytecode
     */
    record Caller(String className, String method, int bytecode) {

        private static Caller of(StackFrame frame) {
            String name = frame.getClassName();
            int hidden = name.indexOf('/');
            return new Caller(hidden < 0 ? name : name.substring(0, hidden), frame.getMethodName(), frame.getByteCodeIndex());
        }

        /** {@return whether the method is the same} Overloads are not told apart: their types would have to be loaded. */
        private boolean sameMethod(Caller that) {
            return method.equals(that.method) && className.equals(that.className);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Caller that && bytecode == that.bytecode && sameMethod(that);
        }

        @Override
        public int hashCode() {
            return (className.hashCode() * 31 + method.hashCode()) * 31 + bytecode;
        }
    }

    private static final StackWalker WALKER = StackWalker.getInstance();

    // No lambdas: what the hot path runs is all linked when it is first used in an arena.

    private static final Predicate<StackFrame> OUTSIDE = new Predicate<>() {
        @Override
        public boolean test(StackFrame frame) {
            String name = frame.getClassName();
            return !name.startsWith("pooledarena.recorder.") && !name.equals("jdk.internal.foreign.ArenaImpl")
                    && !name.equals("jdk.internal.foreign.MemorySessionImpl") && !name.equals("java.lang.foreign.Arena")
                    && !name.equals("jdk.internal.foreign.ArenaImpl$OfConfined") // which JDK 28 has, and its session makes
                    && !name.equals("jdk.internal.foreign.ConfinedSession");
        }
    };

    private static final Function<Stream<StackFrame>, StackFrame> FIRST_OUTSIDE = new Function<>() {
        @Override
        public StackFrame apply(Stream<StackFrame> frames) {
            return frames.filter(OUTSIDE).findFirst().orElse(null);
        }
    };

    private final ConcurrentHashMap<Caller, Site> sites = new ConcurrentHashMap<>();
    private final int limit;

    Callers(int limit) {
        this.limit = limit;
    }

    /** {@return the frame that called the arena, or null if native code did} */
    static StackFrame frame() {
        return WALKER.walk(FIRST_OUTSIDE);
    }

    static Caller caller(StackFrame frame) {
        return Caller.of(frame);
    }

    static boolean isInMethodOf(Caller opener) {
        StackFrame frame = frame();
        return frame != null && opener.sameMethod(Caller.of(frame));
    }

    /** {@return the site, or null if there are too many} */
    Site site(Caller caller, StackFrame frame) {
        Site site = sites.get(caller);
        if (site == null && sites.mappingCount() < limit) {
            site = new Site(caller.className, caller.method, frame.getLineNumber());
            sites.putIfAbsent(caller, site);
        }
        return site;
    }
}
