/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder;

import pooledarena.histogram.Closing;
import pooledarena.histogram.Site;
import pooledarena.recorder.Threads.Arenas;

import java.lang.StackWalker.StackFrame;

import module java.base;

/**
 * Numbers for the call sites that open arenas and for the methods that close them. Instrumented code has them as constants.
 * For all other code, as reflection, native code, classes that are not instrumented yet and methods that ran before they were, a
 * walk of the stack finds them: that takes a hundred times as long as everything else that is done for an arena. So a thread
 * that has walked often walks for a sample. A walk also finds a call site of several frames, or behind frames of a library that is
 * skipped. Classes are told by their names, as the classes themselves would be kept from being unloaded.
 */
final class CallSites {

    /** Libraries that close what their caller has opened, as Kotlin's {@code use} and Scala's {@code Using}. */
    private static final String[] CLOSERS = {"kotlin.", "scala.", "com.google.common.io.", "org.codehaus.groovy."};

    /** What only passes a call on: reflection, and the runtime library of a language that calls with its help. */
    private static final String[] REFLECTION = {"java.lang.invoke.", "java.lang.reflect.", "jdk.internal.reflect.",
        "org.codehaus.groovy.", "org.apache.groovy.", "groovy.lang."};

    private static final StackWalker WALKER = StackWalker.getInstance(
            Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE, StackWalker.Option.SHOW_HIDDEN_FRAMES));

    /** Finds the first frames that call the arena's classes. No lambdas, which would be linked when an arena first needs them. */
    private final class Walk implements Predicate<StackFrame>, Function<Stream<StackFrame>, List<StackFrame>> {

        private final boolean closing;
        private final List<StackFrame> called = new ArrayList<>(1);

        /** Whether the first frame calls them itself. */
        private boolean direct = true;

        Walk(boolean closing) {
            this.closing = closing;
        }

        @Override
        public List<StackFrame> apply(Stream<StackFrame> stack) {
            stack.filter(this).findFirst();
            return called;
        }

        /** Adds the frame unless it only passes a call on, and returns whether it is the last one that is wanted. */
        @Override
        public boolean test(StackFrame frame) {
            String name = frame.getClassName();
            if (name.startsWith("pooledarena.recorder.") || Transformer.isPartOfArena(name.replace('.', '/'))
                    || startsWithAny(name, skipped)) {
                return false;
            }
            boolean first = called.isEmpty();
            boolean passesOn = startsWithAny(name, REFLECTION) || name.contains("$$Lambda")
                    || (closing || !first) && isCloser(name);
            direct &= !first || !passesOn && !frame.isNativeMethod();
            if (!passesOn) {
                called.add(frame);
            }
            return called.size() == (closing ? 1 : frames);
        }
    }

    private Memory memory;
    private int frames;

    /** What the names of the classes begin with that are skipped: a call by one counts as its caller's. */
    private String[] skipped;

    /** By number, from 1 on. */
    private final List<Site> sites = new ArrayList<>();

    /** Of each site, by number, its {@link #method}, and what a walk found last that closes an arena of it, or 0. */
    private volatile int[] methods = new int[16];
    private volatile int[] closers = new int[16];
    private final Map<Site, Integer> numbers = new HashMap<>();

    /** The numbers that walks have found, by class, method and bytecode of each frame. */
    private final ConcurrentHashMap<String, Integer> found = new ConcurrentHashMap<>();

    /** What is numbered takes memory of this from now on, and has so many frames, without those of {@code skip}. */
    synchronized void use(Memory used, int most, List<String> skip) {
        memory = used;
        frames = most;
        skipped = skip.toArray(new String[0]);
        found.clear(); // they take none of this memory, and the bytecode of classes that were instrumented has moved
        for (Site site : sites) {
            memory.take(size(site), memory.quarter);
        }
    }

    private static long size(Site site) {
        return Memory.FRAME * (1L + site.callers().size());
    }

    /** {@return the number of that call site, or 0 if there is no memory for it} */
    synchronized int number(Site site) {
        Integer number = numbers.get(site);
        if (number == null && memory.take(size(site), memory.quarter)) {
            number = sites.size() + 1;
            try {
                if (number >= methods.length) { // before anything else has changed, as there may be no memory
                    closers = Arrays.copyOf(closers, 2 * number);
                    methods = Arrays.copyOf(methods, 2 * number);
                }
                sites.add(site);
                methods[number] = method(site.className(), site.method());
                numbers.put(site, number);
            } catch (OutOfMemoryError e) {
                memory.give(size(site));
                throw e;
            }
        }
        return number == null ? 0 : number;
    }

    /** {@return a positive number for a method with its lambdas and overloads; other methods have it only by chance} */
    static int method(String className, String method) {
        return Math.max(1, (className + '.' + enclosing(method)).hashCode() & Integer.MAX_VALUE);
    }

    /** {@return the call site of that number, or null if it is none} */
    synchronized Site site(int number) {
        return number <= 0 ? null : sites.get(number - 1);
    }

    /**
     * {@return how an arena ended that was opened at a call site and closed by a method} Overloads are one method, and so are a
     * method and its lambdas.
     */
    Closing closing(int opener, int closer) {
        return closer == OpenArena.NOBODY ? Closing.UNCLOSED : opener == 0 ? Closing.NOT_TOLD
                : closer == methods[opener] ? Closing.BY_OPENER : Closing.ELSEWHERE;
    }

    /**
     * {@return the number of the call site that opens an arena; 0 if there is no memory for it, or -1 if native code does} If the
     * thread is not to walk now, that is what its last walk found: walks are chosen at random, so the counts are right on average.
     *
     * @param constant what instrumented code has passed, or 0
     */
    int opener(int constant, Arenas thread, Transformer transformer) {
        if (constant != 0 && constantTells(false)) {
            return constant;
        }
        if (thread.mayWalk()) {
            thread.walked = walk(false, transformer);
        }
        return thread.walked;
    }

    /**
     * {@return the method that closes an arena, or the one that closed an earlier one of its site if the thread is not to walk now}
     *
     * @param constant what instrumented code has passed, or 0
     * @param opener   the site
     */
    int closer(int constant, int opener, Arenas thread, Transformer transformer) {
        if (constant != 0 && constantTells(true)) {
            return constant;
        }
        int[] last = closers; // as large as the numbers that are known, or larger
        if (last[opener] == 0 || thread.mayWalk()) {
            last[opener] = walk(true, transformer);
        }
        return last[opener];
    }

    /** {@return true if a constant in instrumented code tells what closes or opens an arena} */
    private boolean constantTells(boolean closing) {
        return skipped.length == 0 && (closing || frames == 1);
    }

    /**
     * {@return by walking the stack, the method that closes an arena or the number of the call site that opens it; 0 if there
     * is no memory for it, or -1 if native code does}
     *
     * @param transformer what then instruments that class, or null for nothing
     */
    int walk(boolean closing, Transformer transformer) {
        Walk walk = new Walk(closing);
        List<StackFrame> called = WALKER.walk(walk);
        if (called.isEmpty()) {
            return -1;
        }
        StringBuilder key = new StringBuilder(closing ? "-" : "+");
        for (StackFrame frame : called) {
            key.append(className(frame)).append('.').append(frame.getMethodName()).append(':').append(frame.getByteCodeIndex());
        }
        StackFrame first = called.getFirst();
        Integer number = found.get(key.toString());
        long bytes = (long) Memory.FRAME * called.size();
        if (number == null && memory.take(bytes, memory.quarter)) {
            try {
                number = closing ? method(className(first), first.getMethodName()) : number(site(called, !walk.direct));
                found.put(key.toString(), number);
            } catch (OutOfMemoryError e) {
                memory.give(bytes);
                throw e;
            }
            if (walk.direct && constantTells(false) && transformer != null) { // frames lose their lines when a class is transformed
                transformer.requests.add(first.getDeclaringClass());
            }
        }
        return number != null ? number : closing ? method(className(first), first.getMethodName()) : 0;
    }

    private static Site site(List<StackFrame> called, boolean indirect) {
        List<String> callers = new ArrayList<>();
        for (StackFrame frame : called.subList(1, called.size())) {
            callers.add(new Site(className(frame), frame.getMethodName(), frame.getLineNumber()).frame());
        }
        StackFrame first = called.getFirst();
        return new Site(className(first), first.getMethodName(), first.getLineNumber(), indirect, callers);
    }

    private static String className(StackFrame frame) {
        String name = frame.getClassName();
        int hidden = name.indexOf('/'); // what follows is generated anew for each hidden class
        return hidden < 0 ? name : name.substring(0, hidden);
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
