/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Site;

import java.lang.StackWalker.StackFrame;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds who opens and closes an arena by walking the stack, where no constant of an instrumented call site says it: for
 * reflection, method handles, native code, and call sites that are used for the first time in a class that was loaded before.
 * Such a class is then instrumented, too. A walk takes a hundred times as long as everything else that is done for an arena.
 */
final class Callers {

    /** A frame of the stack: a place in the code. */
    private record Caller(String className, String method, int bytecode) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Caller that && bytecode == that.bytecode && method.equals(that.method)
                    && className.equals(that.className);
        }

        @Override
        public int hashCode() {
            return (className.hashCode() * 31 + method.hashCode()) * 31 + bytecode;
        }
    }

    /** Libraries that close what their caller has opened, as Kotlin's {@code use} and Scala's {@code Using}. */
    private static final String[] CLOSERS = {"kotlin.", "scala.", "com.google.common.io.", "org.codehaus.groovy."};

    private static final StackWalker WALKER = StackWalker.getInstance(
            Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_HIDDEN_FRAMES));

    // No lambdas: what the hot path runs is all linked when it is first used in an arena.

    /** Finds the first frame that calls the arena's classes, and whether it does so itself. */
    private static final class First implements Predicate<StackFrame>, Function<Stream<StackFrame>, StackFrame> {

        private final boolean closing;
        private boolean direct = true;

        First(boolean closing) {
            this.closing = closing;
        }

        @Override
        public StackFrame apply(Stream<StackFrame> frames) {
            return frames.filter(this).findFirst().orElse(null);
        }

        @Override
        public boolean test(StackFrame frame) {
            String name = frame.getClassName();
            if (isRecorded(name)) {
                return false;
            }
            boolean passesOn = isReflection(name) || closing && isCloser(name);
            direct &= !passesOn && !frame.isNativeMethod();
            return !passesOn;
        }
    }

    private final ConcurrentHashMap<Caller, Integer> numbers = new ConcurrentHashMap<>();
    private final CallSites sites;
    private final Transformer transformer;
    private final int limit;

    /** @param transformer what instruments the classes that are found, or null for none */
    Callers(CallSites sites, Transformer transformer, int limit) {
        this.sites = sites;
        this.transformer = transformer;
        this.limit = limit;
    }

    /** {@return the number of the call site that opens an arena, 0 if there are too many, or -1 if native code does} */
    int opener() {
        return number(new First(false));
    }

    /** {@return the number of the method that closes an arena, 0 if there are too many, or -1 if native code does} */
    int closer() {
        return number(new First(true));
    }

    private int number(First first) {
        StackFrame frame = WALKER.walk(first);
        if (frame == null) {
            return -1;
        }
        Caller caller = new Caller(withoutAddress(frame.getClassName()), frame.getMethodName(), frame.getByteCodeIndex());
        Integer number = numbers.get(caller);
        if (number == null && numbers.mappingCount() < 2L * limit) {
            number = first.closing ? sites.method(caller.className, caller.method)
                    : sites.number(new Site(caller.className, caller.method, frame.getLineNumber(), !first.direct));
            numbers.put(caller, number);
            if (first.direct && transformer != null) {
                transformer.request(frame.getDeclaringClass());
            }
        }
        return number == null ? 0 : number;
    }

    /** {@return the name without what is generated anew for each hidden class} */
    private static String withoutAddress(String name) {
        int hidden = name.indexOf('/');
        return hidden < 0 ? name : name.substring(0, hidden);
    }

    private static boolean isRecorded(String name) {
        return name.startsWith("pooledarena.recorder.") || Transformer.isPartOfArena(name.replace('.', '/'));
    }

    /** {@return whether the frame only passes a call on, as those of reflection and of lambdas and method references} */
    private static boolean isReflection(String name) {
        return name.startsWith("java.lang.invoke.") || name.startsWith("java.lang.reflect.")
                || name.startsWith("jdk.internal.reflect.") || name.contains("$$Lambda");
    }

    /** {@return whether the class is of a library that closes what its caller has opened} */
    static boolean isCloser(String name) {
        for (String closer : CLOSERS) {
            if (name.startsWith(closer)) {
                return true;
            }
        }
        return false;
    }
}
