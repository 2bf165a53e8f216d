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
 * Numbers for the places that open arenas and for the methods that open and close them. Instrumented code has them as constants.
 * For all other code, as reflection, native code and classes that are not instrumented yet, a walk of the stack finds them: that
 * takes a hundred times as long as everything else that is done for an arena. Classes are told by their names, as the classes
 * themselves would be kept from being unloaded.
 */
final class CallSites {

    /** A place that opens arenas, and the number of its method. */
    private record CallSite(Site site, int method) {}

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

    private final int limit;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, Integer> methods = new HashMap<>();

    /** The numbers that walks have found, by class, method and bytecode. */
    private final ConcurrentHashMap<String, Integer> found = new ConcurrentHashMap<>();

    /** By number; replaced when it grows, so that it is read without a lock. */
    private volatile CallSite[] sites = new CallSite[64];

    CallSites(int limit) {
        this.limit = limit;
    }

    /** {@return the number of that call site, or 0 if there are too many} */
    synchronized int number(Site site) {
        String name = site.className() + '.' + site.method() + ':' + site.line() + site.indirect();
        Integer known = numbers.get(name);
        if (known != null) {
            return known;
        }
        int method = method(site.className(), site.method());
        if (method == 0 || numbers.size() >= limit) {
            return 0;
        }
        int number = numbers.size() + 1;
        CallSite[] all = number < sites.length ? sites : Arrays.copyOf(sites, 2 * sites.length);
        all[number] = new CallSite(site, method);
        sites = all;
        numbers.put(name, number);
        return number;
    }

    /** {@return the call site of that number, or null for 0} */
    Site site(int number) {
        return number == 0 ? null : sites[number].site;
    }

    /** {@return the number of that call site's method} */
    int method(int number) {
        return sites[number].method;
    }

    /** {@return how an arena ended that was opened at that call site, and closed by the method with the number {@code closer}} */
    Closing closing(int site, int closer) {
        return closer == OpenArena.NOBODY ? Closing.UNCLOSED : site == 0 ? Closing.NOT_TOLD
                : closer == method(site) ? Closing.BY_OPENER : Closing.ELSEWHERE;
    }

    /** {@return the number of that method, or 0 if there are too many} Overloads are one, and so are a method and its lambdas. */
    synchronized int method(String className, String method) {
        String name = className + '.' + enclosing(method);
        Integer known = methods.get(name);
        if (known == null && methods.size() < 2 * limit) {
            known = methods.size() + 1;
            methods.put(name, known);
        }
        return known == null ? 0 : known;
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
        if (number == null && found.mappingCount() < 2L * limit) {
            number = closing ? method(className, frame.getMethodName())
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
        String name = method;
        while (true) {
            String lambda = name.substring(0, Math.max(0, name.lastIndexOf('$'))); // a number follows
            if (lambda.startsWith("lambda$")) {
                name = lambda.substring("lambda$".length());
            } else if (lambda.startsWith("$anonfun$")) {
                name = lambda.substring("$anonfun$".length());
            } else if (lambda.endsWith("$lambda")) {
                name = lambda.substring(0, lambda.length() - "$lambda".length());
            } else {
                return name;
            }
            name = name.equals("new") ? "<init>" : name.equals("static") ? "<clinit>" : name;
        }
    }
}
