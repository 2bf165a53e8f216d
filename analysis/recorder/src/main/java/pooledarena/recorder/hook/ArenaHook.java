/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder.hook;

import jdk.internal.foreign.MemorySessionImpl;
import jdk.internal.vm.annotation.DontInline;

import module java.base;

/**
 * What instrumented code calls: the JDK's arenas, and the call sites that open and close them. The build renames this class to
 * {@code java.lang.foreign.ArenaHook}, and the recorder defines it in {@code java.base}: every class loader and every module
 * that sees {@code Arena} sees it too. It must not need any class but the JDK's. Its methods are not inlined: the recorder would
 * else be compiled again with each method of the program that uses arenas.
 */
public abstract class ArenaHook {

    /** Who is called; set before anything is instrumented. Call sites stay instrumented when nothing is recorded any more. */
    public static ArenaHook target;

    /** How often a call has thrown, for instance as the stack was full. */
    public static int failures;

    /** The call site of that number opens a confined arena next. */
    @DontInline
    public static void beforeOpen(int site) {
        try {
            target.opening(site);
        } catch (Throwable t) {
            failures++;
        }
    }

    /** The method of that number closes {@code closed} next, which may be an arena. */
    @DontInline
    public static void beforeClose(Object closed, int method) {
        try {
            if (closed instanceof Arena) {
                target.closing(closed, method);
            }
        } catch (Throwable t) {
            failures++;
        }
    }

    private static boolean isConfined(Arena arena) {
        return ((MemorySessionImpl) arena.scope()).ownerThread() != null;
    }

    /** The arena, of any kind, has been opened. */
    @DontInline
    public static void afterOpen(Arena arena) {
        try {
            if (isConfined(arena)) {
                target.opened(arena);
            }
        } catch (Throwable t) {
            failures++;
        }
    }

    /** A method of that number begins: it opens an arena of another kind, or halts the JVM without shutdown hooks. */
    @DontInline
    public static void begin(int method) {
        try {
            target.beginning(method);
        } catch (Throwable t) {
            failures++;
        }
    }

    @DontInline
    public static void afterAllocate(Arena arena, long byteSize, long byteAlignment) {
        try {
            if (isConfined(arena)) {
                target.allocated(arena, byteSize, byteAlignment);
            }
        } catch (Throwable t) {
            failures++;
        }
    }

    /** The arena's {@code close} returns or throws; the arena may be closed by it, or before, or still open. */
    @DontInline
    public static void afterClose(Arena arena) {
        try {
            if (isConfined(arena) && !arena.scope().isAlive()) {
                target.closed(arena);
            }
        } catch (Throwable t) {
            failures++;
        }
    }

    /** {@return what is kept for the current thread} Code of which each hook would have a copy if it were inlined is compiled once. */
    @DontInline
    protected static <T> T current(Supplier<T> threads) {
        return threads.get();
    }

    public void opening(int site) {}

    public void closing(Object arena, int method) {}

    /** A confined arena was opened. */
    public void opened(Object arena) {}

    public void allocated(Object arena, long byteSize, long byteAlignment) {}

    public void closed(Object arena) {}

    public void beginning(int method) {}
}
