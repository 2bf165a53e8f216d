/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.program;

import com.google.common.io.Closer;

import java.io.IOException;
import java.lang.reflect.Method;

/** Calls what it is given, in the ways that a stack walk tells apart. */
public final class Caller {

    private static final Method RUN;

    static {
        try {
            RUN = Runnable.class.getMethod("run");
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private Caller() {}

    public static void direct(Runnable called) {
        called.run();
    }

    public static void twice(Runnable called) {
        called.run();
        called.run();
    }

    public static void reflection(Runnable called) throws ReflectiveOperationException {
        RUN.invoke(called);
    }

    public static void reference(Runnable called) {
        Runnable reference = called::run;
        reference.run();
    }

    public static void library(Runnable called) throws IOException {
        try (Closer closer = Closer.create()) {
            closer.register(called::run);
        }
    }

    /** Closes what may be an arena: nothing else here names one. */
    public static void close(AutoCloseable closed) throws Exception {
        closed.close();
    }

    /** Has native code call the initializer of a class. */
    public static void initialize(String name) throws ClassNotFoundException {
        Class.forName(name);
    }
}
