/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena.histogram;

/** A file that is no histogram, or is one that cannot be read; the message says what is wrong with it. */
public final class BadHistogram extends Exception {

    private static final long serialVersionUID = 1;

    BadHistogram(String message) {
        super(message);
    }
}
