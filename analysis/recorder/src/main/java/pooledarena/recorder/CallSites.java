/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Site;

import java.lang.StackWalker.StackFrame;

import module java.base;

/**
 * Numbers for the places that open arenas and for the methods that close them. Instrumented code has them as constants.
 * For all other code, as reflection, native code and classes that are not instrumented yet, a walk of the stack finds them: that
 * takes a hundred times as long as everything else that is done for an arena. Classes are told by their names, as the classes
 * themselves would be kept from being unloaded.
 */
final class CallSites {

    /** Libraries that close what their caller has opened, as Kotlin's {@code use} and Scala's {@code Using}. */
    private static final String[] CLOSERS = {"kotlin.", "scala.", "com.google.common.io.", "org.codehaus.groovy."};

    /** What only passes a call on. */
    private static final String[] REFLECTION = {"java.lang.invoke.", "java.lang.reflect.", "jdk.internal.reflect."};

    private static final StackWalker WALKER = StackWalker.getInstance(
            Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_HIDDEN_FRAMES));

    /** Finds the first frame that calls the arena's classes. No lambdas, which would be linked when an arena first needs them. */
    private static final class Walk implements Predicate<StackFrame>, Function<Stream<StackFrame>, StackFrame> {

        private final boolean closing;

        /** Whether the frame calls them itself. */
        private boolean direct = true;

        Walk(boolean closing) {
            this.closing = closing;
        }

        @Override
        public StackFrame apply(Stream<StackFrame> frames) {
            return frames.filter(this).findFirst().orElse(null);
        }

        @Override
        public boolean test(StackFrame frame) {
            String name = frame.getClassName();
            if (name.startsWith("pooledarena.recorder.") || Transformer.isPartOfArena(name.replace('.', '/'))) {
                return false;
            }
            boolean passesOn = startsWithAny(name, REFLECTION) || name.contains("$$Lambda") || closing && isCloser(name);
            direct &= !passesOn && !frame.isNativeMethod();
            return !passesOn;
        }
    }

    /** The line of a method that closes arenas. */
    private static final int ANY_LINE = 0;

    private final int limit;

    /** By number, from 1 on. */
    private final List<Site> sites = new ArrayList<>();

    /** Of each site, what all that is one method has in common, see {@link #closing}. */
    private final List<String> methods = new ArrayList<>();
    private final Map<Site, Integer> numbers = new HashMap<>();

    /** The numbers that walks have found, by class, method and bytecode. */
    private final ConcurrentHashMap<String, Integer> found = new ConcurrentHashMap<>();

    CallSites(int limit) {
        this.limit = limit;
    }

    /** {@return the number of that call site, or 0 if there are too many} */
    synchronized int number(Site site) {
        Integer number = numbers.get(site);
        if (number == null && sites.size() < limit) {
            sites.add(site);
            methods.add(site.className() + '.' + enclosing(site.method()));
            number = sites.size();
            numbers.put(site, number);
        }
        return number == null ? 0 : number;
    }

    /** {@return the number of a method that closes arenas, or 0 if there are too many} */
    int closer(String className, String method) {
        return number(new Site(className, method, ANY_LINE));
    }

    /** {@return the call site of that number, or null if it is none} */
    synchronized Site site(int number) {
        return number <= 0 ? null : sites.get(number - 1);
    }

    /**
     * {@return how an arena ended that was opened at one call site and closed at another} Overloads are one method, and so are a
     * method and its lambdas.
     */
    synchronized Closing closing(int opener, int closer) {
        if (closer == OpenArena.NOBODY || opener == 0) {
            return closer == OpenArena.NOBODY ? Closing.UNCLOSED : Closing.NOT_TOLD;
        }
        return closer > 0 && methods.get(opener - 1).equals(methods.get(closer - 1)) ? Closing.BY_OPENER : Closing.ELSEWHERE;
    }

    /**
     * {@return by walking the stack, the number of the method that closes an arena or of the call site that opens it; 0 if there
     * are too many, or -1 if native code does}
     *
     * @param transformer what then instruments that class, or null for nothing
     */
    int walk(boolean closing, Transformer transformer) {
        Walk walk = new Walk(closing);
        StackFrame frame = WALKER.walk(walk);
        if (frame == null) {
            return -1;
        }
        String className = frame.getClassName();
        int hidden = className.indexOf('/'); // what follows is generated anew for each hidden class
        className = hidden < 0 ? className : className.substring(0, hidden);
        String place = (closing ? "-" : "+") + className + '.' + frame.getMethodName() + ':' + frame.getByteCodeIndex();
        Integer number = found.get(place);
        if (number == null && found.mappingCount() < limit) {
            number = closing ? closer(className, frame.getMethodName())
                    : number(new Site(className, frame.getMethodName(), frame.getLineNumber(), !walk.direct));
            found.put(place, number);
            if (walk.direct && transformer != null) {
                transformer.request(frame.getDeclaringClass());
            }
        }
        return number == null ? 0 : number;
    }

    static boolean isCloser(String name) {
        return startsWithAny(name, CLOSERS);
    }

    private static boolean startsWithAny(String name, String[] prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** {@return the method that has the lambda which javac, kotlinc or scalac has made this method of, or the method itself} */
    static String enclosing(String method) {
        String lambda = method.substring(0, Math.max(0, method.lastIndexOf('$'))); // a number follows
        String name = lambda.startsWith("lambda$") ? lambda.substring("lambda$".length())
                : lambda.startsWith("$anonfun$") ? lambda.substring("$anonfun$".length())
                : lambda.endsWith("$lambda") ? lambda.substring(0, lambda.length() - "$lambda".length()) : null;
        if (name == null) {
            return method;
        }
        return enclosing(name.equals("new") ? "<init>" : name.equals("static") ? "<clinit>" : name);
    }
}
