/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

import java.util.List;

/**
 * A call site that opens arenas of any kind, or asks for the global one.
 *
 * @param className the class, as {@link Class#getName} has it, without what is generated anew for each hidden class
 * @param line      the line, or a negative number if the class does not tell
 * @param indirect  whether it does so by reflection, a method handle or native code
 * @param callers   as far as they are told, the {@link #frame} that calls the method, the one that calls that, and so on
 */
public record Site(String className, String method, int line, boolean indirect, List<String> callers) {

    /** What the names of the stock JDK's classes begin with that open an arena for each call by value. */
    public static final String BY_VALUE = "jdk.internal.foreign.BufferStack";

    public Site {
        callers = List.copyOf(callers);
    }

    /** One of a single frame that calls the method of {@code Arena} itself. */
    public Site(String className, String method, int line) {
        this(className, method, line, false, List.of());
    }

    /** {@return the call site without its callers, as a line of text} */
    public String frame() {
        return className + "." + method + (line < 0 ? "" : ":" + line);
    }

    /** Not the one of records, whose linking takes the time of a program that is recorded: 1/30 s when it starts. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Site that && line == that.line && indirect == that.indirect && method.equals(that.method)
                && className.equals(that.className) && callers.equals(that.callers);
    }

    @Override
    public int hashCode() {
        return className.hashCode() * 31 + line + callers.hashCode();
    }
}
