/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.io;

/** Input that a command cannot work with. One line says what was wrong, what is accepted, what happens now. */
public final class BadInput extends RuntimeException {

    public BadInput(String message) {
        super(message, null, false, false);
    }
}
