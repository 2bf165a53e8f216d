/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package org.codehaus.groovy;

/** Calls for a program, as the runtime library of Groovy does. */
public final class FakeInterface {

    private FakeInterface() {}

    public static void fromCache(Runnable called) {
        called.run();
    }
}
