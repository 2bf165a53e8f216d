/*
 * Copyright (c) 2026, the Pooled Confined Arena authors. All rights reserved.
 * SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
 */
package pooledarena;

/**
 * Starts the analysis tools. Alone of their classes this one is compiled for Java 8, so that an older {@code java}, which
 * many systems have as the default, says which one it takes. It must not load the others before.
 */
public final class Main {

    /** The class file version of Java 25. */
    private static final double OLDEST = 69;

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(System.getProperty("java.class.version"), args));
    }

    /** {@return the exit status} */
    static int run(String classVersion, String... args) {
        if (Double.parseDouble(classVersion) < OLDEST) {
            System.err.println("arena-analysis: this is Java " + System.getProperty("java.specification.version")
                    + " (" + System.getProperty("java.home") + "); 25 and later are accepted; nothing was done");
            return 2;
        }
        System.setProperty("java.awt.headless", "true");
        return Commands.run(args);
    }
}
