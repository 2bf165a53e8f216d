/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

/**
 * The arenas of another kind than confined that a call site opens. They are only counted.
 *
 * @param site the call site, or null if it was not looked for or there were too many
 */
public record OtherArenas(Kind kind, Site site) {

    /** In the order of their numbers in a file. */
    public enum Kind {
        SHARED, AUTO,

        /** Of this one, what counts is how often it was asked for. */
        GLOBAL
    }
}
