/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena;

import java.util.List;

public final class Order {

    private Order() {}

    /** Asserts that {@code text} has all of {@code parts}, each of which starts no earlier than the one before. */
    public static void assertInOrder(List<String> parts, String text) {
        int before = 0;
        for (String part : parts) {
            before = text.indexOf(part, before);
            if (before < 0) {
                throw new AssertionError(part + " in " + text);
            }
        }
    }
}
