/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.recorder.hook;

import java.lang.foreign.Arena;

/**
 * What instrumented code calls: the JDK's arenas, and the call sites that open and close them. The build renames this class to
 * {@code java.lang.foreign.ArenaHook}, and the recorder defines it in {@code java.base}: every class loader and every module
 * that sees {@code Arena} sees it too. It must not need any class but the JDK's.
 */
public abstract class ArenaHook {

    /** Who is called; set before anything is instrumented. */
    public static ArenaHook target;

    /** How often what was called has thrown. Arenas count here without a call, as there may be no stack left for one. */
    public static int failures;

    /** The call site of that number opens a confined arena next. */
    public static void opening(int site) {
        try {
            target.atOpening(site);
        } catch (Throwable t) {
            failures++;
        }
    }

    /** The method of that number closes {@code closed} next, which may be an arena. */
    public static void closing(Object closed, int method) {
        if (closed instanceof Arena) {
            try {
                target.atClosing(closed, method);
            } catch (Throwable t) {
                failures++;
            }
        }
    }

    /** See {@link #opening}. */
    public abstract void atOpening(int site);

    /** See {@link #closing}. */
    public abstract void atClosing(Object arena, int method);

    /** A confined arena was opened. */
    public abstract void opened(Object arena, Thread owner);

    /** A confined arena has allocated. */
    public abstract void allocated(Object arena, long byteSize, long byteAlignment);

    /** A confined arena is closed. It may have been before. */
    public abstract void closed(Object arena);
}
