/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena;

/**
 * Where {@code java -jar} enters. Alone of the tools' classes this one is compiled for Java 8, so that an older
 * {@code java}, which many systems have as the default, says which one it takes. It must not refer to the others.
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

    static boolean isOld(String classVersion) {
        return Double.parseDouble(classVersion) < OLDEST;
    }
}
