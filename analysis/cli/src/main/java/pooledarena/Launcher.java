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
package pooledarena;

/**
 * Where {@code java -jar} enters. Alone of the tools' classes this one is compiled for Java 8, so that an older {@code java},
 * which many systems have as the default, says which one it takes. It must not refer to the others.
 */
public final class Launcher {

    /** The class file version of Java 25. */
    private static final double OLDEST = 69;

    private Launcher() {}

    public static void main(String[] args) throws ReflectiveOperationException {
        if (isOld(System.getProperty("java.class.version"))) {
            System.err.println("arena-analysis: this is Java " + System.getProperty("java.specification.version")
                    + " (" + System.getProperty("java.home") + "); 25 and later are accepted; nothing was done");
            System.exit(2);
        }
        Class.forName("pooledarena.Main").getMethod("main", String[].class).invoke(null, (Object) args);
    }

    /** {@return whether a Java virtual machine that reads class files up to this version is too old} */
    static boolean isOld(String classVersion) {
        return Double.parseDouble(classVersion) < OLDEST;
    }
}
