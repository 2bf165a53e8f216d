/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.  The authors designate this
 * particular file as subject to the "Classpath" exception as provided
 * in the LICENSE file that accompanied this code.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 */

import java.lang.foreign.Arena;
import java.lang.reflect.Field;
import java.util.Properties;

/**
 * Opens arenas, and prints which values of the pool's properties are in effect. What they do is seen by the tests that
 * set them. Needs {@code --add-opens=java.base/jdk.internal.foreign=ALL-UNNAMED}.
 */
final class PoolProbe {

    private PoolProbe() {}

    public static void main(String[] args) throws ReflectiveOperationException {
        if (Boolean.getBoolean("probe.own.err")) {
            System.setErr(null);
        }
        if (Boolean.getBoolean("probe.own.properties")) {
            System.setProperties(new Properties(System.getProperties()) {
                @Override
                public String getProperty(String key) {
                    throw new UnsupportedOperationException(key);
                }
            });
        }
        for (int i = 0; i <= Slots.WITHOUT_POOL; i++) { // the last one makes a pool
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(1);
            }
        }
        System.out.println(value("SIZE") + " " + value("DEPTH") + " " + value("VERIFY") + " " + value("TRACE") + " "
                + value("AGENTS"));
    }

    private static Object value(String name) throws ReflectiveOperationException {
        Field field = Class.forName("jdk.internal.foreign.ConfinedPoolProperties").getDeclaredField(name);
        field.setAccessible(true);
        return field.get(null);
    }
}
